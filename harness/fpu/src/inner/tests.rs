use proptest::prelude::*;

use super::aligned::hardware;
use super::*;
use crate::Rounding;

/// Finite singles, including zeros, denormals and neighbouring exponents.
fn finite_bits() -> impl Strategy<Value = u32> {
    (any::<u32>(), 0..8u32).prop_map(|(bits, class)| match class {
        0 => bits & SIGN,
        1 => bits & (SIGN | FRACTION),
        2..5 => bits & (SIGN | FRACTION) | (120 + (bits >> 23 & 15)) << 23,
        _ => bits & (SIGN | FRACTION) | (bits >> 23 & 0xFF).min(254) << 23,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    /// Compares FIPR (in the usual case) and FTRV in double precision with the model in integers.
    #[test]
    fn the_rows_are_the_model(
        rows in proptest::array::uniform4(proptest::array::uniform4(finite_bits())),
        v in proptest::array::uniform4(finite_bits()),
        to_zero: bool,
    ) {
        let rounding = if to_zero { Rounding::Zero } else { Rounding::Nearest };
        let control = Control { rounding, ..Control::STARTUP };
        let expected = rows.map(|row| hardware(&row, &v, ProductExponent::BeforeNormalising, control));
        if let Some((bits, inexact)) = super::rows::one_row(&rows[0], &v, rounding) {
            prop_assert_eq!(Outcome::new(bits, Cause::inexact(inexact)), expected[0]);
        }
        let matrix: [u32; 16] = std::array::from_fn(|i| rows[i % 4][i / 4]);
        let found = transform(&matrix, &v, InnerModel::default(), control);
        prop_assert_eq!(found.bits, expected.map(|outcome| outcome.bits));
        let cause = expected.iter().fold(Cause::NONE, |all, outcome| all.with(outcome.cause));
        prop_assert_eq!(found.cause, cause);
    }
}
