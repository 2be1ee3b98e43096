//! What does `sscanf` read? The conversions of integers, floating numbers, words, characters and sets.

use super::characters::is_space;
use super::{Host, LibraryFunction, Stop, arg, numbers, string, write};

pub(super) fn find(name: &str) -> Option<LibraryFunction> {
    Some(match name {
        "sscanf" | "__isoc99_sscanf" | "__isoc23_sscanf" => |host, a| {
            let text = string(host, arg(a, 0))?;
            let format = string(host, arg(a, 1))?;
            scan(host, &text, &format, a.get(2..).unwrap_or_default())
        },
        _ => return None,
    })
}

/// One conversion.
#[derive(Clone, Copy, Default)]
struct Conversion {
    suppress: bool,
    width: Option<usize>,
    /// Bytes of the integer; for floating numbers 4, 8 or 16.
    size: usize,
    letter: u8,
}

/// How many values were stored, or -1 if the text ended before the first.
fn scan(host: &mut dyn Host, text: &[u8], format: &[u8], pointers: &[u64]) -> Result<u64, Stop> {
    let mut pointers = pointers.iter();
    let (mut at, mut stored, mut position) = (0, 0u64, 0);
    let ended = |stored: u64| if stored == 0 { u64::MAX } else { stored };
    while let Some(&byte) = format.get(position) {
        position += 1;
        if is_space(byte) {
            at += text[at..].iter().take_while(|&&byte| is_space(byte)).count();
            continue;
        }
        if byte != b'%' {
            match text.get(at) {
                None => return Ok(ended(stored)),
                Some(&other) if other != byte => return Ok(stored),
                Some(_) => at += 1,
            }
            continue;
        }
        let conversion = parse(format, &mut position)?;
        if !matches!(conversion.letter, b'c' | b'[' | b'n') {
            at += text[at..].iter().take_while(|&&byte| is_space(byte)).count();
        }
        let set = if conversion.letter == b'[' {
            Some(parse_set(format, &mut position)?)
        } else {
            None
        };
        if conversion.letter == b'%' {
            match text.get(at) {
                Some(b'%') => at += 1,
                None => return Ok(ended(stored)),
                Some(_) => return Ok(stored),
            }
            continue;
        }
        if conversion.letter == b'n' {
            let pointer = pointers.next().copied().unwrap_or(0);
            write(
                host,
                pointer,
                &(at as u64).to_le_bytes()[..conversion.size.min(8)],
            )?;
            continue;
        }
        if at >= text.len() {
            return Ok(ended(stored));
        }
        let limit = conversion
            .width
            .unwrap_or(if conversion.letter == b'c' { 1 } else { usize::MAX });
        let rest = &text[at..text.len().min(at.saturating_add(limit))];
        let (bytes, length) = match conversion.letter {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'p' => {
                let base = match conversion.letter {
                    b'i' => 0,
                    b'x' | b'X' | b'p' => 16,
                    b'o' => 8,
                    _ => 10,
                };
                let signed = matches!(conversion.letter, b'd' | b'i');
                let (value, length) = numbers::integer(rest, base, signed);
                let size = if conversion.letter == b'p' {
                    8
                } else {
                    conversion.size.min(8)
                };
                (value.to_le_bytes()[..size].to_vec(), length)
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let (value, length) = numbers::float(rest);
                let bytes = match conversion.size {
                    4 => numbers::single(&rest[..length]).to_le_bytes().to_vec(),
                    8 => value.to_le_bytes().to_vec(),
                    _ => crate::interpret::arithmetic::to_f80(value).to_vec(),
                };
                (bytes, length)
            }
            b's' => word(rest, |byte| !is_space(byte)),
            b'[' => word(rest, |byte| {
                set.as_ref().is_some_and(|set| set[usize::from(byte)])
            }),
            b'c' if rest.len() < limit => return Ok(ended(stored)),
            b'c' => (rest.to_vec(), rest.len()),
            letter => return Err(format!("the conversion %{} is not known", char::from(letter)).into()),
        };
        if length == 0 {
            return Ok(stored);
        }
        at += length;
        if !conversion.suppress {
            let pointer = pointers.next().copied();
            let pointer =
                pointer.ok_or_else(|| Stop::from("the format asks for more arguments than there are"))?;
            write(host, pointer, &bytes)?;
            stored += 1;
        }
    }
    Ok(stored)
}

/// Bytes while they are wanted, with a zero behind, and how many.
fn word(text: &[u8], wanted: impl Fn(u8) -> bool) -> (Vec<u8>, usize) {
    let length = text.iter().take_while(|&&byte| wanted(byte)).count();
    let mut bytes = text[..length].to_vec();
    bytes.push(0);
    (bytes, length)
}

fn parse(format: &[u8], position: &mut usize) -> Result<Conversion, Stop> {
    let mut conversion = Conversion::default();
    let mut long = 0;
    loop {
        let Some(&byte) = format.get(*position) else {
            return Err("a format ends inside a conversion".into());
        };
        *position += 1;
        match byte {
            b'*' => conversion.suppress = true,
            b'0'..=b'9' => {
                let width = conversion.width.unwrap_or(0).saturating_mul(10);
                conversion.width = Some(width.saturating_add(usize::from(byte - b'0')));
            }
            b'h' => long -= 1,
            b'l' => long += 1,
            b'L' => long = 3,
            b'q' | b'j' | b'z' | b't' => long = 1,
            letter => {
                let floating = letter.is_ascii_alphabetic() && b"fegaFEGA".contains(&letter);
                conversion.letter = letter;
                conversion.size = match (floating, long) {
                    (true, i32::MIN..=0) => 4,
                    (true, 1..=2) => 8,
                    (true, _) => 16,
                    (false, i32::MIN..=-2) => 1,
                    (false, -1) => 2,
                    (false, 0) => 4,
                    (false, _) => 8,
                };
                if long > 0 && matches!(letter, b's' | b'c' | b'[') {
                    return Err("wide characters are not known".into());
                }
                return Ok(conversion);
            }
        }
    }
}

/// The bytes of `[…]`; `position` is behind the first bracket.
fn parse_set(format: &[u8], position: &mut usize) -> Result<[bool; 256], Stop> {
    let negated = format.get(*position) == Some(&b'^');
    *position += usize::from(negated);
    let mut set = [false; 256];
    let start = *position;
    loop {
        let Some(&byte) = format.get(*position) else {
            return Err("a format ends inside a conversion".into());
        };
        *position += 1;
        if byte == b']' && *position > start + 1 {
            break;
        }
        match (format.get(*position), format.get(*position + 1)) {
            (Some(b'-'), Some(&last)) if last != b']' => {
                (byte..=last).for_each(|byte| set[usize::from(byte)] = true);
                *position += 2;
            }
            _ => set[usize::from(byte)] = true,
        }
    }
    if negated {
        set.iter_mut().for_each(|wanted| *wanted = !*wanted);
    }
    Ok(set)
}
