//! What does the program print? The `printf` family and its simple relatives, onto standard output and error.

use super::format::Spec;
use super::{Host, LibraryFunction, Stop, arg, read, string, write};
use crate::interpret::arithmetic::from_f80;

pub(super) fn find(name: &str) -> Option<LibraryFunction> {
    Some(match name {
        "printf" => |host, a| {
            let text = formatted(
                host,
                arg(a, 0),
                &mut Values::Registers(a.get(1..).unwrap_or_default()),
            )?;
            emit(host, 1, &text)
        },
        // The checked forms have flags (and sizes) before the format.
        "printf_chk" | "__printf_chk" => |host, a| {
            let text = formatted(
                host,
                arg(a, 1),
                &mut Values::Registers(a.get(2..).unwrap_or_default()),
            )?;
            emit(host, 1, &text)
        },
        "vprintf" => |host, a| {
            let text = formatted(host, arg(a, 0), &mut Values::List(arg(a, 1)))?;
            emit(host, 1, &text)
        },
        "fprintf" => |host, a| {
            let stream = stream(host, arg(a, 0))?;
            let text = formatted(
                host,
                arg(a, 1),
                &mut Values::Registers(a.get(2..).unwrap_or_default()),
            )?;
            emit(host, stream, &text)
        },
        "__fprintf_chk" => |host, a| {
            let stream = stream(host, arg(a, 0))?;
            let text = formatted(
                host,
                arg(a, 2),
                &mut Values::Registers(a.get(3..).unwrap_or_default()),
            )?;
            emit(host, stream, &text)
        },
        "vfprintf" => |host, a| {
            let stream = stream(host, arg(a, 0))?;
            let text = formatted(host, arg(a, 1), &mut Values::List(arg(a, 2)))?;
            emit(host, stream, &text)
        },
        "dprintf" => |host, a| {
            let text = formatted(
                host,
                arg(a, 1),
                &mut Values::Registers(a.get(2..).unwrap_or_default()),
            )?;
            match arg(a, 0) {
                1 => emit(host, 1, &text),
                2 => emit(host, 2, &text),
                _ => Err("output to a file descriptor that is not open".into()),
            }
        },
        "sprintf" => |host, a| {
            let text = formatted(
                host,
                arg(a, 1),
                &mut Values::Registers(a.get(2..).unwrap_or_default()),
            )?;
            into_buffer(host, arg(a, 0), u64::MAX, text)
        },
        "vsprintf" => |host, a| {
            let text = formatted(host, arg(a, 1), &mut Values::List(arg(a, 2)))?;
            into_buffer(host, arg(a, 0), u64::MAX, text)
        },
        "snprintf" => |host, a| {
            let text = formatted(
                host,
                arg(a, 2),
                &mut Values::Registers(a.get(3..).unwrap_or_default()),
            )?;
            into_buffer(host, arg(a, 0), arg(a, 1), text)
        },
        "vsnprintf" => |host, a| {
            let text = formatted(host, arg(a, 2), &mut Values::List(arg(a, 3)))?;
            into_buffer(host, arg(a, 0), arg(a, 1), text)
        },
        "puts" => |host, a| {
            let mut text = string(host, arg(a, 0))?;
            text.push(b'\n');
            emit(host, 1, &text)
        },
        "putchar" | "putchar_unlocked" => |host, a| {
            emit(host, 1, &[arg(a, 0) as u8])?;
            Ok(arg(a, 0) & 0xff)
        },
        "fputc" | "putc" | "_IO_putc" | "putc_unlocked" => |host, a| {
            let stream = stream(host, arg(a, 1))?;
            emit(host, stream, &[arg(a, 0) as u8])?;
            Ok(arg(a, 0) & 0xff)
        },
        "fputs" | "fputs_unlocked" => |host, a| {
            let stream = stream(host, arg(a, 1))?;
            let text = string(host, arg(a, 0))?;
            emit(host, stream, &text)?;
            Ok(1)
        },
        "fwrite" => |host, a| {
            let stream = stream(host, arg(a, 3))?;
            let size = arg(a, 1)
                .checked_mul(arg(a, 2))
                .ok_or_else(|| Stop::from("fwrite of too many bytes"))?;
            let bytes = read(host, arg(a, 0), size)?;
            emit(host, stream, &bytes)?;
            Ok(arg(a, 2))
        },
        "fflush" => |host, a| {
            let state = host.state();
            if arg(a, 0) == 0 || arg(a, 0) == state.streams[1] {
                state.flushed = state.stdout.len();
            }
            Ok(0)
        },
        "perror" => |host, a| {
            let mut text = if arg(a, 0) == 0 {
                Vec::new()
            } else {
                string(host, arg(a, 0))?
            };
            text.extend_from_slice(b": Success\n");
            emit(host, 2, &text)
        },
        "setbuf" | "setvbuf" | "setlinebuf" => |host, a| {
            // Only what `abort` would lose depends on buffering.
            let _ = (host, a);
            Ok(0)
        },
        "__builtin_va_start" | "va_start" | "__builtin_c23_va_start" => |host, a| {
            let list = arg(a, 0);
            let area = host.variable_arguments();
            let mut bytes = Vec::new();
            // The register areas are used up; everything is in the overflow area.
            bytes.extend(48u32.to_le_bytes());
            bytes.extend(176u32.to_le_bytes());
            bytes.extend(area.to_le_bytes());
            bytes.extend(0u64.to_le_bytes());
            write(host, list, &bytes)?;
            Ok(0)
        },
        // A value of 8 bytes in a register of its own; the front end leaves wider ones opaque.
        "__builtin_va_arg" | "va_arg" => |host, a| Values::List(arg(a, 0)).next(host),
        "__builtin_va_end" | "va_end" => |_, _| Ok(0),
        "__builtin_va_copy" | "va_copy" => |host, a| {
            let bytes = read(host, arg(a, 1), 24)?;
            write(host, arg(a, 0), &bytes)?;
            Ok(0)
        },
        _ => return None,
    })
}

