//! Which characters does a string literal hold? Decoded from the form in which libclang spells it, escapes and all.

use super::node::Node;
use super::{Lower, Lowered};
use ferry_ir::*;

impl<'tu> Lower<'tu, '_> {
    /// The global that holds a string literal.
    pub(super) fn string_place(&mut self, node: &Node<'tu>) -> Lowered<Place> {
        let key = node.cursor.key();
        let ty = self.type_of(node)?;
        let Type::Array {
            element,
            length: Length::Constant(length),
        } = *self.types.get(ty)
        else {
            return Err("a string literal that is no array".into());
        };
        let origin = self.origin(node.at);
        if let Some(&id) = self.global_keys.get(&key) {
            return Ok(Place::variable(VariableRef::Global(id), ty, origin));
        }
        let units = self.string_units(node, element)?;
        let id = GlobalId(self.globals.len() as u32);
        let long = self.long();
        let mut initial = Vec::new();
        for (number, unit) in units.into_iter().take(length as usize).enumerate() {
            if unit != 0 {
                let mut place = Place::variable(VariableRef::Global(id), ty, ferry_source::Origin::New);
                self.subscript(&mut place, Expr::int(number as i128, long))?;
                initial.push((place, Expr::int(self.wrap(unit, element), element)));
            }
        }
        self.globals.push(Global {
            name: format!("%string{}", id.0),
            ty,
            linkage: Linkage::Internal,
            inside: None,
            defined: true,
            thread_local: false,
            renamed: false,
            qualifiers: Qualifiers {
                constant: true,
                ..Qualifiers::default()
            },
            string_literal: true,
            initial,
            origin,
        });
        self.global_keys.insert(key, id);
        Ok(Place::variable(VariableRef::Global(id), ty, origin))
    }

    /// The characters of a string literal, without the terminating zero.
    pub(super) fn string_units(&mut self, node: &Node<'tu>, element: TypeId) -> Lowered<Vec<i128>> {
        let width = self.types.size(element).ok_or("a string of an unknown type")?;
        decode(&node.cursor.spelling_bytes(), width == 1)
            .ok_or_else(|| "a string literal whose characters libclang does not tell".into())
    }
}

/// Takes the quotes, the prefix and the escapes off. Bytes above 127 of a narrow string stand for themselves.
fn decode(spelling: &[u8], narrow: bool) -> Option<Vec<i128>> {
    let open = spelling.iter().position(|&byte| byte == b'"')?;
    let inside = spelling.get(open + 1..spelling.len().checked_sub(1)?)?;
    let mut units = Vec::new();
    let mut at = 0;
    while let Some(&byte) = inside.get(at) {
        at += 1;
        if byte != b'\\' {
            if byte >= 0x80 && !narrow {
                return None;
            }
            units.push(i128::from(byte));
            continue;
        }
        let escape = *inside.get(at)?;
        at += 1;
        let digits = |radix: u32, most: usize, at: usize| {
            let count = inside[at..]
                .iter()
                .take(most)
                .take_while(|&&b| (b as char).is_digit(radix))
                .count();
            let text = std::str::from_utf8(&inside[at..at + count]).ok()?;
            i128::from_str_radix(text, radix).ok().map(|value| (value, count))
        };
        units.push(match escape {
            b'a' => 7,
            b'b' => 8,
            b't' => 9,
            b'n' => 10,
            b'v' => 11,
            b'f' => 12,
            b'r' => 13,
            b'e' => 27,
            b'"' | b'\\' | b'\'' | b'?' => i128::from(escape),
            b'0'..=b'7' => {
                let (value, count) = digits(8, 3, at - 1)?;
                at += count - 1;
                value
            }
            b'x' => {
                let (value, count) = digits(16, usize::MAX, at)?;
                at += count;
                value
            }
            b'u' if !narrow => {
                let (value, count) = digits(16, 4, at)?;
                at += count;
                value
            }
            b'U' if !narrow => {
                let (value, count) = digits(16, 8, at)?;
                at += count;
                value
            }
            _ => return None,
        });
    }
    Some(units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_decoded() {
        assert_eq!(decode(br#""a\n\0011\"""#, true), Some(vec![97, 10, 1, 49, 34]));
        assert_eq!(decode(b"\"\xE9\"", true), Some(vec![0xE9]));
        assert_eq!(decode(br#"L"\x1F""#, false), Some(vec![31]));
        assert_eq!(decode(br#""\q""#, true), None);
    }
}
