//! The first difference between two outputs.

use super::run::Output;
use super::spec::{ArgKind, Compare, UserKernel};
use crate::Element;

/// An element that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// The argument's name, or `result`.
    pub(crate) argument: String,
    pub(crate) index: usize,
    pub(crate) element: Element,
    /// What the candidate gave.
    pub(crate) candidate: u64,
    /// What it should have been.
    pub(crate) reference: u64,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Difference {
            argument,
            index,
            element,
            ..
        } = self;
        let place = if argument == RESULT {
            argument.clone()
        } else {
            format!("{argument}[{index}]")
        };
        let (candidate, reference) = (element.show(self.candidate), element.show(self.reference));
        write!(f, "{place} is {candidate}, expected {reference}")
    }
}

const RESULT: &str = "result";

/// The first difference in the order of the prototype, the function's result last.
pub(crate) fn difference(kernel: &UserKernel, candidate: &Output, reference: &Output) -> Option<Difference> {
    let mut found = None;
    for (arg, (a, b)) in kernel.args.iter().zip(candidate.args.iter().zip(&reference.args)) {
        let element = match &arg.kind {
            ArgKind::Buffer(buffer) => buffer.element,
            ArgKind::Xmtrx { .. } => Element::F32,
            _ => Element::U32,
        };
        found = found.or_else(|| in_bytes(&arg.name, element, a, b, kernel.compare));
    }
    let results = candidate.result.zip(reference.result).zip(kernel.returns);
    found.or_else(|| {
        results
            .filter(|((a, b), element)| !equal(*element, *a, *b, kernel.compare))
            .map(|((a, b), element)| Difference {
                argument: RESULT.to_owned(),
                index: 0,
                element,
                candidate: a,
                reference: b,
            })
    })
}

fn in_bytes(name: &str, element: Element, a: &[u8], b: &[u8], compare: Compare) -> Option<Difference> {
    let count = a.len().max(b.len()) / element.size();
    (0..count)
        .map(|index| (index, element.bits(a, index), element.bits(b, index)))
        .find_map(|(index, x, y)| {
            let missing = (index + 1) * element.size() > a.len().min(b.len());
            (missing || !equal(element, x, y, compare)).then(|| Difference {
                argument: name.to_owned(),
                index,
                element,
                candidate: x,
                reference: y,
            })
        })
}

fn equal(element: Element, a: u64, b: u64, compare: Compare) -> bool {
    if a == b {
        return true;
    }
    let Compare::Ulp(most) = compare else { return false };
    let (a, b) = match element {
        Element::F32 => (f32::from_bits(a as u32).into(), f32::from_bits(b as u32).into()),
        Element::F64 => (f64::from_bits(a), f64::from_bits(b)),
        _ => return false,
    };
    if a.is_nan() || b.is_nan() {
        return a.is_nan() && b.is_nan();
    }
    let steps = match element {
        Element::F32 => order32(a as f32).abs_diff(order32(b as f32)),
        _ => order64(a).abs_diff(order64(b)),
    };
    steps <= most
}

/// Numbers in order: neighbours differ by one, and both zeros are one number.
fn order32(value: f32) -> i64 {
    let bits = i64::from(value.to_bits() & 0x7FFF_FFFF);
    if value.is_sign_negative() { -bits } else { bits }
}

fn order64(value: f64) -> i64 {
    let bits = (value.to_bits() & i64::MAX as u64) as i64;
    if value.is_sign_negative() { -bits } else { bits }
}

#[cfg(test)]
mod tests {
    use super::{Compare, equal};
    use crate::Element;

    #[test]
    fn ulps() {
        let f = |x: f32| u64::from(x.to_bits());
        let two = Compare::Ulp(2);
        assert!(
            equal(Element::F32, f(1.0), f(1.0) + 2, two) && !equal(Element::F32, f(1.0), f(1.0) + 3, two)
        );
        assert!(equal(Element::F32, f(-0.0), 1, two), "one step from zero");
        assert!(equal(Element::F32, 1, 0x8000_0001, two) && !equal(Element::F32, 1, 0x8000_0002, two));
        assert!(equal(Element::F32, 0x7F80_0001, 0x7FC0_0000, two), "NaN is NaN");
        assert!(!equal(Element::F32, 0x7F80_0001, f(1.0), two) && !equal(Element::U32, 1, 2, two));
        assert!(
            !equal(Element::F32, 0, 0x8000_0000, Compare::Bits),
            "the zeros differ in bits"
        );
        assert!(equal(Element::F64, 1.0f64.to_bits(), 1.0f64.to_bits() + 2, two));
    }
}
