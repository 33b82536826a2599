//! Runs one call of a specification's kernel with an observer.

use machine::{Image, Machine, Observer};

use super::case::UserCase;
use super::debug_info::DebugInfo;
use super::program::{Role, function, no_symbol};
use super::run::{Failure, Function, prepared};
use super::spec::{Against, Counts, Spec, SpecError, UserKernel};
use super::verifier::SetupError;
use crate::{OpenError, Processor, Sh4, did_you_mean};

/// A call on the SH4 with the arguments of a generated case.
#[derive(Debug)]
pub struct UserCall {
    sh4: Sh4,
    kernel: UserKernel,
    function: Function,
    case: UserCase,
}

impl UserCall {
    /// Prepares a call of the kernel `name` in `spec`, or of its reference. The kernel's `cycles` key defines
    /// the case; `seed` overrides the seed of the case.
    ///
    /// # Errors
    /// If there is no such kernel, the program lacks the symbol or cannot be loaded, or the sizes of the case
    /// are not valid.
    pub fn new(
        elf: &[u8],
        spec: &Spec,
        name: &str,
        reference: bool,
        seed: Option<u64>,
    ) -> Result<UserCall, SetupError> {
        let fail = |line, message| SpecError {
            file: spec.file.clone(),
            line,
            message,
        };
        let kernel = spec
            .kernels
            .iter()
            .find(|kernel| kernel.name == name)
            .ok_or_else(|| {
                let known: Vec<&str> = spec.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
                let hint = did_you_mean(name, known.iter().copied()).unwrap_or_default();
                fail(
                    1,
                    format!("no kernel `{name}`{hint}; there are {}", known.join(", ")),
                )
            })?;
        let (symbol, line) = match (reference, &kernel.against) {
            (false, _) => (&kernel.call, kernel.lines[0]),
            (true, Against::Symbol(symbol)) => (symbol, kernel.lines[1]),
            (true, Against::Builtin(_)) => {
                let message = "a built-in reference is not SH4 code: it has no cycles".to_owned();
                return Err(fail(kernel.lines[1], message).into());
            }
        };
        let sh4 = Sh4::new(Image::parse(elf).map_err(OpenError::from)?)?;
        let entry = sh4.symbols().address(symbol);
        let entry = entry.ok_or_else(|| fail(line, no_symbol(sh4.symbols(), symbol)))?;
        let case = case(kernel, seed).map_err(|why| fail(kernel.lines[0], why))?;
        let debug = DebugInfo::of(elf);
        let side = if reference {
            Role::Reference
        } else {
            Role::Candidate
        };
        Ok(UserCall {
            function: function(kernel, side, entry, debug.as_ref()).0,
            sh4,
            case,
            kernel: kernel.clone(),
        })
    }

    /// The machine that runs the call.
    pub fn machine_mut(&mut self) -> &mut Machine {
        self.sh4.machine_mut()
    }

    /// Runs the call and passes every instruction to `observer`.
    ///
    /// # Errors
    /// If the function does not return, or changes a register that it must preserve.
    pub fn run<O: Observer>(&mut self, observer: &mut O) -> Result<(), Failure> {
        let (function, kernel) = (self.function, &self.kernel);
        prepared(
            &mut self.sh4,
            function,
            kernel,
            &self.case,
            |sh4, call, placed| {
                let called = sh4.call_hooked(call, observer);
                called.map_err(|failure| Failure::of(failure, function, kernel, placed))
            },
        )?;
        Ok(())
    }
}

fn case(kernel: &UserKernel, seed: Option<u64>) -> Result<UserCase, String> {
    let at: &Counts = &kernel.cycles.at;
    UserCase::generate_at(kernel, seed.unwrap_or(kernel.cycles.seed), at)
}
