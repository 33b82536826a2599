//! Finds elements of outputs that a function does not write.
//!
//! An `out` buffer holds garbage at entry. If a byte equals the garbage after the call, the function may have
//! written the same value by chance. A second call has every bit of the garbage inverted. If the byte equals
//! the garbage again, the function did not write it.

use super::case::{Input, UserCase};
use super::compare::output_element;
use super::run::Output;
use super::spec::{ArgKind, UserKernel};

/// The elements that one side did not write, by argument.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Unwritten {
    /// A flag for each element of an `out`; empty for other arguments.
    elements: Vec<Vec<bool>>,
}

impl Unwritten {
    /// Compares the outputs of a case and of the same case with inverted garbage.
    pub(crate) fn of(
        kernel: &UserKernel,
        [case, inverted]: [&UserCase; 2],
        [output, inverted_output]: [&Output; 2],
    ) -> Self {
        let argument = |index: usize| {
            let size = output_element(&kernel.args[index].kind).size();
            let once = kept(&case.args[index], &output.args[index]);
            let twice = kept(&inverted.args[index], &inverted_output.args[index]);
            let bytes: Vec<bool> = once.zip(twice).map(|(a, b)| a && b).collect();
            bytes
                .chunks_exact(size)
                .map(|bytes| bytes.iter().all(|kept| *kept))
                .collect()
        };
        let shared = case.aliased.map(|(_, output)| output);
        let garbage = |index: usize| is_garbage(&kernel.args[index].kind) && shared != Some(index);
        let elements = (0..kernel.args.len()).map(|index| match garbage(index) {
            true => argument(index),
            false => Vec::new(),
        });
        Unwritten {
            elements: elements.collect(),
        }
    }

    /// Returns true if element `index` of `argument` was not written.
    pub(crate) fn element(&self, argument: usize, index: usize) -> bool {
        self.elements
            .get(argument)
            .and_then(|e| e.get(index))
            .copied()
            .unwrap_or(false)
    }

    /// Returns true if `argument` is an output with elements.
    pub(crate) fn has(&self, argument: usize) -> bool {
        self.elements.get(argument).is_some_and(|e| !e.is_empty())
    }

    /// Returns true if `argument` has elements and none of them was written.
    pub(crate) fn all(&self, argument: usize) -> bool {
        self.elements
            .get(argument)
            .is_some_and(|e| !e.is_empty() && e.iter().all(|kept| *kept))
    }
}

fn kept(input: &Input, after: &[u8]) -> impl Iterator<Item = bool> {
    let before: &[u8] = match input {
        Input::Buffer { bytes, .. } => bytes,
        _ => &[],
    };
    before.iter().zip(after).map(|(before, after)| before == after)
}

/// Returns true if an argument is an output that holds garbage at entry.
pub(crate) fn is_garbage(kind: &ArgKind) -> bool {
    match kind {
        ArgKind::Buffer(buffer) => buffer.values.is_none(),
        ArgKind::Xmtrx { values, .. } => values.is_none(),
        _ => false,
    }
}

/// Returns the same case with every bit of the garbage inverted.
pub(crate) fn inverted(kernel: &UserKernel, case: &UserCase) -> UserCase {
    let mut inverted = case.clone();
    let shared = case.aliased.map(|(_, output)| output);
    for (index, (arg, input)) in kernel.args.iter().zip(&mut inverted.args).enumerate() {
        if let (true, Input::Buffer { bytes, .. }) = (is_garbage(&arg.kind) && shared != Some(index), input) {
            bytes.iter_mut().for_each(|byte| *byte = !*byte);
        }
    }
    inverted
}
