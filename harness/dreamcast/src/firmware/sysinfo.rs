//! The system information call (vector 8C0000B0).

use super::{Served, dcload::Host};
use crate::system::System;
use sh4::Cpu;

/// Address at which the call stores ID, factory letters and the configuration block.
const AREA: u32 = 0x0C00_0068;
/// Flash offset of the console's ID.
const ID: usize = 0x1_A056;
/// Flash offset of the factory letters.
const FACTORY: usize = 0x1_A000;

pub(super) fn install(system: &mut System) {
    // Values that the boot block stores in addition to the vectors.
    for (address, word) in [
        (0x0C00_00A4, 0xA010_0000_u32),
        (0x0C00_00A8, 0xA020_0000),
        (0x0C00_00AC, 0xA05F_7000),
    ] {
        system.write_ram(address, &word.to_le_bytes());
    }
    system.write_ram(0x0C00_002C, &[16]);
    system.write_ram(0x0C00_0064, &0x8C00_8100_u32.to_le_bytes());
}

/// R7 selects: 0 fills the area, 2 copies an icon, 3 returns the area's address.
pub(super) fn serve(cpu: &mut Cpu, system: &mut System, _host: &mut Host) -> Served {
    cpu.r[0] = match cpu.r[7] {
        0 => fill(system),
        // The icons are in the boot ROM, which is not included, so the copy fails.
        2 => u32::MAX,
        3 => AREA | 0x8000_0000,
        _ => u32::MAX,
    };
    Served::Done
}

fn fill(system: &mut System) -> u32 {
    let mut area = [0; 24];
    let flash = system.flash.bytes();
    area[..8].copy_from_slice(&flash[ID..ID + 8]);
    area[8..13].copy_from_slice(&flash[FACTORY..FACTORY + 5]);
    let block = system.flash.configuration();
    area[16..24].copy_from_slice(&block[2..10]);
    system.write_ram(AREA, &area);
    0
}
