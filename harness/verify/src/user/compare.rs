//! Compares two outputs element by element, with tolerances.

use std::fmt;

use super::run::Output;
use super::spec::{ArgKind, Compare, UserKernel};
use crate::Element;

/// An element, and the deviation between both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The argument's name, or `result`.
    pub argument: String,
    /// The element in the argument; 0 for the result.
    pub index: usize,
    /// The type of the element.
    pub element: Element,
    /// The candidate's bits; `None` if its output ends before the element.
    pub candidate: Option<u64>,
    /// The reference's bits; `None` if its output ends before the element.
    pub reference: Option<u64>,
    /// The deviation.
    pub distance: Distance,
}

/// The deviation of two values of a type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// Number of steps between two floats in the order of representable numbers; `None` for integers, or if
    /// one side is NaN.
    pub ulp: Option<u64>,
    /// The absolute difference divided by the reference; infinite if the reference is 0.
    pub relative: f64,
    /// The absolute difference; infinite if one side is NaN.
    pub absolute: f64,
}

/// The result of a comparison of all outputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Comparison {
    /// The first element that fails, in the order of the prototype. The function's result comes last.
    pub(crate) first: Option<Difference>,
    /// The element with the largest deviation, even if it passes.
    pub(crate) worst: Option<Box<Deviation>>,
}

/// An element that is not equal in every bit, and its deviation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Deviation {
    /// The deviation as a multiple of the tolerance. Without a tolerance: the distance of floats in units in
    /// the last place, or the difference of integers.
    pub(crate) size: f64,
    pub(crate) difference: Difference,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = |bits: Option<u64>| bits.map_or("nothing".to_owned(), |bits| self.element.show(bits));
        let (candidate, reference) = (show(self.candidate), show(self.reference));
        write!(f, "{} is {candidate}, expected {reference}", self.place())?;
        match (self.candidate, self.reference) {
            (Some(_), Some(_)) => write!(f, ": {}", self.distance),
            _ => Ok(()),
        }
    }
}

impl Difference {
    /// The element in C syntax: `dst[3]`, or `result`.
    #[must_use]
    pub fn place(&self) -> String {
        match self.argument == RESULT {
            true => self.argument.clone(),
            false => format!("{}[{}]", self.argument, self.index),
        }
    }
}

impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.absolute.is_infinite() {
            return write!(f, "one of them is not a finite number");
        }
        if let Some(ulp) = self.ulp {
            write!(f, "{ulp} ulp, ")?;
        }
        match self.relative.is_finite() {
            true => write!(
                f,
                "{:.3e} relative, {:.3e} absolute",
                self.relative, self.absolute
            ),
            false => write!(f, "{:.3e} absolute", self.absolute),
        }
    }
}

pub(crate) const RESULT: &str = "result";

/// The type of an output's elements.
pub(crate) fn output_element(kind: &ArgKind) -> Element {
    match kind {
        ArgKind::Buffer(buffer) => buffer.element,
        ArgKind::Value { element, .. } => *element,
        ArgKind::Xmtrx { .. } => Element::F32,
        ArgKind::TileAccelerator => Element::U32,
    }
}

/// Compares every output of `kernel`.
pub(crate) fn compare(kernel: &UserKernel, candidate: &Output, reference: &Output) -> Comparison {
    let mut comparison = Comparison::default();
    for (arg, (a, b)) in kernel.args.iter().zip(candidate.args.iter().zip(&reference.args)) {
        let element = output_element(&arg.kind);
        if a == b {
            continue;
        }
        for index in 0..a.len().max(b.len()) / element.size() {
            let held = |bytes: &[u8]| {
                let inside = (index + 1) * element.size() <= bytes.len();
                inside.then(|| element.bits(bytes, index))
            };
            comparison.element(kernel.compare, &arg.name, index, element, [held(a), held(b)]);
        }
    }
    if let (Some(a), Some(b), Some(element)) = (candidate.result, reference.result, kernel.returns) {
        comparison.element(kernel.compare, RESULT, 0, element, [Some(a), Some(b)]);
    }
    comparison
}

impl Comparison {
    fn element(
        &mut self,
        compare: Compare,
        argument: &str,
        index: usize,
        element: Element,
        [candidate, reference]: [Option<u64>; 2],
    ) {
        if candidate == reference {
            return;
        }
        let distance = match (candidate, reference) {
            (Some(a), Some(b)) => Distance::of(element, a, b),
            _ => Distance::INFINITE,
        };
        let size = compare.deviation(element, distance);
        let fails = size > compare.most();
        let largest = self.worst.as_ref().is_none_or(|worst| size > worst.size);
        if !largest && (!fails || self.first.is_some()) {
            return;
        }
        let difference = Difference {
            argument: argument.to_owned(),
            index,
            element,
            candidate,
            reference,
            distance,
        };
        if fails && self.first.is_none() {
            self.first = Some(difference.clone());
        }
        if largest {
            self.worst = Some(Box::new(Deviation { size, difference }));
        }
    }
}

