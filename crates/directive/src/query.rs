//! What does a directive do? Questions that have the same answer in both languages.

use crate::table::{self, Association};
use crate::{Arguments, Clause, Directive, Item, Language, ListItem, Modifier};
use ferry_source::mentions;

/// How a data clause moves data between host and device.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// Host to device: at the beginning of a data environment, or now in an update.
    To,
    /// Device to host: at the end of a data environment, or now in an update.
    From,
    /// Both.
    ToFrom,
    /// Device memory without transfer.
    Alloc,
    /// The reference count goes down.
    Release,
    /// The reference count becomes 0.
    Delete,
    /// Must be on the device already; nothing moves.
    Present,
    /// Used on the device if it is there already; nothing moves (OpenACC `no_create`).
    IfPresent,
    /// The value is a device address already (`is_device_ptr`, `has_device_addr`, `deviceptr`).
    DeviceAddress,
    /// A device pointer is made to point to the device copy.
    Attach,
    /// And back.
    Detach,
}

/// One item of a data clause.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DataItem<'a, E> {
    /// Index of the clause in the directive.
    pub clause: usize,
    /// Index of the item in the clause.
    pub item: usize,
    /// What moves.
    pub direction: Direction,
    /// Moves also if the data are present already; true of all updates.
    pub always: bool,
    /// An error if the data are not on the device (`present` of OpenMP as a modifier; `update` of OpenACC without `if_present`).
    pub must_be_present: bool,
    /// The reference count becomes 0 at the end (`finalize` of OpenACC).
    pub finalize: bool,
    /// The object or section; `None` if it could not be taken apart.
    pub object: Option<&'a ListItem<E>>,
    /// False if the clause says more than this struct (a mapper, an iterator, unknown words): then nothing may be concluded.
    pub understood: bool,
}

/// One reduction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reduction<'a, E> {
    /// Index of the clause in the directive.
    pub clause: usize,
    /// The operator as written: `+`, `max`, `&&`, a user's name.
    pub operator: &'a str,
    /// The variable; `None` if it could not be taken apart.
    pub object: Option<&'a ListItem<E>>,
}

fn object<E>(item: &Item<E>) -> Option<&ListItem<E>> {
    match item {
        Item::Object(object) => Some(object),
        _ => None,
    }
}

impl<E> Directive<E> {
    /// True if one of its leaf constructs has this name.
    pub fn has_leaf(&self, leaf: &str) -> bool {
        table::leaves(self.language, &self.name).contains(&leaf)
    }

    /// What it is written before; `None` if its name is unknown.
    pub fn association(&self) -> Option<Association> {
        let stand_alone = self.has_clause("depend") || self.has_clause("doacross");
        match table::specification(self.language, &self.name)?.association {
            Association::Varies if self.name == "ordered" && stand_alone => Some(Association::StandAlone),
            Association::Varies if self.name == "ordered" => Some(Association::Block),
            // Without a list it opens a region of declarations.
            Association::Declarative if self.name == "declare target" && self.arguments.is_none() => {
                let lists = ["to", "link", "enter", "local"]
                    .iter()
                    .any(|clause| self.has_clause(clause));
                Some(if lists {
                    Association::Declarative
                } else {
                    Association::Delimited
                })
            }
            association => Some(association),
        }
    }

    /// True if the statement after it runs on the device: `target…` with a block or loop nest, OpenACC `parallel`, `serial`, `kernels`.
    pub fn is_target_construct(&self) -> bool {
        match self.language {
            Language::OpenMp => self.has_leaf("target"),
            Language::OpenAcc => ["parallel", "serial", "kernels"]
                .iter()
                .any(|leaf| self.has_leaf(leaf)),
        }
    }

    /// True for `task`, which makes one that runs on the host.
    pub fn is_explicit_task(&self) -> bool {
        self.language == Language::OpenMp && self.name == "task"
    }

