//! How is it tested in C that values in memory are in order?
//!
//! By a loop over them in front of the kernels, which ends at the first value that is not:
//!
//! ```c
//! int idx_increases = CONDITION;
//! for (long idx_at = 1, idx_end = n; idx_increases && idx_at < idx_end; idx_at++)
//!     idx_increases = idx[idx_at - 1] < idx[idx_at];
//! if (idx_increases) {
//! ```

use super::{Writer, operand, unwrap, word};
use ferry_analysis::symbols::Cause;
use std::collections::BTreeSet;

/// The text of the tests of one environment.
pub(super) struct Text {
    /// The variable that is not 0 if all else holds and the values are in order.
    pub flag: String,
    /// The loops, in lines.
    pub lines: Vec<String>,
    /// All names that are declared.
    pub names: Vec<String>,
}

impl Writer<'_> {
    /// The tests, if there are any.
    pub(super) fn write_passes(&self) -> Result<Option<Text>, Cause> {
        let Some(first) = self.environment.passes.first() else {
            return Ok(None);
        };
        let place = self.place();
        let mut given: BTreeSet<String> = self.names.iter().map(|(name, _)| name.clone()).collect();
        given.extend(self.scalars.iter().map(|scalar| scalar.name.clone()));
        let stepped = self.stepped.values().flat_map(|text| &text.declarations);
        given.extend(stepped.map(|(name, _)| name.clone()));
        let mut names = Vec::new();
        let mut name = |wanted: String| {
            let name = self.unused_name_but(&wanted, &|name| given.contains(name));
            given.insert(name.clone());
            names.push(name.clone());
            name
        };
        let flag = name(format!(
            "{}_increases",
            word(&self.base_name(&first.base, &place)?)
        ));
        let runs = self.runs()?.join(" && ");
        let mut lines = Vec::new();
        for pass in &self.environment.passes {
            let values = self.base_name(&pass.base, &place)?;
            let at = name(format!("{}_at", word(&values)));
            let end = name(format!("{}_end", word(&values)));
            let length = self.text(&pass.section.length, &place)?;
            let is_named = self.names.iter().any(|(name, _)| *name == length);
            let length = match (runs.as_str(), is_named) {
                ("", _) | (_, true) => unwrap(&length),
                // What rests on it that the kernels run may overflow where they do not.
                (runs, false) => format!("{runs} ? {length} : 0"),
            };
            let lower = &pass.section.lower;
            let before = match self.names.iter().find(|(_, named)| named == lower) {
                _ if lower.is_zero() => String::new(),
                Some((name, _)) => format!("{name} + "),
                None => format!("{} + ", operand(&place.wide_expression(lower)?)),
            };
            let order = match pass.strictly {
                true => "<",
                false => "<=",
            };
            lines.push(format!(
                "for (long {at} = 1, {end} = {length}; {flag} && {at} < {end}; {at}++)"
            ));
            lines.push(format!(
                "    {flag} = {values}[{before}{at} - 1] {order} {values}[{before}{at}];"
            ));
        }
        Ok(Some(Text { flag, lines, names }))
    }
}
