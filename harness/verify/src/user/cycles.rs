//! Cycles of a user's kernel: the measured case and its limit.

use super::case::UserCase;
use super::run::{Failure, Function, prepared};
use super::spec::{Counts, UserKernel};
use crate::{Caches, Processor};

/// The case that is measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CycleCheck {
    pub(crate) caches: Caches,
    /// Values by name; those of the others come from the seed.
    pub(crate) at: Counts,
    pub(crate) seed: u64,
    /// The most that the candidate may take.
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
    /// The values that were asked for, as `n = 256`; empty without any.
    pub at: String,
    /// The candidate.
    pub candidate: u64,
    /// The reference, if it is a symbol.
    pub reference: Option<u64>,
    /// The most that the candidate may take, if there is a limit.
    pub max: Option<u64>,
}

impl UserCycles {
    /// Whether the limit is kept.
    #[must_use]
    pub fn kept(&self) -> bool {
        self.max.is_none_or(|max| self.candidate <= max)
    }
}

/// The cycles of both functions; nothing on a processor without a model of time.
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
