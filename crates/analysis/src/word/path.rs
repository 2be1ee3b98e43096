//! Which variable, or which member reached from one, does the user name? `n`, `s->atoms->r`, `tables[2].rows`.
//!
//! A path is a variable and steps by `->`, `.` and subscripts that are numbers. It means what the same text in C means at the place
//! where it is said: the object that is reached by the pointers as they are there.
//!
//! What it cannot do: subscripts by variables (which element would be meant, when they change?), members of unions (their bytes may hold
//! something else), bit-fields, calls, casts and macros.

use ferry_ir::{
    Expr, ExprKind, Length, Place, PlaceBase, Projection, RecordId, Type, TypeId, Types, VariableRef,
};
use ferry_source::Origin;

/// Most steps of a path.
const LONGEST: usize = 16;

/// A variable or a member, as it is spelled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// The text, without blanks.
    pub text: String,
    /// The variable where it begins.
    pub variable: String,
    steps: Vec<Step>,
}

/// One step, and where the text ends with it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Step {
    kind: StepKind,
    end: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum StepKind {
    /// `->name`
    Arrow(String),
    /// `.name`
    Member(String),
    /// `[3]`
    Element(u32),
}

/// A place that a path leads to or comes by, with its text.
#[derive(Clone, PartialEq, Debug)]
pub struct Named {
    /// `s->atoms`
    pub text: String,
    /// What is read there.
    pub place: Place,
}

impl Path {
    /// A variable.
    pub fn variable(name: &str) -> Path {
        Path {
            text: name.to_owned(),
            variable: name.to_owned(),
            steps: Vec::new(),
        }
    }

    /// True for a variable as a whole.
    pub fn is_variable(&self) -> bool {
        self.steps.is_empty()
    }

    /// One step further, by `->` or `.`.
    pub fn add_member(&mut self, arrow: bool, name: &str) -> Result<(), String> {
        let (sign, kind) = match arrow {
            true => ("->", StepKind::Arrow(name.to_owned())),
            false => (".", StepKind::Member(name.to_owned())),
        };
        self.text.push_str(sign);
        self.text.push_str(name);
        self.step(kind)
    }

    /// One step further, by a subscript.
    pub fn add_element(&mut self, number: u32) -> Result<(), String> {
        self.text.push_str(&format!("[{number}]"));
        self.step(StepKind::Element(number))
    }

    fn step(&mut self, kind: StepKind) -> Result<(), String> {
        if self.steps.len() == LONGEST {
            return Err(format!("{} has too many steps", self.text));
        }
        let end = self.text.len();
        self.steps.push(Step { kind, end });
        Ok(())
    }

    /// The places that are read on the way, in order, and the place itself as the last one.
    ///
    /// # Errors
    /// Why the path does not lead to an object whose value can be followed.
    pub fn places(&self, types: &Types, variable: VariableRef, ty: TypeId) -> Result<Vec<Named>, String> {
        let mut way = Way {
            types,
            place: Place {
                base: PlaceBase::Variable(variable),
                path: Vec::new(),
                ty,
                volatile: false,
                origin: Origin::New,
            },
            read: Vec::new(),
        };
        let mut before = self.variable.len();
        for step in &self.steps {
            let text = &self.text[..before];
            match &step.kind {
                StepKind::Arrow(name) => {
                    way.follow(text)?;
                    way.member(text, name)?;
                }
                StepKind::Member(name) => way.member(text, name)?,
                StepKind::Element(number) => way.element(text, *number)?,
            }
            before = step.end;
        }
        let mut read = way.read;
        read.push(Named {
            text: self.text.clone(),
            place: way.place,
        });
        Ok(read)
    }
}

/// A path that is being followed.
struct Way<'a> {
    types: &'a Types,
    place: Place,
    read: Vec<Named>,
}

