//! Compares the exact integer path with the host, and the fast paths with the exact path.

mod doubles;

use proptest::prelude::*;

use crate::soft::{self, Double, Single};
use crate::{
    Cause, Control, NAN_DOUBLE, NAN_SINGLE, Outcome, Rounding, Tininess, convert, double, host, inner, single,
};

const NEAREST: Control = Control {
    rounding: Rounding::Nearest,
    flush: false,
    tininess: Tininess::BeforeRounding,
};
const ZERO: Control = Control {
    rounding: Rounding::Zero,
    ..NEAREST
};

/// Bit patterns of every class, with exponents close enough to interact.
fn word() -> impl Strategy<Value = u32> {
    let near_one =
        (any::<bool>(), 100u32..156, 0u32..0x80_0000).prop_map(|(s, e, f)| u32::from(s) << 31 | e << 23 | f);
    let few_bits =
        (any::<bool>(), 100u32..156, 0u32..64).prop_map(|(s, e, f)| u32::from(s) << 31 | e << 23 | f << 17);
    let special = prop::sample::select(vec![
        0,
        0x8000_0000,
        1,
        0x8000_0001,
        0x007F_FFFF,
        0x0080_0000,
        0x7F7F_FFFF,
        0x7F80_0000,
        0xFF80_0000,
        NAN_SINGLE,
        0x7FC0_0000,
        0x3F80_0000,
        0xBF80_0000,
    ]);
    prop_oneof![any::<u32>(), near_one, few_bits, special]
}

fn long() -> impl Strategy<Value = u64> {
    let near_one =
        (any::<bool>(), 960u64..1090, 0u64..1 << 52).prop_map(|(s, e, f)| u64::from(s) << 63 | e << 52 | f);
    let few_bits =
        (any::<bool>(), 960u64..1090, 0u64..64).prop_map(|(s, e, f)| u64::from(s) << 63 | e << 52 | f << 46);
    prop_oneof![any::<u64>(), near_one, few_bits]
}

fn control() -> impl Strategy<Value = Control> {
    (any::<bool>(), any::<bool>(), any::<bool>()).prop_map(|(zero, flush, after)| Control {
        rounding: if zero { Rounding::Zero } else { Rounding::Nearest },
        flush,
        tininess: if after {
            Tininess::AfterRounding
        } else {
            Tininess::BeforeRounding
        },
    })
}

fn narrow(outcome: Outcome<u64>) -> Outcome<u32> {
    Outcome {
        bits: outcome.bits as u32,
        cause: outcome.cause,
    }
}

/// Returns the host's result with the chip's NaN. It tests bits: for a square root, an optimised build
/// derives `is_nan` from the operand instead of the result.
fn host32(value: f32) -> u32 {
    if value.to_bits() << 1 > 0xFF00_0000 {
        NAN_SINGLE
    } else {
        value.to_bits()
    }
}

fn host64(value: f64) -> u64 {
    if value.to_bits() << 1 > 0xFFE0_0000_0000_0000 {
        NAN_DOUBLE
    } else {
        value.to_bits()
    }
}

/// Truncates `nearest`; `missing` has the sign of the remainder.
fn toward_zero(nearest: f64, missing: f64) -> u64 {
    let too_far = missing != 0.0 && (missing < 0.0) == (nearest > 0.0);
    nearest.to_bits() - u64::from(too_far)
}

