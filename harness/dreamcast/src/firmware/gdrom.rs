//! The GD-ROM calls (vector 8C0000BC), without a disc.

use super::{Served, dcload::Host};
use crate::system::System;
use sh4::Cpu;

/// Drive status: no disc.
const NO_DISC: u32 = 7;
/// Error word of a command without a disc.
const NOT_READY: u32 = 2;
/// The handle of every command.
const HANDLE: u32 = 1;

/// R6 = 0: R7 selects. Every command fails with "not ready", which programs take for an empty drive.
pub(super) fn serve(cpu: &mut Cpu, system: &mut System, _host: &mut Host) -> Served {
    cpu.r[0] = match (cpu.r[6], cpu.r[7]) {
        (0, 0) => HANDLE,
        (0, 1) => {
            write(system, cpu.r[5], &[NOT_READY, 0, 0, 0]);
            u32::MAX
        }
        (0, 4) => {
            write(system, cpu.r[4], &[NO_DISC, 0]);
            0
        }
        (0, 2 | 3 | 9 | 14 | 15) | (u32::MAX, 0 | 1) => 0,
        _ => u32::MAX,
    };
    Served::Done
}

fn write(system: &mut System, address: u32, words: &[u32]) {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    system.write_ram(address & 0x1FFF_FFFF, &bytes);
}
