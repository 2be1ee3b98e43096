//! What are strings? `str*` functions on zero-terminated bytes.

use super::{Host, LibraryFunction, Stop, arg, own_object, read, string, write};
use crate::interpret::observer::AccessKind;

pub(super) fn find(name: &str) -> Option<LibraryFunction> {
    Some(match name {
        "strlen" => |host, a| Ok(string(host, arg(a, 0))?.len() as u64),
        "strnlen" => |host, a| Ok(at_most(host, arg(a, 0), arg(a, 1))?.len() as u64),
        "strcmp" | "strcoll" => |host, a| {
            let (x, y) = (string(host, arg(a, 0))?, string(host, arg(a, 1))?);
            Ok(compare(&x, &y, |byte| byte))
        },
        "strncmp" => |host, a| {
            let (x, y) = (
                at_most(host, arg(a, 0), arg(a, 2))?,
                at_most(host, arg(a, 1), arg(a, 2))?,
            );
            Ok(compare(&x, &y, |byte| byte))
        },
        "strcasecmp" => |host, a| {
            let (x, y) = (string(host, arg(a, 0))?, string(host, arg(a, 1))?);
            Ok(compare(&x, &y, |byte| byte.to_ascii_lowercase()))
        },
        "strncasecmp" => |host, a| {
            let (x, y) = (
                at_most(host, arg(a, 0), arg(a, 2))?,
                at_most(host, arg(a, 1), arg(a, 2))?,
            );
            Ok(compare(&x, &y, |byte| byte.to_ascii_lowercase()))
        },
        "strcpy" => |host, a| {
            copy_string(host, arg(a, 0), arg(a, 1))?;
            Ok(arg(a, 0))
        },
        "stpcpy" => |host, a| Ok(arg(a, 0) + copy_string(host, arg(a, 0), arg(a, 1))?),
        "strncpy" => |host, a| {
            let mut bytes = at_most(host, arg(a, 1), arg(a, 2))?;
            if arg(a, 2) > u64::from(u32::MAX) {
                return Err(host.memory().fault(arg(a, 0), arg(a, 2), "write").into());
            }
            bytes.resize(arg(a, 2) as usize, 0);
            write(host, arg(a, 0), &bytes)?;
            Ok(arg(a, 0))
        },
        "strcat" => |host, a| {
            let length = string(host, arg(a, 0))?.len() as u64;
            copy_string(host, arg(a, 0) + length, arg(a, 1))?;
            Ok(arg(a, 0))
        },
        "strncat" => |host, a| {
            let length = string(host, arg(a, 0))?.len() as u64;
            let mut bytes = at_most(host, arg(a, 1), arg(a, 2))?;
            bytes.push(0);
            write(host, arg(a, 0) + length, &bytes)?;
            Ok(arg(a, 0))
        },
        "strchr" | "index" => |host, a| {
            let mut text = string(host, arg(a, 0))?;
            text.push(0);
            let at = text.iter().position(|&byte| byte == arg(a, 1) as u8);
            Ok(at.map_or(0, |at| arg(a, 0) + at as u64))
        },
        "strrchr" | "rindex" => |host, a| {
            let mut text = string(host, arg(a, 0))?;
            text.push(0);
            let at = text.iter().rposition(|&byte| byte == arg(a, 1) as u8);
            Ok(at.map_or(0, |at| arg(a, 0) + at as u64))
        },
        "strchrnul" => |host, a| {
            let text = string(host, arg(a, 0))?;
            let at = text
                .iter()
                .position(|&byte| byte == arg(a, 1) as u8)
                .unwrap_or(text.len());
            Ok(arg(a, 0) + at as u64)
        },
        "strstr" => |host, a| {
            let (text, part) = (string(host, arg(a, 0))?, string(host, arg(a, 1))?);
            let at = if part.is_empty() {
                Some(0)
            } else {
                text.windows(part.len()).position(|window| window == part)
            };
            Ok(at.map_or(0, |at| arg(a, 0) + at as u64))
        },
        "strspn" => |host, a| {
            let (text, set) = (string(host, arg(a, 0))?, string(host, arg(a, 1))?);
            Ok(text.iter().take_while(|byte| set.contains(byte)).count() as u64)
        },
        "strcspn" => |host, a| {
            let (text, set) = (string(host, arg(a, 0))?, string(host, arg(a, 1))?);
            Ok(text.iter().take_while(|byte| !set.contains(byte)).count() as u64)
        },
        "strpbrk" => |host, a| {
            let (text, set) = (string(host, arg(a, 0))?, string(host, arg(a, 1))?);
            let at = text.iter().position(|byte| set.contains(byte));
            Ok(at.map_or(0, |at| arg(a, 0) + at as u64))
        },
        "strdup" | "__strdup" => |host, a| {
            let bytes = string(host, arg(a, 0))?;
            duplicate(host, bytes)
        },
        "strndup" => |host, a| {
            let bytes = at_most(host, arg(a, 0), arg(a, 1))?;
            duplicate(host, bytes)
        },
        "strtok" => |host, a| {
            let state = host.state().strtok;
            let (token, next) = tokenise(host, arg(a, 0), arg(a, 1), state)?;
            host.state().strtok = next;
            Ok(token)
        },
        "strtok_r" | "__strtok_r" => |host, a| {
            let state = if arg(a, 0) != 0 {
                0
            } else {
                u64::from_le_bytes(host.memory().load(arg(a, 2))?)
            };
            let (token, next) = tokenise(host, arg(a, 0), arg(a, 1), state)?;
            write(host, arg(a, 2), &next.to_le_bytes())?;
            Ok(token)
        },
        "strerror" => |host, a| {
            let text = format!("Error {}\0", arg(a, 0) as i32);
            own_object(host, text.as_bytes())
        },
        _ => return None,
    })
}

