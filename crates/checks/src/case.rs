//! What is one defect about, in the words of the program? The object's name, its elements, the sections.

use crate::fixes;
use crate::member::{self, Member};
use ferry_analysis::coherence::{Defect, Found, is_data_directive};
use ferry_analysis::symbols::SymbolKind;
use ferry_directive::{Direction, Directive, Language};
use ferry_ir::{Expr as Code, StmtKind, Type, TypeId, Unit, VariableRef};
use ferry_source::{Origin, Sources};
use ferry_symbolic::{Expr, Integer, Symbol, text};

/// One defect with its names.
pub struct Case<'a> {
    /// The object as the program names it there.
    pub object: String,
    /// The defect.
    pub defect: &'a Defect,
    /// The directive that it names, if any.
    pub directive: Option<&'a Directive<Code>>,
    /// What things are called.
    pub names: Names<'a>,
}

/// What symbols are called.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    /// The unit.
    pub unit: &'a Unit,
    /// What was found, with its values.
    pub found: &'a Found,
    /// The files.
    pub sources: &'a Sources,
}

impl<'a> Case<'a> {
    /// The case of a defect.
    pub fn new(names: Names<'a>, defect: &'a Defect, directive: Option<&'a Directive<Code>>) -> Case<'a> {
        Case {
            object: names.object(defect.root, defect.named),
            defect,
            directive,
            names,
        }
    }

    /// What to say in the language of the directive.
    pub fn either(&self, openmp: &str, openacc: &str) -> String {
        match self.language() {
            Language::OpenAcc => openacc.to_owned(),
            Language::OpenMp => openmp.to_owned(),
        }
    }

    /// True if the object is a variable that holds an address.
    pub fn is_pointer(&self) -> bool {
        let Names { unit, found, .. } = self.names;
        let variable = found.values.variable_at(self.defect.root);
        variable.is_some_and(|variable| {
            let ty = found.values.type_of(unit, variable);
            unit.types.pointee(ty).is_some()
        })
    }

    /// The language of the directive; without one that of the first one in the file that moves data.
    fn language(&self) -> Language {
        if let Some(directive) = self.directive {
            return directive.language;
        }
        let mut found = None;
        for (_, function) in self.names.unit.functions() {
            let Some(body) = &function.body else { continue };
            body.walk(&mut |stmt| {
                if let StmtKind::Directive { directive, .. } = &stmt.kind
                    && is_data_directive(directive)
                {
                    found.get_or_insert(directive.language);
                }
            });
        }
        found.unwrap_or(Language::OpenMp)
    }

    /// The directive that moves the object now: `target update to(a[0:n])`.
    pub fn update(&self, to_device: bool) -> String {
        let section = self.section(self.defect.bytes.as_ref());
        update(self.language(), to_device, &section)
    }

    /// What the clause names, as the program says it there: a pointer without a section would be the pointer, numbers hold for one call, and a function that is called
    /// may have another name for it.
    pub fn item(&self) -> String {
        fixes::written(self).unwrap_or_else(|| self.section(self.defect.bytes.as_ref()))
    }

    /// The directive that brings what the clause names back to the host: `target update from(a[0:n])`.
    pub fn fetch(&self) -> String {
        update(self.language(), false, &self.item())
    }

    /// True if the directive makes an explicit task.
    pub fn is_explicit_task(&self) -> bool {
        self.directive.is_some_and(Directive::is_explicit_task)
    }

    /// True if the directive is an update.
    pub fn is_update(&self) -> bool {
        self.directive.is_some_and(Directive::is_update)
    }

    /// What to write instead of a transfer in one direction.
    pub fn without_copy(&self, to_device: bool) -> String {
        if self.is_update() {
            return format!("leave out the update of `{}`", self.object);
        }
        let Some(directive) = self.directive else {
            return String::new();
        };
        let section = self.item();
        let Some(clause) = self.defect.directive.and_then(|by| by.clause) else {
            return format!(
                "no clause names it, so that it is copied both ways: add `{}`",
                mapped(directive.language, !to_device, to_device, &self.object)
            );
        };
        let (copies_in, copies_back) = match direction(directive, clause) {
            Some(Direction::ToFrom) => (!to_device, to_device),
            _ if directive.is_exit_data() => {
                let word = match directive.language {
                    Language::OpenMp => "release",
                    Language::OpenAcc => "delete",
                };
                return format!("`{word}` would do for `{section}`");
            }
            _ => (false, false),
        };
        format!(
            "`{}` would do",
            mapped(directive.language, copies_in, copies_back, &section)
        )
    }

    /// The directive that keeps the object on the device for a while: `target data map(tofrom: a[0:n])`.
    pub fn environment(&self) -> String {
        let language = self.language();
        let section = self.section(self.defect.bytes.as_ref());
        let clause = self.defect.directive.and_then(|by| by.clause);
        let by = self.directive.zip(clause);
        let (copies_in, copies_back) = match by.and_then(|(directive, clause)| direction(directive, clause)) {
            Some(Direction::To) => (true, false),
            Some(Direction::From) => (false, true),
            _ => (true, true),
        };
        let map = mapped(language, copies_in, copies_back, &section);
        match language {
            Language::OpenMp => format!("#pragma omp target data {map}"),
            Language::OpenAcc => format!("#pragma acc data {map}"),
        }
    }

    /// `: elements 0 to 9 of 5`, where both are known.
    pub fn outside(&self) -> String {
        let elements = |bytes: &Option<(Expr, Expr)>| self.elements(bytes.as_ref()?);
        match (elements(&self.defect.bytes), elements(&self.defect.there)) {
            (Some((low, length)), Some((start, there))) => {
                format!(": elements [{low}:{length}] of [{start}:{there}]")
            }
            _ => String::new(),
        }
    }

    /// `: a[0:n]`, the section that is touched.
    pub fn touched_section(&self) -> String {
        match self.defect.bytes.as_ref().and_then(|bytes| self.elements(bytes)) {
            Some(_) => format!(": `{}`", self.section(self.defect.bytes.as_ref())),
            None => String::new(),
        }
    }

    /// `: a[0:n]`, the object as it is.
    pub fn object_section(&self) -> String {
        match self.defect.there.as_ref().and_then(|bytes| self.elements(bytes)) {
            Some(_) => format!(": `{}`", self.section(self.defect.there.as_ref())),
            None => String::new(),
        }
    }

    /// True if no clause names the object.
    pub fn is_implicit(&self) -> bool {
        self.defect.directive.is_some_and(|by| by.clause.is_none())
    }

    /// The name of the clause that takes a pointer for an address of the device, if the defect is that it is none.
    pub fn takes_an_address(&self) -> Option<&str> {
        let clause = self.directive?.clauses.get(self.defect.directive?.clause?)?;
        matches!(clause.name.as_str(), "is_device_ptr" | "deviceptr").then_some(clause.name.as_str())
    }

    /// The clause that copies a section in and out.
    pub fn mapped_both_ways(&self, section: &str) -> String {
        mapped(self.language(), true, true, section)
    }

    /// What to name in a clause. Of rows that are touched in part, all of these rows, or the whole array: a section has whole elements.
    fn section(&self, bytes: Option<&(Expr, Expr)>) -> String {
        let Defect { root, named, .. } = *self.defect;
        let rows = match bytes.filter(|bytes| self.elements(bytes).is_none()) {
            None => return self.names.section(root, named, bytes),
            Some(parts) => self.names.whole_elements(root, named, parts),
        };
        match rows {
            None if self.is_array() => self.object.clone(),
            rows => self.names.section(root, named, rows.as_ref()),
        }
    }

    /// True if the name alone is all of it in a clause: not of a parameter that leads to an array.
    pub fn is_array(&self) -> bool {
        let declared = self.names.declared_type(self.defect.root, self.defect.named);
        let ty = declared.or_else(|| self.variable_type());
        ty.is_some_and(|ty| {
            matches!(
                self.names.unit.types.get(ty),
                Type::Array { .. } | Type::Record(_)
            )
        })
    }

    /// What a section may be called in a clause, the tightest first: the bytes themselves, from the first element to their end, the whole object.
    pub fn sections(&self, bytes: Option<&(Expr, Expr)>) -> Vec<String> {
        if self.is_scalar() {
            // The value of a pointer means nothing in the other memory.
            return if self.is_bare_pointer() {
                Vec::new()
            } else {
                vec![self.object.clone()]
            };
        }
        let Defect { root, named, .. } = *self.defect;
        if let Some(bytes) = bytes.filter(|bytes| self.names.member(root, named, bytes).is_some()) {
            let part = self.names.item(root, named, bytes);
            let whole = Some(self.object.clone()).filter(|whole| part.as_ref() != Some(whole));
            return part.into_iter().chain(whole).collect();
        }
        let from_zero = bytes.map(|(_, high)| (Expr::zero(), high.clone()));
        let extent = self.names.found.values.extents.get(&self.defect.root);
        let whole = extent.map(|size| (Expr::zero(), size.clone()));
        let mut found: Vec<String> = Vec::new();
        for bytes in [bytes.cloned(), from_zero, whole].into_iter().flatten() {
            if let Some(text) = self.names.item(root, named, &bytes)
                && !found.contains(&text)
            {
                found.push(text);
            }
        }
        found
    }

    /// The type of the variable that the object is, if it is one.
    pub fn variable_type(&self) -> Option<ferry_ir::TypeId> {
        let variable = self.names.variable(self.defect.root)?;
        Some(self.names.type_of(variable))
    }

    /// True if the clause names a pointer itself, not what it points to.
    pub fn is_bare_pointer(&self) -> bool {
        let ty = self.variable_type();
        ty.is_some_and(|ty| self.names.unit.types.pointee(ty).is_some())
    }

    /// True if the object is one value.
    pub fn is_scalar(&self) -> bool {
        let variable = self.names.variable(self.defect.root);
        variable.is_some_and(|variable| self.names.unit.types.is_scalar(self.names.type_of(variable)))
    }

    fn elements(&self, bytes: &(Expr, Expr)) -> Option<(String, String)> {
        self.names.elements(self.defect.root, self.defect.named, bytes)
    }
}

impl Names<'_> {
    /// First element and number of elements, where the ends are whole elements that can be said: of an array of rows, whole rows.
    fn elements(&self, root: Symbol, named: Origin, bytes: &(Expr, Expr)) -> Option<(String, String)> {
        let (low, high) = bytes;
        let (first, size) = match self.member(root, named, bytes) {
            Some(member) => (Expr::int(member.first.into()), self.size_of_elements(member.ty)?),
            None => (Expr::zero(), self.element_size(root, named)?),
        };
        let size = Expr::int(i128::from(size));
        let whole = |bytes: &Expr| ferry_analysis::quotient::exact_quotient(bytes, &size);
        let said = |value: &Expr| self.said_with(value, None);
        Some((said(&whole(&(low - &first))?)?, said(&whole(&(high - low))?)?))
    }

