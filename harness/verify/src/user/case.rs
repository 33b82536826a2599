//! The inputs of one call.

use crate::limits::CASE_BYTES as MAX_BYTES;
use std::collections::BTreeMap;

use sh4_kernels::Rng;

use super::generate::Values;
use super::spec::{ArgKind, Counts, UserKernel};
use crate::{Element, Garbage};

/// Makes the seeds of registers differ from the seeds of arguments.
const GARBAGE: u64 = 0x0BAD_C0DE;

/// The arguments of one call, in the order of the prototype.
#[derive(Clone, Debug, PartialEq)]
pub struct UserCase {
    /// The seed of the case.
    pub seed: u64,
    /// Contents at entry of the registers without an argument.
    pub(crate) garbage: Garbage,
    pub(crate) args: Vec<Input>,
    /// The pair of arguments that have the same address.
    pub(crate) aliased: Option<(usize, usize)>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Input {
    Value(u64),
    Buffer {
        /// Contents at entry.
        bytes: Vec<u8>,
        /// The address is this many bytes above a multiple of 32.
        skew: u32,
    },
    TileAccelerator,
}

impl UserCase {
    /// Returns the case of `seed`. Fails with a reason if the sizes of its buffers are not valid.
    pub(crate) fn generate(kernel: &UserKernel, seed: u64) -> Result<Self, String> {
        Self::generate_at(kernel, seed, &Counts::new())
    }

    /// Returns the case of `seed`, with the values in `at` instead of generated ones.
    pub(crate) fn generate_at(kernel: &UserKernel, seed: u64, at: &Counts) -> Result<Self, String> {
        let mut rng = Rng::new(seed);
        let mut values: Vec<Option<u64>> = Vec::new();
        let mut counts = Counts::new();
        for (index, arg) in kernel.args.iter().enumerate() {
            let ArgKind::Value {
                element,
                values: from,
            } = &arg.kind
            else {
                values.push(None);
                continue;
            };
            let generated = element.bits(&from.fill(*element, 1, &mut rng), 0);
            let given = at.get(&arg.name).map(|value| *value as u64 & mask(kernel, index));
            let bits = given.unwrap_or(generated);
            values.push(Some(bits));
            counts.insert(arg.name.clone(), element.integer(bits));
        }
        let sizes = sizes(kernel, &counts)?;
        let mut args = Vec::new();
        for ((arg, value), size) in kernel.args.iter().zip(values).zip(sizes) {
            args.push(match (&arg.kind, value) {
                (ArgKind::Buffer(buffer), _) => {
                    let count = size / buffer.element.size();
                    let bytes = match &buffer.values {
                        Some(values) => values.fill(buffer.element, count, &mut rng),
                        None => (0..size).map(|_| rng.word() as u8).collect(),
                    };
                    let steps = (32 / buffer.align).max(1);
                    Input::Buffer {
                        bytes,
                        skew: buffer.align * rng.below(steps),
                    }
                }
                (ArgKind::Xmtrx { values, .. }, _) => {
                    let bytes = values
                        .as_ref()
                        .unwrap_or(&Values::Bits)
                        .fill(Element::F32, 16, &mut rng);
                    Input::Buffer { bytes, skew: 0 }
                }
                (_, Some(bits)) => Input::Value(bits),
                _ => Input::TileAccelerator,
            });
        }
        let mut case = UserCase {
            seed,
            garbage: Garbage::of(seed ^ GARBAGE),
            args,
            aliased: None,
        };
        // If the specification allows it, an output of one case in four has the address of an input.
        if !kernel.alias.is_empty() && rng.below(4) == 0 {
            let pair = kernel.alias[rng.below(kernel.alias.len() as u32) as usize];
            case.alias(pair);
        }
        Ok(case)
    }

    /// Puts the output at the address of the input, if their sizes are equal.
    fn alias(&mut self, (input, output): (usize, usize)) {
        let from = self.args[input].clone();
        if let (Input::Buffer { bytes: a, .. }, Input::Buffer { bytes: b, .. }) = (&from, &self.args[output])
            && a.len() == b.len()
        {
            self.args[output] = from;
            self.aliased = Some((input, output));
        }
    }