    /// True for a metadirective: which directive it is depends on where it is compiled, or on values.
    pub fn is_chosen_by_context(&self) -> bool {
        self.name.ends_with("metadirective")
    }

    /// True for a metadirective that may become a construct for a device, or one that moves data.
    pub fn may_become_target(&self) -> bool {
        let names_target =
            |item: &Item<E>| matches!(item, Item::Raw(text) if mentions(text.as_bytes(), "target"));
        self.is_chosen_by_context()
            && self
                .clauses
                .iter()
                .any(|clause| clause.items().iter().any(names_target))
    }

    /// True if it is a structured data environment and nothing else: `target data`, `data`.
    pub fn is_data_environment(&self) -> bool {
        self.name == self.in_language("target data", "data")
    }

    /// `target enter data`, `enter data`
    pub fn is_enter_data(&self) -> bool {
        self.name == self.in_language("target enter data", "enter data")
    }

    /// `target exit data`, `exit data`
    pub fn is_exit_data(&self) -> bool {
        self.name == self.in_language("target exit data", "exit data")
    }

    /// `target update`, `update`
    pub fn is_update(&self) -> bool {
        self.name == self.in_language("target update", "update")
    }

    fn in_language(&self, openmp: &'static str, openacc: &'static str) -> &'static str {
        match self.language {
            Language::OpenMp => openmp,
            Language::OpenAcc => openacc,
        }
    }

    /// True if a loop nest must follow.
    pub fn is_loop_directive(&self) -> bool {
        self.association() == Some(Association::Loops)
    }

    /// The single value of the first clause with this name: of `collapse`, `num_threads`, `async`.
    pub fn value(&self, clause: &str) -> Option<&E> {
        match self.clauses.iter().find(|c| c.name == clause)?.items() {
            [Item::Value(value)] => Some(value),
            _ => None,
        }
    }

    /// The number of associated loops as `collapse` (or `ordered`) says it; `None` is 1.
    pub fn collapse(&self) -> Option<&E> {
        self.value("collapse").or_else(|| self.value("ordered"))
    }

    /// The conditions of `if` clauses, each with the directive name before its colon.
    pub fn conditions(&self) -> Vec<(Option<&str>, &E)> {
        let mut found = Vec::new();
        for clause in self.clauses.iter().filter(|c| c.name == "if") {
            if let [Item::Value(value)] = clause.items() {
                let name = clause.modifiers().iter().find_map(|m| match m {
                    Modifier::Word(word) => Some(word.as_str()),
                    _ => None,
                });
                found.push((name, value));
            }
        }
        found
    }

    /// The objects of all clauses with this name (`private`, `firstprivate`, `use_device_ptr`); `None` for one not taken apart.
    pub fn objects(&self, clause: &str) -> Vec<Option<&ListItem<E>>> {
        self.clauses
            .iter()
            .filter(|c| c.name == clause)
            .flat_map(|c| c.items().iter().map(object))
            .collect()
    }

    /// All reductions of `reduction`, `in_reduction` and `task_reduction` clauses.
    pub fn reductions(&self) -> Vec<Reduction<'_, E>> {
        let mut found = Vec::new();
        for (number, clause) in self.clauses.iter().enumerate() {
            if !matches!(
                clause.name.as_str(),
                "reduction" | "in_reduction" | "task_reduction"
            ) {
                continue;
            }
            if let Some(Modifier::Word(operator)) = clause.modifiers().last() {
                found.extend(clause.items().iter().map(|item| Reduction {
                    clause: number,
                    operator,
                    object: object(item),
                }));
            }
        }
        found
    }

    /// The items of all clauses that put data on the device, move them, or say where they are, in both languages alike. Not those of
    /// declarations (`declare target`, `declare`), nor what is mapped without a clause.
    pub fn data(&self) -> Vec<DataItem<'_, E>> {
        let mut found = Vec::new();
        for (number, clause) in self.clauses.iter().enumerate() {
            let Some((direction, understood)) = self.direction(clause) else {
                continue;
            };
            let update = self.is_update();
            let must_be_present = match self.language {
                Language::OpenMp => clause.has_modifier("present"),
                Language::OpenAcc => update && !self.has_clause("if_present"),
            };
            for (item_number, item) in clause.items().iter().enumerate() {
                found.push(DataItem {
                    clause: number,
                    item: item_number,
                    direction,
                    always: update || clause.has_modifier("always"),
                    must_be_present: must_be_present || direction == Direction::Present,
                    finalize: self.is_exit_data() && self.has_clause("finalize"),
                    object: object(item),
                    understood: understood && object(item).is_some(),
                });
            }
        }
        found
    }

    /// The direction of a data clause, and whether all its modifiers are understood.
    fn direction(&self, clause: &Clause<E>) -> Option<(Direction, bool)> {
        match self.language {
            Language::OpenMp => self.openmp_direction(clause),
            Language::OpenAcc => self.openacc_direction(clause),
        }
    }

    fn openmp_direction(&self, clause: &Clause<E>) -> Option<(Direction, bool)> {
        let direction = match clause.name.as_str() {
            "to" if self.is_update() => Direction::To,
            "from" if self.is_update() => Direction::From,
            "is_device_ptr" | "has_device_addr" => Direction::DeviceAddress,
            "map" => return Some(self.map_direction(clause.arguments.as_ref()?)),
            _ => return None,
        };
        let simple = |m: &Modifier<E>| matches!(m, Modifier::Word(word) if word == "present");
        Some((direction, clause.modifiers().iter().all(simple)))
    }

    fn map_direction(&self, arguments: &Arguments<E>) -> (Direction, bool) {
        let mut direction = None;
        let mut understood = true;
        for modifier in &arguments.modifiers {
            let word = match modifier {
                Modifier::Word(word) => word.as_str(),
                _ => "",
            };
            let kind = match word {
                "to" => Direction::To,
                "from" => Direction::From,
                "tofrom" => Direction::ToFrom,
                "alloc" | "storage" => Direction::Alloc,
                "release" => Direction::Release,
                "delete" => Direction::Delete,
                "always" | "close" | "present" => continue,
                _ => {
                    understood = false;
                    continue;
                }
            };
            // OpenMP 6.0 has `delete` beside a type.
            understood &= direction.replace(kind).is_none();
        }
        // OpenMP 5.2 §5.8.3: without a type it depends on the construct.
        let default = || {
            if self.is_enter_data() {
                Direction::To
            } else if self.is_exit_data() {
                Direction::From
            } else {
                Direction::ToFrom
            }
        };
        let present = arguments
            .modifiers
            .iter()
            .any(|m| matches!(m, Modifier::Word(word) if word == "present"));
        match direction.unwrap_or_else(default) {
            Direction::Alloc if present => (Direction::Present, understood),
            direction => (direction, understood),
        }
    }

    fn openacc_direction(&self, clause: &Clause<E>) -> Option<(Direction, bool)> {
        let update = self.is_update();
        let direction = match clause.name.as_str() {
            "copy" => Direction::ToFrom,
            "copyin" => Direction::To,
            "copyout" => Direction::From,
            "create" => Direction::Alloc,
            "delete" if self.has_clause("finalize") => Direction::Delete,
            "delete" => Direction::Release,
            "present" => Direction::Present,
            "no_create" => Direction::IfPresent,
            "deviceptr" => Direction::DeviceAddress,
            "attach" => Direction::Attach,
            "detach" => Direction::Detach,
            "device" if update => Direction::To,
            "self" | "host" if update => Direction::From,
            _ => return None,
        };
        if self.name == "declare" {
            return None;
        }
        let simple =
            |m: &Modifier<E>| matches!(m, Modifier::Word(word) if word == "readonly" || word == "always");
        Some((direction, clause.modifiers().iter().all(simple)))
    }
}
