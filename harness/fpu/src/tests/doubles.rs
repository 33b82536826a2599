//! Compares double precision on the host with the exact integer path.

use super::{NEAREST, control, long};
use crate::soft::{self, Double};
use crate::{Outcome, double};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn fast_doubles_are_the_exact_ones(a in long(), b in long(), control in control()) {
        prop_assert_eq!(double::add(a, b, control), soft::add::<Double>(a, b, control));
        prop_assert_eq!(double::sub(a, b, control), soft::add::<Double>(a, b ^ 1 << 63, control));
        prop_assert_eq!(double::mul(a, b, control), soft::mul::<Double>(a, b, control));
        prop_assert_eq!(double::div(a, b, control), soft::div::<Double>(a, b, control));
        prop_assert_eq!(double::sqrt(a, control), soft::sqrt::<Double>(a, control));
    }

    /// Results without a remainder: a square root of a square, and a product divided by one of its factors.
    #[test]
    fn fast_doubles_know_exact_results(a in 1u64..1 << 26, b in 1u64..1 << 26, shift in -300i32..300) {
        let scale = f64::from_bits(((1023 + shift) as u64) << 52);
        let (x, y) = (a as f64 * scale, b as f64);
        let (product, square) = (x * y, y * y);
        for (outcome, exact) in [
            (double::div(product.to_bits(), y.to_bits(), NEAREST), x),
            (double::mul(x.to_bits(), y.to_bits(), NEAREST), product),
            (double::sqrt(square.to_bits(), NEAREST), y),
        ] {
            prop_assert_eq!(outcome, Outcome::exact(exact.to_bits()));
        }
    }
}
