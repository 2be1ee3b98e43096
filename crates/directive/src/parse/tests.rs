//! Directives as they are written, taken apart.

use super::*;
use crate::{Direction, ListItem, Modifier, Role, Subscript};
use proptest::prelude::*;

fn parsed(text: &str) -> Directive<String> {
    match parse(text.as_bytes(), 0, Dialect::C) {
        Ok(directive) => directive.without_places().map_expressions(|e, _| e.text.clone()),
        Err(errors) => panic!("{text}: {errors:?}"),
    }
}

/// Messages with the text that they are about.
fn errors(text: &str) -> Vec<(String, &str)> {
    let errors = parse(text.as_bytes(), 7, Dialect::C).unwrap_err();
    errors
        .iter()
        .map(|e| (e.to_string(), &text[e.start as usize - 7..e.end as usize - 7]))
        .collect()
}

fn section(lower: &str, length: &str) -> Subscript<String> {
    let part = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Subscript::Section {
        lower: part(lower),
        length: part(length),
        stride: None,
    }
}

fn object(base: &str, subscripts: Vec<Subscript<String>>) -> Item<String> {
    Item::Object(ListItem {
        shape: Vec::new(),
        base: base.to_owned(),
        subscripts,
    })
}

fn value(text: &str) -> Item<String> {
    Item::Value(text.to_owned())
}

fn word(text: &str) -> Modifier<String> {
    Modifier::Word(text.to_owned())
}

fn items(directive: &str, clause: &str) -> Vec<Item<String>> {
    parsed(&format!("{directive} {clause}")).clauses[0]
        .items()
        .to_vec()
}

fn modifiers(directive: &str, clause: &str) -> Vec<Modifier<String>> {
    parsed(&format!("{directive} {clause}")).clauses[0]
        .modifiers()
        .to_vec()
}

#[test]
fn names_are_canonical() {
    for (text, name, clauses) in [
        (
            " omp\ttarget  teams distribute\\\n parallel for simd",
            "target teams distribute parallel for simd",
            0,
        ),
        ("omp parallel for num_threads(2)", "parallel for", 1),
        ("omp declare_target", "declare target", 0),
        ("omp target_enter_data map(x)", "target enter data", 1),
        ("omp cancel for if(x)", "cancel", 2),
        ("omp ordered simd", "ordered", 1),
        ("omp atomic capture, seq_cst", "atomic", 2),
        ("acc enter data create(x), async", "enter data", 2),
        ("acc host_data use_device(x)", "host_data", 1),
        ("acc parallel loop, gang worker vector", "parallel loop", 3),
    ] {
        let directive = parsed(text);
        assert_eq!(
            (directive.name.as_str(), directive.clauses.len()),
            (name, clauses),
            "{text}"
        );
    }
}

#[test]
fn sections_and_bases() {
    assert_eq!(
        items("omp target", "map(a[i][0:n], s->p[:m], s.t[3].q, (*v)[2], *w, x)"),
        [
            object("a", vec![Subscript::Index("i".into()), section("0", "n")]),
            object("s->p", vec![section("", "m")]),
            object("s.t[3].q", vec![]),
            object("(*v)", vec![Subscript::Index("2".into())]),
            object("*w", vec![]),
            object("x", vec![]),
        ]
    );
    assert_eq!(
        items(
            "omp target update",
            "to(a[c ? lo : 0 : n[1] : 2], b[::3], ([n][m]p)[0:n][:])"
        ),
        [
            object(
                "a",
                vec![Subscript::Section {
                    lower: Some("c ? lo : 0".into()),
                    length: Some("n[1]".into()),
                    stride: Some("2".into())
                }]
            ),
            object(
                "b",
                vec![Subscript::Section {
                    lower: None,
                    length: None,
                    stride: Some("3".into())
                }]
            ),
            Item::Object(ListItem {
                shape: vec!["n".into(), "m".into()],
                base: "p".into(),
                subscripts: vec![section("0", "n"), section("", "")],
            }),
        ]
    );
}

#[test]
fn what_cannot_be_cut_soundly_is_raw() {
    for text in [
        "*p[0:n]",
        "a[0:n].x",
        "(double *)p[0:n]",
        "a[]",
        "a[1:2:3:4]",
        "(p + 1)[b[0:2]:3]x",
        "f(a[0:1])",
    ] {
        let items = items("omp target", &format!("map(to: {text})"));
        assert!(matches!(&items[..], [Item::Raw(_)]), "{text}: {items:?}");
    }
}

