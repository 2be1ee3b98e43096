//! How does JSON leave the program? Indented as `serde_json` indents it, byte by byte, but written as it is made, and each indentation at once.
//!
//! A report may have tens of thousands of dependences: as one text they would be made in memory that grows again and again, and written a level of indentation at a time.

use crate::terminal;
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use std::io::{self, Write};

/// One level of indentation.
const LEVEL: &[u8] = b"  ";

/// Bytes that are written together.
const TOGETHER: usize = 1 << 16;

/// Writes a value to standard output, with an end of line. A reader that went away is no error.
///
/// # Errors
/// Why it could not be written, in words.
pub fn print(value: &impl Serialize) -> Result<(), String> {
    terminal::printed(write(value, &mut io::stdout().lock()))
        .map_err(|error| format!("cannot write to standard output: {error}"))
}

/// The same to anywhere.
fn write(value: &impl Serialize, to: &mut impl Write) -> io::Result<()> {
    let mut out = io::BufWriter::with_capacity(TOGETHER, to);
    value.serialize(&mut Serializer::with_formatter(&mut out, Indented::new()))?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Each value on a line of its own.
struct Indented {
    /// An end of line, and as much of [`LEVEL`] as was needed so far.
    line: Vec<u8>,
    depth: usize,
    has_value: bool,
}

impl Indented {
    fn new() -> Indented {
        Indented {
            line: vec![b'\n'],
            depth: 0,
            has_value: false,
        }
    }

    fn line<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        let length = 1 + self.depth * LEVEL.len();
        while self.line.len() < length {
            self.line.extend_from_slice(LEVEL);
        }
        writer.write_all(&self.line[..length])
    }

    fn begin<W: ?Sized + Write>(&mut self, bracket: &[u8], writer: &mut W) -> io::Result<()> {
        self.depth += 1;
        self.has_value = false;
        writer.write_all(bracket)
    }

    fn end<W: ?Sized + Write>(&mut self, bracket: &[u8], writer: &mut W) -> io::Result<()> {
        self.depth -= 1;
        if self.has_value {
            self.line(writer)?;
        }
        writer.write_all(bracket)
    }

    fn next<W: ?Sized + Write>(&mut self, first: bool, writer: &mut W) -> io::Result<()> {
        if !first {
            writer.write_all(b",")?;
        }
        self.line(writer)
    }
}

impl Formatter for Indented {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(b"[", writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(b"]", writer)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.next(first, writer)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(b"{", writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(b"}", writer)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.next(first, writer)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::write;
    use serde_json::{Value, json};

    fn text(value: &Value) -> String {
        let mut bytes = Vec::new();
        write(value, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn every_byte_is_as_serde_json_writes_it() {
        let mut deep = json!(null);
        for level in 0..40 {
            deep = match level % 2 {
                0 => json!([deep, [], level]),
                _ => json!({ "inside": deep, "nothing": {}, "text": "a \"quoted\"\nline\u{1}é" }),
            };
        }
        for value in [
            json!(null),
            json!([]),
            json!({}),
            json!([[], {}, [[]], [{}], 1, -2.5, true]),
            json!({ "a": [], "b": { "c": [1, [2, { "d": {} }]], "e": {} }, "f": "x" }),
            deep,
        ] {
            let wanted = serde_json::to_string_pretty(&value).unwrap() + "\n";
            assert_eq!(text(&value), wanted);
        }
    }
}
