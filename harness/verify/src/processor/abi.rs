//! Passing of arguments by the SH C ABI, as GCC implements it for little-endian SH-4.
//!
//! Integers and pointers take R4 to R7, singles and doubles FR4 to FR11. Each kind takes its registers in
//! order, independent of arguments of the other kind. The remaining arguments go onto the stack in the order
//! of the prototype. On little-endian targets GCC swaps the singles of a pair: the first single is in FR5,
//! the second in FR4, the third in FR7 (measured with GCC 12, `-m4 -ml`). A double takes a whole pair; a
//! single skipped for it stays unused. An integer of 64 bits takes two consecutive registers, or eight bytes
//! of stack (also measured).

use crate::Element;

/// Register or stack slot of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// R4 to R7.
    General(usize),
    /// Two consecutive registers; the number of the low word's register, R4 to R6.
    Pair(usize),
    /// FR4 to FR11.
    Single(usize),
    /// DR4 to DR10: the even register.
    Double(usize),
    /// Byte offset from R15 at entry.
    Stack(u32),
}

/// The slots of arguments in the order of the prototype. A buffer counts as [`Element::U32`].
pub(crate) fn slots(arguments: impl IntoIterator<Item = Element>) -> Vec<Slot> {
    let (mut general, mut float, mut stack) = (4, 4, 0);
    let mut on_stack = |bytes: u32| {
        stack += bytes;
        Slot::Stack(stack - bytes)
    };
    let place = |element| match element {
        Element::F32 if float < 12 => {
            float += 1;
            Slot::Single((float - 1) ^ 1)
        }
        Element::F64 if float < 11 => {
            float = ((float + 1) & !1) + 2;
            Slot::Double(float - 2)
        }
        Element::F64 => on_stack(8),
        Element::U64 | Element::I64 if general < 7 => {
            general += 2;
            Slot::Pair(general - 2)
        }
        // If only R7 is left, it stays free for a later word.
        Element::U64 | Element::I64 => on_stack(8),
        Element::F32 => on_stack(4),
        _ if general < 8 => {
            general += 1;
            Slot::General(general - 1)
        }
        _ => on_stack(4),
    };
    arguments.into_iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::{Slot, slots};
    use crate::Element::{F32, F64, U32, U64};

    /// `float f(float, float, float)`, `void g(float *, int, float)` and `double h(int, double, float)` as
    /// GCC 12 compiles them; then arguments that go to the stack.
    #[test]
    fn as_gcc_places_them() {
        use Slot::{Double, General, Pair, Single, Stack};
        assert_eq!(slots([F32; 3]), [Single(5), Single(4), Single(7)]);
        assert_eq!(slots([U32, U32, F32]), [General(4), General(5), Single(5)]);
        assert_eq!(slots([U32, F64, F32]), [General(4), Double(4), Single(7)]);
        assert_eq!(slots([F32, F64]), [Single(5), Double(6)]);
        assert_eq!(slots([U32; 6])[3..], [General(7), Stack(0), Stack(4)]);
        assert_eq!(slots([U32, U64, U32]), [General(4), Pair(5), General(7)]);
        let overflows = [U32, U32, U32, U64, U32, U32];
        assert_eq!(slots(overflows)[3..], [Stack(0), General(7), Stack(8)]);
        assert_eq!(slots([F32; 9])[7..], [Single(10), Stack(0)]);
    }
}