    /// The object with a section as a clause names it, just the object where it is one value.
    fn item(&self, root: Symbol, named: Origin, bytes: &(Expr, Expr)) -> Option<String> {
        let object = self.object(root, named);
        let is_one_value = |member: Member| !matches!(self.unit.types.get(member.ty), Type::Array { .. });
        if self.member(root, named, bytes).is_some_and(is_one_value) {
            return Some(object);
        }
        let (low, length) = self.elements(root, named, bytes)?;
        Some(format!("{object}[{low}:{length}]"))
    }

    /// The member by which the object is called at a place, if the bytes are some of it.
    fn member(&self, root: Symbol, named: Origin, bytes: &(Expr, Expr)) -> Option<Member> {
        let (_, function) = self.unit.function_at(named.span()?)?;
        let member = member::named(self.unit, function, &self.object(root, named))?;
        let lies_in = |(low, high): (Integer, Integer)| {
            let size = self
                .unit
                .types
                .size(member.ty)
                .map(|size| Integer::from(member.first + size));
            Integer::from(member.first) <= low && size.is_some_and(|end| high <= end)
        };
        let fine = match (bytes.0.as_constant(), bytes.1.as_constant()) {
            (Some(low), Some(high)) => lies_in((low, high)),
            // A pointer may lead to another structure than the first one.
            _ => member.of_variable && self.variable(root).is_some(),
        };
        fine.then_some(member)
    }