impl Way<'_> {
    /// From a pointer to what it points to.
    fn follow(&mut self, text: &str) -> Result<(), String> {
        let Type::Pointer(to) = *self.types.get(self.place.ty) else {
            return Err(format!("{text} is not a pointer"));
        };
        let pointer = self.load(text);
        self.place = self.at(pointer, to);
        Ok(())
    }

    /// The value of the pointer here, which is read.
    fn load(&mut self, text: &str) -> Expr {
        self.read.push(Named {
            text: text.to_owned(),
            place: self.place.clone(),
        });
        Expr {
            ty: self.place.ty,
            kind: ExprKind::Load(Box::new(self.place.clone())),
            origin: Origin::New,
        }
    }

    fn at(&self, pointer: Expr, ty: TypeId) -> Place {
        Place {
            base: PlaceBase::Deref(Box::new(pointer)),
            path: Vec::new(),
            ty,
            volatile: false,
            origin: Origin::New,
        }
    }

    fn member(&mut self, text: &str, name: &str) -> Result<(), String> {
        let Type::Record(record) = *self.types.get(self.place.ty) else {
            return Err(format!("{text} is no structure, or points to none"));
        };
        let fields = self.find(record, name, 0)?;
        let fields = fields.ok_or_else(|| format!("{text} has no member {name}"))?;
        let mut record = record;
        for number in fields {
            let field = &self.types.record(record).fields[number as usize];
            if field.width.is_some() || field.volatile {
                return Err(format!(
                    "{name} is a bit-field, or volatile: its value is not followed"
                ));
            }
            self.place.path.push(Projection::Field(number));
            self.place.ty = field.ty;
            if let Type::Record(inner) = *self.types.get(field.ty) {
                record = inner;
            }
        }
        Ok(())
    }

    /// The numbers of the members that lead to a name, through those without one.
    fn find(&self, record: RecordId, name: &str, depth: usize) -> Result<Option<Vec<u32>>, String> {
        let record = self.types.record(record);
        for (field, number) in record.fields.iter().zip(0u32..) {
            let inner = match *self.types.get(field.ty) {
                Type::Record(inner) if field.name.is_empty() && depth < LONGEST => inner,
                _ if field.name == name && record.union => {
                    return Err(format!(
                        "{name} is a member of a union, whose bytes may hold something else"
                    ));
                }
                _ if field.name == name => return Ok(Some(vec![number])),
                _ => continue,
            };
            if let Some(mut behind) = self.find(inner, name, depth + 1)? {
                if record.union {
                    return Err(format!(
                        "{name} is in a union, whose bytes may hold something else"
                    ));
                }
                behind.insert(0, number);
                return Ok(Some(behind));
            }
        }
        Ok(None)
    }

    fn element(&mut self, text: &str, number: u32) -> Result<(), String> {
        let signed = Type::Int {
            bits: 32,
            signed: true,
        };
        let index = self.types.find(&signed).map(|ty| Expr {
            ty,
            kind: ExprKind::Int(i128::from(number)),
            origin: Origin::New,
        });
        match *self.types.get(self.place.ty) {
            Type::Array {
                element,
                length: Length::Constant(length),
            } => {
                if u64::from(number) >= length {
                    return Err(format!("{text} has no element {number}"));
                }
                // Where no type is an `int`, there is no subscript either.
                let index = index.ok_or_else(|| format!("{text} has no elements here"))?;
                self.place.path.push(Projection::Index(index));
                self.place.ty = element;
            }
            Type::Pointer(to) => {
                let index = index.ok_or_else(|| format!("{text} has no elements here"))?;
                let ty = self.place.ty;
                let pointer = Expr {
                    ty,
                    kind: ExprKind::Offset(Box::new(self.load(text)), Box::new(index)),
                    origin: Origin::New,
                };
                self.place = self.at(pointer, to);
            }
            _ => return Err(format!("{text} is not an array of a known length, nor a pointer")),
        }
        Ok(())
    }
}
