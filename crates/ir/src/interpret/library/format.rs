//! How does `printf` write a number? Exactly as glibc does, in the "C" locale.
//!
//! Decimal digits come from Rust's formatting, which is exact for every precision and rounds half to even, as glibc.

/// One conversion specification, between `%` and its letter.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spec {
    pub(super) minus: bool,
    pub(super) plus: bool,
    pub(super) space: bool,
    pub(super) alternate: bool,
    pub(super) zero: bool,
    pub(super) width: usize,
    pub(super) precision: Option<usize>,
}

/// Longest number of digits that carries information; more are zeros.
const DIGITS: usize = 1100;

impl Spec {
    /// Pads `body` with spaces.
    pub(super) fn pad(&self, body: &[u8], out: &mut Vec<u8>) {
        let fill = self.width.saturating_sub(body.len());
        if !self.minus {
            out.resize(out.len() + fill, b' ');
        }
        out.extend_from_slice(body);
        if self.minus {
            out.resize(out.len() + fill, b' ');
        }
    }

    /// Pads a number: sign or prefix, then zeros where the flag says so, then digits.
    fn pad_number(&self, prefix: &str, digits: &str, zeros: bool, out: &mut Vec<u8>) {
        let fill = self.width.saturating_sub(prefix.len() + digits.len());
        if !self.minus && !zeros {
            out.resize(out.len() + fill, b' ');
        }
        out.extend_from_slice(prefix.as_bytes());
        if !self.minus && zeros {
            out.resize(out.len() + fill, b'0');
        }
        out.extend_from_slice(digits.as_bytes());
        if self.minus {
            out.resize(out.len() + fill, b' ');
        }
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }

    /// `%d`
    pub(super) fn signed(&self, value: i64, out: &mut Vec<u8>) {
        let digits = self.integer_digits(value.unsigned_abs().to_string(), value == 0);
        self.pad_number(
            self.sign(value < 0),
            &digits,
            self.zero && self.precision.is_none(),
            out,
        );
    }

    /// `%u %o %x %X`
    pub(super) fn unsigned(&self, value: u64, letter: u8, out: &mut Vec<u8>) {
        let text = match letter {
            b'o' => format!("{value:o}"),
            b'x' => format!("{value:x}"),
            b'X' => format!("{value:X}"),
            _ => value.to_string(),
        };
        let mut digits = self.integer_digits(text, value == 0);
        let mut prefix = "";
        if self.alternate {
            match letter {
                b'o' if !digits.starts_with('0') => digits.insert(0, '0'),
                b'x' if value != 0 => prefix = "0x",
                b'X' if value != 0 => prefix = "0X",
                _ => {}
            }
        }
        self.pad_number(prefix, &digits, self.zero && self.precision.is_none(), out);
    }

    fn integer_digits(&self, text: String, zero: bool) -> String {
        match self.precision {
            Some(0) if zero => String::new(),
            Some(precision) if text.len() < precision => {
                format!("{}{text}", "0".repeat(precision - text.len()))
            }
            _ => text,
        }
    }

    /// `%p`
    pub(super) fn pointer(&self, value: u64, out: &mut Vec<u8>) {
        if value == 0 {
            return self.pad(b"(nil)", out);
        }
        Spec {
            alternate: true,
            ..*self
        }
        .unsigned(value, b'x', out);
    }

    /// `%f %e %g %a` and their capitals; `long` for `long double`.
    pub(super) fn float(&self, value: f64, letter: u8, long: bool, out: &mut Vec<u8>) {
        let sign = self.sign(value.is_sign_negative());
        let magnitude = value.abs();
        let upper = letter.is_ascii_uppercase();
        let case = |text: String| if upper { text.to_uppercase() } else { text };
        if !magnitude.is_finite() {
            let text = case(if magnitude.is_nan() { "nan" } else { "inf" }.to_string());
            return self.pad_number(sign, &text, false, out);
        }
        let precision = self.precision.unwrap_or(6);
        let (prefix, digits) = match letter.to_ascii_lowercase() {
            b'f' => (String::new(), self.fixed(magnitude, precision)),
            b'e' => (String::new(), self.scientific(magnitude, precision)),
            b'g' => (String::new(), self.general(magnitude, precision.max(1))),
            _ => ("0x".to_string(), self.hexadecimal(magnitude, long)),
        };
        self.pad_number(&case(format!("{sign}{prefix}")), &case(digits), self.zero, out);
    }

