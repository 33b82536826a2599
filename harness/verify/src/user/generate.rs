//! Generators of inputs.

use sh4_kernels::Rng;

use crate::Element;

/// The generator of an input.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Values {
    /// Mostly floats of ordinary sizes and integers with random bits; sometimes zero, one, tiny or large
    /// values.
    Finite,
    /// Every class of float, one after the other: zeros, ones, denormals, the limits, infinities, both kinds
    /// of NaN, halfway cases. Integers at their limits.
    Special,
    /// Denormal floats.
    Denormal,
    /// Any bit pattern.
    Bits,
    /// 4x4 transforms of scene objects, in column-major order.
    Matrix,
    /// Unit vectors of three components.
    Unit3,
    /// Unit vectors of four components: quaternions.
    Unit4,
    /// 0 to n-1, shuffled.
    Permutation,
    /// Integers from an inclusive range: lowest, highest and step.
    Integers(i64, i64, i64),
    /// Floats from a range.
    Floats(f64, f64),
    /// Text with a terminating NUL, and garbage after it.
    Text,
    /// The bytes of a file from its start, repeated.
    Bytes(Vec<u8>),
}

/// The names of generators without parameters, with the types that they can fill.
pub(crate) const NAMED: [(&str, Values, &str); 9] = [
    ("finite", Values::Finite, "any type"),
    ("special", Values::Special, "any type"),
    ("denormal", Values::Denormal, "f32, f64"),
    ("bits", Values::Bits, "any type"),
    ("matrix", Values::Matrix, "f32"),
    ("unit3", Values::Unit3, "f32"),
    ("unit4", Values::Unit4, "f32"),
    ("permutation", Values::Permutation, "integers"),
    ("string", Values::Text, "u8, i8"),
];

impl Values {
    /// Returns true if the generator can fill elements of a type.
    pub(crate) fn fit(&self, element: Element) -> bool {
        match self {
            Values::Finite | Values::Special | Values::Bits | Values::Bytes(_) => true,
            Values::Denormal | Values::Floats(..) => element.is_float(),
            Values::Matrix | Values::Unit3 | Values::Unit4 => element == Element::F32,
            Values::Permutation => !element.is_float(),
            Values::Text => element.size() == 1,
            Values::Integers(low, high, _) => element
                .integer_range()
                .is_some_and(|(min, max)| min <= *low && *high <= max && low <= high),
        }
    }

    /// `count` elements, little-endian.
    pub(crate) fn fill(&self, element: Element, count: usize, rng: &mut Rng) -> Vec<u8> {
        let size = element.size();
        let mut out = Vec::with_capacity(count * size);
        let mut put = |bits: u64| out.extend_from_slice(&bits.to_le_bytes()[..size]);
        match self {
            Values::Matrix => grouped(count, &mut put, || rng.matrix()),
            Values::Unit3 => grouped(count, &mut put, || rng.unit()),
            Values::Unit4 => grouped(count, &mut put, || unit4(rng)),
            Values::Permutation => permutation(count, rng).into_iter().for_each(put),
            Values::Text => text(count, rng).into_iter().for_each(|byte| put(byte.into())),
            Values::Bytes(bytes) if bytes.is_empty() => (0..count).for_each(|_| put(0)),
            Values::Bytes(bytes) => out.extend(bytes.iter().cycle().take(count * size)),
            single => (0..count).for_each(|_| put(one(single, element, rng))),
        }
        out
    }
}

fn grouped<const N: usize>(count: usize, put: &mut impl FnMut(u64), group: impl FnMut() -> [f32; N]) {
    let mut values = std::iter::repeat_with(group).flatten();
    (0..count).for_each(|_| put(values.next().unwrap_or(0.0).to_bits().into()));
}

fn unit4(rng: &mut Rng) -> [f32; 4] {
    let (a, b) = (rng.unit(), rng.unit());
    let length = (a[0] * a[0] + a[1] * a[1] + b[0] * b[0] + b[1] * b[1])
        .sqrt()
        .max(0.01);
    [a[0], a[1], b[0], b[1]].map(|c| c / length)
}

fn permutation(count: usize, rng: &mut Rng) -> Vec<u64> {
    let mut values: Vec<u64> = (0..count as u64).collect();
    for i in (1..count).rev() {
        values.swap(i, rng.below(i as u32 + 1) as usize);
    }
    values
}

/// A string of 0 to `count - 1` bytes, often of maximum length or empty; then NUL, and garbage up to the end
/// of the buffer.
fn text(count: usize, rng: &mut Rng) -> Vec<u8> {
    let most = count.saturating_sub(1);
    let length = match rng.below(8) {
        0 => 0,
        1 | 2 => most,
        _ => rng.below(most as u32 + 1) as usize,
    };
    let mut bytes: Vec<u8> = (0..count)
        .map(|at| {
            if at < length {
                character(rng)
            } else {
                rng.word() as u8
            }
        })
        .collect();
    if let Some(end) = bytes.get_mut(length) {
        *end = 0;
    }
    bytes
}

