//! How are the bytes of one object counted? All sets of one object in one function are in the same coordinates.
//!
//! The declared subscripts where all accesses agree on them; else the offsets taken apart by the symbolic strides that
//! occur in them, with a proof `0 <= r` and `r + size <= stride` for every access (delinearisation; `a[(i*n+j)*m+k]`
//! has three coordinates); else elements, or bytes, in one coordinate. Rows need not begin where the object does: those of
//! `a[i*n+j+1]` with `j < n` begin one element behind. A view is used only where it is proved; for
//! declared subscripts C says that they stay inside their dimensions.
//!
//! What it cannot do: accesses of one object whose rows begin at different places (`a[i*n+j]` and `a[i*n+j+1]`, both with `j < n`).

use crate::access::Access;
use crate::dependence::splits;
use crate::quotient::exact_quotient;
use crate::symbols::Symbols;
use ferry_symbolic::{Expr, Symbol};

/// The coordinates of an object.
#[derive(Clone, PartialEq, Debug)]
pub struct View {
    /// Where the point of zeros is: bytes from the root. Zero unless the offsets are taken apart by strides.
    pub origin: Expr,
    /// Bytes from one value of each coordinate to the next, outermost first.
    pub strides: Vec<Expr>,
    /// How many values a coordinate has, where that is known.
    pub extents: Vec<Option<Expr>>,
    /// Of the innermost element, only these bytes are touched (first, number).
    pub part: Option<(u64, u64)>,
    /// There is one more coordinate, the last: the byte within the innermost element.
    pub bytes: bool,
    /// Size in bytes of the innermost element.
    pub element: u64,
    /// The coordinates are the subscripts of the text.
    pub declared: bool,
}

/// One coordinate of an access.
#[derive(Clone, PartialEq, Debug)]
pub enum Coordinate {
    /// One value.
    At(Expr),
    /// All of `low <= x < high`.
    Span(Expr, Expr),
    /// One value that is in `low <= x < high`, as far as these are known.
    Bounded(Option<Expr>, Option<Expr>),
}

impl View {
    /// How many coordinates.
    pub fn dimensions(&self) -> usize {
        self.strides.len() + usize::from(self.bytes)
    }

    /// The coordinates of an access, if it is one for which the view was made and its place is known.
    pub fn coordinates(&self, access: &Access) -> Option<Vec<Coordinate>> {
        if self.declared {
            self.declared_coordinates(access)
        } else {
            self.split_coordinates(access)
        }
    }

    fn declared_coordinates(&self, access: &Access) -> Option<Vec<Coordinate>> {
        let mut rest = access.offset()?;
        if is_linear(access) && !self.is_all_of_it(&rest, access.size) {
            return self.in_one_element(access, &rest);
        }
        let mut found = Vec::new();
        for subscript in &access.subscripts {
            let (index, stride) = (subscript.index.as_ref()?, subscript.stride.as_ref()?);
            rest = &rest - &(index * stride);
            found.push(Coordinate::At(index.clone()));
        }
        for extent in self.extents.iter().skip(found.len()) {
            found.push(Coordinate::Span(Expr::zero(), extent.clone()?));
        }
        if self.bytes {
            let end = &rest + &Expr::int(i128::from(access.size));
            found.push(Coordinate::Span(rest, end));
        }
        Some(found)
    }

    /// The coordinates of what a call touches inside of one element, where the text has one subscript for the object.
    fn in_one_element(&self, access: &Access, offset: &Expr) -> Option<Vec<Coordinate>> {
        let [stride] = self.strides.as_slice() else {
            return None;
        };
        let mut places = splits(offset, stride).into_iter();
        let (index, first) = places.find(|(_, rest)| inside(access, rest, stride))?;
        let mut found = vec![Coordinate::At(index)];
        if self.bytes {
            let end = &first + &Expr::int(i128::from(access.size));
            found.push(Coordinate::Span(first, end));
        } else if access.size != self.element {
            return None;
        }
        Some(found)
    }

    /// True if so many bytes from an offset on are the whole object, or the object has no subscripts and these are its bytes.
    fn is_all_of_it(&self, offset: &Expr, size: u64) -> bool {
        let whole = match self.strides.first() {
            Some(stride) => self
                .extents
                .first()
                .and_then(|extent| Some(extent.as_ref()? * stride)),
            None if self.bytes => return true,
            None => Some(Expr::int(i128::from(self.element))),
        };
        offset.is_zero() && whole == Some(Expr::int(i128::from(size)))
    }

