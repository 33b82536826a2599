//! Conversions between the two formats (FPSCR.PR = 1).

use crate::soft::{self, Class, Double, Format, Single};
use crate::{Control, Outcome};

/// FCNVSD: converts single to double, exactly. A denormal gives zero with DN = 1 and an FPU error with DN =
/// 0.
#[must_use]
pub fn single_to_double(a: u32, control: Control) -> Outcome<u64> {
    convert::<Single, Double>(a.into(), control)
}

/// FCNVDS: converts double to single. RM selects the rounding; DN flushes denormal results.
#[must_use]
pub fn double_to_single(a: u64, control: Control) -> Outcome<u32> {
    let outcome = convert::<Double, Single>(a, control);
    Outcome::new(outcome.bits as u32, outcome.cause)
}

fn convert<From: Format, To: Format>(bits: u64, control: Control) -> Outcome<u64> {
    let a = soft::unpack::<From>(bits, control);
    match soft::screen::<To>(&[a]) {
        Some(outcome) => outcome,
        None if a.is(Class::Infinity) => soft::infinity::<To>(a.negative()),
        None => soft::with_error(soft::round::<To>(a.number, control), &[a]),
    }
}
