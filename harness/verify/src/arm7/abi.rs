//! Passing of arguments by the ARM procedure call standard, base variant: R0 to R3, then the stack. A double
//! takes an even register and the next one, or eight bytes of stack at a multiple of eight.

use crate::{Argument, Element};

/// Registers and stack at a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PassedArguments {
    /// R0 to R3, as many as hold an argument.
    pub(crate) registers: [Option<u32>; 4],
    /// Stack words from SP upwards; their size is a multiple of eight bytes.
    pub(crate) stack: Vec<u8>,
}

/// Places `arguments`.
pub(crate) fn pass(arguments: &[Argument]) -> PassedArguments {
    let mut passed = PassedArguments::default();
    let mut next = 0;
    for argument in arguments {
        let words: &[u32] = match argument.element {
            Element::F64 | Element::U64 | Element::I64 => {
                &[argument.bits as u32, (argument.bits >> 32) as u32]
            }
            Element::F32 => &[argument.bits as u32],
            integer => &[integer.integer(argument.bits) as u32],
        };
        next = if words.len() == 2 { (next + 1) & !1 } else { next };
        if next + words.len() > 4 || !passed.stack.is_empty() {
            next = 4;
            let at = passed.stack.len().next_multiple_of(4 * words.len());
            passed.stack.resize(at, 0);
            passed
                .stack
                .extend(words.iter().flat_map(|word| word.to_le_bytes()));
            continue;
        }
        for word in words {
            passed.registers[next] = Some(*word);
            next += 1;
        }
    }
    let whole = passed.stack.len().next_multiple_of(8);
    passed.stack.resize(whole, 0);
    passed
}

#[cfg(test)]
mod tests {
    use super::pass;
    use crate::{Argument, Element};

    #[test]
    fn as_the_standard_places_them() {
        let argument = |element, bits| Argument { element, bits };
        let double = argument(Element::F64, 0x1111_1111_2222_2222);
        let [a, b] = [7, 8].map(Argument::word);
        let passed = pass(&[a, double, b]);
        assert_eq!(
            passed.registers,
            [Some(7), None, Some(0x2222_2222), Some(0x1111_1111)]
        );
        assert_eq!(passed.stack, [8, 0, 0, 0, 0, 0, 0, 0]);
        let passed = pass(&[a, a, a, double, b]);
        assert_eq!(
            passed.registers,
            [Some(7), Some(7), Some(7), None],
            "once on the stack, always"
        );
        assert_eq!(passed.stack.len(), 16);
        assert_eq!(pass(&[argument(Element::I8, 0xFF)]).registers[0], Some(u32::MAX));
    }
}
