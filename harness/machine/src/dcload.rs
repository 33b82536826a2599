//! dcload: the calls by which a program on the console reaches the host it was sent from.
//!
//! The word at 8C004004 marks that dcload is present. The next word holds the address to call, with the
//! call's number in R4 and its parameters in R5 to R7; R0 is the result (docs/hardware/sh4.md, "State at the
//! start of a program"). This module serves console output, exit, and the request for working memory. All
//! other calls fail with -1, as dcload's own do for files that do not exist.

use crate::{Machine, MemoryError};

/// Holds DEADBEEF if dcload is present.
const MAGIC: u32 = 0x8C00_4004;
/// The address to call.
const POINTER: u32 = 0x8C00_4008;
/// The address that the word at 8C004008 holds. The run has to end before it, and the caller then calls
/// [`serve`].
pub const ENTRY: u32 = 0x8C00_4010;
/// Where a program's entry function returns to: SLEEP.
const RETURN: u32 = 0x8C00_4020;
/// More than this is not written at once.
const WRITE_LIMIT: u32 = 1 << 20;
const FAILED: u32 = u32::MAX;

/// A program's request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// Bytes for the console.
    Console(Vec<u8>),
    /// The end, with main's result.
    Exit(u32),
    /// Nothing that the host has to do.
    Done,
    /// A call that is not served; it has failed.
    Unserved(u32),
}

/// Makes dcload's presence known, and lets the program's entry return to a SLEEP.
///
/// # Errors
/// Not with the console's RAM.
pub fn install(machine: &mut Machine) -> Result<(), MemoryError> {
    let memory = machine.memory_mut();
    memory.write(MAGIC, &0xDEAD_BEEF_u32.to_le_bytes())?;
    memory.write(POINTER, &ENTRY.to_le_bytes())?;
    memory.write(RETURN, &0x001B_u16.to_le_bytes())?;
    machine.cpu.pr = RETURN;
    Ok(())
}

/// Serves the call of a program whose program counter is [`ENTRY`], and returns to it.
pub fn serve(machine: &mut Machine) -> Call {
    let [number, file, buffer, size] = [4, 5, 6, 7].map(|n| machine.cpu.r[n]);
    let (result, call) = match number {
        1 if matches!(file, 1 | 2) => match machine.memory().read(buffer, size.min(WRITE_LIMIT)) {
            Ok(bytes) => (bytes.len() as u32, Call::Console(bytes.to_vec())),
            Err(_) => (FAILED, Call::Done),
        },
        // -1 is dcload-ip: with a buffer, as dcload-serial has it, programs do not use it for output.
        14 => (FAILED, Call::Done),
        15 => (0, Call::Exit(file)),
        _ => (FAILED, Call::Unserved(number)),
    };
    machine.cpu.r[0] = result;
    machine.cpu.pc = machine.cpu.pr;
    call
}
