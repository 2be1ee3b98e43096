//! What kind of character is it? `ctype.h` in the "C" locale, with glibc's tables behind its macros.

use super::{Host, LibraryFunction, Stop, int, own_object};

pub(super) fn find(name: &str) -> Option<LibraryFunction> {
    Some(match name {
        "isalpha" => |_, a| test(int(a, 0), |byte| byte.is_ascii_alphabetic()),
        "isdigit" => |_, a| test(int(a, 0), |byte| byte.is_ascii_digit()),
        "isalnum" => |_, a| test(int(a, 0), |byte| byte.is_ascii_alphanumeric()),
        "isspace" => |_, a| test(int(a, 0), is_space),
        "isupper" => |_, a| test(int(a, 0), |byte| byte.is_ascii_uppercase()),
        "islower" => |_, a| test(int(a, 0), |byte| byte.is_ascii_lowercase()),
        "isxdigit" => |_, a| test(int(a, 0), |byte| byte.is_ascii_hexdigit()),
        "ispunct" => |_, a| test(int(a, 0), |byte| byte.is_ascii_punctuation()),
        "isprint" => |_, a| test(int(a, 0), |byte| (0x20..0x7f).contains(&byte)),
        "isgraph" => |_, a| test(int(a, 0), |byte| byte.is_ascii_graphic()),
        "iscntrl" => |_, a| test(int(a, 0), |byte| byte.is_ascii_control()),
        "isblank" => |_, a| test(int(a, 0), |byte| byte == b' ' || byte == b'\t'),
        "isascii" => |_, a| Ok(u64::from((0..128).contains(&int(a, 0)))),
        "toupper" => |_, a| Ok(map(int(a, 0), |byte| byte.to_ascii_uppercase())),
        "tolower" => |_, a| Ok(map(int(a, 0), |byte| byte.to_ascii_lowercase())),
        "__ctype_b_loc" => |host, _| table(host, 0, |byte| u32::from(class_bits(byte)), 2),
        "__ctype_toupper_loc" => |host, _| table(host, 1, |byte| u32::from(byte.to_ascii_uppercase()), 4),
        "__ctype_tolower_loc" => |host, _| table(host, 2, |byte| u32::from(byte.to_ascii_lowercase()), 4),
        _ => return None,
    })
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

fn test(character: i32, class: impl Fn(u8) -> bool) -> Result<u64, Stop> {
    Ok(u64::from(u8::try_from(character).is_ok_and(class)))
}

fn map(character: i32, change: impl Fn(u8) -> u8) -> u64 {
    match u8::try_from(character) {
        Ok(byte) => u64::from(change(byte)),
        Err(_) => character as u64,
    }
}

/// The bits of glibc's `<ctype.h>` on a little-endian machine.
fn class_bits(byte: u8) -> u16 {
    let bits = [
        (8, byte.is_ascii_uppercase()),
        (9, byte.is_ascii_lowercase()),
        (10, byte.is_ascii_alphabetic()),
        (11, byte.is_ascii_digit()),
        (12, byte.is_ascii_hexdigit()),
        (13, is_space(byte)),
        (14, (0x20..0x7f).contains(&byte)),
        (15, byte.is_ascii_graphic()),
        (0, byte == b' ' || byte == b'\t'),
        (1, byte.is_ascii_control()),
        (2, byte.is_ascii_punctuation()),
        (3, byte.is_ascii_alphanumeric()),
    ];
    bits.iter()
        .filter(|(_, holds)| *holds)
        .map(|(bit, _)| 1 << bit)
        .sum()
}

/// Address of a pointer to entry 0 of a table for -128 to 255.
fn table(host: &mut dyn Host, number: usize, entry: fn(u8) -> u32, size: usize) -> Result<u64, Stop> {
    let known = host.state().character_tables[number];
    if known != 0 {
        return Ok(known);
    }
    let mut bytes = Vec::new();
    for index in -128i32..256 {
        let value = match u8::try_from(index) {
            Ok(byte) => entry(byte),
            Err(_) if size == 2 => 0,
            Err(_) => index as u32,
        };
        bytes.extend_from_slice(&value.to_le_bytes()[..size]);
    }
    let table = own_object(host, &bytes)?;
    let pointer = own_object(host, &(table + 128 * size as u64).to_le_bytes())?;
    host.state().character_tables[number] = pointer;
    Ok(pointer)
}
