//! How is libclang asked? A thin safe wrapper: index, translation unit, cursors, types, tokens, places.
//!
//! All `unsafe` code of the front end is in this file. libclang is loaded at run time: from `LIBCLANG_PATH` (a file or a
//! directory) if that is set, else from the usual places, version 18 or newer. libclang recurses as deeply as the
//! program is nested, so everything happens on a thread of its own with a large, lazily committed stack
//! ([`on_large_stack`]), with `LIBCLANG_NOTHREADS=1` so that libclang stays on it.
//!
//! A [`TranslationUnit`] cannot leave its thread, and cursors and types cannot outlive their translation unit.

#![allow(non_upper_case_globals)] // libclang's own names, in patterns

use clang_sys::*;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Why there is no translation unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// No usable libclang on this machine; the text says what was tried.
    NoLibrary(String),
    /// libclang gave no translation unit at all (it crashed or refused the arguments).
    NotParsed(String),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::NoLibrary(why) => write!(
                f,
                "no usable libclang (18 or newer) was found: {why}; install it (Debian: libclang1-19) or set LIBCLANG_PATH"
            ),
            Error::NotParsed(why) => write!(f, "libclang could not read the file: {why}"),
        }
    }
}

impl std::error::Error for Error {}

/// How bad a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Belongs to another diagnostic.
    Note,
    /// A warning.
    Warning,
    /// The program is not C.
    Error,
    /// The compiler gave up.
    Fatal,
}

/// What the compiler says about the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad.
    pub severity: Severity,
    /// The message, without the place.
    pub message: String,
    /// The warning's option, like `-Wunused-variable`; empty if it has none.
    pub option: String,
    /// The file (as libclang names it) and the byte offset of the place, of the macro expansion.
    pub place: Option<(PathBuf, u32)>,
}

/// What kind of token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// Operators, brackets, separators.
    Punctuation,
    /// A keyword.
    Keyword,
    /// A name.
    Identifier,
    /// A literal.
    Literal,
    /// A comment.
    Comment,
}

/// A token of the text as it is written (macros are not expanded; inactive branches are included).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// Kind.
    pub kind: TokenKind,
    /// Byte offset of its first byte.
    pub start: u32,
    /// Byte offset past its last byte.
    pub end: u32,
    /// Its text.
    pub spelling: String,
}

/// A file of one translation unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct File(usize);

impl File {
    /// Its name, as libclang found it.
    fn name(self) -> PathBuf {
        // SAFETY: a `File` comes from this wrapper only.
        PathBuf::from(text(unsafe { clang_getFileName(self.0 as CXFile) }))
    }
}

/// A place in the text, seen three ways; see [`Location::expansion`] and [`Location::spelling`].
#[derive(Clone, Copy)]
pub struct Location(CXSourceLocation);

type Library = Result<Arc<SharedLibrary>, String>;

fn candidates() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for version in [19u32, 18, 20, 21, 22, 23, 24, 25, 26] {
        for name in [
            format!("/usr/lib/llvm-{version}/lib/libclang-{version}.so.1"),
            format!("/usr/lib/llvm-{version}/lib/libclang.so.1"),
            format!("/usr/lib/llvm-{version}/lib/libclang.so"),
            format!("/usr/lib/x86_64-linux-gnu/libclang-{version}.so.1"),
            format!("/usr/lib64/libclang.so.{version}"),
            format!("/usr/lib64/llvm{version}/lib/libclang.so"),
        ] {
            found.push(PathBuf::from(name));
        }
    }
    found
}

fn load_library() -> Library {
    let chosen = std::env::var_os("LIBCLANG_PATH");
    if let Some(path) = &chosen
        && !Path::new(path).exists()
    {
        return Err(format!(
            "LIBCLANG_PATH names {}, which does not exist",
            Path::new(path).display()
        ));
    }
    let usual = candidates().into_iter().find(|path| path.exists());
    // SAFETY: called once, before the first use of libclang; Ferry itself reads its environment before it starts threads.
    unsafe {
        std::env::set_var("LIBCLANG_NOTHREADS", "1");
        if let (None, Some(path)) = (&chosen, &usual) {
            std::env::set_var("LIBCLANG_PATH", path);
        }
    }
    let library = clang_sys::load_manually().map_err(|why| why.lines().collect::<Vec<_>>().join(" "))?;
    if library.functions.clang_getCursorBinaryOperatorKind.is_none() {
        return Err(format!("{} is older than version 18", library.path().display()));
    }
    Ok(Arc::new(library))
}

