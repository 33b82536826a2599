//! Shrinks a failing case to the smallest and simplest case that still fails.

use super::case::{Input, UserCase};
use super::generate::Values;
use super::spec::{ArgKind, UserKernel};
use crate::{Element, Garbage};

/// Maximum cost of shrinking, in calls with small buffers.
const BUDGET: u64 = 3000;
/// Bytes of buffers that cost as much as one call.
const BYTES_PER_CALL: u64 = 16 << 10;
/// Instructions that cost as much as one call.
const INSTRUCTIONS_PER_CALL: u64 = 20_000;
/// Number of smallest values of a range that are tried one by one. Larger values are found by bisection.
const FROM_BELOW: i64 = 64;

/// The result of a case: failed or not, and the cost of its call.
pub(crate) struct Trial {
    pub(crate) fails: bool,
    pub(crate) instructions: u64,
}

/// Removes aliasing, clears registers, reduces values and with them buffer sizes, then sets elements to 0 or
/// 1. Keeps a change if `run` reports that the case still fails.
pub(crate) fn shrink(kernel: &UserKernel, case: UserCase, run: impl FnMut(&UserCase) -> Trial) -> UserCase {
    let mut state = Shrinker {
        kernel,
        case,
        run,
        left: BUDGET,
    };
    state.remove_aliasing();
    state.registers();
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

fn bytes(case: &UserCase) -> u64 {
    let buffers = case.args.iter().map(|input| match input {
        Input::Buffer { bytes, .. } => bytes.len() as u64,
        _ => 0,
    });
    buffers.sum()
}

struct Shrinker<'a, F> {
    kernel: &'a UserKernel,
    case: UserCase,
    run: F,
    left: u64,
}

impl<F: FnMut(&UserCase) -> Trial> Shrinker<'_, F> {
    /// Replaces the case by `candidate` if it still fails.
    fn accept(&mut self, candidate: UserCase) -> bool {
        if self.left == 0 || candidate == self.case {
            return false;
        }
        let trial = (self.run)(&candidate);
        let cost = 1 + bytes(&candidate) / BYTES_PER_CALL + trial.instructions / INSTRUCTIONS_PER_CALL;
        self.left = self.left.saturating_sub(cost);
        if trial.fails {
            self.case = candidate;
        }
        trial.fails
    }

    /// Removes aliasing and puts every buffer at a multiple of 32.
    fn remove_aliasing(&mut self) {
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

    /// Sets ever shorter runs of registers to 0, then clears as many bits as possible of each remaining
    /// register.
    fn registers(&mut self) {
        let mut run = Garbage::WORDS;
        while run > 0 {
            for start in (0..Garbage::WORDS).step_by(run) {
                let mut candidate = self.case.clone();
                candidate.garbage.0[start..start + run].fill(0);
                self.accept(candidate);
            }
            run /= 2;
        }
        for index in 0..Garbage::WORDS {
            for bit in (0..u32::BITS).rev() {
                let mut candidate = self.case.clone();
                candidate.garbage.0[index] &= !(1 << bit);
                self.accept(candidate);
            }
        }
    }

    /// Reduces an integer with a range to its smallest failing value. Sets any other argument to 0 or 1.
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
        let now = (element.integer(bits) - low) / step;
        // In a range that begins below 0, the simplest value is the one closest to 0.
        let zero = (-low).div_euclid(*step).clamp(0, now);
        if zero > 0 && (zero == now || self.set_value(index, low + zero * step)) {
            return;
        }
        let below = (0..now.min(FROM_BELOW)).any(|steps| self.set_value(index, low + steps * step));
        if !below {
            self.halve(index, *low, *step, now);
        }
    }

    /// Finds by bisection the least number of steps above `low` that fails. The caller has found that `now`
    /// fails and that the first [`FROM_BELOW`] values pass.
    fn halve(&mut self, index: usize, low: i64, step: i64, now: i64) {
        let (mut least, mut fails_at) = (FROM_BELOW, now);
        while least < fails_at {
            let middle = least + (fails_at - least) / 2;
            match self.set_value(index, low + middle * step) {
                true => fails_at = middle,
                false => least = middle + 1,
            }
        }
    }

    /// Tries all variants of the case that have `value`, and keeps the first one that fails.
    fn set_value(&mut self, index: usize, value: i64) -> bool {
        let candidates = self.case.with_value(self.kernel, index, value);
        candidates.into_iter().any(|candidate| self.accept(candidate))
    }

    /// The element type of a filled buffer.
    fn element(&self, index: usize) -> Option<Element> {
        match &self.kernel.args[index].kind {
            ArgKind::Buffer(buffer) if buffer.values.is_some() => Some(buffer.element),
            ArgKind::Xmtrx { values: Some(_), .. } => Some(Element::F32),
            _ => None,
        }
    }

    fn is_text(&self, index: usize) -> bool {
        matches!(&self.kernel.args[index].kind, ArgKind::Buffer(b) if b.values == Some(Values::Text))
    }

    /// Sets ever shorter runs of elements to 0. Then sets each remaining element to 1, or to `a` in a string.
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
        let one = if self.is_text(index) {
            b'a'.into()
        } else {
            plain(element)[1]
        };
        for at in 0..count {
            let zero =
                matches!(&self.case.args[index], Input::Buffer { bytes, .. } if element.bits(bytes, at) == 0);
            if !zero {
                self.set(index, element, at..at + 1, one);
            }
        }
    }

    /// Moves the first element that is not 0 to the front, so that a smaller count still includes it.
    fn bring_forward(&mut self, index: usize, element: Element) {
        let mut candidate = self.case.clone();
        let Input::Buffer { bytes, .. } = &mut candidate.args[index] else {
            return;
        };
        let count = bytes.len() / element.size();
        if let Some(first) = (0..count).find(|at| element.bits(bytes, *at) != 0) {
            bytes.rotate_left(first * element.size());
            candidate.terminate_strings(self.kernel);
            self.accept(candidate);
        }
    }

    fn set(&mut self, index: usize, element: Element, range: std::ops::Range<usize>, bits: u64) {
        let holds = |at| {
            let arg = &self.case.args[index];
            matches!(arg, Input::Buffer { bytes, .. } if element.bits(bytes, at) == bits)
        };
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