    /// The bytes of all elements that some bytes are in, where these are numbers.
    fn whole_elements(
        &self,
        root: Symbol,
        named: Origin,
        (low, high): &(Expr, Expr),
    ) -> Option<(Expr, Expr)> {
        let size = Integer::from(self.element_size(root, named)?);
        let (low, high) = (low.as_constant()?, high.as_constant()?);
        let rows_before = |bytes: &Integer| bytes.floor_div(&size);
        let last = rows_before(&(&high - &Integer::ONE))?;
        let element = |row: Integer| Expr::constant(&row * &size);
        Some((element(rows_before(&low)?), element(&last + &Integer::ONE)))
    }

    /// A value in names of the program, one of which may be given; `None` if it has others.
    pub fn said_with(&self, value: &Expr, given: Option<&(Symbol, String)>) -> Option<String> {
        let values = &self.found.values;
        let given = |symbol: Symbol| given.filter(|one| one.0 == symbol).map(|one| one.1.clone());
        let plain = value.symbols().iter().all(|symbol| {
            matches!(
                values.symbols.info(*symbol).kind,
                SymbolKind::Entry(_) | SymbolKind::Named { .. } | SymbolKind::Loaded { .. }
            ) || given(*symbol).is_some()
        });
        let name = |symbol: Symbol| given(symbol).unwrap_or_else(|| self.symbol(symbol));
        plain.then(|| text(value, &name))
    }