fn library() -> Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(load_library).clone()
}

/// The file from which libclang is loaded, or why there is none.
pub fn library_path() -> Result<PathBuf, Error> {
    library()
        .map(|library| library.path().to_owned())
        .map_err(Error::NoLibrary)
}

/// Size of the stack on which programs are read, in bytes. Pages are committed when they are touched.
pub const STACK: usize = 2 << 30;

/// Runs `work` on a new thread with a stack of [`STACK`] bytes, and waits for it. Everything that recurses over a
/// program (parsing, lowering, dropping or walking the result) may be as deep as the program is nested.
///
/// # Errors
/// [`Error::NotParsed`] if the thread cannot be started or `work` panics.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Error> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("front end".into())
            .stack_size(STACK)
            .spawn_scoped(scope, work)
            .map_err(|why| Error::NotParsed(format!("no thread with a large stack: {why}")))?;
        thread
            .join()
            .map_err(|_| Error::NotParsed("the front end failed on this file".into()))
    })
}

fn text(string: CXString) -> String {
    // SAFETY: the string comes from libclang, is read before it is disposed of, and disposed of once.
    unsafe {
        let bytes = clang_getCString(string);
        let owned = if bytes.is_null() {
            String::new()
        } else {
            CStr::from_ptr(bytes).to_string_lossy().into_owned()
        };
        clang_disposeString(string);
        owned
    }
}

/// A parsed file with everything that it includes.
pub struct TranslationUnit {
    raw: CXTranslationUnit,
    index: CXIndex,
    /// The bytes of files that were asked for: libclang looks through all files and uses of macros for each answer.
    contents: RefCell<HashMap<usize, (*const u8, usize)>>,
    /// libclang's functions are loaded per thread.
    not_send: PhantomData<*const ()>,
}

impl Drop for TranslationUnit {
    fn drop(&mut self) {
        // SAFETY: both were made by `parse` and are disposed of here only.
        unsafe {
            clang_disposeTranslationUnit(self.raw);
            clang_disposeIndex(self.index);
        }
    }
}

impl TranslationUnit {
    /// Parses `path` with these compiler arguments (no program name, no file). `unsaved` gives the text of files that
    /// differs from what is on disk. A file with errors gives a translation unit with diagnostics.
    ///
    /// # Errors
    /// [`Error::NoLibrary`] without libclang; [`Error::NotParsed`] if libclang gives nothing (also for a missing file).
    pub fn parse(
        path: &Path,
        arguments: &[String],
        unsaved: &[(PathBuf, Vec<u8>)],
    ) -> Result<TranslationUnit, Error> {
        let options = CXTranslationUnit_DetailedPreprocessingRecord | CXTranslationUnit_KeepGoing;
        TranslationUnit::parse_for(path, arguments, unsaved, options)
    }

    /// The same, without uses of macros, but with attributes that directives give: for questions about declarations.
    ///
    /// # Errors
    /// As [`TranslationUnit::parse`].
    pub fn parse_declarations(
        path: &Path,
        arguments: &[String],
        unsaved: &[(PathBuf, Vec<u8>)],
    ) -> Result<TranslationUnit, Error> {
        let options = CXTranslationUnit_VisitImplicitAttributes | CXTranslationUnit_KeepGoing;
        TranslationUnit::parse_for(path, arguments, unsaved, options)
    }

