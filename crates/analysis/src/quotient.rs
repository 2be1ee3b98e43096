//! Exact division of symbolic expressions.

use ferry_symbolic::{Expr, Operation};

/// `a / b` if that is an expression without division: `b` is one product, and every product of `a` has it as a factor;
/// or `a` is a multiple of the whole of `b` by such a product.
pub fn exact_quotient(a: &Expr, b: &Expr) -> Option<Expr> {
    if a.is_zero() {
        return (!b.is_zero()).then(Expr::zero);
    }
    let mut divisor = b.terms();
    let first = divisor.next()?;
    if divisor.next().is_none() {
        if let Some(quotient) = a.divide_by_term(first) {
            return Some(quotient);
        }
        let mut result = Expr::zero();
        for term in a.terms() {
            let own = quotient_of_terms(term, first).or_else(|| quotient_of_cases(term, b))?;
            result = &result + &own;
        }
        return Some(result);
    }
    // A divisor of several terms: divide by leading terms, like polynomials in long division.
    let mut rest = a.clone();
    let mut result = Expr::zero();
    for _ in 0..8 {
        if rest.is_zero() {
            return Some(result);
        }
        let step = rest.terms().find_map(|term| {
            let candidate = quotient_of_terms(term, first)?;
            let next = &rest - &(&candidate * b);
            let shorter = next.terms().len() < rest.terms().len();
            shorter.then_some((candidate, next))
        });
        let (candidate, next) = step?;
        result = &result + &candidate;
        rest = next;
    }
    None
}

fn quotient_of_terms(term: &ferry_symbolic::Term, divisor: &ferry_symbolic::Term) -> Option<Expr> {
    if !term.coefficient.is_multiple_of(&divisor.coefficient) {
        return None;
    }
    let factor = term.coefficient.floor_div(&divisor.coefficient)?;
    let monomial = term.monomial.divided_by(&divisor.monomial)?;
    let mut product = Expr::constant(factor);
    for (atom, power) in monomial.factors() {
        product = &product * &Expr::atom(atom.clone()).power(*power);
    }
    Some(product)
}

/// A multiple of a value that is chosen by conditions, if every choice can be divided.
fn quotient_of_cases(term: &ferry_symbolic::Term, divisor: &Expr) -> Option<Expr> {
    let [(atom, 1)] = term.monomial.factors() else {
        return None;
    };
    let Some(Operation::Guarded(cases)) = atom.operation() else {
        return None;
    };
    let factor = Expr::constant(term.coefficient.clone());
    let divided: Option<Vec<_>> = cases
        .iter()
        .map(|(condition, value)| Some((condition.clone(), exact_quotient(&(&factor * value), divisor)?)))
        .collect();
    Some(Expr::guarded(divided?))
}

#[cfg(test)]
mod tests {
    use super::exact_quotient;
    use ferry_symbolic::{Condition, Expr, Symbol};

    #[test]
    fn choices_divide() {
        let (n, m) = (Expr::symbol(Symbol(0)), Expr::symbol(Symbol(1)));
        let four = Expr::int(4);
        let runs = Condition::positive(&m);
        let a = &Expr::select(&runs, &(&four * &n), &Expr::int(8)) + &four;
        let expected = &Expr::select(&runs, &n, &Expr::int(2)) + &Expr::one();
        assert_eq!(exact_quotient(&a, &four), Some(expected));
        let odd = Expr::select(&runs, &n, &Expr::int(8));
        assert_eq!(exact_quotient(&odd, &four), None);
    }

    #[test]
    fn products_divide() {
        let (n, i) = (Expr::symbol(Symbol(0)), Expr::symbol(Symbol(1)));
        let four = Expr::int(4);
        let a = &(&(&four * &n) * &i) + &(&Expr::int(8) * &n);
        assert_eq!(exact_quotient(&a, &(&four * &n)), Some(&i + &Expr::int(2)));
        assert_eq!(exact_quotient(&(&a + &Expr::one()), &four), None);
        let n_plus_1 = &n + &Expr::one();
        assert_eq!(exact_quotient(&(&n_plus_1 * &i), &n_plus_1), Some(i));
    }
}
