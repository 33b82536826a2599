//! Cycles of a user's kernel: the measured case and its limit.

use super::case::UserCase;
use super::run::{Failure, Function, prepared};
use super::spec::{Counts, UserKernel};
use crate::{Caches, Processor};

/// The measured case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CycleCheck {
    pub(crate) caches: Caches,
    /// Argument values by name. The seed determines all others.
    pub(crate) at: Counts,
    pub(crate) seed: u64,
    /// Limit for the candidate.
    pub(crate) max: Option<u64>,
}

impl Default for CycleCheck {
    fn default() -> Self {
        CycleCheck {
            caches: Caches::default(),
            at: Counts::new(),
            seed: 1,
            max: None,
        }
    }
}

/// Cycles of one case on both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserCycles {
    /// The caches at the start.
    pub caches: Caches,
    /// Argument values from the specification, such as `n = 256`; empty if it has none.
    pub at: String,
    /// The candidate.
    pub candidate: u64,
    /// The reference, if it is a symbol.
    pub reference: Option<u64>,
    /// Limit for the candidate, if the specification has one.
    pub max: Option<u64>,
}

impl UserCycles {
    /// Returns true if the candidate is within the limit.
    #[must_use]
    pub fn within_limit(&self) -> bool {
        self.max.is_none_or(|max| self.candidate <= max)
    }
}

/// Returns the cycles of both functions; `None` on a processor without a model of time.
pub(crate) fn measure(
    processor: &mut dyn Processor,
    candidate: Function,
    reference: Option<Function>,
    kernel: &UserKernel,
) -> Result<Option<UserCycles>, String> {
    let check = &kernel.cycles;
    let case = UserCase::generate_at(kernel, check.seed, &check.at)?;
    let mut cycles = |function| {
        let run = |processor: &mut dyn Processor| -> Result<Option<u64>, Failure> {
            prepared(processor, function, kernel, &case, |processor, call, _| {
                let failure = |failure: crate::CallFailure| Failure::Call(failure.to_string());
                processor.cycles(call, check.caches).map_err(failure)
            })
        };
        run(processor).map_err(|failure| failure.to_string())
    };
    let Some(candidate) = cycles(candidate)? else {
        return Ok(None);
    };
    let reference = reference.map(cycles).transpose()?.flatten();
    let at: Vec<String> = check
        .at
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    Ok(Some(UserCycles {
        caches: check.caches,
        at: at.join(", "),
        candidate,
        reference,
        max: check.max,
    }))
}