    fn parse_for(
        path: &Path,
        arguments: &[String],
        unsaved: &[(PathBuf, Vec<u8>)],
        options: CXTranslationUnit_Flags,
    ) -> Result<TranslationUnit, Error> {
        set_library(Some(library().map_err(Error::NoLibrary)?));
        let c_string = |bytes: &[u8]| {
            CString::new(bytes).map_err(|_| Error::NotParsed("a zero byte in a name or argument".into()))
        };
        let name = c_string(path.as_os_str().as_encoded_bytes())?;
        let arguments = arguments
            .iter()
            .map(|a| c_string(a.as_bytes()))
            .collect::<Result<Vec<_>, _>>()?;
        let arguments: Vec<*const c_char> = arguments.iter().map(|a| a.as_ptr()).collect();
        let names = unsaved
            .iter()
            .map(|(path, _)| c_string(path.as_os_str().as_encoded_bytes()))
            .collect::<Result<Vec<_>, _>>()?;
        let mut unsaved: Vec<CXUnsavedFile> = unsaved
            .iter()
            .zip(&names)
            .map(|((_, bytes), name)| CXUnsavedFile {
                Filename: name.as_ptr(),
                Contents: bytes.as_ptr().cast(),
                Length: bytes.len() as _,
            })
            .collect();
        // SAFETY: all pointers live until the call returns; libclang copies what it keeps.
        unsafe {
            let index = clang_createIndex(0, 0);
            if index.is_null() {
                return Err(Error::NotParsed("no index".into()));
            }
            let mut raw: CXTranslationUnit = std::ptr::null_mut();
            let code = clang_parseTranslationUnit2(
                index,
                name.as_ptr(),
                arguments.as_ptr(),
                arguments.len() as c_int,
                unsaved.as_mut_ptr(),
                unsaved.len() as c_uint,
                options,
                &mut raw,
            );
            if raw.is_null() || code != CXError_Success {
                clang_disposeIndex(index);
                let why = match code {
                    CXError_Crashed => "it crashed",
                    CXError_InvalidArguments => "it refused the arguments",
                    CXError_ASTReadError => "it could not read the syntax tree",
                    _ => "no such file, or arguments that it does not know",
                };
                return Err(Error::NotParsed(format!("{}: {why}", path.display())));
            }
            Ok(TranslationUnit {
                raw,
                index,
                contents: RefCell::default(),
                not_send: PhantomData,
            })
        }
    }