    /// The object with a section, or just the object where it is one value or its bounds are not known.
    pub fn section(&self, root: Symbol, named: Origin, bytes: Option<&(Expr, Expr)>) -> String {
        let object = self.object(root, named);
        let variable = self.variable(root);
        if variable.is_some_and(|variable| self.unit.types.is_scalar(self.type_of(variable))) {
            return object;
        }
        let item = bytes.and_then(|bytes| self.item(root, named, bytes));
        item.unwrap_or_else(|| format!("{object}[…]"))
    }

    /// What a storage is called by its variable.
    pub fn plain(&self, root: Symbol) -> Option<String> {
        self.variable(root).map(|variable| self.name_of(variable))
    }

    fn variable(&self, root: Symbol) -> Option<VariableRef> {
        self.found.values.variable_at(root)
    }

    fn type_of(&self, variable: VariableRef) -> ferry_ir::TypeId {
        self.found.values.type_of(self.unit, variable)
    }

    fn name_of(&self, variable: VariableRef) -> String {
        self.found.values.name_of(self.unit, variable).to_owned()
    }

    /// What a value is called.
    fn symbol(&self, symbol: Symbol) -> String {
        let info = self.found.values.symbols.info(symbol);
        match &info.kind {
            SymbolKind::Entry(variable)
            | SymbolKind::Address(variable)
            | SymbolKind::Varying { variable, .. } => self.name_of(*variable),
            SymbolKind::Named { name, .. } | SymbolKind::CalleeVariable { name, .. } => name.clone(),
            _ => self.said(info.at).unwrap_or_else(|| "a value".to_owned()),
        }
    }

    /// How many bytes one subscript of the object moves on: what its declaration at that place says, or the variable that it is, or what is accessed.
    fn element_size(&self, root: Symbol, named: Origin) -> Option<u64> {
        let variable = || self.variable(root).map(|variable| self.type_of(variable));
        let declared = self.declared_type(root, named).or_else(variable);
        if let Some(size) = declared.and_then(|ty| self.size_of_elements(ty)) {
            return Some(size);
        }
        let accesses = self.found.values.accesses.iter();
        let sizes = accesses
            .filter(|access| access.root == Some(root))
            .map(|access| access.size);
        sizes.min()
    }

    /// The size of what a clause counts in what has this type; none is known of an array whose rows have a length that varies, and of `void *`.
    fn size_of_elements(&self, ty: TypeId) -> Option<u64> {
        let types = &self.unit.types;
        let element = match types.get(ty) {
            Type::Array { element, .. } => *element,
            _ => types.pointee(ty).unwrap_or(ty),
        };
        types.size(element).filter(|size| *size > 0)
    }

