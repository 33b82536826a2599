//! dcload: the calls by which a program reaches the host it was sent from.
//!
//! A word at 8C004004 says that the loader is there, the next one holds the address to call, with the number in R4 and
//! arguments in R5 to R7; R0 is the result.

use super::Served;
use crate::settings::Dcload;
use crate::system::System;
use sh4::Cpu;

const MAGIC: (u32, u32) = (0x0C00_4004, 0xDEAD_BEEF);
const POINTER: u32 = 0x0C00_4008;
/// Most bytes of one write.
const MOST: u32 = 1 << 20;
const FAILED: u32 = u32::MAX;

/// The host's side of dcload.
#[derive(Debug, Default)]
pub struct Host {
    /// Console text that nobody has taken yet.
    pub console: Vec<u8>,
}

pub(super) fn install(system: &mut System) {
    if system.settings.dcload_kind == Dcload::None {
        return;
    }
    system.write_ram(MAGIC.0, &MAGIC.1.to_le_bytes());
    system.write_ram(POINTER, &(super::DCLOAD | 0x8000_0000).to_le_bytes());
}

pub(super) fn serve(cpu: &mut Cpu, system: &mut System, host: &mut Host) -> Served {
    let [number, first, second, third] = [4, 5, 6, 7].map(|n| cpu.r[n]);
    let answer = match number {
        1 if matches!(first, 1 | 2) => system.ram_at(second & 0x1FFF_FFFF, third.min(MOST)).map(|bytes| {
            host.console.extend_from_slice(bytes);
            bytes.len() as u32
        }),
        // dcload-serial takes a work buffer, dcload-ip refuses it.
        14 if system.settings.dcload_kind == Dcload::Serial => Some(0),
        15 => return Served::Exit(first),
        _ => None,
    };
    cpu.r[0] = answer.unwrap_or(FAILED);
    Served::Done
}
