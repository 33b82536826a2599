//! FSRRA and FSCA, the two approximate instructions.

use crate::soft::{self, Class, Single};
use crate::{Cause, Control, Outcome};

settings::choices! {
    /// Method by which FSRRA computes its value.
    ///
    /// The specification states an absolute error within 2^-21. A person who dumped all positive normal
    /// operands on hardware reports results within 2 ulp of the true value. They depend only on the mantissa
    /// and on the parity of the exponent. Neither the algorithm nor the dump is public.
    #[non_exhaustive]
    pub enum ReciprocalRoot {
        /// The reciprocal root, rounded to nearest for any RM.
        Nearest = "nearest",
        /// A single-precision root, then a single-precision quotient, as most emulators compute.
        RootThenDivide = "root_then_divide",
    }
}

/// FSRRA: approximates `1 / sqrt(a)`. Every positive normal operand sets I. A zero gives infinity with its
/// sign and sets Z. Negative numbers are invalid.
#[inline]
#[must_use]
pub fn rsqrt(a: u32, model: ReciprocalRoot, control: Control) -> Outcome<u32> {
    let x = f32::from_bits(a);
    if (f32::MIN_POSITIVE..f32::INFINITY).contains(&x) {
        let root = match model {
            // Correctly rounded for every operand, as the test `rsqrt_exhaustive` shows.
            ReciprocalRoot::Nearest => (1.0 / f64::from(x).sqrt()) as f32,
            ReciprocalRoot::RootThenDivide => 1.0 / x.sqrt(),
        };
        return Outcome::new(root.to_bits(), Cause::INEXACT);
    }
    rsqrt_special(a, control)
}

#[cold]
fn rsqrt_special(a: u32, control: Control) -> Outcome<u32> {
    let operand = soft::unpack::<Single>(a.into(), control);
    let negative = operand.negative();
    let outcome = match operand.class {
        Class::Zero => Outcome::new(soft::infinity::<Single>(negative).bits, Cause::DIVIDE_BY_ZERO),
        Class::Normal | Class::Denormal | Class::Infinity if negative => soft::invalid::<Single>(),
        Class::Denormal => Outcome::new(
            u64::from(((1.0 / f64::from(f32::from_bits(a)).sqrt()) as f32).to_bits()),
            Cause::FPU_ERROR,
        ),
        _ => soft::screen::<Single>(&[operand]).unwrap_or_else(|| soft::zero::<Single>(false)),
    };
    Outcome::new(outcome.bits as u32, outcome.cause)
}

/// One segment of the sine's first quadrant: 1,024 steps around a multiple of 2 pi / 64, in units of 2^-26.
/// [`sine_steps`] explains the names.
struct Segment {
    c0: i32,
    c1: i64,
    c2: i64,
    c3: i64,
    b1: i64,
    b2: i64,
}

const fn segment(c0: i32, c1: i64, c2: i64, c3: i64, b1: i64, b2: i64) -> Segment {
    Segment {
        c0,
        c1,
        c2,
        c3,
        b1,
        b2,
    }
}

/// Coefficients fitted to the hardware's table. c1 and c3 are the derivatives of the sine (16 * (2^26 h cos a
/// rounded to 23 bits) and round(2^27 h^3/6 cos a), h = 2 pi / 128, a = j pi / 32). c2 is near its second
/// derivative. The offsets of c0, and b1 and b2, have no known formula.
const SEGMENTS: [Segment; 17] = [
    segment(0, 52_707_176, 0, 2_646, 323, 0),
    segment(6_577_819, 52_453_376, 1_014_197, 2_633, 313, 24),
    segment(13_092_290, 51_694_424, 2_018_628, 2_595, 251, 21),
    segment(19_480_674, 50_437_624, 3_003_619, 2_532, 318, -159),
    segment(25_681_450, 48_695_080, 3_959_681, 2_444, 353, 44),
    segment(31_634_899, 46_483_584, 4_877_617, 2_333, 345, -495),
    segment(37_283_686, 43_824_416, 5_748_567, 2_200, 227, -139),
    segment(42_573_411, 40_743_200, 6_564_160, 2_045, 294, -156),
    segment(47_453_131, 37_269_600, 7_316_538, 1_871, 274, -110),
    segment(51_875_851, 33_437_080, 7_998_454, 1_679, 168, -445),
    segment(55_798_982, 29_282_540, 8_603_338, 1_470, 178, -115),
    segment(59_184_735, 24_845_992, 9_125_375, 1_247, 124, -892),
    segment(62_000_504, 20_170_164, 9_559_523, 1_013, 161, -534),
    segment(64_219_180, 15_300_086, 9_901_601, 768, 108, -168),
    segment(65_819_382, 10_282_660, 10_148_328, 516, 82, 213),
    segment(66_785_715, 5_166_207, 10_297_320, 259, 44, -265),
    segment(67_108_863, 0, 10_347_145, 0, 0, 107),
];