    /// The object as the program names it at a place.
    pub fn object(&self, root: Symbol, named: Origin) -> String {
        let loaded = matches!(
            self.found.values.symbols.info(root).kind,
            SymbolKind::Loaded { .. }
        );
        let called = |at: Origin| {
            let text = self.said(at).filter(|text| !assigns(text) && !calls(text));
            let name = text.map(|text| base_of(&text, loaded).to_owned());
            name.filter(|name| is_path(name))
        };
        if let Some(name) = called(named) {
            return name;
        }
        match self.variable(root) {
            Some(variable) => self.name_of(variable),
            // As the function calls it elsewhere.
            None => {
                let function_at = |at: Origin| Some(self.unit.function_at(at.span()?)?.0);
                let own = function_at(named);
                let accesses = self.found.values.accesses.iter();
                let mut beside = accesses
                    .filter(|access| access.root == Some(root) && own.is_some())
                    .filter(|access| function_at(access.origin) == own);
                let name = beside.find_map(|access| called(access.origin));
                // As it is called where it comes from.
                let assigned = || {
                    let at = self.found.values.symbols.info(root).at;
                    let text = self.sources.text(at.text().filter(|_| function_at(at) == own)?);
                    assigned_name(&String::from_utf8_lossy(text)).map(str::to_owned)
                };
                name.or_else(assigned).unwrap_or_else(|| self.symbol(root))
            }
        }
    }

    /// The type of the variable that the object is called by, in the function of that place: a parameter, where the storage is the caller's.
    pub fn declared_type(&self, root: Symbol, named: Origin) -> Option<TypeId> {
        let name = self.object(root, named);
        let (_, function) = self.unit.function_at(named.span()?)?;
        member::type_by_name(self.unit, function, &name)
    }

    fn said(&self, at: Origin) -> Option<String> {
        // What stands in the text of a macro's use is its name, not the object's.
        let text = String::from_utf8_lossy(self.sources.text(at.text()?)).into_owned();
        (!text.contains('\n') && text.len() < 60).then_some(text)
    }
}

/// The direction of a data clause.
fn direction(directive: &Directive<Code>, clause: usize) -> Option<Direction> {
    let data = directive.data();
    let mut of_clause = data.iter().filter(|one| one.clause == clause);
    of_clause.next().map(|one| one.direction)
}

/// The directive that moves a section now.
pub fn update(language: Language, to_device: bool, section: &str) -> String {
    match (language, to_device) {
        (Language::OpenMp, true) => format!("#pragma omp target update to({section})"),
        (Language::OpenMp, false) => format!("#pragma omp target update from({section})"),
        (Language::OpenAcc, true) => format!("#pragma acc update device({section})"),
        (Language::OpenAcc, false) => format!("#pragma acc update self({section})"),
    }
}

/// The clause that maps something with these copies.
pub fn mapped(language: Language, copies_in: bool, copies_back: bool, section: &str) -> String {
    let (openmp, openacc) = match (copies_in, copies_back) {
        (true, true) => ("tofrom", "copy"),
        (true, false) => ("to", "copyin"),
        (false, true) => ("from", "copyout"),
        (false, false) => ("alloc", "create"),
    };
    match language {
        Language::OpenMp => format!("map({openmp}: {section})"),
        Language::OpenAcc => format!("{openacc}({section})"),
    }
}

/// `s->d` of `s->d[i]`, `p` of `*p`; of a pointer that was found in memory, `rows[r]` of `rows[r][i]`.
fn base_of(text: &str, loaded: bool) -> &str {
    let text = text.trim_start_matches(['*', '(', '&']);
    let outer = text.find([')', '+', ' ']).unwrap_or(text.len());
    let inner = match loaded {
        true => text.rfind('[').filter(|_| text.ends_with(']')),
        false => text.find('['),
    };
    // Blanks inside of subscripts do not end a name.
    let end = match inner {
        Some(inner) if loaded || inner < outer => inner,
        _ => outer,
    };
    text[..end].trim()
}

/// True for a name with members and subscripts; not for a call, by which a function of the library reads an object.
fn is_path(text: &str) -> bool {
    let first = text.chars().next();
    let mut depth = 0;
    let fine = |letter: char| {
        depth += i32::from(letter == '[') - i32::from(letter == ']');
        depth > 0 || letter.is_alphanumeric() || "_.->]".contains(letter)
    };
    first.is_some_and(|letter| letter.is_alphabetic() || letter == '_') && text.chars().all(fine)
}

