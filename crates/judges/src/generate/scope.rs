//! What may a generated statement name? Variables with the range of their values, arrays with the range of their
//! subscripts: that is what keeps every access inside its object.

/// Least and greatest value of a parameter `n`, `m` or `k`.
pub const SIZES: (i64, i64) = (-3, 9);

/// A variable of an integer type.
#[derive(Clone, Debug)]
pub struct Scalar {
    /// Its name, or any expression that is a place.
    pub name: String,
    /// Least value.
    pub low: i64,
    /// Greatest value.
    pub high: i64,
    /// Its values are affine in those of the parameters and loop variables.
    pub affine: bool,
    /// Statements may assign it, if what they assign is in the range.
    pub assignable: bool,
    /// A loop variable.
    pub counts: bool,
}

/// What an array holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Element {
    /// `int`
    Int,
    /// `short`
    Short,
    /// `unsigned char`
    Byte,
    /// `unsigned`
    Unsigned,
    /// `float`
    Float,
    /// `double`
    Double,
}

impl Element {
    /// The C type.
    pub fn name(self) -> &'static str {
        match self {
            Element::Int => "int",
            Element::Short => "short",
            Element::Byte => "unsigned char",
            Element::Unsigned => "unsigned",
            Element::Float => "float",
            Element::Double => "double",
        }
    }

    /// True for floating types.
    pub fn floats(self) -> bool {
        matches!(self, Element::Float | Element::Double)
    }
}

/// Something with subscripts.
#[derive(Clone, Debug)]
pub struct Array {
    /// What stands before the first subscript: `a`, `s->data`.
    pub name: String,
    /// What stands behind the last: `.x`.
    pub member: &'static str,
    /// What one element is.
    pub element: Element,
    /// Least and greatest value of each subscript.
    pub reach: Vec<(i64, i64)>,
    /// It may be written.
    pub writable: bool,
    /// Least and greatest element, if that is fixed.
    pub values: Option<(i64, i64)>,
    /// What it stands for in the distribution.
    pub feature: Option<&'static str>,
}

/// What may be named at one place.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Integer variables.
    pub scalars: Vec<Scalar>,
    /// Arrays.
    pub arrays: Vec<Array>,
    /// The most often that this place is reached in one call.
    pub times: i64,
    /// Loops around.
    pub depth: usize,
    /// `continue` is harmless here.
    pub may_continue: bool,
    /// `break` is possible here.
    pub may_break: bool,
}

impl Scope {
    /// The array of a name.
    pub fn has(&self, name: &str) -> bool {
        self.arrays.iter().any(|array| array.name == name)
    }

    /// The same place inside a loop that runs so often at most.
    pub fn inside(&self, trips: i64) -> Scope {
        Scope {
            times: self.times.saturating_mul(trips.max(1)),
            depth: self.depth + 1,
            may_continue: true,
            may_break: true,
            ..self.clone()
        }
    }
}
