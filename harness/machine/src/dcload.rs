//! dcload: calls from a program to the host that uploaded it.
//!
//! The word at 8C004004 shows that dcload is present. The next word is the address to call, with the call's
//! number in R4 and its parameters in R5 to R7; R0 is the result (docs/hardware/sh4.md, "State at the start
//! of a program"). This module serves console output, exit, and the request for working memory. All other
//! calls fail with -1, as on dcload for files that do not exist.

use crate::{Machine, MemoryError};

/// Address of the marker DEADBEEF.
const MAGIC: u32 = 0x8C00_4004;
/// Address of the word with the call address.
const POINTER: u32 = 0x8C00_4008;
/// Call address, stored at 8C004008. The run must stop before this address; the caller then calls [`serve`].
pub const ENTRY: u32 = 0x8C00_4010;
/// Return address of a program's entry function; contains SLEEP.
const RETURN: u32 = 0x8C00_4020;
/// R15 at a program's entry.
const STACK: u32 = 0x8C00_F400;
/// Maximum number of bytes written by one call.
const WRITE_LIMIT: u32 = 1 << 20;
const FAILED: u32 = u32::MAX;

/// A program's request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// Bytes for the console.
    Console(Vec<u8>),
    /// Exit, with the result of `main`.
    Exit(u32),
    /// A completed call without work for the host.
    Done,
    /// A call that is not supported; it has failed.
    Unserved(u32),
}

/// Stores dcload's marker and call address, and sets the program's stack. The program's entry function
/// returns to a SLEEP instruction.
///
/// # Errors
/// Never fails with the console's RAM.
pub fn install(machine: &mut Machine) -> Result<(), MemoryError> {
    let memory = machine.memory_mut();
    memory.write(MAGIC, &0xDEAD_BEEF_u32.to_le_bytes())?;
    memory.write(POINTER, &ENTRY.to_le_bytes())?;
    memory.write(RETURN, &0x001B_u16.to_le_bytes())?;
    machine.cpu.pr = RETURN;
    machine.cpu.r[15] = STACK;
    Ok(())
}

/// Serves the call of a program that has stopped at [`ENTRY`], and returns to its caller.
pub fn serve(machine: &mut Machine) -> Call {
    let [number, file, buffer, size] = [4, 5, 6, 7].map(|n| machine.cpu.r[n]);
    let (result, call) = match number {
        1 if matches!(file, 1 | 2) => match machine.memory().read(buffer, size.min(WRITE_LIMIT)) {
            Ok(bytes) => (bytes.len() as u32, Call::Console(bytes.to_vec())),
            Err(_) => (FAILED, Call::Done),
        },
        // The result -1 identifies dcload-ip. For any other result, programs assume dcload-serial and print
        // to the serial port themselves.
        14 => (FAILED, Call::Done),
        15 => (0, Call::Exit(file)),
        _ => (FAILED, Call::Unserved(number)),
    };
    machine.cpu.r[0] = result;
    machine.cpu.pc = machine.cpu.pr;
    call
}
