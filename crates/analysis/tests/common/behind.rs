//! Do the regions of rows hold? What was touched through pointers of a table is looked for behind the pointers that were in the
//! table before the loop: through one of them it must be in the upper bound, and every point of a lower bound must have been touched.
//!
//! What it cannot do: rows of rows. Where rows overlap, any of them that explains an access will do.

use super::regions::box_around;
use ferry_analysis::regions::View;
use ferry_analysis::symbols::SymbolKind;
use ferry_analysis::value::Values;
use ferry_ir::interpret::View as Now;
use ferry_symbolic::Symbol;
use std::collections::{BTreeMap, BTreeSet};

/// Pointers of a table, by their number from its root.
pub type Pointers = BTreeMap<i128, i128>;

/// The points of the bytes from an offset on.
pub type PointsOf<'a> = dyn Fn(i128, u64) -> Option<Vec<Vec<i128>>> + 'a;

/// Most bytes of a table that are looked at, before and behind its root.
const LARGEST: i128 = 1 << 14;

/// What is in a table now; `None` if it is too large. Pointers that lead nowhere are left out.
pub fn pointers(base: i128, now: &Now<'_>) -> Option<Pointers> {
    let (_, offset) = now.object_at(u64::try_from(base).ok()?)?;
    let before = i128::from(offset);
    let larger = now.object_at(u64::try_from(base + LARGEST).ok()?).is_some();
    if before > LARGEST || larger {
        return None;
    }
    let at = |number: i128| -> Option<(i128, i128)> {
        let address = u64::try_from(base + 8 * number).ok()?;
        let pointer = now.bits(address, 8)?;
        now.object_at(pointer)?;
        Some((number, i128::from(pointer)))
    };
    Some((-(before / 8)..LARGEST / 8).filter_map(at).collect())
}

/// The root of the storage in which a pointer was found.
pub fn table_of(values: &Values, pointer: Symbol) -> Option<Symbol> {
    let SymbolKind::Loaded { address, size: 8 } = &values.symbols.info(pointer).kind else {
        return None;
    };
    let mut loads = values
        .accesses
        .iter()
        .filter(|access| !access.is_write() && access.size == 8);
    loads
        .find(|access| access.address.as_ref() == Some(address))?
        .root
}

/// For what was touched (addresses and sizes), the points that it is, one list for each pointer that may have led there.
pub fn explanations(pointers: &Pointers, touched: (i128, u64), points: &PointsOf<'_>) -> Vec<Vec<Vec<i128>>> {
    let of = |(number, pointer): (&i128, &i128)| {
        let own = points(touched.0 - pointer, touched.1)?;
        let with_number = |point: Vec<i128>| [vec![*number], point].concat();
        Some(own.into_iter().map(with_number).collect())
    };
    pointers.iter().filter_map(of).collect()
}

/// The points around what was touched, through each pointer.
pub fn around(
    pointers: &Pointers,
    touched: &BTreeSet<(i128, u64)>,
    points: &PointsOf<'_>,
    view: &View,
) -> Vec<Vec<i128>> {
    let mut found = Vec::new();
    for (number, pointer) in pointers {
        // Not what lies far from where this pointer leads: that was through another one.
        let near = touched
            .iter()
            .filter(|(address, _)| (address - pointer).abs() < 400);
        let own: BTreeSet<Vec<i128>> = near
            .filter_map(|(address, size)| points(address - pointer, *size))
            .flatten()
            .collect();
        let all = box_around(&own, view.dimensions());
        found.extend(all.into_iter().map(|point| [vec![*number], point].concat()));
    }
    found
}