fn mid(value: f64) -> bool {
    value == 0.0 || (1e-100..1e100).contains(&value.abs())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, max_global_rejects: 1_000_000, ..ProptestConfig::default() })]

    #[test]
    fn fast_paths_are_the_exact_one(a in word(), b in word(), c in word(), control in control()) {
        let (x, y, z) = (u64::from(a), u64::from(b), u64::from(c));
        prop_assert_eq!(single::add(a, b, control), narrow(soft::add::<Single>(x, y, control)));
        prop_assert_eq!(single::mul(a, b, control), narrow(soft::mul::<Single>(x, y, control)));
        prop_assert_eq!(single::div(a, b, control), narrow(soft::div::<Single>(x, y, control)));
        prop_assert_eq!(single::sqrt(a, control), narrow(soft::sqrt::<Single>(x, control)));
        prop_assert_eq!(single::mac(a, b, c, control), narrow(soft::mac::<Single>(x, y, z, control)));
    }

    /// The CPU tries `host` first; its results must equal those in `single`.
    #[test]
    fn host_is_single(a in word(), b in word(), c in word(), flush in any::<bool>()) {
        fn same<T: PartialEq + std::fmt::Debug>(usual: host::Usual<T>, outcome: Outcome<T>) -> Result<(), TestCaseError> {
            if let Some((bits, inexact)) = usual {
                prop_assert_eq!(Outcome::new(bits, Cause::inexact(inexact)), outcome);
            }
            Ok(())
        }
        let control = Control { flush, ..NEAREST };
        let (x, y, z) = (a.into(), b.into(), c.into());
        same(host::add(a, b), narrow(soft::add::<Single>(x, y, control)))?;
        same(host::sub(a, b), narrow(soft::add::<Single>(x, y ^ 0x8000_0000, control)))?;
        same(host::mul(a, b), narrow(soft::mul::<Single>(x, y, control)))?;
        same(host::div(a, b), narrow(soft::div::<Single>(x, y, control)))?;
        same(host::sqrt(a), narrow(soft::sqrt::<Single>(x, control)))?;
        same(host::mac(a, b, c), narrow(soft::mac::<Single>(x, y, z, control)))?;
        same(host::float(a), narrow(soft::round::<Single>(
            soft::Number { negative: (a as i32) < 0, significand: (a as i32).unsigned_abs().into(), exponent: 0 },
            control,
        )))?;
        same(host::ftrc(a), single::ftrc(a))?;
        same(host::equal(a, b), single::equal(a, b, control))?;
        same(host::greater(a, b), single::greater(a, b, control))?;
    }

    /// Products and addends near the middle between two singles, where rounding a sum twice gives a wrong
    /// result.
    #[test]
    fn mac_near_ties(a in 0u32..0x80_0000, b in 0u32..0x80_0000, low in -2i32..3, sign in any::<bool>(), gap in 20u32..60) {
        let (a, b) = (0x3F80_0000 | a, 0x3F80_0000 | b);
        let product = f64::from(f32::from_bits(a)) * f64::from(f32::from_bits(b));
        // Distance from the product to a tie, as a single.
        let tie = f64::from_bits(product.to_bits() & !((1 << 29) - 1) | 1 << 28);
        let tiny = (127 - gap) << 23 | u32::from(sign) << 31;
        for c in [((tie - product) as f32).to_bits().wrapping_add_signed(low), tiny] {
            let exact = narrow(soft::mac::<Single>(a.into(), b.into(), c.into(), NEAREST));
            prop_assert_eq!(single::mac(a, b, c, NEAREST), exact);
        }
        // 1 + 2^-24 is exactly between two singles; also test nearby values.
        let c = (0x3380_0000 | u32::from(sign) << 31).wrapping_add_signed(low);
        let exact = narrow(soft::mac::<Single>(a.into(), 0x3F80_0000, c.into(), NEAREST));
        prop_assert_eq!(single::mac(a, 0x3F80_0000, c, NEAREST), exact);
    }

    #[test]
    fn single_is_ieee(a in word(), b in word()) {
        let (x, y) = (f32::from_bits(a), f32::from_bits(b));
        let soft32 = |outcome: Outcome<u64>| outcome.bits as u32;
        prop_assert_eq!(soft32(soft::add::<Single>(a.into(), b.into(), NEAREST)), host32(x + y));
        prop_assert_eq!(soft32(soft::mul::<Single>(a.into(), b.into(), NEAREST)), host32(x * y));
        prop_assert_eq!(soft32(soft::div::<Single>(a.into(), b.into(), NEAREST)), host32(x / y));
        prop_assert_eq!(soft32(soft::sqrt::<Single>(a.into(), NEAREST)), host32(x.sqrt()));
    }

    #[test]
    fn mac_is_fused(a in word(), b in word(), c in word()) {
        let host = f32::from_bits(a).mul_add(f32::from_bits(b), f32::from_bits(c));
        prop_assert_eq!(soft::mac::<Single>(a.into(), b.into(), c.into(), NEAREST).bits as u32, host32(host));
    }

    #[test]
    fn double_is_ieee(a in long(), b in long()) {
        let (x, y) = (f64::from_bits(a), f64::from_bits(b));
        prop_assert_eq!(double::add(a, b, NEAREST).bits, host64(x + y));
        prop_assert_eq!(double::sub(a, b, NEAREST).bits, host64(x - y));
        prop_assert_eq!(double::mul(a, b, NEAREST).bits, host64(x * y));
        prop_assert_eq!(double::div(a, b, NEAREST).bits, host64(x / y));
        prop_assert_eq!(double::sqrt(a, NEAREST).bits, host64(x.sqrt()));
        prop_assert_eq!(convert::double_to_single(a, NEAREST).bits, host32(x as f32));
    }

    #[test]
    fn double_truncates(a in long(), b in long()) {
        let (x, y) = (f64::from_bits(a), f64::from_bits(b));
        prop_assume!(mid(x) && mid(y) && x != 0.0 && y != 0.0);
        let product = x * y;
        let missing = x.mul_add(y, -product);
        let outcome = double::mul(a, b, ZERO);
        prop_assert_eq!(outcome.bits, toward_zero(product, missing));
        prop_assert_eq!(outcome.cause.has(Cause::INEXACT), missing != 0.0);
        let quotient = x / y;
        let rest = (-quotient).mul_add(y, x);
        let outcome = double::div(a, b, ZERO);
        prop_assert_eq!(outcome.bits, toward_zero(quotient, if y < 0.0 { -rest } else { rest }));
        prop_assert_eq!(outcome.cause.has(Cause::INEXACT), rest != 0.0);
        let root = x.abs().sqrt();
        let rest = (-root).mul_add(root, x.abs());
        prop_assert_eq!(double::sqrt(x.abs().to_bits(), ZERO).bits, toward_zero(root, rest));
    }

    #[test]
    fn float_truncates(integer in any::<u32>()) {
        let exact = f64::from(integer as i32);
        let outcome = single::float(integer, ZERO);
        let value = f64::from(f32::from_bits(outcome.bits));
        prop_assert!(value.abs() <= exact.abs());
        prop_assert!(exact.abs() - value.abs() < 256.0);
        prop_assert_eq!(outcome.cause.has(Cause::INEXACT), value != exact);
        prop_assert_eq!(single::float(integer, NEAREST).bits, (integer as i32 as f32).to_bits());
    }

    #[test]
    fn inner_exact_is_exact(a in prop::array::uniform4(-4000i32..4000), b in prop::array::uniform4(-4000i32..4000)) {
        let bits = |v: [i32; 4]| v.map(|i| (i as f32).to_bits());
        let sum: i32 = a.iter().zip(b).map(|(x, y)| x * y).sum();
        let model = inner::InnerModel { product: inner::InnerProduct::Exact, ..Default::default() };
        prop_assert_eq!(inner::inner(&bits(a), &bits(b), model, NEAREST).bits, (sum as f32).to_bits());
    }

    #[test]
    fn inner_hardware_is_the_model(a in prop::array::uniform4(word()), b in prop::array::uniform4(word()), control in control()) {
        let finite = |bits: &u32| bits & 0x7F80_0000 != 0x7F80_0000;
        prop_assume!(a.iter().chain(&b).all(finite));
        let outcome = inner::inner(&a, &b, inner::InnerModel::default(), control);
        prop_assert_eq!(outcome.bits, model_by_the_book(&a, &b, control));
    }
}