/// The bytes of a string, but no more than `limit`.
pub(super) fn at_most(host: &mut dyn Host, address: u64, limit: u64) -> Result<Vec<u8>, Stop> {
    // The end may lie behind the last byte that is read.
    let mut bytes = Vec::new();
    while (bytes.len() as u64) < limit {
        let [byte] = host.memory().load::<1>(address + bytes.len() as u64)?;
        if byte == 0 {
            host.touch(AccessKind::Read, address, bytes.len() as u64 + 1);
            return Ok(bytes);
        }
        bytes.push(byte);
    }
    read(host, address, limit)?;
    Ok(bytes)
}

fn compare(x: &[u8], y: &[u8], map: fn(u8) -> u8) -> u64 {
    let end = std::iter::once(&0);
    let pairs = x.iter().chain(end.clone()).zip(y.iter().chain(end));
    let difference = pairs
        .map(|(x, y)| i64::from(map(*x)) - i64::from(map(*y)))
        .find(|&d| d != 0);
    difference.unwrap_or(0) as u64
}

fn copy_string(host: &mut dyn Host, to: u64, from: u64) -> Result<u64, Stop> {
    let mut bytes = string(host, from)?;
    bytes.push(0);
    write(host, to, &bytes)?;
    Ok(bytes.len() as u64 - 1)
}

fn duplicate(host: &mut dyn Host, mut bytes: Vec<u8>) -> Result<u64, Stop> {
    bytes.push(0);
    let address = host.allocate(bytes.len() as u64, false)?;
    write(host, address, &bytes)?;
    Ok(address)
}

/// The next token and where to go on.
fn tokenise(host: &mut dyn Host, text: u64, set: u64, state: u64) -> Result<(u64, u64), Stop> {
    let start = if text != 0 { text } else { state };
    if start == 0 {
        return Ok((0, 0));
    }
    let (bytes, set) = (string(host, start)?, string(host, set)?);
    let Some(first) = bytes.iter().position(|byte| !set.contains(byte)) else {
        return Ok((0, start + bytes.len() as u64));
    };
    let token = start + first as u64;
    match bytes[first..].iter().position(|byte| set.contains(byte)) {
        None => Ok((token, start + bytes.len() as u64)),
        Some(length) => {
            write(host, token + length as u64, &[0])?;
            Ok((token, token + length as u64 + 1))
        }
    }
}