    /// Everything the compiler says, in the order of its messages. Notes follow what they belong to.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut all = Vec::new();
        // SAFETY: diagnostics are disposed of after they were read.
        unsafe {
            for number in 0..clang_getNumDiagnostics(self.raw) {
                let diagnostic = clang_getDiagnostic(self.raw, number);
                self.diagnostic(diagnostic, &mut all);
                let children = clang_getChildDiagnostics(diagnostic);
                for child in 0..clang_getNumDiagnosticsInSet(children) {
                    let note = clang_getDiagnosticInSet(children, child);
                    self.diagnostic(note, &mut all);
                    clang_disposeDiagnostic(note);
                }
                clang_disposeDiagnostic(diagnostic);
            }
        }
        all
    }

    fn diagnostic(&self, diagnostic: CXDiagnostic, all: &mut Vec<Diagnostic>) {
        // SAFETY: the diagnostic is alive; its caller disposes of it.
        unsafe {
            let severity = match clang_getDiagnosticSeverity(diagnostic) {
                CXDiagnostic_Fatal => Severity::Fatal,
                CXDiagnostic_Error => Severity::Error,
                CXDiagnostic_Warning => Severity::Warning,
                _ => Severity::Note,
            };
            let place = Location(clang_getDiagnosticLocation(diagnostic)).expansion();
            all.push(Diagnostic {
                severity,
                message: text(clang_getDiagnosticSpelling(diagnostic)),
                option: text(clang_getDiagnosticOption(diagnostic, std::ptr::null_mut())),
                place: place.map(|(file, offset)| (self.file_name(file), offset)),
            });
        }
    }

    /// The ranges that the preprocessor skipped (`#if 0 … #endif`), as file, start and end offset.
    pub fn skipped_ranges(&self) -> Vec<(File, u32, u32)> {
        let mut all = Vec::new();
        // SAFETY: the list is read within its bounds and disposed of once.
        unsafe {
            let list = clang_getAllSkippedRanges(self.raw);
            if list.is_null() {
                return all;
            }
            for number in 0..(*list).count as usize {
                let range = *(*list).ranges.add(number);
                let start = Location(clang_getRangeStart(range)).expansion();
                let end = Location(clang_getRangeEnd(range)).expansion();
                if let (Some((file, start)), Some((_, end))) = (start, end) {
                    all.push((file, start, end));
                }
            }
            clang_disposeSourceRangeList(list);
        }
        all
    }

    /// The name of a file as libclang knows it: as given, or as the `#include` led to it.
    pub fn file_name(&self, file: File) -> PathBuf {
        file.name()
    }

    /// All files that were read, the main file first, then in the order of their first `#include`; true for system headers.
    pub fn files(&self) -> Vec<(File, bool)> {
        extern "C" fn note(file: CXFile, _: *mut CXSourceLocation, _: c_uint, all: CXClientData) {
            // SAFETY: `all` is the vector below, which outlives the call and is used nowhere else meanwhile.
            unsafe { (*all.cast::<Vec<usize>>()).push(file as usize) }
        }
        let mut all: Vec<usize> = Vec::new();
        // SAFETY: the callback gets the vector that it expects.
        unsafe { clang_getInclusions(self.raw, note, (&raw mut all).cast::<c_void>()) };
        let mut seen = HashSet::new();
        all.retain(|file| seen.insert(*file));
        all.into_iter()
            .map(|file| {
                // SAFETY: the file belongs to this translation unit.
                let start = unsafe { clang_getLocationForOffset(self.raw, file as CXFile, 0) };
                (File(file), Location(start).in_system_header())
            })
            .collect()
    }

    /// The file with this name, if the translation unit has it.
    pub fn file(&self, path: &Path) -> Option<File> {
        let name = CString::new(path.as_os_str().as_encoded_bytes()).ok()?;
        // SAFETY: the name outlives the call.
        let file = unsafe { clang_getFile(self.raw, name.as_ptr()) };
        (!file.is_null()).then_some(File(file as usize))
    }

    /// The bytes of a file as they were parsed (unsaved text included).
    pub fn contents(&self, file: File) -> &[u8] {
        let mut known = self.contents.borrow_mut();
        let &mut (bytes, size) = known.entry(file.0).or_insert_with(|| {
            let mut size = 0;
            // SAFETY: a `File` comes from this wrapper only.
            let bytes = unsafe { clang_getFileContents(self.raw, file.0 as CXFile, &mut size) };
            (bytes.cast(), size)
        });
        match bytes.is_null() {
            true => &[],
            // SAFETY: the buffer has `size` bytes, and belongs to the translation unit, which keeps it as it is.
            false => unsafe { std::slice::from_raw_parts(bytes, size) },
        }
    }

    /// The tokens of the bytes `start..end` of a file, as they are written.
    pub fn tokens(&self, file: File, start: u32, end: u32) -> Vec<Token> {
        let mut all = Vec::new();
        // SAFETY: the token array is read within its bounds and disposed of once.
        unsafe {
            let file = file.0 as CXFile;
            let range = clang_getRange(
                clang_getLocationForOffset(self.raw, file, start),
                clang_getLocationForOffset(self.raw, file, end),
            );
            let mut tokens: *mut CXToken = std::ptr::null_mut();
            let mut count = 0;
            clang_tokenize(self.raw, range, &mut tokens, &mut count);
            for number in 0..count as usize {
                let token = *tokens.add(number);
                let extent = clang_getTokenExtent(self.raw, token);
                let at = |location| Location(location).spelling().map_or(0, |(_, offset)| offset);
                let (first, last) = (at(clang_getRangeStart(extent)), at(clang_getRangeEnd(extent)));
                if first >= end {
                    continue; // libclang includes the token that begins at the end of the range
                }
                let kind = match clang_getTokenKind(token) {
                    CXToken_Keyword => TokenKind::Keyword,
                    CXToken_Identifier => TokenKind::Identifier,
                    CXToken_Literal => TokenKind::Literal,
                    CXToken_Comment => TokenKind::Comment,
                    _ => TokenKind::Punctuation,
                };
                all.push(Token {
                    kind,
                    start: first,
                    end: last,
                    spelling: text(clang_getTokenSpelling(self.raw, token)),
                });
            }
            if !tokens.is_null() {
                clang_disposeTokens(self.raw, tokens, count);
            }
        }
        all
    }

    /// The cursor of the whole translation unit.
    pub fn cursor(&self) -> Cursor<'_> {
        // SAFETY: the translation unit is alive.
        Cursor {
            raw: unsafe { clang_getTranslationUnitCursor(self.raw) },
            unit: PhantomData,
        }
    }
}

impl Location {
    fn by(
        self,
        read: unsafe fn(CXSourceLocation, *mut CXFile, *mut c_uint, *mut c_uint, *mut c_uint),
    ) -> Option<(File, u32)> {
        let mut file: CXFile = std::ptr::null_mut();
        let mut offset = 0;
        let none = std::ptr::null_mut();
        // SAFETY: out-pointers are valid or null, which libclang allows.
        unsafe { read(self.0, &mut file, none, none, &mut offset) };
        (!file.is_null()).then_some((File(file as usize), offset))
    }

    /// The place in the text as it is written: for a token out of a macro, where the macro's name is used.
    pub fn expansion(self) -> Option<(File, u32)> {
        self.by(clang_getExpansionLocation)
    }

    /// The place of the token's own letters: in a `#define` for a token out of a macro's body, at the use for one
    /// that is in a macro's argument.
    pub fn spelling(self) -> Option<(File, u32)> {
        self.by(clang_getSpellingLocation)
    }