#[test]
fn map_modifiers_old_and_new() {
    assert_eq!(
        modifiers("omp target", "map(always to: x)"),
        [word("always"), word("to")]
    );
    assert_eq!(
        modifiers(
            "omp target",
            "map(iterator(int i = 0:n:2, j=0:m), mapper(my), present, tofrom: a[i])"
        )
        .len(),
        4
    );
    assert_eq!(modifiers("omp target", "map(c ? x : y)"), []);
    assert_eq!(
        modifiers("omp parallel", "if(parallel: c ? x : y)"),
        [word("parallel")]
    );
    assert_eq!(
        modifiers("omp target enter data map(x)", "if(target enter data: c)"),
        []
    );
    assert_eq!(
        modifiers("omp target enter data", "if(target enter data: c)"),
        [word("target enter data")]
    );
}

#[test]
fn clauses_with_their_own_forms() {
    assert_eq!(
        items("omp for", "schedule(nonmonotonic, simd: dynamic, n / 2)").len(),
        2
    );
    assert_eq!(
        items("omp for ordered(2)", "depend(sink: i - 1, j)"),
        [value("2")]
    );
    assert_eq!(
        items("omp ordered", "depend(sink: i - 1, j)"),
        [value("i - 1"), value("j")]
    );
    assert_eq!(
        items("omp ordered", "depend(source)"),
        [Item::Word("source".into())]
    );
    assert_eq!(modifiers("omp ordered", "doacross(source:)"), [word("source")]);
    assert_eq!(
        modifiers("omp parallel", "reduction(inscan, &&: x)"),
        [word("inscan"), word("&&")]
    );
    assert_eq!(
        modifiers("omp teams", "num_teams(lo: hi)"),
        [Modifier::Value("lo".into())]
    );
    assert_eq!(modifiers("omp simd", "linear(val(x, y): 2)"), [word("val")]);
    let linear = parsed("omp simd linear(x: ref, step(n))");
    let trailing = &linear.clauses[0].arguments.as_ref().unwrap().trailing;
    assert_eq!(
        *trailing,
        [
            word("ref"),
            Modifier::Named {
                name: "step".into(),
                value: "n".into()
            }
        ]
    );
    assert_eq!(
        items("omp target", "defaultmap(tofrom: scalar)"),
        [Item::Word("tofrom".into())]
    );
    assert_eq!(
        items("acc loop", "tile(*, 4)"),
        [Item::Word("*".into()), value("4")]
    );
    assert_eq!(
        items("acc loop", "gang(num: n, static: *)"),
        [
            Item::Named {
                name: "num".into(),
                value: Some("n".into())
            },
            Item::Named {
                name: "static".into(),
                value: None
            }
        ]
    );
    let wait = parsed("acc wait(devnum: c ? 1 : 2 : queues: 3, 4) async");
    let arguments = wait.arguments.unwrap();
    assert_eq!(
        arguments.modifiers[0],
        Modifier::Named {
            name: "devnum".into(),
            value: "c ? 1 : 2".into()
        }
    );
    assert_eq!(arguments.items, [value("3"), value("4")]);
    assert_eq!(
        items("acc update", "self(a[0:n])"),
        [object("a", vec![section("0", "n")])]
    );
    assert_eq!(items("acc parallel", "self(n > 3)"), [value("n > 3")]);
    assert_eq!(parsed("acc data present_or_copyin(x)").clauses[0].name, "copyin");
    assert_eq!(
        parsed("acc cache(readonly: a[i:2])").arguments.unwrap().modifiers,
        [word("readonly")]
    );
}

