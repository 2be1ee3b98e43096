//! Prints libclang's syntax tree of a C file: `cargo run -p ferry-frontend --example cursors FILE [FLAGS]`.

use ferry_frontend::clang::{Cursor, Error, TranslationUnit, on_large_stack};
use std::path::PathBuf;

fn show(cursor: Cursor<'_>, depth: usize) {
    let (start, end) = cursor.extent();
    let at = |place: Option<(_, u32)>| place.map_or(0, |(_, offset)| offset);
    println!(
        "{:indent$}{} `{}` : {} (type kind {}) [{}..{}]{}",
        "",
        cursor.kind(),
        cursor.spelling(),
        cursor.ty().spelling(),
        cursor.ty().kind(),
        at(start.expansion()),
        at(end.expansion()),
        if start.in_macro() || end.in_macro() {
            " macro"
        } else {
            ""
        },
        indent = depth * 2
    );
    for child in cursor.children() {
        show(child, depth + 1);
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next().map(PathBuf::from) else {
        eprintln!("usage: cursors FILE [FLAGS]");
        return;
    };
    let flags: Vec<String> = arguments.collect();
    let outcome = on_large_stack(|| {
        let tu = TranslationUnit::parse(&path, &flags, &[])?;
        for diagnostic in tu.diagnostics() {
            eprintln!("{diagnostic:?}");
        }
        for child in tu.cursor().children() {
            let file = child.location().expansion().map(|(file, _)| tu.file_name(file));
            if file.as_deref() == Some(&path) && child.kind() < 500 {
                show(child, 0);
            }
        }
        Ok::<(), Error>(())
    });
    if let Ok(Err(why)) | Err(why) = outcome {
        eprintln!("{why}");
    }
}
