//! How is a new directive made? Both languages through the same calls.

use crate::{Arguments, Clause, Direction, Directive, Item, Language, ListItem, Modifier, Version};

/// The language has no clause for this direction on this directive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Inexpressible {
    /// What was asked for.
    pub direction: Direction,
}

impl std::fmt::Display for Inexpressible {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no clause of this directive says {:?}", self.direction)
    }
}

impl std::error::Error for Inexpressible {}

impl<E> Directive<E> {
    fn in_version(version: Version, openmp: &str, openacc: &str) -> Directive<E> {
        let language = version.language();
        Directive::new(
            language,
            if language == Language::OpenMp {
                openmp
            } else {
                openacc
            },
        )
    }

    /// A loop on the device, its iterations on all threads: `target teams distribute parallel for`, `parallel loop`.
    pub fn target_loop(version: Version) -> Directive<E> {
        Directive::in_version(version, "target teams distribute parallel for", "parallel loop")
    }

    /// `kernels loop independent` of OpenACC; OpenMP has one way only, [`Directive::target_loop`].
    pub fn kernels_loop(version: Version) -> Directive<E> {
        match version.language() {
            Language::OpenMp => Directive::target_loop(version),
            Language::OpenAcc => {
                Directive::new(Language::OpenAcc, "kernels loop").clause(Clause::bare("independent"))
            }
        }
    }

    /// A structured data environment: `target data`, `data`.
    pub fn data_environment(version: Version) -> Directive<E> {
        Directive::in_version(version, "target data", "data")
    }

    /// `target enter data`, `enter data`
    pub fn enter_data(version: Version) -> Directive<E> {
        Directive::in_version(version, "target enter data", "enter data")
    }

    /// `target exit data`, `exit data`
    pub fn exit_data(version: Version) -> Directive<E> {
        Directive::in_version(version, "target exit data", "exit data")
    }

    /// `target update`, `update`
    pub fn update(version: Version) -> Directive<E> {
        Directive::in_version(version, "target update", "update")
    }

    /// An update of one place that no other one interrupts: `atomic update`.
    pub fn atomic_update(version: Version) -> Directive<E> {
        Directive::in_version(version, "atomic", "atomic").clause(Clause::bare("update"))
    }

    /// A value for one place, of which nobody sees a part: `atomic write`.
    pub fn atomic_write(version: Version) -> Directive<E> {
        Directive::in_version(version, "atomic", "atomic").clause(Clause::bare("write"))
    }

    /// Functions and variables for the device: `declare target` (before, `end declare target` after), `routine seq`.
    pub fn device_function(version: Version) -> Directive<E> {
        let directive = Directive::in_version(version, "declare target", "routine");
        match version.language() {
            Language::OpenMp => directive,
            Language::OpenAcc => directive.clause(Clause::bare("seq")),
        }
    }

    /// OpenMP's variables that kernels and functions on the device find while they are mapped: `declare target link(variables)`.
    pub fn linked(version: Version, variables: impl IntoIterator<Item = E>) -> Directive<E> {
        let directive = Directive::in_version(version, "declare target", "declare");
        variables.into_iter().fold(directive, |directive, variable| {
            directive.listed("link", variable)
        })
    }

    /// Adds a clause at the end.
    #[must_use]
    pub fn clause(mut self, clause: Clause<E>) -> Directive<E> {
        self.clauses.push(clause);
        self
    }

    /// Maps an item in a direction, as the language spells it: `map(to: x)`, `copyin(x)`; on an update `to(x)`, `device(x)`. Items of one
    /// direction share a clause.
    ///
    /// # Errors
    /// [`Inexpressible`], for instance `Release` on a compute construct.
    pub fn map(mut self, direction: Direction, item: ListItem<E>) -> Result<Directive<E>, Inexpressible> {
        let (name, words) = self.clause_for(direction).ok_or(Inexpressible { direction })?;
        let same = |m: &Modifier<E>, word: &&str| matches!(m, Modifier::Word(w) if w == word);
        let fits = |clause: &&mut Clause<E>| {
            let modifiers = clause.modifiers();
            clause.name == name
                && modifiers.len() == words.len()
                && modifiers.iter().zip(words).all(|(m, word)| same(m, word))
        };
        let item = Item::Object(item);
        match self
            .clauses
            .iter_mut()
            .find(fits)
            .and_then(|clause| clause.arguments.as_mut())
        {
            Some(arguments) => arguments.items.push(item),
            None => {
                let mut arguments = Arguments::items(vec![item]);
                arguments.modifiers = words
                    .iter()
                    .map(|word| Modifier::Word((*word).to_owned()))
                    .collect();
                self.clauses.push(Clause {
                    name: name.to_owned(),
                    arguments: Some(arguments),
                    place: None,
                });
            }
        }
        Ok(self)
    }