/// Which stream: 1 output, 2 error.
fn stream(host: &mut dyn Host, address: u64) -> Result<usize, Stop> {
    let streams = host.state().streams;
    match streams
        .iter()
        .position(|&stream| stream == address && address != 0)
    {
        Some(number @ 1..=2) => Ok(number),
        _ => Err("output to a stream that is neither stdout nor stderr".into()),
    }
}

/// Writes to a stream; the result is the number of bytes.
pub(super) fn emit(host: &mut dyn Host, stream: usize, text: &[u8]) -> Result<u64, Stop> {
    host.spend(text.len() as u64 / 8)?;
    let state = host.state();
    let to = if stream == 2 {
        &mut state.stderr
    } else {
        &mut state.stdout
    };
    if to.len() + text.len() > state.output_limit {
        return Err("the output is too long".into());
    }
    to.extend_from_slice(text);
    Ok(text.len() as u64)
}

fn into_buffer(host: &mut dyn Host, address: u64, size: u64, mut text: Vec<u8>) -> Result<u64, Stop> {
    let length = text.len() as u64;
    if size > 0 {
        text.truncate(usize::try_from(size - 1).unwrap_or(usize::MAX));
        text.push(0);
        write(host, address, &text)?;
    }
    Ok(length)
}

/// Where the values come from.
enum Values<'a> {
    /// Argument registers of a call.
    Registers(&'a [u64]),
    /// A `va_list` at this address.
    List(u64),
}

impl Values<'_> {
    fn next(&mut self, host: &mut dyn Host) -> Result<u64, Stop> {
        match self {
            Values::Registers(values) => {
                let (&first, rest) = values
                    .split_first()
                    .ok_or_else(|| Stop::from("the format asks for more arguments than there are"))?;
                *values = rest;
                Ok(first)
            }
            Values::List(list) => {
                let at = u64::from_le_bytes(host.memory().load(list.wrapping_add(8))?);
                let value = u64::from_le_bytes(host.memory().load(at)?);
                host.memory()
                    .store(list.wrapping_add(8), at.wrapping_add(8).to_le_bytes())?;
                Ok(value)
            }
        }
    }

    fn next_long_double(&mut self, host: &mut dyn Host) -> Result<f64, Stop> {
        match self {
            Values::Registers(_) => Ok(f64::from_bits(self.next(host)?)),
            Values::List(list) => {
                let at = u64::from_le_bytes(host.memory().load(list.wrapping_add(8))?).wrapping_add(15) & !15;
                let bytes = host.memory().load::<16>(at)?;
                host.memory()
                    .store(list.wrapping_add(8), at.wrapping_add(16).to_le_bytes())?;
                Ok(from_f80(bytes))
            }
        }
    }
}

