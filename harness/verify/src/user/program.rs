//! The functions of a program that a specification names.

use machine::Symbols;

use super::debug_info::DebugInfo;
use super::fpscr::{EntryFpscr, at_entry};
use super::run::{Function, MAX_INSTRUCTIONS};
use super::spec::{Against, UserKernel};
use crate::did_you_mean_symbol;

/// One of the two functions that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Candidate,
    Reference,
}

/// Returns the function of a role at `entry`. If the specification gives no FPSCR, also returns the reason
/// for the chosen value.
pub(crate) fn function(
    kernel: &UserKernel,
    role: Role,
    entry: u32,
    debug: Option<&DebugInfo<'_>>,
) -> (Function, Option<String>) {
    let (given, fpscr_key, symbol) = match (role, &kernel.against) {
        (Role::Reference, Against::Symbol(symbol)) => {
            ([kernel.against_fpscr, kernel.fpscr], "against_fpscr", symbol)
        }
        _ => ([kernel.fpscr, None], "fpscr", &kernel.call),
    };
    let EntryFpscr { value, reason } = at_entry(given, entry, symbol, debug);
    let function = Function {
        role,
        entry,
        fpscr: value,
        fpscr_key,
        limit: kernel.limit.unwrap_or(MAX_INSTRUCTIONS),
    };
    (function, reason)
}

/// The message for a symbol that the program does not have.
pub(crate) fn no_symbol(symbols: &Symbols, name: &str) -> String {
    format!(
        "no symbol `{name}` in the program{}",
        did_you_mean_symbol(name, symbols)
    )
}
