//! Shifter and adder (ARM7DI data sheet, "Data processing").

use super::decode::Shift;

/// A value with the shifter's carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Carried {
    pub(crate) value: u32,
    pub(crate) carry: bool,
}

fn carried(value: u32, carry: bool) -> Carried {
    Carried { value, carry }
}

/// Bit `at` of `value`.
fn bit(value: u32, at: u32) -> bool {
    value >> at & 1 != 0
}

/// Shift by a constant ("Data processing"): 1 to 31; also 32 for LSR and ASR.
#[inline(always)]
pub(crate) fn by_constant(shift: Shift, value: u32, amount: u32) -> Carried {
    let signed = i64::from(value as i32);
    match shift {
        Shift::Lsl => carried(value << (amount & 31), bit(value, (32 - amount) & 31)),
        Shift::Lsr => carried((u64::from(value) >> amount) as u32, bit(value, (amount - 1) & 31)),
        Shift::Asr => carried((signed >> amount) as u32, bit(value, (amount - 1) & 31)),
        Shift::Ror => carried(value.rotate_right(amount), bit(value, (amount - 1) & 31)),
    }
}

/// RRX: right by one bit, with C as bit 31.
pub(crate) fn extended(value: u32, carry: bool) -> Carried {
    carried(value >> 1 | u32::from(carry) << 31, bit(value, 0))
}

/// Shift by the low byte of a register ("Data processing"). An amount of 0 keeps value and carry; 32 and more
/// shift all bits out.
#[inline]
pub(crate) fn by_amount(shift: Shift, value: u32, amount: u32, carry: bool) -> Carried {
    match (shift, amount) {
        (_, 0) => carried(value, carry),
        (Shift::Lsl, 1..=31) => carried(value << amount, bit(value, 32 - amount)),
        (Shift::Lsl, 32) => carried(0, bit(value, 0)),
        (Shift::Lsr, 1..=31) => carried(value >> amount, bit(value, amount - 1)),
        (Shift::Lsr, 32) => carried(0, bit(value, 31)),
        (Shift::Lsl | Shift::Lsr, _) => carried(0, false),
        (Shift::Asr, 1..=31) => carried(((value as i32) >> amount) as u32, bit(value, amount - 1)),
        (Shift::Asr, _) => carried(((value as i32) >> 31) as u32, bit(value, 31)),
        (Shift::Ror, _) => {
            let value = value.rotate_right(amount & 31);
            carried(value, bit(value, 31))
        }
    }
}

/// A result with the flags C and V.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) value: u32,
    pub(crate) carry: bool,
    pub(crate) overflow: bool,
}

/// a + b + carry. Subtractions add the complement: a - b = a + !b + 1, so C means "no borrow".
#[inline]
pub(crate) fn add(a: u32, b: u32, carry: u32) -> Sum {
    let wide = u64::from(a) + u64::from(b) + u64::from(carry);
    let value = wide as u32;
    Sum {
        value,
        carry: wide >> 32 != 0,
        overflow: (a ^ value) & (b ^ value) & 1 << 31 != 0,
    }
}

/// Multiplier cycles for the operand `rs` ("Multiply and multiply-accumulate", "Instruction speeds"). The
/// multiplier processes two bits per cycle and stops when the remaining bits are 0. Values from 2^(2m-3) to
/// 2^(2m-1)-1 take m cycles, at most 16.
#[inline]
pub(crate) fn multiplier_cycles(rs: u32) -> u32 {
    let bits = 32 - rs.leading_zeros();
    (bits / 2 + 1).min(16)
}