    /// True if the token comes out of a macro (body or argument).
    pub fn in_macro(self) -> bool {
        self.expansion() != self.spelling()
    }

    /// True if the place is in a header of the machine: of the compiler, or below a `usr`. Others are the program's, however they are found (`-isystem`, `-idirafter`, `C_INCLUDE_PATH`).
    pub fn in_system_header(self) -> bool {
        // SAFETY: plain query.
        if unsafe { clang_Location_isInSystemHeader(self.0) } == 0 {
            return false;
        }
        let Some((file, _)) = self.expansion() else {
            return true;
        };
        let of_machine =
            |path: &str| path.contains("/usr/") || path.contains("/lib/clang/") || path.contains("/lib/gcc/");
        of_machine(&file.name().to_string_lossy())
    }
}

/// A node of the syntax tree.
#[derive(Clone, Copy)]
pub struct Cursor<'tu> {
    raw: CXCursor,
    unit: PhantomData<&'tu TranslationUnit>,
}

/// The value of a constant expression, as the compiler computes it.
#[derive(Clone, PartialEq, Debug)]
pub enum Constant {
    /// An integer.
    Int(i128),
    /// A floating value.
    Float(f64),
}

impl<'tu> Cursor<'tu> {
    fn wrap(raw: CXCursor) -> Option<Cursor<'tu>> {
        // SAFETY: plain query.
        (unsafe { clang_Cursor_isNull(raw) } == 0
            && raw.kind != CXCursor_NoDeclFound
            && raw.kind != CXCursor_InvalidFile)
            .then_some(Cursor {
                raw,
                unit: PhantomData,
            })
    }

    /// Its kind, one of clang-sys's `CXCursor_…`.
    pub fn kind(self) -> CXCursorKind {
        self.raw.kind
    }

    /// Identity of the syntax node (declarations: of this redeclaration).
    pub fn key(self) -> usize {
        // libclang keeps a declaration in the first word, and a statement or expression in the second, after the
        // declaration around it.
        let inside_function = (100..300).contains(&self.raw.kind);
        self.raw.data[usize::from(inside_function)] as usize
    }

    /// Direct children in libclang's order.
    pub fn children(self) -> Vec<Cursor<'tu>> {
        extern "C" fn visit(child: CXCursor, _: CXCursor, all: CXClientData) -> CXChildVisitResult {
            // SAFETY: `all` is the vector below, which outlives the visit; nothing else touches it meanwhile.
            unsafe { (*all.cast::<Vec<CXCursor>>()).push(child) };
            CXChildVisit_Continue
        }
        let mut all: Vec<CXCursor> = Vec::new();
        // SAFETY: see `visit`.
        unsafe { clang_visitChildren(self.raw, visit, (&mut all as *mut Vec<CXCursor>).cast::<c_void>()) };
        all.into_iter()
            .map(|raw| Cursor {
                raw,
                unit: PhantomData,
            })
            .collect()
    }

    /// Name.
    pub fn spelling(self) -> String {
        // SAFETY: plain query.
        text(unsafe { clang_getCursorSpelling(self.raw) })
    }

    /// A declaration as libclang writes it, without the bodies of records and functions, each of its directives on a line before it.
    pub fn printed(self) -> String {
        // SAFETY: the policy is used and disposed of here only.
        unsafe {
            let policy = clang_getCursorPrintingPolicy(self.raw);
            clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_TerseOutput, 1);
            let printed = text(clang_getCursorPrettyPrinted(self.raw, policy));
            clang_PrintingPolicy_dispose(policy);
            printed
        }
    }

    /// Name, or the text of a literal, in the bytes of the source.
    pub fn spelling_bytes(self) -> Vec<u8> {
        // SAFETY: the string is read before it is disposed of, and disposed of once.
        unsafe {
            let string = clang_getCursorSpelling(self.raw);
            let bytes = clang_getCString(string);
            let owned = if bytes.is_null() {
                Vec::new()
            } else {
                CStr::from_ptr(bytes).to_bytes().to_vec()
            };
            clang_disposeString(string);
            owned
        }
    }

    /// Its principal place (of a declaration, the name).
    pub fn location(self) -> Location {
        // SAFETY: plain query.
        Location(unsafe { clang_getCursorLocation(self.raw) })
    }

    /// First place and the place past the last token.
    pub fn extent(self) -> (Location, Location) {
        // SAFETY: plain queries.
        unsafe {
            let range = clang_getCursorExtent(self.raw);
            (
                Location(clang_getRangeStart(range)),
                Location(clang_getRangeEnd(range)),
            )
        }
    }

    /// Place of the name in the text (start of the spelling name range, and past it), if there is one.
    pub fn name_extent(self) -> (Location, Location) {
        // SAFETY: plain queries.
        unsafe {
            let range = clang_Cursor_getSpellingNameRange(self.raw, 0, 0);
            (
                Location(clang_getRangeStart(range)),
                Location(clang_getRangeEnd(range)),
            )
        }
    }

    /// Type, with typedefs.
    pub fn ty(self) -> ClangType<'tu> {
        // SAFETY: plain query.
        ClangType {
            raw: unsafe { clang_getCursorType(self.raw) },
            unit: PhantomData,
        }
    }

    /// What a typedef stands for.
    pub fn typedef_underlying(self) -> ClangType<'tu> {
        // SAFETY: plain query.
        ClangType {
            raw: unsafe { clang_getTypedefDeclUnderlyingType(self.raw) },
            unit: PhantomData,
        }
    }

    /// The integer type behind an enumeration's declaration.
    pub fn enum_integer_type(self) -> ClangType<'tu> {
        // SAFETY: plain query.
        ClangType {
            raw: unsafe { clang_getEnumDeclIntegerType(self.raw) },
            unit: PhantomData,
        }
    }

    /// Value of an enumeration constant.
    pub fn enum_value(self) -> i128 {
        // SAFETY: plain queries.
        unsafe {
            let parent = clang_getCursorSemanticParent(self.raw);
            let integer = clang_getCanonicalType(clang_getEnumDeclIntegerType(parent));
            let unsigned = matches!(
                integer.kind,
                CXType_UInt | CXType_ULong | CXType_ULongLong | CXType_UShort | CXType_UChar
            );
            if unsigned {
                i128::from(clang_getEnumConstantDeclUnsignedValue(self.raw))
            } else {
                i128::from(clang_getEnumConstantDeclValue(self.raw))
            }
        }
    }

    /// The declaration that this refers to.
    pub fn referenced(self) -> Option<Cursor<'tu>> {
        // SAFETY: plain query.
        Cursor::wrap(unsafe { clang_getCursorReferenced(self.raw) })
    }

    /// The definition of what this declares or refers to, if the translation unit has it.
    pub fn definition(self) -> Option<Cursor<'tu>> {
        // SAFETY: plain query.
        Cursor::wrap(unsafe { clang_getCursorDefinition(self.raw) })
    }

    /// True for a declaration that is a definition.
    pub fn is_definition(self) -> bool {
        // SAFETY: plain query.
        unsafe { clang_isCursorDefinition(self.raw) != 0 }
    }

    /// The first of all redeclarations.
    pub fn canonical(self) -> Cursor<'tu> {
        // SAFETY: plain query.
        Cursor {
            raw: unsafe { clang_getCanonicalCursor(self.raw) },
            unit: PhantomData,
        }
    }

    /// Where it is declared: the function of a local, the translation unit of a global.
    pub fn semantic_parent(self) -> Option<Cursor<'tu>> {
        // SAFETY: plain query.
        Cursor::wrap(unsafe { clang_getCursorSemanticParent(self.raw) })
    }

    /// Storage class: one of clang-sys's `CX_SC_…`.
    pub fn storage_class(self) -> CX_StorageClass {
        // SAFETY: plain query.
        unsafe { clang_Cursor_getStorageClass(self.raw) }
    }

    /// True for `_Thread_local` variables.
    pub fn is_thread_local(self) -> bool {
        // SAFETY: plain query.
        unsafe { clang_getCursorTLSKind(self.raw) != CXTLS_None }
    }

    /// Linkage: one of clang-sys's `CXLinkage_…`.
    pub fn linkage(self) -> CXLinkageKind {
        // SAFETY: plain query.
        unsafe { clang_getCursorLinkage(self.raw) }
    }

    /// True for a function declared `inline`.
    pub fn is_inline(self) -> bool {
        // SAFETY: plain query.
        unsafe { clang_Cursor_isFunctionInlined(self.raw) != 0 }
    }

    /// The initializer of a variable.
    pub fn initializer(self) -> Option<Cursor<'tu>> {
        // SAFETY: plain query.
        Cursor::wrap(unsafe { clang_Cursor_getVarDeclInitializer(self.raw) })
    }

    /// Width of a bit-field.
    pub fn bit_width(self) -> Option<u16> {
        // SAFETY: plain queries.
        unsafe {
            (clang_Cursor_isBitField(self.raw) != 0)
                .then(|| clang_getFieldDeclBitWidth(self.raw))
                .and_then(|width| u16::try_from(width).ok())
        }
    }

    /// Offset of a member in bits.
    pub fn field_offset(self) -> Option<u64> {
        // SAFETY: plain query.
        u64::try_from(unsafe { clang_Cursor_getOffsetOfField(self.raw) }).ok()
    }

    /// True for a member without a name.
    pub fn is_anonymous_field(self) -> bool {
        let name = self.spelling();
        name.is_empty() || name.contains(['(', ' '])
    }

    /// True for a struct or union without a tag.
    pub fn is_anonymous(self) -> bool {
        // SAFETY: plain query.
        unsafe { clang_Cursor_isAnonymous(self.raw) != 0 }
    }

    /// Operator of a binary expression or compound assignment: one of `CXBinaryOperator_…`.
    pub fn binary_operator(self) -> CXBinaryOperatorKind {
        // SAFETY: plain query.
        unsafe { clang_getCursorBinaryOperatorKind(self.raw) }
    }

    /// Operator of a unary expression: one of `CXUnaryOperator_…`.
    pub fn unary_operator(self) -> CXUnaryOperatorKind {
        // SAFETY: plain query.
        unsafe { clang_getCursorUnaryOperatorKind(self.raw) }
    }

    /// How many arguments a call has, or parameters a function.
    pub fn argument_count(self) -> Option<usize> {
        // SAFETY: plain query.
        usize::try_from(unsafe { clang_Cursor_getNumArguments(self.raw) }).ok()
    }

    /// The arguments of a call, or the parameters of a function.
    pub fn arguments(self) -> Vec<Cursor<'tu>> {
        let count = self.argument_count().unwrap_or(0) as u32;
        // SAFETY: plain queries within the count.
        (0..count)
            .map(|number| Cursor {
                raw: unsafe { clang_Cursor_getArgument(self.raw, number) },
                unit: PhantomData,
            })
            .collect()
    }

    /// The value, if the compiler can compute it. Strings and addresses give `None`.
    pub fn evaluate(self) -> Option<Constant> {
        // SAFETY: the result is read and disposed of once.
        unsafe {
            let result = clang_Cursor_Evaluate(self.raw);
            if result.is_null() {
                return None;
            }
            let value = match clang_EvalResult_getKind(result) {
                CXEval_Int if clang_EvalResult_isUnsignedInt(result) != 0 => {
                    Some(Constant::Int(i128::from(clang_EvalResult_getAsUnsigned(result))))
                }
                CXEval_Int => Some(Constant::Int(i128::from(clang_EvalResult_getAsLongLong(result)))),
                CXEval_Float => Some(Constant::Float(clang_EvalResult_getAsDouble(result))),
                _ => None,
            };
            clang_EvalResult_dispose(result);
            value
        }
    }
}