    /// The values by name.
    fn counts(&self, kernel: &UserKernel) -> Counts {
        let named = kernel.args.iter().zip(&self.args);
        let value = named.filter_map(|(arg, input)| match (&arg.kind, input) {
            (ArgKind::Value { element, .. }, Input::Value(bits)) => {
                Some((arg.name.clone(), element.integer(*bits)))
            }
            _ => None,
        });
        value.collect()
    }

    /// Returns variants of the case with argument `index` set to `value`. Every buffer has the first elements
    /// of its contents in the first variant, the last ones in the second, and newly generated contents in the
    /// third.
    pub(crate) fn with_value(&self, kernel: &UserKernel, index: usize, value: i64) -> Vec<Self> {
        let mut case = self.clone();
        case.args[index] = Input::Value(value as u64 & mask(kernel, index));
        let counts = case.counts(kernel);
        let Ok(sizes) = sizes(kernel, &counts) else {
            return Vec::new();
        };
        let cut = [false, true].map(|last| case.cut(kernel, &sizes, last));
        let other = Self::generate_at(kernel, self.seed, &counts)
            .ok()
            .map(|other| case.placed_as(other));
        cut.into_iter().chain([other]).flatten().collect()
    }

    /// The first or the last elements of every buffer; `None` if a buffer would become larger.
    fn cut(&self, kernel: &UserKernel, sizes: &[usize], last: bool) -> Option<Self> {
        let mut case = self.clone();
        for (input, size) in case.args.iter_mut().zip(sizes) {
            if let Input::Buffer { bytes, .. } = input {
                let surplus = bytes.len().checked_sub(*size)?;
                if last {
                    bytes.drain(..surplus);
                }
                bytes.truncate(*size);
            }
        }
        case.terminate_strings(kernel);
        Some(case)
    }

    /// The contents of `other` with the values and addresses of this case.
    fn placed_as(&self, mut other: Self) -> Self {
        other.aliased = self.aliased;
        other.garbage.clone_from(&self.garbage);
        for (from, to) in self.args.iter().zip(&mut other.args) {
            match (from, to) {
                (Input::Buffer { skew, .. }, Input::Buffer { skew: to, .. }) => *to = *skew,
                (Input::Value(bits), Input::Value(to)) => *to = *bits,
                _ => {}
            }
        }
        if let Some((input, output)) = self.aliased {
            other.args[output] = other.args[input].clone();
        }
        other
    }

    /// Ends every string inside its buffer.
    pub(crate) fn terminate_strings(&mut self, kernel: &UserKernel) {
        for (arg, input) in kernel.args.iter().zip(&mut self.args) {
            if let (ArgKind::Buffer(buffer), Input::Buffer { bytes, .. }) = (&arg.kind, input)
                && buffer.values == Some(Values::Text)
                && let Some(last) = bytes.last_mut()
            {
                *last = 0;
            }
        }
    }
}

fn mask(kernel: &UserKernel, index: usize) -> u64 {
    match &kernel.args[index].kind {
        ArgKind::Value { element, .. } if element.size() < 8 => (1 << (8 * element.size())) - 1,
        _ => u64::MAX,
    }
}

/// The size in bytes of every buffer; 0 for other arguments.
fn sizes(kernel: &UserKernel, counts: &BTreeMap<String, i64>) -> Result<Vec<usize>, String> {
    let mut total = 0;
    kernel
        .args
        .iter()
        .map(|arg| {
            let buffer = match &arg.kind {
                ArgKind::Buffer(buffer) => buffer,
                ArgKind::Xmtrx { .. } => return Ok(64),
                _ => return Ok(0),
            };
            let count = buffer
                .count
                .value(counts)
                .map_err(|why| format!("size of {}: {why}", arg.name))?;
            let bytes = count.saturating_mul(buffer.element.size() as u64);
            total = bytes.saturating_add(total);
            match total <= MAX_BYTES {
                true => Ok(bytes as usize),
                false => Err(format!(
                    "size of {}: the buffers take more than {MAX_BYTES} bytes",
                    arg.name
                )),
            }
        })
        .collect()
}