    fn split_coordinates(&self, access: &Access) -> Option<Vec<Coordinate>> {
        let mut rest = &access.offset()? - &self.origin;
        let mut found = Vec::new();
        let (_, outer) = self.strides.split_last()?;
        for stride in outer {
            let (quotient, remainder) = splits(&rest, stride)
                .into_iter()
                .find(|(_, remainder)| inside(access, remainder, stride))?;
            found.push(Coordinate::At(quotient));
            rest = remainder;
        }
        if access.size == self.element
            && let Some(index) = exact_quotient(&rest, &Expr::int(i128::from(self.element)))
        {
            found.push(Coordinate::At(index));
        } else if self.element == 1 {
            let end = &rest + &Expr::int(i128::from(access.size));
            found.push(Coordinate::Span(rest, end));
        } else {
            return None;
        }
        Some(found)
    }
}

/// True for what a call touches where the text has no subscripts for it.
fn is_linear(access: &Access) -> bool {
    access.summary.is_some() && access.subscripts.is_empty()
}

fn inside(access: &Access, remainder: &Expr, stride: &Expr) -> bool {
    let size = Expr::int(i128::from(access.size));
    access.facts.prove_nonnegative(remainder)
        && access.facts.prove_nonnegative(&(&(stride - remainder) - &size))
}

/// The view of an object that these accesses touch.
pub fn choose(symbols: &Symbols, accesses: &[&Access]) -> View {
    // What a call touches of an object does not decide how it is counted.
    let declared = declared(symbols, accesses).or_else(|| {
        let with_subscripts = accesses.iter().copied().filter(|access| !is_linear(access));
        let view = declared(symbols, &with_subscripts.collect::<Vec<&Access>>())?;
        // The call may touch other bytes of an element than those that the text names.
        let bytes = view.bytes || view.part.is_some();
        Some(View {
            part: None,
            bytes,
            ..view
        })
    });
    let plain = |access: &&Access| {
        let mut indices = access.subscripts.iter().flat_map(|subscript| &subscript.index);
        indices.all(|index| !has_products(symbols, index))
    };
    if let Some(declared) = &declared
        && accesses.iter().all(plain)
    {
        return declared.clone();
    }
    let split = delinearised(symbols, accesses);
    match declared {
        Some(declared) if split.strides.len() < 2 => declared,
        _ => split,
    }
}

/// True if a value that varies is multiplied by something that is no constant.
fn has_products(symbols: &Symbols, expr: &Expr) -> bool {
    expr.terms().any(|term| {
        let mut factors = term.monomial.factors().iter();
        let varies = |atom: &ferry_symbolic::Atom| {
            let all = Expr::atom(atom.clone()).symbols();
            all.iter().any(|symbol| !symbols.info(*symbol).loops.is_empty())
        };
        term.monomial.degree() > 1 && factors.any(|(atom, _)| varies(atom))
    })
}

fn declared(symbols: &Symbols, accesses: &[&Access]) -> Option<View> {
    let shape = &accesses
        .iter()
        .max_by_key(|access| access.subscripts.len())?
        .subscripts;
    let strides: Vec<Expr> = shape
        .iter()
        .map(|one| one.stride.clone())
        .collect::<Option<_>>()?;
    let mut extents: Vec<Option<Expr>> = shape.iter().map(|one| one.extent.clone()).collect();
    let fixed = |expr: &Expr| {
        expr.symbols()
            .iter()
            .all(|symbol| symbols.info(*symbol).loops.is_empty())
    };
    if !strides.iter().all(fixed) || !extents.iter().flatten().all(fixed) {
        return None;
    }
    let element = match strides.last() {
        Some(stride) => u64::try_from(stride.as_constant()?.to_i128()?).ok()?,
        None => accesses.iter().map(|access| access.size).max()?,
    };
    let mut parts: Vec<(u64, u64)> = Vec::new();
    for access in accesses {
        let mut rest = access.offset()?;
        let own = &access.subscripts;
        for (number, (subscript, stride)) in own.iter().zip(&strides).enumerate() {
            if subscript.stride.as_ref() != Some(stride) {
                return None;
            }
            if number > 0 && subscript.extent != extents[number] {
                return None;
            }
            if number == 0 && extents[0].is_none() {
                extents[0] = None;
            }
            rest = &rest - &(subscript.index.as_ref()? * stride);
        }
        let rest = rest.as_constant()?.to_i128()?;
        if own.len() < shape.len() {
            // All of the dimensions that are left.
            let whole = match own.last() {
                Some(last) => last.stride.clone()?,
                None => shape[0].extent.as_ref()? * &strides[0],
            };
            let all = Expr::int(i128::from(access.size)) == whole;
            let known = shape[own.len()..].iter().all(|one| one.extent.is_some());
            if rest != 0 || !all || !known {
                return None;
            }
            parts.push((0, element));
            continue;
        }
        let rest = u64::try_from(rest).ok()?;
        if !strides.is_empty() && rest.checked_add(access.size)? > element {
            return None;
        }
        parts.push((rest, access.size));
    }
    parts.sort_unstable();
    parts.dedup();
    let (part, bytes) = match parts.as_slice() {
        [(0, size)] if *size == element => (None, false),
        [one] => (Some(*one), false),
        _ => (None, true),
    };
    Some(View {
        origin: Expr::zero(),
        strides,
        extents,
        part,
        bytes,
        element,
        declared: true,
    })
}

