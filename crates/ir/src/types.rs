//! Which types are there? C's types after every typedef is resolved, with the sizes of the target (x86-64).

use ferry_source::Origin;

/// A type of one [`crate::Unit`], interned: equal types have equal numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TypeId(pub u32);

/// A struct or union of one unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RecordId(pub u32);

/// A C type. Qualifiers live on variables and fields, not here.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `void`
    Void,
    /// `_Bool`: one byte, 0 or 1.
    Bool,
    /// Any integer or character type, and the underlying type of an enumeration.
    Int {
        /// Width in bits: 8, 16, 32, 64 or 128.
        bits: u16,
        /// Two's complement if signed.
        signed: bool,
    },
    /// A real floating type; `bits` is 32, 64, or 80 (`long double`, 16 bytes in memory), or 128.
    Float {
        /// Width of the format in bits.
        bits: u16,
    },
    /// A complex type: a real part and behind it an imaginary part, each of the floating type with this width.
    Complex {
        /// Width in bits of the format of one part.
        bits: u16,
    },
    /// A pointer, 8 bytes.
    Pointer(TypeId),
    /// An array.
    Array {
        /// Type of one element.
        element: TypeId,
        /// How many elements.
        length: Length,
    },
    /// A struct or union.
    Record(RecordId),
    /// A function type.
    Function {
        /// Return type.
        result: TypeId,
        /// Parameter types after adjustment (arrays are pointers).
        parameters: Vec<TypeId>,
        /// `...`, or no prototype.
        variadic: bool,
    },
    /// A type that the front end does not model (vector, `_BitInt`, …).
    Opaque {
        /// As the compiler spells it.
        spelling: String,
        /// Size in bytes, 0 if unknown.
        size: u64,
    },
}

/// Length of an array, in elements.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Length {
    /// A constant.
    Constant(u64),
    /// A variable-length array: the value of this variable of kind [`crate::VariableKind::Extent`], assigned once,
    /// where the declaration is evaluated, and never again.
    Variable(crate::LocalId),
    /// `[]` of an incomplete or flexible array.
    Unknown,
}

/// A struct or a union, complete or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Tag, or the typedef's name for an unnamed one, or empty.
    pub name: String,
    /// True for a union.
    pub union: bool,
    /// Size in bytes; 0 while incomplete.
    pub size: u64,
    /// Alignment in bytes; 0 while incomplete.
    pub align: u64,
    /// Members in order; the members of unnamed members are reached through a field with an empty name.
    pub fields: Vec<Field>,
    /// False if only declared.
    pub complete: bool,
    /// Where it is defined.
    pub origin: Origin,
}

/// A member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Name, empty for an unnamed struct or union member.
    pub name: String,
    /// Type.
    pub ty: TypeId,
    /// Offset from the start of the record, in bits.
    pub offset_bits: u64,
    /// Width in bits of a bit-field.
    pub width: Option<u16>,
    /// `volatile`-qualified.
    pub volatile: bool,
}

/// The interned types and the records of one unit.
#[derive(Clone, Debug, Default)]
pub struct Types {
    types: Vec<Type>,
    index: std::collections::HashMap<Type, TypeId>,
    /// The records.
    pub records: Vec<Record>,
}

impl Types {
    /// The number of `ty`, the same for equal types.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.index.get(&ty) {
            return id;
        }
        let id = TypeId(self.types.len() as u32);
        self.types.push(ty.clone());
        self.index.insert(ty, id);
        id
    }

    /// The number of `ty` if it is interned already.
    pub fn find(&self, ty: &Type) -> Option<TypeId> {
        self.index.get(ty).copied()
    }

    /// The type with this number.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    /// The type with this number, if there is one: for code that must survive a broken unit.
    pub fn try_get(&self, id: TypeId) -> Option<&Type> {
        self.types.get(id.0 as usize)
    }

    /// The record with this number, if there is one.
    pub fn try_record(&self, id: RecordId) -> Option<&Record> {
        self.records.get(id.0 as usize)
    }

    /// The record with this number.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    /// All types with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.types
            .iter()
            .enumerate()
            .map(|(number, ty)| (TypeId(number as u32), ty))
    }

    /// Size in bytes where it is a constant: not for variable-length or incomplete arrays, functions, incomplete records.
    pub fn size(&self, id: TypeId) -> Option<u64> {
        match self.get(id) {
            Type::Void => Some(1), // GNU C: sizeof(void) is 1, and so pointer arithmetic counts bytes
            Type::Bool => Some(1),
            Type::Int { bits, .. } => Some(u64::from(*bits) / 8),
            Type::Float { bits: 80 } => Some(16),
            Type::Float { bits } => Some(u64::from(*bits) / 8),
            Type::Complex { bits: 80 } => Some(32),
            Type::Complex { bits } => Some(u64::from(*bits) / 4),
            Type::Pointer(_) => Some(8),
            Type::Array {
                element,
                length: Length::Constant(length),
            } => self.size(*element)?.checked_mul(*length),
            Type::Array { .. } => None,
            Type::Record(record) => {
                let record = self.record(*record);
                record.complete.then_some(record.size)
            }
            Type::Function { .. } => Some(1), // GNU C
            Type::Opaque { size: 0, .. } => None,
            Type::Opaque { size, .. } => Some(*size),
        }
    }

    /// Alignment in bytes, 1 where it is not known.
    pub fn align(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Array { element, .. } => self.align(*element),
            Type::Record(record) => self.record(*record).align.max(1),
            Type::Opaque { .. } => 16,
            Type::Complex { .. } => (self.size(id).unwrap_or(2) / 2).max(1),
            _ => self.size(id).unwrap_or(1).max(1),
        }
    }

    /// True for integers and `_Bool`.
    pub fn is_integer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Int { .. } | Type::Bool)
    }

    /// True for the types whose sums depend on their order: floating types, real and complex.
    pub fn is_floating(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Float { .. } | Type::Complex { .. })
    }

    /// True for integers, `_Bool`, floating types, real and complex, and pointers.
    pub fn is_scalar(&self, id: TypeId) -> bool {
        self.is_integer(id) || self.is_floating(id) || matches!(self.get(id), Type::Pointer(_))
    }

    /// What a pointer points to; `None` also for numbers that are no type.
    pub(crate) fn pointee_checked(&self, id: TypeId) -> Option<TypeId> {
        match self.try_get(id)? {
            Type::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    /// What a pointer points to.
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match self.get(id) {
            Type::Pointer(to) => Some(*to),
            _ => None,
        }
    }
}