impl Compare {
    /// The deviation of values that are not equal in every bit, as in [`Deviation::size`]. If there are
    /// several tolerances, the smallest multiple counts.
    fn deviation(self, element: Element, distance: Distance) -> f64 {
        if self.is_bits() {
            return distance.ulp.map_or(distance.absolute, |ulp| ulp as f64).max(1.0);
        }
        let share = |error: f64, tolerance: f64| match error == 0.0 {
            true => 0.0,
            false => error / tolerance,
        };
        let ulp = self
            .ulp
            .zip(distance.ulp)
            .map(|(most, ulp)| share(ulp as f64, most as f64));
        let relative = self.relative.map(|most| share(distance.relative, most));
        let absolute = self.absolute.map(|most| share(distance.absolute, most));
        let shares = match element.is_float() {
            true => [ulp, relative, absolute],
            false => [None, None, absolute],
        };
        shares.into_iter().flatten().fold(f64::INFINITY, f64::min)
    }

    /// Returns the largest deviation that passes, in the units of [`Deviation::size`].
    fn most(self) -> f64 {
        if self.is_bits() { 0.0 } else { 1.0 }
    }
}

impl Distance {
    const INFINITE: Distance = Distance {
        ulp: None,
        relative: f64::INFINITY,
        absolute: f64::INFINITY,
    };

    fn of(element: Element, a: u64, b: u64) -> Distance {
        let (x, y) = (element.number(a), element.number(b));
        if x.is_nan() && y.is_nan() {
            // The numbers are equal, but their bits differ.
            return Distance {
                ulp: Some(0),
                relative: 0.0,
                absolute: 0.0,
            };
        }
        if x.is_nan() || y.is_nan() {
            return Distance::INFINITE;
        }
        let absolute = if x == y { 0.0 } else { (x - y).abs() };
        Distance {
            ulp: ulps(element, a, b),
            relative: if absolute == 0.0 { 0.0 } else { absolute / y.abs() },
            absolute,
        }
    }
}

/// Number of steps between two floats in the order of representable numbers; both zeros are the same number.
fn ulps(element: Element, a: u64, b: u64) -> Option<u64> {
    let in_order = |bits: u64, sign: u64| {
        let magnitude = (bits & (sign - 1)) as i64;
        if bits & sign == 0 { magnitude } else { -magnitude }
    };
    let sign = match element {
        Element::F32 => 1 << 31,
        Element::F64 => 1 << 63,
        _ => return None,
    };
    Some(in_order(a, sign).abs_diff(in_order(b, sign)))
}

#[cfg(test)]
mod tests {
    use super::{Compare, Distance};
    use crate::Element;

    fn equal(element: Element, a: u64, b: u64, compare: Compare) -> bool {
        a == b || compare.deviation(element, Distance::of(element, a, b)) <= compare.most()
    }

    const BITS: Compare = Compare {
        ulp: None,
        relative: None,
        absolute: None,
    };

    #[test]
    fn ulps() {
        let f = |x: f32| u64::from(x.to_bits());
        let two = Compare { ulp: Some(2), ..BITS };
        assert!(
            equal(Element::F32, f(1.0), f(1.0) + 2, two) && !equal(Element::F32, f(1.0), f(1.0) + 3, two)
        );
        assert!(equal(Element::F32, f(-0.0), 1, two), "one step from zero");
        assert!(equal(Element::F32, 1, 0x8000_0001, two) && !equal(Element::F32, 1, 0x8000_0002, two));
        assert!(equal(Element::F32, 0x7F80_0001, 0x7FC0_0000, two), "NaN is NaN");
        assert!(!equal(Element::F32, 0x7F80_0001, f(1.0), two) && !equal(Element::U32, 1, 2, two));
        assert!(
            !equal(Element::F32, 0, 0x8000_0000, BITS),
            "the zeros differ in bits"
        );
        let none = Compare { ulp: Some(0), ..BITS };
        assert!(equal(Element::F32, 0, 0x8000_0000, none) && !equal(Element::F32, 0, 1, none));
        assert!(equal(Element::F64, 1.0f64.to_bits(), 1.0f64.to_bits() + 2, two));
        assert!(!equal(Element::F64, 1.0f64.to_bits(), 1.0f64.to_bits() + 3, two));
    }

    /// An element passes if it is within any of the tolerances.
    #[test]
    fn tolerances_combine() {
        let f = |x: f32| u64::from(x.to_bits());
        let relative = Compare {
            relative: Some(1e-3),
            ..BITS
        };
        let absolute = Compare {
            absolute: Some(0.5),
            ..BITS
        };
        let both = Compare {
            relative: Some(1e-3),
            absolute: Some(0.5),
            ..BITS
        };
        for (a, b, [r, abs]) in [
            (1000.0, 1000.9, [true, false]),
            (0.1, 0.4, [false, true]),
            (0.0, 0.4, [false, true]),
            (10.0, 20.0, [false, false]),
            (1.0, f32::NAN, [false, false]),
            (1.0, f32::INFINITY, [false, false]),
            (f32::INFINITY, 1.0, [false, false]),
        ] {
            let passes = |compare| equal(Element::F32, f(a), f(b), compare);
            assert_eq!(
                [relative, absolute, both].map(passes),
                [r, abs, r || abs],
                "{a} {b}"
            );
        }
        let integers = |compare| equal(Element::I16, 0xFFFF, 0, compare);
        assert!(
            integers(Compare {
                absolute: Some(1.0),
                ..BITS
            }),
            "-1 and 0"
        );
        assert!(!integers(Compare {
            relative: Some(10.0),
            ulp: Some(10),
            ..BITS
        }));
    }
}