    fn fixed(&self, value: f64, precision: usize) -> String {
        let mut text = format!("{:.*}", precision.min(DIGITS), value);
        if precision > DIGITS {
            text.push_str(&"0".repeat(precision - DIGITS));
        }
        if precision == 0 && self.alternate {
            text.push('.');
        }
        text
    }

    fn scientific(&self, value: f64, precision: usize) -> String {
        let (mut mantissa, exponent) = digits_and_exponent(value, precision);
        if precision == 0 && self.alternate {
            mantissa.push('.');
        }
        mantissa + &exponent_text(exponent)
    }

    fn general(&self, value: f64, precision: usize) -> String {
        let (mut mantissa, exponent) = digits_and_exponent(value, precision - 1);
        if exponent < -4 || exponent >= precision as i64 {
            if !self.alternate {
                strip_zeros(&mut mantissa);
            } else if precision == 1 {
                mantissa.push('.');
            }
            return mantissa + &exponent_text(exponent);
        }
        let mut text = self.fixed(value, (precision as i64 - 1 - exponent).max(0) as usize);
        if !self.alternate {
            strip_zeros(&mut text);
        }
        text
    }

    fn hexadecimal(&self, value: f64, long: bool) -> String {
        let bits = value.to_bits();
        let fraction = bits & ((1 << 52) - 1);
        let biased = (bits >> 52) as i64;
        // `digit.rest` in hexadecimal: `rest` has `places` digits.
        let (mut head, mut rest, mut places, exponent) = if value == 0.0 {
            (0u128, 0u128, 0usize, 0)
        } else if long {
            // The 80-bit format is normal for every double; its first digit has the four upper bits.
            let (mantissa, exponent) = if biased == 0 {
                let shift = fraction.leading_zeros();
                (fraction << shift, -1022 - 52 + 63 - i64::from(shift))
            } else {
                (1 << 63 | fraction << 11, biased - 1023)
            };
            (
                u128::from(mantissa >> 60),
                u128::from(mantissa & ((1 << 60) - 1)),
                15,
                exponent - 3,
            )
        } else if biased == 0 {
            (0, u128::from(fraction), 13, -1022)
        } else {
            (1, u128::from(fraction), 13, biased - 1023)
        };
        match self.precision {
            None => {
                while places > 0 && rest & 15 == 0 {
                    rest >>= 4;
                    places -= 1;
                }
            }
            Some(precision) if precision < places => {
                let dropped = 4 * (places - precision);
                let whole = head << (4 * places) | rest;
                let (kept, lost, half) = (
                    whole >> dropped,
                    whole & ((1 << dropped) - 1),
                    1u128 << (dropped - 1),
                );
                let kept = if lost > half || (lost == half && kept & 1 == 1) {
                    kept + 1
                } else {
                    kept
                };
                head = kept >> (4 * precision);
                rest = kept & ((1 << (4 * precision)) - 1);
                places = precision;
            }
            Some(_) => {}
        }
        let mut exponent = exponent;
        if head > 15 {
            // Only the 80-bit format can round up to two digits.
            head >>= 4;
            exponent += 4;
        }
        let mut text = format!("{head:x}");
        let wanted = self.precision.unwrap_or(places);
        if wanted > 0 || self.alternate {
            text.push('.');
        }
        if places > 0 {
            text.push_str(&format!("{rest:0places$x}"));
        }
        text.push_str(&"0".repeat(wanted.saturating_sub(places)));
        format!(
            "{text}p{}{}",
            if exponent < 0 { '-' } else { '+' },
            exponent.abs()
        )
    }
}