/// A type of the syntax tree.
#[derive(Clone, Copy)]
pub struct ClangType<'tu> {
    raw: CXType,
    unit: PhantomData<&'tu TranslationUnit>,
}

impl<'tu> ClangType<'tu> {
    fn wrap(raw: CXType) -> ClangType<'tu> {
        ClangType {
            raw,
            unit: PhantomData,
        }
    }

    /// Its kind, one of clang-sys's `CXType_…`.
    pub fn kind(self) -> CXTypeKind {
        self.raw.kind
    }

    /// Identity, different for different qualifiers.
    pub fn key(self) -> usize {
        self.raw.data[0] as usize
    }

    /// Without typedefs and other sugar.
    pub fn canonical(self) -> ClangType<'tu> {
        // SAFETY: plain query.
        ClangType::wrap(unsafe { clang_getCanonicalType(self.raw) })
    }

    /// As the compiler writes it.
    pub fn spelling(self) -> String {
        // SAFETY: plain query.
        text(unsafe { clang_getTypeSpelling(self.raw) })
    }

    /// Size in bytes, `None` if it is incomplete or not constant.
    pub fn size(self) -> Option<u64> {
        // SAFETY: plain query.
        u64::try_from(unsafe { clang_Type_getSizeOf(self.raw) }).ok()
    }

    /// Alignment in bytes.
    pub fn align(self) -> Option<u64> {
        // SAFETY: plain query.
        u64::try_from(unsafe { clang_Type_getAlignOf(self.raw) }).ok()
    }

    /// What a pointer points to.
    pub fn pointee(self) -> ClangType<'tu> {
        // SAFETY: plain query.
        ClangType::wrap(unsafe { clang_getPointeeType(self.raw) })
    }

    /// Element of an array, or part of a complex type.
    pub fn element(self) -> ClangType<'tu> {
        // SAFETY: plain query.
        ClangType::wrap(unsafe { clang_getElementType(self.raw) })
    }

    /// Length of an array of constant length.
    pub fn array_length(self) -> Option<u64> {
        // SAFETY: plain query.
        u64::try_from(unsafe { clang_getArraySize(self.raw) }).ok()
    }

    /// The type inside a typedef's or tag's elaboration, an attribute or an `_Atomic`.
    pub fn named(self) -> ClangType<'tu> {
        // SAFETY: plain query.
        ClangType::wrap(unsafe { clang_Type_getNamedType(self.raw) })
    }

    /// The type that an attribute modifies.
    pub fn modified(self) -> ClangType<'tu> {
        // SAFETY: plain query.
        ClangType::wrap(unsafe { clang_Type_getModifiedType(self.raw) })
    }

    /// The declaration of a record, enumeration or typedef.
    pub fn declaration(self) -> Option<Cursor<'tu>> {
        // SAFETY: plain query.
        Cursor::wrap(unsafe { clang_getTypeDeclaration(self.raw) })
    }

    /// Return type of a function type.
    pub fn result(self) -> ClangType<'tu> {
        // SAFETY: plain query.
        ClangType::wrap(unsafe { clang_getResultType(self.raw) })
    }

    /// Parameter types of a function type.
    pub fn parameters(self) -> Vec<ClangType<'tu>> {
        // SAFETY: plain queries within the count.
        unsafe {
            let count = u32::try_from(clang_getNumArgTypes(self.raw)).unwrap_or(0);
            (0..count)
                .map(|number| ClangType::wrap(clang_getArgType(self.raw, number)))
                .collect()
        }
    }

    /// The members of a record in order, unnamed ones too.
    pub fn fields(self) -> Vec<Cursor<'tu>> {
        extern "C" fn visit(field: CXCursor, all: CXClientData) -> CXVisitorResult {
            // SAFETY: `all` is the vector below, which outlives the visit; nothing else touches it meanwhile.
            unsafe { (*all.cast::<Vec<CXCursor>>()).push(field) };
            CXVisit_Continue
        }
        let mut all: Vec<CXCursor> = Vec::new();
        // SAFETY: see `visit`.
        unsafe { clang_Type_visitFields(self.raw, visit, (&mut all as *mut Vec<CXCursor>).cast::<c_void>()) };
        all.into_iter()
            .map(|raw| Cursor {
                raw,
                unit: PhantomData,
            })
            .collect()
    }

    /// `...`
    pub fn is_variadic(self) -> bool {
        // SAFETY: plain query.
        unsafe { clang_isFunctionTypeVariadic(self.raw) != 0 }
    }

    /// `const`, on this level.
    pub fn is_const(self) -> bool {
        // SAFETY: plain query.
        unsafe { clang_isConstQualifiedType(self.raw) != 0 }
    }

    /// `volatile`, on this level.
    pub fn is_volatile(self) -> bool {
        // SAFETY: plain query.
        unsafe { clang_isVolatileQualifiedType(self.raw) != 0 }
    }

    /// `restrict`, on this level.
    pub fn is_restrict(self) -> bool {
        // SAFETY: plain query.
        unsafe { clang_isRestrictQualifiedType(self.raw) != 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_text_that_is_not_on_disk() {
        let errors = on_large_stack(|| {
            let text = b"#if 0\nint no;\n#endif\nint f(void) { return x; }\n".to_vec();
            let path = PathBuf::from("/nowhere/a.c");
            let unit = TranslationUnit::parse(&path, &[], &[(path.clone(), text)]).unwrap();
            assert_eq!(unit.skipped_ranges().len(), 1);
            let file = unit.file(&path).unwrap();
            let tokens = unit.tokens(file, 21, 31);
            assert_eq!(
                tokens.iter().map(|t| t.spelling.as_str()).collect::<Vec<_>>(),
                ["int", "f", "(", "void"]
            );
            unit.diagnostics()
        })
        .unwrap();
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].severity, Severity::Error);
        assert_eq!(errors[0].place, Some((PathBuf::from("/nowhere/a.c"), 42)));
    }
}
