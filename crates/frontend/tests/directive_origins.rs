//! Are places physical where directives were replaced by probes? Every loop's keyword, head and body, and every
//! directive, show their own bytes of the file on disk.

use ferry_frontend::{Job, Options, load};
use ferry_ir::{Stmt, StmtKind};
use ferry_source::{Origin, Sources, Span};
use std::path::Path;

const TEXT: &str = "#define N 8
void f(int n, double *x)
{
#pragma omp target data map(tofrom: x[0:n]) \\
        if(n > 3)
    {
#pragma omp target teams distribute parallel for map(to: n)
        for (int i = 0; i < n; i++)
            x[i] = i;
#pragma omp target update from(x[0 : n / 2])
        for (int k = 0; k < N; k++)
#pragma omp parallel for num_threads(n + 1)
            for (int j = 0; j < n; j++) { x[j] += k; }
    }
    while (n > 0) n--;
}
";

fn collect(stmt: &Stmt, text: &dyn Fn(Span) -> String, lines: &mut Vec<String>) {
    match &stmt.kind {
        StmtKind::Block { body, .. } => body.iter().for_each(|inner| collect(inner, text, lines)),
        StmtKind::Loop(parts) => {
            let spans = parts.spans.unwrap();
            lines.push(format!(
                "{} | {} | {}",
                text(spans.keyword),
                text(spans.head),
                text(spans.body)
            ));
            collect(&parts.body, text, lines);
        }
        StmtKind::Directive { body, .. } => {
            let Origin::Text(span) = stmt.origin else {
                panic!("{:?}", stmt.origin)
            };
            let words: Vec<String> = text(span).split(' ').take(3).map(str::to_owned).collect();
            lines.push(words.join(" "));
            body.iter().for_each(|inner| collect(inner, text, lines));
        }
        _ => {}
    }
}

#[test]
fn places_beside_directives_are_those_of_the_file() {
    let mut sources = Sources::new();
    let path = Path::new("/nowhere/directives.c");
    sources.insert(path, TEXT.as_bytes().to_vec());
    let job = Job::new(path, &["-fopenmp".to_owned()]);
    let loaded = load(&mut sources, &[job], &Options::default()).units.remove(0);
    let unit = loaded.unit.unwrap();
    let text = |span| {
        let text = String::from_utf8_lossy(sources.text(span)).into_owned();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let mut lines = Vec::new();
    collect(unit.functions[0].body.as_ref().unwrap(), &text, &mut lines);
    assert_eq!(
        lines,
        [
            "#pragma omp target",
            "#pragma omp target",
            "for | for (int i = 0; i < n; i++) | x[i] = i;",
            "#pragma omp target",
            "for | for (int k = 0; k < N; k++) | #pragma omp parallel for num_threads(n + 1) for (int j = 0; j < n; j++) { x[j] += k; }",
            "#pragma omp parallel",
            "for | for (int j = 0; j < n; j++) | { x[j] += k; }",
            "while | while (n > 0) | n--;",
        ]
    );
}