/// The steps of the model on wide integers, written independently of the tested code.
fn model_by_the_book(a: &[u32; 4], b: &[u32; 4], control: Control) -> u32 {
    let parts: Vec<(i32, i128)> = (0..4)
        .map(|i| {
            let split = |bits: u32| match (bits >> 23 & 0xFF, bits & 0x7F_FFFF) {
                (0, _) if control.flush => (-126, 0),
                (0, f) => (-126, f),
                (e, f) => (e as i32 - 127, f | 0x80_0000),
            };
            let ((ea, ma), (eb, mb)) = (split(a[i]), split(b[i]));
            let product = i128::from(ma) * i128::from(mb);
            (
                ea + eb,
                if (a[i] ^ b[i]) >> 31 == 1 {
                    -product
                } else {
                    product
                },
            )
        })
        .filter(|&(_, product)| product != 0)
        .collect();
    let Some(largest) = parts.iter().map(|&(exponent, _)| exponent).max() else {
        return 0;
    };
    let sum: i128 = parts
        .iter()
        .map(|&(exponent, product)| {
            let divisor = 1i128 << (20 + largest - exponent).min(100);
            product / divisor
        })
        .sum();
    let number = soft::Number {
        negative: sum < 0,
        significand: sum.unsigned_abs(),
        exponent: largest - 26,
    };
    soft::round::<Single>(number, control).bits as u32
}