#[test]
fn places_are_those_of_the_file() {
    let text = " omp target map(to: /* c, */ a\\\r\n[ 0 : n ]) if( x /* why */ > y )";
    let directive = parse(text.as_bytes(), 1000, Dialect::C).unwrap();
    let found: Vec<(&str, &str, Role)> = directive
        .expressions()
        .into_iter()
        .map(|(e, site)| {
            (
                &text[e.start as usize - 1000..e.end as usize - 1000],
                e.text.as_str(),
                site.role,
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("a", "a", Role::Base),
            ("0", "0", Role::Lower),
            ("n", "n", Role::Length),
            ("x /* why */ > y", "x   > y", Role::Value)
        ]
    );
    let (start, end) = directive.clauses[1].place.unwrap();
    assert_eq!(
        &text[start as usize - 1000..end as usize - 1000],
        "if( x /* why */ > y )"
    );
}

#[test]
fn errors_have_places_and_suggestions() {
    assert_eq!(
        errors("omp paralell"),
        [(
            "`paralell` is no OpenMP directive; did you mean `parallel`?".to_owned(),
            "paralell"
        )]
    );
    assert_eq!(
        errors("omp parallel fro privat(x)"),
        [
            (
                "`fro` is no clause of OpenMP; did you mean `parallel for`?".to_owned(),
                "fro"
            ),
            (
                "`privat` is no clause of OpenMP; did you mean `private`?".to_owned(),
                "privat"
            ),
        ]
    );
    assert_eq!(
        errors("acc enter copyin(x)")[0].0,
        "`enter` is no OpenACC directive; did you mean `enter data`?"
    );
    assert_eq!(errors("omp for schedule(statick)")[0].1, "statick");
    assert_eq!(errors("omp target map(tofrm: x)")[0].1, "tofrm");
    assert_eq!(errors("omp for reduction(x)").len(), 1);
    assert_eq!(errors("omp for private()").len(), 1);
    assert_eq!(errors("omp for private(a,)").len(), 1);
    assert_eq!(errors("omp for private").len(), 1);
    assert_eq!(errors("omp for collapse(2")[0].1, "(");
    assert_eq!(errors("omp for collapse(2, 3)")[0].1, "3");
    assert_eq!(errors("acc loop seq(1)").len(), 1);
    assert_eq!(errors("acc loop gang[0]").len(), 1);
    assert_eq!(errors("omp").len(), 1);
    assert_eq!(errors("pack(1)").len(), 1);
    assert!(read(b"once", 0, Dialect::C).is_none());
    assert_eq!(language_of(b" acc data // \xFF"), Some(Language::OpenAcc));
}

#[test]
fn what_stands_after_depends_on_the_clauses() {
    use crate::Association::*;
    for (text, association) in [
        ("omp ordered depend(source)", StandAlone),
        ("omp ordered", Block),
        ("omp declare target", Delimited),
        ("omp declare target device_type(any)", Delimited),
        ("omp declare target(f)", Declarative),
        ("omp declare target enter(f)", Declarative),
        ("omp target teams distribute", Loops),
        ("acc enter data create(x)", StandAlone),
        ("acc kernels loop", Loops),
    ] {
        assert_eq!(parsed(text).association(), Some(association), "{text}");
    }
}

#[test]
fn unknown_clauses_are_kept() {
    let parsed = read(b"omp parallel magic(1,  2) private(x)", 0, Dialect::C).unwrap();
    assert_eq!(parsed.errors.len(), 1);
    let directive = parsed.directive.unwrap();
    assert_eq!(
        directive.to_string(),
        "#pragma omp parallel magic(1, 2) private(x)"
    );
}

#[test]
fn data_is_the_same_in_both_languages() {
    let openmp = parsed("omp target exit data map(from: a[0:n]) map(release: b) map(delete: c)");
    let directions: Vec<_> = openmp.data().iter().map(|d| d.direction).collect();
    assert_eq!(
        directions,
        [Direction::From, Direction::Release, Direction::Delete]
    );
    let openacc = parsed("acc exit data copyout(a[0:n]) delete(b)");
    let directions: Vec<_> = openacc.data().iter().map(|d| d.direction).collect();
    assert_eq!(directions, [Direction::From, Direction::Release]);
    assert!(!parsed("omp target map(mapper(m), to: x)").data()[0].understood);
    assert!(!parsed("omp target exit data map(delete, from: x)").data()[0].understood);
    assert!(!parsed("omp target map(to: *x[0:2])").data()[0].understood);
    assert_eq!(
        parsed("omp target enter data map(x)").data()[0].direction,
        Direction::To
    );
    let reductions = parsed("acc parallel loop reduction(max: x, y) reduction(+: z)");
    let reductions: Vec<_> = reductions
        .reductions()
        .iter()
        .map(|r| r.operator.to_owned())
        .collect();
    assert_eq!(reductions, ["max", "max", "+"]);
}

proptest! {
    #[test]
    fn nothing_makes_it_panic(bytes in "[ a-c(),:?\\[\\]\"'*/\\\\\n0-9.>&+-]{0,60}", start in "omp (target map|for linear|simd aligned|target|x|teams num_teams)|acc (wait|loop gang|data copy)|omp target map\\(iterator") {
        let text = format!("{start}{bytes}");
        for dialect in [Dialect::C, Dialect::Cplusplus] {
            let parsed = read(text.as_bytes(), u32::MAX - 20, dialect);
            prop_assert!(parsed.is_some() || !text.is_empty());
        }
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        let text = [b"omp for reduction".as_slice(), &bytes].concat();
        read(&text, 0, Dialect::Cplusplus);
        language_of(&bytes);
    }
}

#[test]
fn deep_brackets_take_no_stack() {
    let deep = format!("omp target map(a{}{})", "[(".repeat(20_000), ")]".repeat(20_000));
    assert!(parse(deep.as_bytes(), 0, Dialect::C).is_ok());
}
