//! FPU functions on plain `f32`, in the state in which KallistiOS starts a program. FPSCR is 00040000: round
//! to nearest and DN = 1 (denormals are zero). The inner product is the hardware's.
//!
//! Reference implementations of kernels use these functions, so that their results have the chip's bits. No
//! exception is reported; results are for disabled traps.

use crate::approx::{self, ReciprocalRoot};
use crate::inner::{self, InnerModel, InnerProduct, ProductExponent};
use crate::{Control, single};

const CONTROL: Control = Control::STARTUP;
const MODEL: InnerModel = InnerModel {
    product: InnerProduct::Hardware,
    exponent: ProductExponent::BeforeNormalising,
};

/// FADD: `a + b`.
#[inline]
#[must_use]
pub fn add(a: f32, b: f32) -> f32 {
    f32::from_bits(single::add(a.to_bits(), b.to_bits(), CONTROL).bits)
}

/// FSUB: `a - b`.
#[inline]
#[must_use]
pub fn sub(a: f32, b: f32) -> f32 {
    f32::from_bits(single::sub(a.to_bits(), b.to_bits(), CONTROL).bits)
}

/// FMUL: `a * b`.
#[inline]
#[must_use]
pub fn mul(a: f32, b: f32) -> f32 {
    f32::from_bits(single::mul(a.to_bits(), b.to_bits(), CONTROL).bits)
}

/// FDIV: `a / b`.
#[inline]
#[must_use]
pub fn div(a: f32, b: f32) -> f32 {
    f32::from_bits(single::div(a.to_bits(), b.to_bits(), CONTROL).bits)
}

/// FSQRT: square root of `a`.
#[inline]
#[must_use]
pub fn sqrt(a: f32) -> f32 {
    f32::from_bits(single::sqrt(a.to_bits(), CONTROL).bits)
}

/// FMAC: `a * b + acc`, rounded once.
#[inline]
#[must_use]
pub fn mac(acc: f32, a: f32, b: f32) -> f32 {
    f32::from_bits(single::mac(a.to_bits(), b.to_bits(), acc.to_bits(), CONTROL).bits)
}

/// FIPR: `a . b`.
#[inline]
#[must_use]
pub fn inner(a: [f32; 4], b: [f32; 4]) -> f32 {
    f32::from_bits(inner::inner(&a.map(f32::to_bits), &b.map(f32::to_bits), MODEL, CONTROL).bits)
}

/// FTRV: the matrix times `v`; `columns[c][r]` is XF\[4c + r\].
#[inline]
#[must_use]
pub fn transform(columns: &[[f32; 4]; 4], v: [f32; 4]) -> [f32; 4] {
    let matrix = std::array::from_fn(|i| columns[i / 4][i % 4].to_bits());
    let outcome = inner::transform(&matrix, &v.map(f32::to_bits), MODEL, CONTROL);
    outcome.bits.map(f32::from_bits)
}

/// FSRRA: `1 / sqrt(a)`; see [`ReciprocalRoot::Nearest`].
#[inline]
#[must_use]
pub fn rsqrt(a: f32) -> f32 {
    f32::from_bits(approx::rsqrt(a.to_bits(), ReciprocalRoot::Nearest, CONTROL).bits)
}

/// FSCA: (sine, cosine) of `angle` in 65,536ths of a turn.
#[inline]
#[must_use]
pub fn sincos(angle: u16) -> (f32, f32) {
    let (sine, cosine) = approx::sincos(angle).bits;
    (f32::from_bits(sine), f32::from_bits(cosine))
}

/// FTRC: truncates, saturating; a NaN gives -2^31.
#[inline]
#[must_use]
pub fn trunc(a: f32) -> i32 {
    single::ftrc(a.to_bits()).bits as i32
}

/// FLOAT, rounded to nearest.
#[inline]
#[must_use]
pub fn from_int(integer: i32) -> f32 {
    f32::from_bits(single::float(integer as u32, CONTROL).bits)
}

/// FCMP/GT as `a > b`; false for a NaN.
#[inline]
#[must_use]
pub fn greater(a: f32, b: f32) -> bool {
    single::greater(a.to_bits(), b.to_bits(), CONTROL).bits
}

/// FCMP/EQ; false for a NaN.
#[inline]
#[must_use]
pub fn equal(a: f32, b: f32) -> bool {
    single::equal(a.to_bits(), b.to_bits(), CONTROL).bits
}

/// FNEG: inverts the sign bit, even of a NaN.
#[inline]
#[must_use]
pub fn neg(a: f32) -> f32 {
    f32::from_bits(a.to_bits() ^ 0x8000_0000)
}

/// FABS: clears the sign bit, even of a NaN.
#[inline]
#[must_use]
pub fn abs(a: f32) -> f32 {
    f32::from_bits(a.to_bits() & 0x7FFF_FFFF)
}
