//! From a failing case to the smallest and plainest that still fails.

use super::case::{Input, UserCase};
use super::generate::Values;
use super::spec::{ArgKind, UserKernel};
use crate::Element;

/// Calls that shrinking may make, with buffers of no size.
const BUDGET: usize = 3000;

/// Bytes of buffers that cost as much as another call: large cases shrink by fewer steps, but in seconds.
const BYTES_PER_CALL: usize = 16 << 10;

/// Makes counts smaller, then sets elements to 0 or 1, as long as `fails` holds.
pub(crate) fn shrink(kernel: &UserKernel, case: UserCase, fails: impl FnMut(&UserCase) -> bool) -> UserCase {
    let mut state = Shrinker {
        kernel,
        case,
        fails,
        left: BUDGET,
    };
    state.plain_places();
    loop {
        let before = state.case.clone();
        for index in 0..kernel.args.len() {
            if let ArgKind::Value { element, values } = &kernel.args[index].kind {
                state.value(index, *element, values);
            }
        }
        for index in 0..kernel.args.len() {
            if let Some(element) = state.element(index) {
                state.elements(index, element);
                state.bring_forward(index, element);
            }
        }
        if state.case == before || state.left == 0 {
            return state.case;
        }
    }
}

fn bytes(case: &UserCase) -> usize {
    let buffers = case.args.iter().map(|input| match input {
        Input::Buffer { bytes, .. } => bytes.len(),
        _ => 0,
    });
    buffers.sum()
}

struct Shrinker<'a, F> {
    kernel: &'a UserKernel,
    case: UserCase,
    fails: F,
    left: usize,
}

impl<F: FnMut(&UserCase) -> bool> Shrinker<'_, F> {
    /// Takes `candidate` if it still fails.
    fn accept(&mut self, candidate: UserCase) -> bool {
        if self.left == 0 || candidate == self.case {
            return false;
        }
        self.left = self.left.saturating_sub(1 + bytes(&candidate) / BYTES_PER_CALL);
        let accepted = (self.fails)(&candidate);
        if accepted {
            self.case = candidate;
        }
        accepted
    }

    /// No aliasing, and every buffer at a multiple of 32.
    fn plain_places(&mut self) {
        let mut candidate = self.case.clone();
        candidate.aliased = None;
        self.accept(candidate);
        let mut candidate = self.case.clone();
        for input in &mut candidate.args {
            if let Input::Buffer { skew, .. } = input {
                *skew = 0;
            }
        }
        self.accept(candidate);
    }

    /// The smallest of an integer's range that fails; other values become 0 or 1.
    fn value(&mut self, index: usize, element: Element, values: &Values) {
        let Input::Value(bits) = self.case.args[index] else {
            return;
        };
        let Values::Integers(low, _, step) = values else {
            for plain in plain(element) {
                let mut candidate = self.case.clone();
                candidate.args[index] = Input::Value(plain);
                if self.accept(candidate) {
                    return;
                }
            }
            return;
        };
        // In steps above the lowest.
        let (mut least, mut fails_at) = (0, (element.integer(bits) - low) / step);
        while least < fails_at {
            let middle = least + (fails_at - least) / 2;
            let candidate = self.case.with_value(self.kernel, index, low + middle * step);
            match candidate.is_some_and(|c| self.accept(c)) {
                true => fails_at = middle,
                false => least = middle + 1,
            }
        }
    }

    /// The element type of a filled buffer.
    fn element(&self, index: usize) -> Option<Element> {
        match &self.kernel.args[index].kind {
            ArgKind::Buffer(buffer) if buffer.values.is_some() => Some(buffer.element),
            ArgKind::Xmtrx { values: Some(_), .. } => Some(Element::F32),
            _ => None,
        }
    }

    /// Runs of elements become 0, halved again and again; then single ones 1.
    fn elements(&mut self, index: usize, element: Element) {
        let count = match &self.case.args[index] {
            Input::Buffer { bytes, .. } => bytes.len() / element.size(),
            _ => return,
        };
        let mut run = count;
        while run > 0 {
            for start in (0..count).step_by(run) {
                self.set(index, element, start..(start + run).min(count), 0);
            }
            run /= 2;
        }
        for at in 0..count {
            let one = plain(element)[1];
            let zero =
                matches!(&self.case.args[index], Input::Buffer { bytes, .. } if element.bits(bytes, at) == 0);
            if !zero {
                self.set(index, element, at..at + 1, one);
            }
        }
    }

    /// The first element that is not 0 comes first, so that a smaller count still holds it.
    fn bring_forward(&mut self, index: usize, element: Element) {
        let mut candidate = self.case.clone();
        let Input::Buffer { bytes, .. } = &mut candidate.args[index] else {
            return;
        };
        let count = bytes.len() / element.size();
        if let Some(first) = (0..count).find(|at| element.bits(bytes, *at) != 0) {
            bytes.rotate_left(first * element.size());
            self.accept(candidate);
        }
    }

    fn set(&mut self, index: usize, element: Element, range: std::ops::Range<usize>, bits: u64) {
        let holds = |at| matches!(&self.case.args[index], Input::Buffer { bytes, .. } if element.bits(bytes, at) == bits);
        if self.left == 0 || range.clone().all(holds) {
            return;
        }
        let mut candidate = self.case.clone();
        if let Input::Buffer { bytes, .. } = &mut candidate.args[index] {
            for at in range {
                let size = element.size();
                bytes[at * size..][..size].copy_from_slice(&bits.to_le_bytes()[..size]);
            }
        }
        self.accept(candidate);
    }
}

/// Zero and one.
fn plain(element: Element) -> [u64; 2] {
    match element {
        Element::F32 => [0, 1.0f32.to_bits().into()],
        Element::F64 => [0, 1.0f64.to_bits()],
        _ => [0, 1],
    }
}