/// `d.ddd` with `precision` digits behind the point, and the exponent.
fn digits_and_exponent(value: f64, precision: usize) -> (String, i64) {
    let text = format!("{:.*e}", precision.min(DIGITS), value);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mut mantissa = mantissa.to_string();
    if precision > DIGITS {
        mantissa.push_str(&"0".repeat(precision - DIGITS));
    }
    (mantissa, exponent.parse().unwrap_or(0))
}

fn exponent_text(exponent: i64) -> String {
    format!("e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

fn strip_zeros(text: &mut String) {
    if text.contains('.') {
        let kept = text.trim_end_matches('0').trim_end_matches('.').len();
        text.truncate(kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float(spec: Spec, value: f64, letter: u8) -> String {
        let mut out = Vec::new();
        spec.float(value, letter, false, &mut out);
        String::from_utf8(out).unwrap()
    }

    fn precise(precision: usize) -> Spec {
        Spec {
            precision: Some(precision),
            ..Spec::default()
        }
    }

    #[test]
    fn floats_are_written_as_glibc_does() {
        let plain = Spec::default();
        assert_eq!(float(plain, 0.1, b'f'), "0.100000");
        assert_eq!(float(precise(0), 2.5, b'f'), "2");
        assert_eq!(float(precise(0), 0.5, b'f'), "0");
        assert_eq!(float(precise(20), 0.1, b'f'), "0.10000000000000000555");
        assert_eq!(float(plain, 1e10, b'e'), "1.000000e+10");
        assert_eq!(float(plain, 1e-300, b'E'), "1.000000E-300");
        assert_eq!(float(plain, 100000.0, b'g'), "100000");
        assert_eq!(float(plain, 1000000.0, b'g'), "1e+06");
        assert_eq!(float(plain, 0.0001, b'g'), "0.0001");
        assert_eq!(float(plain, 0.00001, b'g'), "1e-05");
        assert_eq!(float(plain, 999999.5, b'g'), "1e+06");
        assert_eq!(
            float(
                Spec {
                    alternate: true,
                    ..plain
                },
                1.0,
                b'g'
            ),
            "1.00000"
        );
        assert_eq!(float(plain, 0.0, b'g'), "0");
        assert_eq!(float(plain, -0.0, b'g'), "-0");
        assert_eq!(float(plain, f64::NEG_INFINITY, b'F'), "-INF");
    }

    #[test]
    fn hexadecimal_floats_are_written_as_glibc_does() {
        assert_eq!(float(Spec::default(), 1.0, b'a'), "0x1p+0");
        assert_eq!(float(Spec::default(), 0.1, b'a'), "0x1.999999999999ap-4");
        assert_eq!(float(Spec::default(), -0.1, b'A'), "-0X1.999999999999AP-4");
        assert_eq!(float(precise(2), 0.1, b'a'), "0x1.9ap-4");
        assert_eq!(float(precise(0), 1.5, b'a'), "0x2p+0");
        assert_eq!(float(Spec::default(), 5e-324, b'a'), "0x0.0000000000001p-1022");
        assert_eq!(float(Spec::default(), 0.0, b'a'), "0x0p+0");
    }

    #[test]
    fn integers_obey_flags() {
        let mut out = Vec::new();
        Spec {
            zero: true,
            width: 6,
            ..Spec::default()
        }
        .signed(-42, &mut out);
        Spec {
            precision: Some(3),
            width: 6,
            minus: true,
            ..Spec::default()
        }
        .signed(7, &mut out);
        Spec {
            alternate: true,
            ..Spec::default()
        }
        .unsigned(255, b'x', &mut out);
        Spec {
            precision: Some(0),
            ..Spec::default()
        }
        .signed(0, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), "-00042007   0xff");
    }
}