    /// Name and modifiers of the clause for a direction.
    fn clause_for(&self, direction: Direction) -> Option<(&'static str, &'static [&'static str])> {
        use Direction::*;
        let plain: &[&str] = &[];
        let (update, enter, exit) = (self.is_update(), self.is_enter_data(), self.is_exit_data());
        let inside = self.is_target_construct() || self.is_data_environment();
        let openmp = self.language == Language::OpenMp;
        Some(match direction {
            To if update => (if openmp { "to" } else { "device" }, plain),
            From if update => (if openmp { "from" } else { "self" }, plain),
            To if openmp && (inside || enter) => ("map", &["to"]),
            From if openmp && (inside || exit) => ("map", &["from"]),
            ToFrom if openmp && inside => ("map", &["tofrom"]),
            Alloc if openmp && (inside || enter) => ("map", &["alloc"]),
            Present if openmp && inside => ("map", &["present", "alloc"]),
            Release if openmp && exit => ("map", &["release"]),
            Delete if openmp && exit => ("map", &["delete"]),
            DeviceAddress if openmp && self.is_target_construct() => ("is_device_ptr", plain),
            _ if openmp => return None,
            To if inside || enter => ("copyin", plain),
            From if inside || exit => ("copyout", plain),
            ToFrom if inside => ("copy", plain),
            Alloc if inside || enter => ("create", plain),
            Present if inside => ("present", plain),
            IfPresent if inside => ("no_create", plain),
            DeviceAddress if inside => ("deviceptr", plain),
            Attach if inside || enter => ("attach", plain),
            Release if exit => ("delete", plain),
            Detach if exit => ("detach", plain),
            _ => return None,
        })
    }

    /// Adds an item to the clause of this name that has no modifiers; makes the clause if there is none.
    fn listed(mut self, name: &str, item: E) -> Directive<E> {
        let item = Item::Object(ListItem::whole(item));
        let plain = |c: &&mut Clause<E>| c.name == name && c.modifiers().is_empty();
        match self
            .clauses
            .iter_mut()
            .find(plain)
            .and_then(|c| c.arguments.as_mut())
        {
            Some(arguments) => arguments.items.push(item),
            None => self.clauses.push(Clause::with(name, vec![item])),
        }
        self
    }

    /// `private(variable)`
    #[must_use]
    pub fn private(self, variable: E) -> Directive<E> {
        self.listed("private", variable)
    }

    /// `firstprivate(variable)`
    #[must_use]
    pub fn firstprivate(self, variable: E) -> Directive<E> {
        self.listed("firstprivate", variable)
    }

    /// `reduction(operator: variable)`; variables of one operator share a clause.
    #[must_use]
    pub fn reduction(self, operator: &str, variable: E) -> Directive<E> {
        self.reduction_of(operator, ListItem::whole(variable))
    }

    /// `reduction(operator: item)`, also of an array section.
    #[must_use]
    pub fn reduction_of(mut self, operator: &str, item: ListItem<E>) -> Directive<E> {
        let fits = |c: &&mut Clause<E>| {
            c.name == "reduction" && matches!(c.modifiers(), [Modifier::Word(word)] if word == operator)
        };
        let item = Item::Object(item);
        match self
            .clauses
            .iter_mut()
            .find(fits)
            .and_then(|c| c.arguments.as_mut())
        {
            Some(arguments) => arguments.items.push(item),
            None => {
                let mut arguments = Arguments::items(vec![item]);
                arguments.modifiers.push(Modifier::Word(operator.to_owned()));
                self.clauses.push(Clause {
                    name: "reduction".to_owned(),
                    arguments: Some(arguments),
                    place: None,
                });
            }
        }
        self
    }

    /// `collapse(loops)`
    #[must_use]
    pub fn collapse_loops(self, loops: E) -> Directive<E> {
        self.valued("collapse", loops)
    }

    /// `if(condition)`
    #[must_use]
    pub fn when(self, condition: E) -> Directive<E> {
        self.valued("if", condition)
    }

    /// Any clause with one value: `num_teams(n)`, `async(1)`.
    #[must_use]
    pub fn valued(self, name: &str, value: E) -> Directive<E> {
        self.clause(Clause::with(name, vec![Item::Value(value)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Layout, problems};

    fn built(version: Version) -> Directive<&'static str> {
        Directive::target_loop(version)
            .map(Direction::To, ListItem::section("a", "0", "n"))
            .and_then(|d| d.map(Direction::From, ListItem::whole("x")))
            .and_then(|d| {
                d.map(
                    Direction::To,
                    ListItem::section("b", "i", "2").dimension("0", "m").index("k"),
                )
            })
            .and_then(|d| d.map(Direction::ToFrom, ListItem::whole("s")))
            .unwrap()
            .private("t")
            .private("u")
            .reduction("+", "s")
            .reduction("max", "z")
            .reduction("+", "r")
            .collapse_loops("2")
            .when("n > 0")
    }

    #[test]
    fn one_directive_in_two_languages() {
        let openmp = built(Version::OpenMp50);
        assert_eq!(
            openmp.to_string(),
            "#pragma omp target teams distribute parallel for map(to: a[0:n], b[i:2][0:m][k]) map(from: x) \
             map(tofrom: s) private(t, u) reduction(+: s, r) reduction(max: z) collapse(2) if(n > 0)"
        );
        assert_eq!(problems(&openmp, Version::OpenMp45), []);
        let openacc = built(Version::OpenAcc27);
        assert_eq!(
            openacc.to_string(),
            "#pragma acc parallel loop copyin(a[0:n], b[i:2][0:m][k]) copyout(x) copy(s) private(t, u) \
             reduction(+: s, r) reduction(max: z) collapse(2) if(n > 0)"
        );
        assert_eq!(problems(&openacc, Version::OpenAcc27), []);
        let moved = |d: &Directive<&str>| {
            d.data()
                .iter()
                .map(|i| (i.direction, i.object.unwrap().base.to_owned()))
                .collect::<Vec<_>>()
        };
        assert_eq!(moved(&openmp), moved(&openacc));
        assert_eq!(
            Directive::<&str>::kernels_loop(Version::OpenAcc27).to_string(),
            "#pragma acc kernels loop independent"
        );
    }

    #[test]
    fn every_direction_comes_back() {
        use Direction::*;
        let all = [
            To,
            From,
            ToFrom,
            Alloc,
            Release,
            Delete,
            Present,
            IfPresent,
            DeviceAddress,
            Attach,
            Detach,
        ];
        let mut expressible = 0;
        for version in [Version::OpenMp52, Version::OpenAcc33] {
            let makers = [
                Directive::target_loop,
                Directive::data_environment,
                Directive::enter_data,
                Directive::exit_data,
                Directive::update,
            ];
            for make in makers {
                for direction in all {
                    let Ok(directive) = make(version).map(direction, ListItem::whole("x")) else {
                        continue;
                    };
                    expressible += 1;
                    assert_eq!(problems(&directive, version), [], "{directive}");
                    let back = directive.data();
                    assert_eq!(back[0].direction, direction, "{directive}");
                    assert_eq!(
                        back[0].must_be_present,
                        direction == Present
                            || (directive.language == Language::OpenAcc && directive.is_update())
                    );
                    assert!(back[0].understood);
                }
            }
        }
        assert_eq!(expressible, 42);
    }

    #[test]
    fn long_directives_are_continued() {
        let layout = Layout {
            indentation: "  ",
            width: 40,
            line_end: "\r\n",
        };
        let text = built(Version::OpenMp50).print(&layout, |e| (*e).to_owned());
        assert_eq!(
            text.split("\r\n").collect::<Vec<_>>(),
            [
                "  #pragma omp target teams distribute parallel for \\",
                "      map(to: a[0:n], b[i:2][0:m][k]) \\",
                "      map(from: x) map(tofrom: s) \\",
                "      private(t, u) reduction(+: s, r) \\",
                "      reduction(max: z) collapse(2) \\",
                "      if(n > 0)",
            ]
        );
    }
}
