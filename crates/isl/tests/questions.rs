//! Does the wrapper keep its promises? Errors instead of NULL, the next question answered as if there was none before, numbers of any size, and no leaks.

use ferry_isl::{Context, Error, Number, Row, Set, Shape, ask};
use num_bigint::BigInt;

const LINE: Shape = Shape {
    dimensions: 1,
    parameters: 1,
};

fn row(numbers: &[i64]) -> Row {
    numbers.iter().map(|number| Number::from(*number)).collect()
}

/// `{ [x] : 0 <= x < n }`
fn interval(context: &Context) -> Result<Set<'_>, Error> {
    context.basic(LINE, 0, &[], &[row(&[0, 1, 0]), row(&[-1, -1, 1])])
}

/// `{ [x] : x = step * q + first for some q, 0 <= q < n }`
fn steps(context: &Context, step: i64, first: i64) -> Result<Set<'_>, Error> {
    let bounds = [row(&[0, 0, 0, 1]), row(&[-1, 0, 1, -1])];
    context.basic(LINE, 1, &[row(&[-first, 1, 0, -step])], &bounds)
}

#[test]
fn existentials_come_back_as_floors() {
    let pieces = ask(0, |context| steps(context, 3, 1)?.pieces());
    let pieces = pieces.unwrap_or_default();
    assert_eq!(pieces.len(), 1);
    assert_eq!(pieces[0].floors.len(), 1);
    assert_eq!(pieces[0].floors[0].divisor, Number::from(3));
    assert_eq!(pieces[0].equalities.len(), 1);
}

#[test]
fn wrong_questions_are_errors() {
    // A row of the wrong length, coordinates that are not there, sets of different shapes.
    assert_eq!(
        ask(0, |context| context.basic(LINE, 0, &[row(&[1])], &[])?.is_empty()),
        Err(Error::Failed)
    );
    assert_eq!(
        ask(0, |context| interval(context)?.project_out(1, 1)?.is_empty()),
        Err(Error::Failed)
    );
    assert_eq!(
        ask(0, |context| interval(context)?.minimum(1).map(|_| ())),
        Err(Error::Failed)
    );
    let flat = Shape {
        dimensions: 2,
        parameters: 1,
    };
    let joined = ask(0, |context| {
        interval(context)?.union(context.empty(flat)?)?.is_empty()
    });
    assert_eq!(joined, Err(Error::Failed));
    assert_eq!(
        ask(0, |context| context
            .basic(LINE, 0, &[], &[])?
            .maximum(0)
            .map(|_| ())),
        Err(Error::Unbounded)
    );
    // The next question is answered as before.
    assert_eq!(ask(0, |context| interval(context)?.is_empty()), Ok(false));
}

#[test]
fn numbers_of_any_size_come_back() {
    let values = [
        BigInt::from(i64::MAX),
        BigInt::from(i64::MIN),
        BigInt::from(i64::MAX) + 1,
        BigInt::from(u64::MAX) * BigInt::from(u64::MAX),
        -(BigInt::from(1) << 200u32),
        BigInt::from(1) << 64u32,
    ];
    for value in values {
        // x = value
        let equality: Row = vec![Number::from(-&value), Number::from(1), Number::from(0)];
        let found = ask(0, |context| context.basic(LINE, 0, &[equality], &[])?.maximum(0));
        let found = found.unwrap_or_default();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].value.numerator[0].to_big(), value);
    }
}

#[test]
fn questions_within_questions_have_their_own_context() {
    let answer = ask(0, |outer| {
        let set = interval(outer)?;
        let inner = ask(5, |context| {
            steps(context, 7, 0)?
                .subtract(steps(context, 5, 0)?)?
                .pieces()
                .map(|_| ())
        });
        assert_eq!(inner, Err(Error::TooMuchWork));
        set.is_empty()
    });
    assert_eq!(answer, Ok(false));
}

/// Kilobytes of memory that the process uses.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text
        .split(' ')
        .nth(1)
        .and_then(|pages| pages.parse::<usize>().ok());
    pages.unwrap_or(0) * 4
}

#[test]
fn nothing_leaks_with_and_without_the_limit() {
    let work = |count: u64| {
        let mut unknown = 0;
        for turn in 0..count {
            let answer = ask(1 + turn % 700, |context| {
                let (a, b) = (steps(context, 7, 1)?, steps(context, 5, 2)?);
                a.duplicate()?
                    .subtract(b)?
                    .union(interval(context)?)?
                    .coalesce()?
                    .maximum(0)
            });
            unknown += usize::from(answer == Err(Error::TooMuchWork));
        }
        unknown
    };
    assert!(work(2_000) > 200);
    let before = resident();
    work(6_000);
    let after = resident();
    assert!(after < before + 2_000, "{before} kB, then {after} kB");
}
