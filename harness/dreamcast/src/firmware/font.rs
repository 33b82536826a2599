//! The ROM font and its call (vector 8C0000B4).

use super::{Served, dcload::Host};
use crate::system::System;
use sh4::Cpu;

/// Bytes of the boot ROM.
const ROM_BYTES: usize = 2 << 20;
/// The font's offset in the ROM.
pub const OFFSET: usize = 0x10_0020;

/// A boot ROM that holds the font and nothing else.
#[must_use]
pub fn rom() -> Vec<u8> {
    vec![0; ROM_BYTES]
}

/// R1 selects: 0 the font's address, 1 locks it, 2 unlocks it.
pub(super) fn serve(cpu: &mut Cpu, _system: &mut System, _host: &mut Host) -> Served {
    cpu.r[0] = match cpu.r[1] {
        0 => 0xA000_0000 | OFFSET as u32,
        // Nobody else holds it.
        1 | 2 => 0,
        _ => u32::MAX,
    };
    Served::Done
}
