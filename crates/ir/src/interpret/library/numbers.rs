//! Which number does a text spell? `atoi`, `strtol`, `strtod` and their like, and the integer `abs` family.

use super::characters::is_space;
use super::{Host, LibraryFunction, Stop, arg, string, write};

pub(super) fn find(name: &str) -> Option<LibraryFunction> {
    Some(match name {
        "atoi" | "atol" | "atoll" => |host, a| {
            let text = string(host, arg(a, 0))?;
            Ok(integer(&text, 10, true).0)
        },
        "strtol" | "strtoll" | "__isoc23_strtol" | "__isoc23_strtoll" | "strtoimax" => {
            |host, a| convert(host, a, true)
        }
        "strtoul" | "strtoull" | "__isoc23_strtoul" | "__isoc23_strtoull" | "strtoumax" => {
            |host, a| convert(host, a, false)
        }
        "atof" => |host, a| {
            let text = string(host, arg(a, 0))?;
            Ok(float(&text).0.to_bits())
        },
        "strtod" | "strtold" => |host, a| {
            let text = string(host, arg(a, 0))?;
            let (value, length) = float(&text);
            end(host, arg(a, 0), arg(a, 1), length)?;
            Ok(value.to_bits())
        },
        "strtof" => |host, a| {
            let text = string(host, arg(a, 0))?;
            let length = float(&text).1;
            end(host, arg(a, 0), arg(a, 1), length)?;
            Ok(u64::from(single(&text[..length]).to_bits()))
        },
        "abs" => |_, a| match (arg(a, 0) as i32).checked_abs() {
            Some(value) => Ok(value as u64),
            None => Err("signed integer overflow in abs".into()),
        },
        "labs" | "llabs" | "imaxabs" => |_, a| match (arg(a, 0) as i64).checked_abs() {
            Some(value) => Ok(value as u64),
            None => Err("signed integer overflow in labs".into()),
        },
        "div" => |host, a| {
            let (x, y) = (arg(a, 0) as i32, arg(a, 1) as i32);
            let (Some(quotient), Some(rest)) = (x.checked_div(y), x.checked_rem(y)) else {
                return Err("division by zero or overflow in div".into());
            };
            host.return_record([quotient.to_le_bytes(), rest.to_le_bytes()].concat());
            Ok(0)
        },
        "ldiv" | "lldiv" => |host, a| {
            let (x, y) = (arg(a, 0) as i64, arg(a, 1) as i64);
            let (Some(quotient), Some(rest)) = (x.checked_div(y), x.checked_rem(y)) else {
                return Err("division by zero or overflow in ldiv".into());
            };
            host.return_record([quotient.to_le_bytes(), rest.to_le_bytes()].concat());
            Ok(0)
        },
        "bswap16" => |_, a| Ok(u64::from((arg(a, 0) as u16).swap_bytes())),
        "bswap32" | "htonl" | "ntohl" => |_, a| Ok(u64::from((arg(a, 0) as u32).swap_bytes())),
        "bswap64" => |_, a| Ok(arg(a, 0).swap_bytes()),
        "expect" | "assume_aligned" | "expect_with_probability" => |_, a| Ok(arg(a, 0)),
        "constant_p" => |_, _| Ok(0),
        "object_size" => |_, _| Ok(u64::MAX),
        "prefetch" => |_, _| Ok(0),
        _ => return None,
    })
}

fn convert(host: &mut dyn Host, a: &[u64], signed: bool) -> Result<u64, Stop> {
    let text = string(host, arg(a, 0))?;
    let (value, length) = integer(&text, arg(a, 2) as u32, signed);
    end(host, arg(a, 0), arg(a, 1), length)?;
    Ok(value)
}

/// Stores where the number ended, if somebody wants to know.
fn end(host: &mut dyn Host, text: u64, to: u64, length: usize) -> Result<(), Stop> {
    if to == 0 {
        Ok(())
    } else {
        write(host, to, &(text + length as u64).to_le_bytes())
    }
}

/// The integer at the start of a text, clamped, and how many bytes it takes (0 if there is none).
pub(super) fn integer(text: &[u8], base: u32, signed: bool) -> (u64, usize) {
    let mut at = text.iter().take_while(|&&byte| is_space(byte)).count();
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let digit = |at: usize, base: u32| text.get(at).and_then(|&byte| char::from(byte).to_digit(base));
    let mut base = base;
    let hexadecimal = text.get(at) == Some(&b'0')
        && matches!(text.get(at + 1), Some(b'x' | b'X'))
        && digit(at + 2, 16).is_some();
    if (base == 0 || base == 16) && hexadecimal {
        base = 16;
        at += 2;
    } else if base == 0 {
        base = if text.get(at) == Some(&b'0') { 8 } else { 10 };
    }
    if !(2..=36).contains(&base) {
        return (0, 0);
    }
    let start = at;
    let mut value: i128 = 0;
    while let Some(digit) = digit(at, base) {
        value = (value * i128::from(base) + i128::from(digit)).min(1 << 100);
        at += 1;
    }
    if at == start {
        return (0, 0);
    }
    let value = if negative { -value } else { value };
    let value = if signed {
        value.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as u64
    } else if value.unsigned_abs() > u128::from(u64::MAX) {
        u64::MAX
    } else {
        value as u64
    };
    (value, at)
}