#[test]
fn nan_kinds() {
    let quiet = Outcome {
        bits: NAN_SINGLE,
        cause: Cause::NONE,
    };
    let invalid = Outcome {
        bits: NAN_SINGLE,
        cause: Cause::INVALID,
    };
    let one = 0x3F80_0000;
    assert_eq!(single::add(0x7FBF_FFFF, one, NEAREST), quiet);
    assert_eq!(single::add(0xFF80_0001, one, NEAREST), quiet);
    assert_eq!(single::add(0x7FC0_0000, one, NEAREST), invalid);
    assert_eq!(single::mac(0, 0x7F80_0000, 0x7FBF_FFFF, NEAREST), invalid);
    assert_eq!(
        double::mul(0x7FF8_0000_0000_0000, 0, NEAREST),
        Outcome {
            bits: NAN_DOUBLE,
            cause: Cause::INVALID
        }
    );
    assert_eq!(
        single::equal(NAN_SINGLE, NAN_SINGLE, NEAREST),
        Outcome {
            bits: false,
            cause: Cause::NONE
        }
    );
    assert_eq!(
        single::equal(0x7FFF_FFFF, one, NEAREST),
        Outcome {
            bits: false,
            cause: Cause::INVALID
        }
    );
    assert_eq!(
        single::greater(NAN_SINGLE, one, NEAREST),
        Outcome {
            bits: false,
            cause: Cause::INVALID
        }
    );
}

#[test]
fn denormals() {
    let flush = Control {
        flush: true,
        ..NEAREST
    };
    let (one, denormal, smallest) = (0x3F80_0000, 0x0040_0000, 0x0080_0000);
    assert_eq!(single::add(denormal, one, flush).bits, one);
    assert_eq!(
        single::add(denormal | 0x8000_0000, 0x8000_0000, flush).bits,
        0x8000_0000
    );
    assert_eq!(single::add(denormal, one, NEAREST).cause, Cause::FPU_ERROR);
    // Half the smallest normal number: a denormal, exact with DN = 0, flushed with DN = 1.
    assert_eq!(
        single::mul(smallest, 0x3F00_0000, NEAREST),
        Outcome {
            bits: denormal,
            cause: Cause::NONE
        }
    );
    let gone = Outcome {
        bits: 0,
        cause: Cause::UNDERFLOW.with(Cause::INEXACT),
    };
    assert_eq!(single::mul(smallest, 0x3F00_0000, flush), gone);
    assert_eq!(single::sqrt(0x8000_0001, NEAREST).cause, Cause::INVALID);
    assert_eq!(
        single::sqrt(0x8000_0001, flush),
        Outcome {
            bits: 0x8000_0000,
            cause: Cause::NONE
        }
    );
    assert!(single::equal(1, 0x8000_0001, flush).bits);
    assert!(!single::equal(1, 2, NEAREST).bits);
    assert_eq!(convert::single_to_double(1, flush).bits, 0);
}

#[test]
fn overflow_by_rounding_mode() {
    let cause = Cause::OVERFLOW.with(Cause::INEXACT);
    assert_eq!(
        single::mul(0x7F7F_FFFF, 0x4000_0000, NEAREST),
        Outcome {
            bits: 0x7F80_0000,
            cause
        }
    );
    assert_eq!(
        single::mul(0xFF7F_FFFF, 0x4000_0000, ZERO),
        Outcome {
            bits: 0xFF7F_FFFF,
            cause
        }
    );
}

#[test]
fn division_and_root_specials() {
    let one = 0x3F80_0000;
    assert_eq!(
        single::div(one, 0x8000_0000, NEAREST),
        Outcome {
            bits: 0xFF80_0000,
            cause: Cause::DIVIDE_BY_ZERO
        }
    );
    assert_eq!(single::div(0, 0, NEAREST).cause, Cause::INVALID);
    assert_eq!(
        single::div(0x7F80_0000, 0, NEAREST),
        Outcome {
            bits: 0x7F80_0000,
            cause: Cause::NONE
        }
    );
    assert_eq!(
        single::sqrt(0x8000_0000, NEAREST),
        Outcome {
            bits: 0x8000_0000,
            cause: Cause::NONE
        }
    );
    assert_eq!(single::sqrt(0xBF80_0000, NEAREST).cause, Cause::INVALID);
}

