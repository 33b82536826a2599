//! Comparison of both models with `sh4_fpu::inner`, which computes them without double precision.

use super::*;
use proptest::prelude::*;
use sh4_fpu::inner::{self as model, InnerModel, InnerProduct};
use sh4_fpu::{Cause, Control, Rounding};

const CASES: u32 = 20_000;

fn lanes(v: __m128) -> [u32; 4] {
    let mut lanes = [0u32; 4];
    // SAFETY: `lanes` has four elements.
    unsafe { _mm_storeu_ps(lanes.as_mut_ptr().cast(), v) };
    lanes
}

/// Result and cause for compiled code; `None` if the product is refused.
fn answer((result, status): (__m128, u32)) -> Option<([u32; 4], Cause)> {
    let cause = if status == DONE as u32 {
        Cause::NONE
    } else {
        Cause::INEXACT
    };
    (status != REFUSED as u32).then(|| (lanes(result), cause))
}

fn vector(bits: &[u32; 4]) -> __m128 {
    let [a, b, c, d] = bits.map(f32::from_bits);
    // SAFETY: every host here has SSE.
    unsafe { _mm_setr_ps(a, b, c, d) }
}

/// FTRV by the tested functions; `None` if the product is refused.
#[target_feature(enable = "avx2")]
fn ours<const EXACT: bool, const LOSSLESS: bool>(
    elements: &[u32; 16],
    v: &[u32; 4],
    toward_zero: bool,
) -> Option<([u32; 4], Cause)> {
    answer(product::<EXACT, LOSSLESS>(
        &columns(elements)?,
        vector(v),
        toward_zero,
    ))
}

/// Compares FTRV, and FIPR of the first column with the vector, in all supported rounding modes. Returns true
/// if FTRV was not refused.
fn check<const EXACT: bool>(elements: &[u32; 16], v: &[u32; 4]) -> bool {
    let nearest = check_rounded::<EXACT>(elements, v, false);
    // Compiled code has no exact sums toward zero.
    if !EXACT {
        assert_eq!(check_rounded::<EXACT>(elements, v, true), nearest);
    }
    nearest
}

fn check_rounded<const EXACT: bool>(elements: &[u32; 16], v: &[u32; 4], toward_zero: bool) -> bool {
    let control = Control {
        rounding: if toward_zero {
            Rounding::Zero
        } else {
            Rounding::Nearest
        },
        ..Control::STARTUP
    };
    assert!(crate::host::can_transform());
    let product = if EXACT {
        InnerProduct::Exact
    } else {
        InnerProduct::Hardware
    };
    let expecting = InnerModel {
        product,
        ..InnerModel::default()
    };
    let column = elements.first_chunk().unwrap();
    // SAFETY: `can_transform` was checked above.
    let (whole, inner, lossless) = unsafe {
        let [a, b] = [vector(column), vector(v)];
        let lossless = [
            ours::<EXACT, true>(elements, v, toward_zero),
            answer(inner_product::<EXACT, true>(a, b, toward_zero)),
        ];
        let inner = answer(inner_product::<EXACT, false>(a, b, toward_zero));
        (ours::<EXACT, false>(elements, v, toward_zero), inner, lossless)
    };
    if let Some(found) = inner {
        let expected = model::inner(column, v, expecting, control);
        assert_eq!(found, ([expected.bits; 4], expected.cause));
    }
    if let Some(found) = whole {
        let expected = model::transform(elements, v, expecting, control);
        assert_eq!(found, (expected.bits, expected.cause));
    }
    let exact = |found: &([u32; 4], Cause)| found.1 == Cause::NONE;
    assert_eq!(lossless, [whole.filter(exact), inner.filter(exact)]);
    whole.is_some()
}

/// Singles of all kinds, more often with neighbouring exponents and short fractions.
fn single() -> impl Strategy<Value = u32> {
    (any::<u32>(), 0..10u32).prop_map(|(bits, class)| match class {
        0 => bits & 0x8000_0000,
        1 => bits & 0x807F_FFFF,
        2..5 => bits & 0x807F_FFFF | (120 + (bits >> 23 & 15)) << 23,
        5..7 => bits & 0x8070_0000 | (110 + (bits >> 8 & 31)) << 23,
        // Only the first and last bit vary.
        7 => bits & 0x8000_0001 | (116 + (bits >> 8 & 31)) << 23,
        8 => bits & 0x807F_FFFF | (bits >> 23 & 0xFF).min(254) << 23,
        _ => bits,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(CASES))]

    #[test]
    fn results_match_the_model(
        elements in proptest::array::uniform16(single()),
        v in proptest::array::uniform4(single()),
    ) {
        check::<false>(&elements, &v);
        check::<true>(&elements, &v);
    }

    /// Sums near a single or a tie of two, plus a much smaller addend. All elements of the vector are 1.
    #[test]
    fn addends_far_below_a_tie_decide_the_rounding(
        large in 0x0080_0000..0x0100_0000u32,
        half in 0..3u32,
        places in 0..80i32,
        negative: bool,
        turn in 0..4usize,
    ) {
        let tiny = f32::powi(2.0, -places);
        let mut row = [large as f32, half as f32 / 2.0, if negative { -tiny } else { tiny }, 0.0];
        row.rotate_left(turn);
        let elements: [u32; 16] = std::array::from_fn(|i| row[(i / 4 + i) % 4].to_bits());
        check::<true>(&elements, &[1f32.to_bits(); 4]);
        check::<false>(&elements, &[1f32.to_bits(); 4]);
    }

    /// Products of whole numbers and short fractions, like most vectors, are not refused.
    #[test]
    fn common_vectors_are_not_refused(
        elements in proptest::array::uniform16(-100_000..100_000i32),
        v in proptest::array::uniform4(-30_000..30_000i32),
    ) {
        let (elements, v) = (elements.map(|i| i as f32), v.map(|i| i as f32));
        prop_assert!(check::<true>(&elements.map(f32::to_bits), &v.map(f32::to_bits)));
        prop_assert!(check::<false>(&elements.map(f32::to_bits), &v.map(f32::to_bits)));
    }
}

/// With full fractions, one sum in several hundred thousand is refused because it is near a tie.
#[test]
fn few_fractions_are_refused() {
    let mut word = 1u32;
    let mut next = || {
        word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        0x3F80_0000 | word >> 9
    };
    let answered = (0..CASES)
        .filter(|_| check::<true>(&std::array::from_fn(|_| next()), &std::array::from_fn(|_| next())))
        .count();
    assert!(CASES as usize - answered < 20, "{answered} of {CASES}");
}
