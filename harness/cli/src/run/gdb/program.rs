//! The program's path, its beginning and its memory map.

use super::debuggee::Debuggee;
use gdbstub::common::Pid;
use gdbstub::target::ext::exec_file::ExecFile;
use gdbstub::target::ext::extended_mode::{Args, AttachKind, ExtendedMode, ShouldTerminate};
use gdbstub::target::ext::memory_map::MemoryMap;
use gdbstub::target::{TargetError, TargetResult};

/// The program's number; there is one program.
const PID: Pid = Pid::MIN;

/// Start of the memory map: gdb accesses only addresses in the map.
const MEMORY_MAP: &str = "<?xml version=\"1.0\"?>\n\
    <!DOCTYPE memory-map PUBLIC \"+//IDN gnu.org//DTD GDB Memory Map V1.0//EN\" \
    \"http://sourceware.org/gdb/gdb-memory-map.dtd\">\n";

/// Areas with memory or registers: first address in P0 and bytes. Areas 2, 5 and 6 are empty.
const AREAS: [(u64, u32); 4] = [
    // ROM, flash, registers, sound memory; video memory.
    (0x0000_0000, 0x0800_0000),
    // RAM.
    (0x0C00_0000, 0x0400_0000),
    // The tile accelerator.
    (0x1000_0000, 0x0400_0000),
    // Half of the operand cache as RAM.
    (0x1C00_0000, 0x0400_0000),
];

/// Returns the areas in P0 to P3, then the store queues and the on-chip registers. Areas from 80000000 on are
/// also listed with sign-extended addresses: gdb treats registers as signed numbers, so `x/i $pc` requests a
/// 64-bit address.
fn memory_map() -> String {
    let windows = (0..7_u64).map(|window| window << 29);
    let everywhere = windows.flat_map(|window| AREAS.map(|(start, bytes)| (window | start, bytes)));
    let on_chip = [(0xE000_0000, 0x0400_0000), (0xF000_0000, 0x0FFF_FFFF)];
    let line = |(start, bytes): (u64, u32)| {
        let row = |start: u64| format!("<memory type=\"ram\" start=\"{start:#x}\" length=\"{bytes:#x}\"/>\n");
        match start >> 31 {
            0 => row(start),
            _ => row(start) + &row(start | 0xFFFF_FFFF_0000_0000),
        }
    };
    let lines: String = everywhere.chain(on_chip).map(line).collect();
    format!("{MEMORY_MAP}<memory-map>\n{lines}</memory-map>\n")
}

impl MemoryMap for Debuggee<'_> {
    fn memory_map_xml(&self, offset: u64, length: usize, buffer: &mut [u8]) -> TargetResult<usize, Self> {
        Ok(part(&memory_map(), offset, length, buffer))
    }
}

/// gdb's `run` begins the program again, from the state in which the debugger found it.
impl ExtendedMode for Debuggee<'_> {
    fn on_start(&mut self) -> Result<(), anyhow::Error> {
        self.extended = true;
        Ok(())
    }

    fn run(&mut self, _: Option<&[u8]>, _: Args<'_, '_>) -> TargetResult<Pid, Self> {
        self.begin_again();
        Ok(PID)
    }

    fn attach(&mut self, _: Pid) -> TargetResult<(), Self> {
        Err(TargetError::NonFatal)
    }

    fn query_if_attached(&mut self, _: Pid) -> TargetResult<AttachKind, Self> {
        Ok(match self.extended {
            true => AttachKind::Run,
            false => AttachKind::Attach,
        })
    }

    /// In extended mode gdb kills a program before it runs it again, so the session must continue.
    fn kill(&mut self, _: Option<Pid>) -> TargetResult<ShouldTerminate, Self> {
        Ok(match self.extended {
            true => ShouldTerminate::No,
            false => ShouldTerminate::Yes,
        })
    }

    fn restart(&mut self) -> Result<(), anyhow::Error> {
        self.begin_again();
        Ok(())
    }
}

/// The part of `text` that a debugger asks for.
fn part(text: &str, offset: u64, length: usize, buffer: &mut [u8]) -> usize {
    let begin = usize::try_from(offset).unwrap_or(usize::MAX).min(text.len());
    let rest = &text.as_bytes()[begin..];
    let count = rest.len().min(length).min(buffer.len());
    buffer[..count].copy_from_slice(&rest[..count]);
    count
}

impl ExecFile for Debuggee<'_> {
    fn get_exec_file(
        &self,
        _: Option<Pid>,
        offset: u64,
        length: usize,
        buffer: &mut [u8],
    ) -> TargetResult<usize, Self> {
        Ok(part(&self.program, offset, length, buffer))
    }
}