/// Range limits of FTRC in the SH7750 manual.
#[test]
fn ftrc_limits() {
    let ok = |bits| Outcome {
        bits,
        cause: Cause::NONE,
    };
    let bad = |bits| Outcome {
        bits,
        cause: Cause::INVALID,
    };
    assert_eq!(single::ftrc(0x4EFF_FFFF), ok(0x7FFF_FF80));
    assert_eq!(single::ftrc(0x4F00_0000), bad(0x7FFF_FFFF));
    assert_eq!(single::ftrc(0x7F80_0000), bad(0x7FFF_FFFF));
    assert_eq!(single::ftrc(NAN_SINGLE), bad(0x8000_0000));
    assert_eq!(single::ftrc(0xCF00_0000), ok(0x8000_0000));
    assert_eq!(single::ftrc(0xCF00_0001), bad(0x8000_0000));
    assert_eq!(single::ftrc(0xFFC0_0000), bad(0x8000_0000));
    assert_eq!(single::ftrc(0xBFC0_0000), ok(0xFFFF_FFFF));
    assert_eq!(single::ftrc(0x0000_0001), ok(0));
    assert_eq!(double::ftrc(0x41DF_FFFF_FFFF_FFFF), ok(0x7FFF_FFFF));
    assert_eq!(double::ftrc(0x41E0_0000_0000_0000), bad(0x7FFF_FFFF));
    assert_eq!(double::ftrc(0x7FF0_0000_0000_0001), bad(0x8000_0000));
    assert_eq!(double::ftrc(0xC1E0_0000_001F_FFFF), ok(0x8000_0000));
    assert_eq!(double::ftrc(0xC1E0_0000_0020_0000), bad(0x8000_0000));
}

#[test]
fn inner_specials() {
    let fipr =
        |a: [u32; 4], b: [u32; 4]| inner::inner(&a, &b, inner::InnerModel::default(), Control::STARTUP);
    let (one, infinity, minus) = (0x3F80_0000, 0x7F80_0000, 0xFF80_0000);
    assert_eq!(
        fipr([infinity, 0, 0, 0], [0, one, one, one]),
        Outcome {
            bits: NAN_SINGLE,
            cause: Cause::INVALID
        }
    );
    assert_eq!(fipr([infinity, minus, 0, 0], [one; 4]).cause, Cause::INVALID);
    assert_eq!(fipr([infinity, one, 0, 0], [one; 4]).bits, infinity);
    assert_eq!(fipr([infinity, one, 0, 0], [minus, one, one, one]).bits, minus);
    assert_eq!(
        fipr([NAN_SINGLE, one, 0, 0], [one; 4]),
        Outcome {
            bits: NAN_SINGLE,
            cause: Cause::NONE
        }
    );
    assert_eq!(fipr([0x7FFF_FFFF, one, 0, 0], [one; 4]).cause, Cause::INVALID);
    assert_eq!(
        fipr([one, 0xBF80_0000, 0, 0], [one; 4]),
        Outcome {
            bits: 0,
            cause: Cause::NONE
        }
    );
}

/// Every mantissa and exponent parity: the result is the float nearest to the true reciprocal root. The test
/// compares `x * y^2 == 1` in integers at the two midpoints around the result.
#[test]
fn rsqrt_exhaustive() {
    let model = crate::approx::ReciprocalRoot::Nearest;
    for bits in 0x3F80_0000u32..0x4080_0000 {
        let y = crate::approx::rsqrt(bits, model, Control::STARTUP).bits;
        let exponent = (bits >> 23) as i32 - 127;
        let x = u128::from(bits & 0x7F_FFFF | 0x80_0000) << exponent;
        let result_exponent = (y >> 23) as i32 - 127;
        let m = u128::from(y & 0x7F_FFFF | 0x80_0000);
        // x * 2^-23 * (2m +- 1)^2 * 2^(2 * (result_exponent - 24)) against 1.
        let one = 1u128 << (23 + 48 - 2 * result_exponent);
        assert!(
            x * (2 * m - 1).pow(2) <= one && one <= x * (2 * m + 1).pow(2),
            "{bits:08X}"
        );
    }
}

#[test]
fn tininess_decides_at_the_edge() {
    // 3F7FFFFF * 00800001 is half an ulp below the smallest normal number and rounds up to it.
    let flush = |tininess| Control {
        flush: true,
        tininess,
        ..NEAREST
    };
    let at = |tininess| single::mul(0x3F7F_FFFF, 0x0080_0000, flush(tininess)).bits;
    assert_eq!(at(Tininess::BeforeRounding), 0);
    assert_eq!(at(Tininess::AfterRounding), 0x0080_0000);
    assert_eq!(soft::sqrt::<Double>(0, NEAREST).bits, 0);
}
