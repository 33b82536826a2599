//! The end of a run.

use arm7::armv3::Refusal;
use std::fmt;

/// The reason why a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The program reached the end address.
    Until,
    /// The program reached the limit of instructions.
    Limit,
    /// A branch to itself: the program waits for an interrupt, which this machine does not have.
    Idle,
    /// An instruction that the chip does not have, or that has no defined result.
    Refused(u32, Refusal),
    /// An access to an unmapped address.
    Fault {
        /// `read`, `write` or `fetch`.
        what: &'static str,
        /// Address of the access.
        address: u32,
        /// Bytes.
        size: u32,
    },
    /// SWI; a standalone program has no handler.
    SoftwareInterrupt,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Until => f.write_str("reached its end"),
            Stop::Limit => f.write_str("instruction limit"),
            Stop::Idle => f.write_str("a branch to itself"),
            Stop::Refused(opcode, refusal) => write!(f, "instruction {opcode:08x}: {refusal}"),
            Stop::Fault { what, address, size } => {
                write!(f, "{what} of {size} bytes at {address:08x}, which is not mapped")
            }
            Stop::SoftwareInterrupt => f.write_str("software interrupt without a handler"),
        }
    }
}

impl Stop {
    /// An access to an unmapped address.
    pub(crate) fn unmapped(what: &'static str, address: u32, size: u32) -> Self {
        Stop::Fault { what, address, size }
    }
}
