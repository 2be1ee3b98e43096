//! How does a path through pointers read: `w[0:n][0:m]`, `A->rows[0:n].values[0:m]`?
//!
//! Each bracket is one interval: the pointers that may be followed, then what is touched behind each of them.
//! What it cannot do: unions, and members of which more than one is touched.

use crate::names::Names;
use crate::sections::{self, Described};
use ferry_analysis::access::Access;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::path::Path;
use ferry_analysis::region::{self, Hull};
use ferry_analysis::symbols::{Cause, SymbolKind};
use ferry_ir::{Type, TypeId};
use ferry_symbolic::{Expr, Facts};

/// The section of an access whose own root changes while the loop runs; its bytes are counted from where the last pointer points.
pub fn of_access(names: Names<'_>, access: &Access, of: LoopIndex) -> Result<Described, Cause> {
    let path = names.facts.values.path(access, &[of])?;
    let described = text(names, access, &path).and_then(|text| {
        let value = |value: &Expr| names.short_value(&value.simplify(&access.facts), &access.facts);
        Some(Described {
            text,
            bytes: [value(&path.bytes.low)?, value(&path.bytes.high)?],
            exact: false,
        })
    });
    described.ok_or_else(|| Cause::new("the path to it has no short text", access.origin))
}

fn text(names: Names<'_>, access: &Access, path: &Path) -> Option<String> {
    let mut walk = Walk {
        names,
        facts: &access.facts,
        text: names.symbol(path.root),
        // A variable is named by itself, other storage by what points to it.
        behind: !matches!(
            names.facts.values.symbols.info(path.root).kind,
            SymbolKind::Address(_)
        ),
    };
    let mut root = path.root;
    for pointer in &path.pointers {
        walk.step(names.element(root)?, &pointer.hull)?;
        walk.behind = true;
        root = pointer.symbol;
    }
    walk.step(names.element(root).unwrap_or(access.ty), &path.bytes)?;
    Some(walk.text)
}

/// A text that grows from the root to what is touched.
struct Walk<'a> {
    names: Names<'a>,
    facts: &'a Facts,
    text: String,
    /// The text so far is that of a pointer to what comes next.
    behind: bool,
}

impl Walk<'_> {
    /// Adds the brackets and members for one interval of bytes in storage whose elements are of one type.
    fn step(&mut self, element: TypeId, hull: &Hull) -> Option<()> {
        let types = &self.names.unit.types;
        let mut element = element;
        while let Type::Array { element: inner, .. } = types.get(element) {
            element = *inner;
        }
        let size = Expr::int(i128::from(types.size(element).filter(|size| *size > 0)?));
        let section = region::section(hull, &size, self.facts);
        let only = section.lower.is_zero() && section.length == Expr::one();
        let member = match types.get(element) {
            Type::Record(record) => {
                let first = &hull.low - &(&section.lower * &size);
                let first = first.simplify(self.facts).as_constant()?.to_i64()?;
                let first = u64::try_from(first).ok()?;
                Some(self.names.member(*record, first, false)?)
            }
            _ => None,
        };
        if only && let Some(member) = &member {
            self.text.push_str(if self.behind { "->" } else { "." });
            self.text.push_str(member);
            return Some(());
        }
        let brackets = sections::part(self.names, &section.lower, &section.length, self.facts)?;
        self.text.push_str(&brackets);
        if let Some(member) = &member {
            self.text.push('.');
            self.text.push_str(member);
        }
        Some(())
    }
}