/// The floating number at the start of a text and how many bytes it takes.
pub(super) fn float(text: &[u8]) -> (f64, usize) {
    let start = text.iter().take_while(|&&byte| is_space(byte)).count();
    let mut at = start;
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let signed = |value: f64| if negative { -value } else { value };
    let starts =
        |word: &[u8]| text[at..].len() >= word.len() && text[at..at + word.len()].eq_ignore_ascii_case(word);
    if starts(b"infinity") {
        return (signed(f64::INFINITY), at + 8);
    }
    if starts(b"inf") {
        return (signed(f64::INFINITY), at + 3);
    }
    if starts(b"nan") {
        return (signed(f64::NAN), at + 3);
    }
    if starts(b"0x")
        && let Some((value, length)) = hexadecimal(&text[at + 2..])
    {
        return (signed(value), at + 2 + length);
    }
    let digits = |from: usize| {
        text[from..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count()
    };
    let whole = digits(at);
    let mut stop = at + whole;
    let mut fraction = 0;
    if text.get(stop) == Some(&b'.') {
        fraction = digits(stop + 1);
        if whole + fraction > 0 {
            stop += 1 + fraction;
        }
    }
    if whole + fraction == 0 {
        return (0.0, 0);
    }
    if matches!(text.get(stop), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(stop + 1), Some(b'-' | b'+')));
        let exponent = text.get(stop + 1 + sign..).map_or(0, |_| digits(stop + 1 + sign));
        if exponent > 0 {
            stop += 1 + sign + exponent;
        }
    }
    let spelled = String::from_utf8_lossy(&text[start..stop]);
    (spelled.parse().unwrap_or(0.0), stop)
}

/// The `float` that a text spells, rounded once.
pub(super) fn single(text: &[u8]) -> f32 {
    let digits = String::from_utf8_lossy(text);
    digits.trim().parse::<f32>().unwrap_or(float(text).0 as f32)
}

/// Digits behind `0x`; exact while the mantissa has at most 60 bits.
fn hexadecimal(text: &[u8]) -> Option<(f64, usize)> {
    let (mut mantissa, mut exponent, mut digits, mut at, mut point) = (0u64, 0i32, 0, 0, false);
    loop {
        match text.get(at) {
            Some(b'.') if !point => point = true,
            Some(&byte) => {
                let Some(digit) = char::from(byte).to_digit(16) else {
                    break;
                };
                digits += 1;
                if mantissa < 1 << 56 {
                    mantissa = mantissa * 16 + u64::from(digit);
                    exponent -= if point { 4 } else { 0 };
                } else if !point {
                    exponent += 4;
                }
            }
            None => break,
        }
        at += 1;
    }
    if digits == 0 {
        return None;
    }
    if matches!(text.get(at), Some(b'p' | b'P')) {
        let sign = usize::from(matches!(text.get(at + 1), Some(b'-' | b'+')));
        let count = text
            .get(at + 1 + sign..)?
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        if count > 0 {
            let spelled = String::from_utf8_lossy(&text[at + 1..at + 1 + sign + count]).to_string();
            exponent = exponent.saturating_add(spelled.parse::<i32>().unwrap_or(0).clamp(-5000, 5000));
            at += 1 + sign + count;
        }
    }
    Some((super::math::scale(mantissa as f64, exponent), at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_numbers() {
        assert_eq!(integer(b"  -42abc", 10, true), ((-42i64) as u64, 5));
        assert_eq!(integer(b"0x1f", 0, true), (31, 4));
        assert_eq!(integer(b"0x", 0, true), (0, 1));
        assert_eq!(integer(b"99999999999999999999", 10, true).0, i64::MAX as u64);
        assert_eq!(integer(b"z", 10, true), (0, 0));
        assert_eq!(float(b" 1.5e3x"), (1500.0, 6));
        assert_eq!(float(b"1e"), (1.0, 1));
        assert_eq!(float(b".5"), (0.5, 2));
        assert_eq!(float(b"-inf").0, f64::NEG_INFINITY);
        assert_eq!(float(b"0x1.8p3"), (12.0, 7));
        assert_eq!(float(b"."), (0.0, 0));
    }
}
