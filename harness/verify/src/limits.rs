//! Limits on the size of files, programs and requests.

/// Total bytes of all buffers of a case.
pub(crate) const CASE_BYTES: u64 = 8 << 20;
/// Numbers, names, operators and parentheses of an element count such as `4*n`. Counts written by hand have
/// fewer than 20.
pub(crate) const TOKENS: usize = 1000;
/// Arguments of a routine. The ABI passes four in registers.
pub(crate) const ARGUMENTS: usize = 64;
/// Largest default limit of instructions, for specifications without a limit.
pub(crate) const INSTRUCTIONS: u64 = 50_000_000;

/// Limited quantities and their maximum.
pub const LIMITS: &[(&str, u64)] = &[
    ("bytes of all buffers of a case", CASE_BYTES),
    ("numbers, names and operators of a count", TOKENS as u64),
    ("arguments of a routine", ARGUMENTS as u64),
    (
        "instructions of a call of a routine, where the specification has no limit",
        INSTRUCTIONS,
    ),
];