/// Most symbolic strides that are tried.
const MAX_STRIDES: usize = 4;

/// Most places that are tried where rows could begin, beside the beginning of the object.
const MAX_ORIGINS: usize = 3;

fn delinearised(symbols: &Symbols, accesses: &[&Access]) -> View {
    let size = accesses.first().map_or(1, |access| access.size.max(1));
    let even = accesses.iter().all(|access| access.size == size);
    let element = if even { size } else { 1 };
    let mut strides = candidates(symbols, accesses);
    loop {
        let mut origins = vec![Expr::zero()];
        if !strides.is_empty() {
            origins.extend(shifts(symbols, accesses, &strides));
        }
        for element in [element, 1] {
            for origin in &origins {
                let view = view_of(origin.clone(), &strides, element);
                let fits = accesses
                    .iter()
                    .filter(|access| access.offset().is_some())
                    .all(|access| view.split_coordinates(access).is_some());
                if fits {
                    return view;
                }
            }
        }
        if strides.pop().is_none() {
            return view_of(Expr::zero(), &[], 1);
        }
    }
}

/// Where rows could begin that the accesses fill: what does not vary of what is left of their offsets behind the strides.
fn shifts(symbols: &Symbols, accesses: &[&Access], strides: &[Expr]) -> Vec<Expr> {
    let mut found: Vec<Expr> = Vec::new();
    for access in accesses {
        let Some(mut rest) = access.offset() else { continue };
        for stride in strides {
            if let Some((_, remainder)) = splits(&rest, stride).into_iter().next() {
                rest = remainder;
            }
        }
        let fixed = |symbol: &Symbol| symbols.info(*symbol).loops.is_empty();
        let shift = rest.summands(|summand| summand.symbols().iter().all(fixed));
        if !shift.is_zero() && !found.contains(&shift) {
            found.push(shift);
        }
        if found.len() == MAX_ORIGINS {
            break;
        }
    }
    found
}

fn view_of(origin: Expr, outer: &[Expr], element: u64) -> View {
    let mut strides = outer.to_vec();
    strides.push(Expr::int(i128::from(element)));
    // A call may touch the object where a stride is not positive: nothing bounds the coordinates themselves.
    let extents = vec![None; strides.len()];
    View {
        origin,
        strides,
        extents,
        part: None,
        bytes: false,
        element,
        declared: false,
    }
}

/// Coefficients, with symbols, of what varies; those of the highest degree first.
fn candidates(symbols: &Symbols, accesses: &[&Access]) -> Vec<Expr> {
    let mut found: Vec<Expr> = Vec::new();
    for access in accesses {
        let Some(offset) = access.offset() else { continue };
        for symbol in offset.symbols() {
            if symbols.info(symbol).loops.is_empty() {
                continue;
            }
            let Some((coefficient, _)) = offset.linear_in(symbol) else {
                continue;
            };
            let fixed = |symbol: &Symbol| symbols.info(*symbol).loops.is_empty();
            if coefficient.as_constant().is_some() || !coefficient.symbols().iter().all(fixed) {
                continue;
            }
            let negative = access.facts.prove_nonnegative(&-&coefficient);
            let positive = if negative { -&coefficient } else { coefficient };
            if !found.contains(&positive) {
                found.push(positive);
            }
        }
    }
    let degree = |expr: &Expr| {
        let degrees = expr.terms().map(|term| term.monomial.degree());
        degrees.max().unwrap_or(0)
    };
    found.sort_by(|a, b| degree(b).cmp(&degree(a)).then_with(|| a.cmp(b)));
    found.truncate(MAX_STRIDES);
    found
}

impl View {
    /// How a coordinate is called.
    pub fn name(&self, at: usize) -> String {
        format!("x{at}")
    }

    /// The first byte of a point, counted from the root, and how many bytes it has.
    pub fn bytes_of(&self, point: &[i128], value: &dyn Fn(Symbol) -> Option<i128>) -> Option<(i128, u64)> {
        let number = |expr: &Expr| {
            let found = expr.evaluate(&|symbol| value(symbol).map(ferry_symbolic::Integer::from))?;
            found.to_i128()
        };
        let mut low: i128 = number(&self.origin)?;
        for (at, stride) in point.iter().zip(&self.strides) {
            let stride = number(stride)?;
            low = low.checked_add(at.checked_mul(stride)?)?;
        }
        if self.bytes {
            return Some((low.checked_add(*point.last()?)?, 1));
        }
        match self.part {
            Some((first, size)) => Some((low + i128::from(first), size)),
            None => Some((low, self.element)),
        }
    }
}