/// Steps at which the cubic differs from the hardware, and the difference in ulp. No formula is known.
const EXCEPTIONS: [(u16, i8); 64] = [
    (610, 4),
    (3072, -1),
    (3673, 1),
    (3854, 1),
    (4048, 1),
    (4172, -1),
    (4557, -1),
    (4580, -1),
    (5083, -1),
    (5276, 1),
    (6667, -1),
    (6790, 1),
    (7912, -1),
    (8870, -1),
    (9474, 1),
    (9562, -1),
    (9857, -1),
    (10489, 1),
    (10940, -1),
    (10987, -1),
    (11170, -1),
    (11924, -1),
    (12060, 1),
    (12429, -1),
    (12516, 1),
    (12641, -1),
    (13723, 1),
    (13729, 1),
    (14713, -1),
    (14719, -1),
    (15533, -1),
    (15615, -1),
    (16943, 1),
    (17076, -1),
    (17626, 1),
    (17663, 1),
    (18633, 1),
    (18809, 1),
    (19000, -1),
    (19876, -1),
    (20252, 1),
    (20399, 1),
    (20708, 1),
    (20833, 1),
    (21598, -1),
    (21836, 1),
    (22220, 1),
    (23206, -1),
    (23319, -1),
    (23355, -1),
    (23466, -1),
    (23898, -1),
    (23901, -1),
    (24296, 1),
    (26385, 1),
    (27035, -1),
    (27685, -1),
    (27804, -1),
    (28103, 1),
    (29156, -1),
    (29317, 1),
    (29696, -1),
    (30195, -1),
    (31330, -1),
];

/// Returns the sine of `n` < 8000 (hexadecimal; half a turn) in units of 2^-26, before the last rounding.
///
/// The function evaluates a cubic around the nearest segment centre `k`, with the truncations of a
/// fixed-point data path. The second quadrant mirrors the segments but not the offset `u`, so it is not an
/// exact mirror image.
#[inline]
fn sine_steps(n: u16) -> i32 {
    let k = (usize::from(n) + 512) >> 10;
    let u = i64::from(n) - 1024 * k as i64;
    let mirrored = k > 16;
    let s = &SEGMENTS[if mirrored { 32 - k } else { k }];
    let linear = (s.c1 * u + s.b1) >> 13;
    let quadratic = (((s.c2 * u) >> 10) * u + s.b2) >> 15;
    let cubic = if s.c3 == 0 {
        0
    } else {
        ((s.c3 * !((u * u * u) >> 10)) >> 18) + 1
    };
    let odd = if mirrored {
        -(linear + cubic)
    } else {
        linear + cubic
    };
    s.c0 + (odd - quadratic) as i32
}

/// FSCA, sine half: `angle` is in 65,536ths of a turn. The result equals the hardware's, bit for bit.
#[inline]
#[must_use]
pub fn sine(angle: u16) -> u32 {
    let n = angle & 0x7FFF;
    // At most 27 bits. The host rounds to 24 bits to nearest even; scaling by 2^-26 is exact.
    let bits = (sine_steps(n) as f32 * (1.0 / 67_108_864.0)).to_bits();
    let ulp = match EXCEPTIONS.binary_search_by_key(&n, |&(step, _)| step) {
        Ok(at) => EXCEPTIONS[at].1,
        Err(_) => 0,
    };
    bits.wrapping_add_signed(ulp.into()) | u32::from(angle & 0x8000) << 16
}

/// FSCA: sine and cosine of `angle` in 65,536ths of a turn (FPUL\[15:0\]). It always sets I.
#[inline]
#[must_use]
pub fn sincos(angle: u16) -> Outcome<(u32, u32)> {
    Outcome::new((sine(angle), sine(angle.wrapping_add(0x4000))), Cause::INEXACT)
}