/// Mostly letters; sometimes digits, blanks, punctuation, control characters and bytes from 80 on. Never NUL.
fn character(rng: &mut Rng) -> u8 {
    let range = match rng.below(16) {
        0..8 => b'a'..=b'z',
        8..11 => b'A'..=b'Z',
        11 => b'0'..=b'9',
        12 => return b' ',
        13 => b'!'..=b'/',
        14 => 0x01..=0x1F,
        _ => 0x80..=0xFF,
    };
    range.start() + rng.below(u32::from(range.end() - range.start()) + 1) as u8
}

/// The bits of one element.
fn one(values: &Values, element: Element, rng: &mut Rng) -> u64 {
    match (values, element) {
        (Values::Finite, Element::F32) => rng.finite().to_bits().into(),
        (Values::Finite, Element::F64) => f64::from(rng.finite()).to_bits() ^ u64::from(rng.word() >> 8),
        (Values::Finite, integer) if rng.below(8) == 0 => special_integer(integer, rng),
        (Values::Special, Element::F32) => special_f32(rng).into(),
        (Values::Special, Element::F64) => special_f64(rng),
        (Values::Special, integer) => special_integer(integer, rng),
        (Values::Denormal, Element::F32) => u64::from(rng.below(0x0080_0000) | rng.word() & 0x8000_0000),
        (Values::Denormal, _) => rng.next_u64() & 0x800F_FFFF_FFFF_FFFF,
        (Values::Integers(low, high, step), _) => integer(*low, *high, *step, rng) as u64,
        (Values::Floats(low, high), Element::F32) => (rng.range(*low as f32, *high as f32))
            .clamp(*low as f32, *high as f32)
            .to_bits()
            .into(),
        (Values::Floats(low, high), _) => {
            let share = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            (low + (high - low) * share).clamp(*low, *high).to_bits()
        }
        _ => rng.next_u64(),
    }
}

/// Uniform in a range, but with more values at its ends, to find off-by-one errors.
fn integer(low: i64, high: i64, step: i64, rng: &mut Rng) -> i64 {
    let span = high.wrapping_sub(low) as u64 / step.max(1) as u64;
    let offset = match rng.below(8) {
        0 => 0,
        1 => span,
        _ if span == u64::MAX => rng.next_u64(),
        _ => ((u128::from(rng.next_u64()) * (u128::from(span) + 1)) >> 64) as u64,
    };
    low.wrapping_add((offset as i64).wrapping_mul(step))
}

fn special_f32(rng: &mut Rng) -> u32 {
    let magnitude = match rng.below(12) {
        0 => 0,
        1 => 0x3F80_0000,                          // 1
        2 => 1 + rng.below(0x007F_FFFF),           // denormal
        3 => 0x007F_FFFF + rng.below(2),           // around the smallest normal
        4 => 0x7F7F_FFFF,                          // largest
        5 => 0x7F80_0000,                          // infinity
        6 => 0x7F80_0001 + rng.below(0x003F_FFFF), // quiet on SH4: fraction's top bit 0
        7 => 0x7FC0_0000 | rng.below(0x0040_0000), // signalling on SH4
        8 => 0x4EFF_FFFF + rng.below(3),           // around 2^31
        9 => (127 + rng.below(24)) << 23,          // powers of two
        10 => 0x3F80_0000 + rng.below(4),          // next to 1
        _ => rng.finite().to_bits() & 0x7FFF_FFFF,
    };
    magnitude | rng.word() & 0x8000_0000
}

fn special_f64(rng: &mut Rng) -> u64 {
    let magnitude = match rng.below(9) {
        0 => 0,
        1 => 1.0f64.to_bits() + u64::from(rng.below(4)),
        2 => rng.next_u64() >> 12,
        3 => 0x000F_FFFF_FFFF_FFFF + u64::from(rng.below(2)),
        4 => 0x7FEF_FFFF_FFFF_FFFF,
        5 => 0x7FF0_0000_0000_0000,
        6 => 0x7FF0_0000_0000_0001 + u64::from(rng.word()),
        7 => 0x7FF8_0000_0000_0000 | u64::from(rng.word()),
        _ => f64::from(rng.finite()).to_bits() & !(1 << 63),
    };
    magnitude | rng.next_u64() & 1 << 63
}

fn special_integer(element: Element, rng: &mut Rng) -> u64 {
    let (min, max) = element.integer_range().unwrap_or((0, 0));
    let value = match rng.below(6) {
        0 => 0,
        1 => 1,
        2 => min,
        3 if element == Element::U64 => -1,
        3 => max,
        4 => min.wrapping_add(max.wrapping_sub(min) / 2) + i64::from(rng.below(2)),
        _ => return rng.next_u64(),
    };
    value as u64
}