/// The text of a format with its values.
fn formatted(host: &mut dyn Host, format: u64, values: &mut Values<'_>) -> Result<Vec<u8>, Stop> {
    let format = string(host, format)?;
    let mut out = Vec::new();
    let mut rest = format.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let mut spec = Spec::default();
        while let Some(flag) = rest.next_if(|byte| b"-+ #0'I".contains(byte)) {
            match flag {
                b'-' => spec.minus = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternate = true,
                b'0' => spec.zero = true,
                _ => {}
            }
        }
        if rest.next_if_eq(&b'*').is_some() {
            let width = values.next(host)? as i32;
            spec.minus |= width < 0;
            spec.width = width.unsigned_abs() as usize;
        } else {
            spec.width = number(&mut rest);
        }
        if rest.next_if_eq(&b'.').is_some() {
            if rest.next_if_eq(&b'*').is_some() {
                spec.precision = usize::try_from(values.next(host)? as i32).ok();
            } else {
                spec.precision = Some(number(&mut rest));
            }
        }
        let limit = host.state().output_limit;
        if spec.width.max(spec.precision.unwrap_or(0)) > limit {
            return Err("the output is too long".into());
        }
        let mut long = 0;
        while let Some(modifier) = rest.next_if(|byte| b"hlqLjztZ".contains(byte)) {
            long = match modifier {
                b'h' => long - 1,
                b'L' => 3,
                _ => 2,
            };
        }
        let Some(letter) = rest.next() else {
            return Err("a format ends inside a conversion".into());
        };
        match letter {
            b'%' => out.push(b'%'),
            b'd' | b'i' => {
                let value = values.next(host)?;
                let value = match long {
                    -2 => i64::from(value as i8),
                    -1 => i64::from(value as i16),
                    0 => i64::from(value as i32),
                    _ => value as i64,
                };
                spec.signed(value, &mut out);
            }
            b'u' | b'o' | b'x' | b'X' => {
                let value = values.next(host)?;
                let value = match long {
                    -2 => value & 0xff,
                    -1 => value & 0xffff,
                    0 => value & 0xffff_ffff,
                    _ => value,
                };
                spec.unsigned(value, letter, &mut out);
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let value = if long == 3 {
                    values.next_long_double(host)?
                } else {
                    f64::from_bits(values.next(host)?)
                };
                spec.float(value, letter, long == 3, &mut out);
            }
            b'c' if long <= 0 => {
                let value = values.next(host)?;
                spec.pad(&[value as u8], &mut out);
            }
            b's' if long <= 0 => {
                let address = values.next(host)?;
                let text = match (address, spec.precision) {
                    (0, Some(0..6)) => Vec::new(),
                    (0, _) => b"(null)".to_vec(),
                    (_, None) => string(host, address)?,
                    (_, Some(precision)) => super::strings::at_most(host, address, precision as u64)?,
                };
                spec.pad(&text, &mut out);
            }
            b'p' => spec.pointer(values.next(host)?, &mut out),
            b'n' => {
                let address = values.next(host)?;
                let count = out.len() as u64;
                match long {
                    -2 => write(host, address, &[count as u8])?,
                    -1 => write(host, address, &(count as u16).to_le_bytes())?,
                    0 => write(host, address, &(count as u32).to_le_bytes())?,
                    _ => write(host, address, &count.to_le_bytes())?,
                }
            }
            letter => return Err(format!("the conversion %{} is not known", char::from(letter)).into()),
        }
        if out.len() > limit {
            return Err("the output is too long".into());
        }
    }
    Ok(out)
}

fn number(bytes: &mut std::iter::Peekable<impl Iterator<Item = u8>>) -> usize {
    let mut value = 0usize;
    while let Some(digit) = bytes.next_if(u8::is_ascii_digit) {
        value = value.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
    }
    value
}