/// True for the text of a call: what is read is in it.
fn calls(text: &str) -> bool {
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let rest = text.trim_start_matches(is_of_name);
    rest.len() < text.len() && rest.trim_start().starts_with('(')
}

/// What a declaration or an assignment sets: `p` in `float *p = malloc(n)`, `s->d` in `s->d = malloc(n)`.
fn assigned_name(text: &str) -> Option<&str> {
    let is_behind_a_pointer = text.starts_with(['*', '(']);
    let left = text[..assignment(text).filter(|_| !is_behind_a_pointer)?].trim_end();
    let mut depth = 0;
    let is_own = |letter: &char| {
        depth += i32::from(*letter == ']') - i32::from(*letter == '[');
        depth > 0 || !(letter.is_whitespace() || "*(&".contains(*letter))
    };
    let own = left
        .chars()
        .rev()
        .take_while(is_own)
        .map(char::len_utf8)
        .sum::<usize>();
    Some(&left[left.len() - own..]).filter(|name| is_path(name))
}

/// True for the text of an assignment: what is read is in it, and not what it begins with.
fn assigns(text: &str) -> bool {
    assignment(text).is_some()
}

/// Where the first `=` stands that is one, or ends one.
fn assignment(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_one = |at: &usize| {
        let at = *at;
        let beside = |at: Option<usize>, other: &[u8]| {
            at.and_then(|at| bytes.get(at))
                .is_some_and(|byte| other.contains(byte))
        };
        let shifted = at >= 2 && (bytes[at - 2..at] == *b"<<" || bytes[at - 2..at] == *b">>");
        bytes[at] == b'=' && !beside(Some(at + 1), b"=") && (shifted || !beside(at.checked_sub(1), b"=!<>"))
    };
    (0..bytes.len()).find(is_one)
}

#[cfg(test)]
mod tests {
    use super::{assigned_name, assigns, base_of, calls, is_path};

    #[test]
    fn calls_and_assignments_name_no_object() {
        for path in ["a", "s->d", "x.in.w", "rows[r + 1]", "p[k].x", "_t"] {
            assert!(is_path(path) && !assigns(path), "{path}");
        }
        for other in ["memcpy(b,", "", "3", "\"a\"", "&x"] {
            assert!(!is_path(other), "{other}");
        }
        assert!(assigns("s += memcmp(a, b, 8) > 0") && assigns("n <<= f(a)"));
        assert!(!assigns("a[i == j]") && !assigns("a[i <= j]"));
        assert!(calls("memcpy (b, a, n)") && calls("puts(b)"));
        assert!(!calls("b[f(1)]") && !calls("(*b)") && !calls("s->d[f(1)]"));
    }

    #[test]
    fn what_is_set_is_called_by_its_name() {
        let cases = [
            ("float *p = (float *)malloc(n)", Some("p")),
            ("double* next = malloc(n)", Some("next")),
            ("s->d = malloc(n)", Some("s->d")),
            ("rows[i + 1] = malloc(n)", Some("rows[i + 1]")),
            ("rows[i == j] = malloc(n)", Some("rows[i == j]")),
            ("*out = malloc(n)", None),
            ("malloc(n)", None),
            ("f(a == b)", None),
        ];
        for (text, name) in cases {
            assert_eq!(assigned_name(text), name, "{text}");
        }
    }

    #[test]
    fn the_object_is_what_comes_before_its_subscripts() {
        let cases = [
            ("b[j+i*C]", "b"),
            ("b[j + i]", "b"),
            ("s->d[i]", "s->d"),
            ("*p", "p"),
            ("*(p + 1)", "p"),
            ("x", "x"),
            ("a[i][j]", "a"),
        ];
        for (text, object) in cases {
            assert_eq!(base_of(text, false), object);
        }
        assert_eq!(base_of("rows[r][i]", true), "rows[r]");
        assert_eq!(base_of("p[k].x[j + 1]", true), "p[k].x");
    }
}
