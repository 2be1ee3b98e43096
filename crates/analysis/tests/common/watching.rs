//! What the judges of runs share: where an access of a run stands in the analysis, complaints, counts that add up.

use super::Analysed;
use ferry_analysis::access::AccessKind;
use ferry_ir::interpret::{self, Object, Site};
use ferry_ir::{FunctionRef, StmtId, VariableKind};
use ferry_source::Origin;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// The functions that run, outermost first, each with the statement that called it.
#[derive(Default)]
pub struct Stack {
    running: Vec<(u32, FunctionRef, StmtId)>,
}

impl Stack {
    /// A function begins.
    pub fn call(&mut self, unit: u32, function: FunctionRef, site: &Site) {
        self.running.push((unit, function, site.statement));
    }

    /// It ends.
    pub fn leave(&mut self) {
        self.running.pop();
    }

    /// For each function that runs, from the outermost: its place among those that run, which it is, and the statement
    /// in it at which the program is, if that is a call. The innermost one is left out.
    pub fn callers(&self) -> impl Iterator<Item = (usize, u32, FunctionRef, StmtId)> + '_ {
        self.running
            .windows(2)
            .enumerate()
            .map(|(place, two)| (place, two[0].0, two[0].1, two[1].2))
    }
}

/// A place in the text of a function: unit, function, statement, origin, read or write.
pub type Place = (u32, FunctionRef, StmtId, Origin, AccessKind);

/// The places of all accesses of the analysis, with the numbers of the accesses there.
pub type Places = HashMap<Place, Rc<Vec<usize>>>;

/// Where the accesses of a program are.
pub fn places(program: &Analysed) -> Places {
    let mut found: HashMap<Place, Vec<usize>> = HashMap::new();
    for ((unit, function), facts) in &program.facts {
        for (number, access) in facts.values.accesses.iter().enumerate() {
            // A section of a called function stands for several.
            let own = [access.origin];
            for origin in access.summary.as_deref().unwrap_or(&own) {
                let key = (*unit, *function, access.stmt, *origin, access.kind);
                found.entry(key).or_default().push(number);
            }
        }
    }
    let shared = found.into_iter().map(|(key, numbers)| (key, Rc::new(numbers)));
    shared.collect()
}

/// Read or write, in the words of the analysis.
pub fn kind_of(access: &interpret::Access<'_>) -> AccessKind {
    match access.kind {
        interpret::AccessKind::Read => AccessKind::Read,
        interpret::AccessKind::Write => AccessKind::Write,
    }
}

/// True for scalars whose address is not taken.
pub fn follows_by_name(program: &Analysed, object: Object) -> bool {
    let Object::Local(unit, function, local) = object else {
        return false;
    };
    let unit = &program.units[unit as usize];
    let local = unit.function(function).local(local);
    let free = local.kind == VariableKind::Temporary || !local.address_taken;
    free && !local.qualifiers.volatile && unit.types.is_scalar(local.ty)
}

/// What a judge found wrong, each thing once.
pub struct Complaints {
    /// The first ones.
    pub list: Vec<String>,
    /// How many are kept.
    pub most: usize,
    said: BTreeSet<String>,
}

impl Default for Complaints {
    fn default() -> Complaints {
        Complaints {
            list: Vec::new(),
            most: 12,
            said: BTreeSet::new(),
        }
    }
}

impl Complaints {
    /// Keeps a message if nothing was said under this name.
    pub fn add(&mut self, name: String, message: String) {
        if self.said.insert(name) && self.list.len() < self.most {
            self.list.push(message);
        }
    }
}

/// A struct of numbers that are added up field by field.
macro_rules! counts {
    ($(#[$about:meta])* pub struct $name:ident { $($(#[$field_about:meta])* pub $field:ident: u64,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name {
            $($(#[$field_about])* pub $field: u64,)*
        }

        impl std::ops::AddAssign for $name {
            fn add_assign(&mut self, other: $name) {
                $(self.$field += other.$field;)*
            }
        }
    };
}
pub(crate) use counts;
