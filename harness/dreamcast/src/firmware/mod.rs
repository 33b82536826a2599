//! Calls of programs to the boot ROM and to dcload, handled by the host. No code of either is included: each
//! entry point contains an undefined instruction at which the run stops.

mod access;
pub mod dcload;
mod files;
pub mod flash;
#[cfg_attr(not(unix), path = "no_folder.rs")]
mod folder;
pub mod font;
pub(crate) mod gdrom;
mod glyphs;
mod icons;
pub(crate) mod screen;
mod sysinfo;

use crate::disc::HARDWARE;
use crate::system::System;
use sh4::Cpu;

/// Result of a call for the caller of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Served {
    /// The program continues.
    Done,
    /// The program continues at the address in PC: a callback, which returns to the caller, or a bootstrap.
    Jump,
    /// The program has ended with an exit code.
    Exit(i32),
    /// The program left for the firmware's menu.
    Menu,
    /// An exception or interrupt reached the loader's vectors, because the program has no handler.
    Exception,
}

/// An entry point: the location of its pointer, and its address.
struct Entry {
    vector: u32,
    target: u32,
    serve: fn(&mut Cpu, &mut System, &mut dcload::Host) -> Served,
}

/// Pointers in RAM and their targets, as in the retail firmware.
const ENTRIES: &[Entry] = &[
    Entry {
        vector: 0x0C00_00B0,
        target: 0x0C00_3C00,
        serve: sysinfo::serve,
    },
    Entry {
        vector: 0x0C00_00B4,
        target: 0x0C00_3D80,
        serve: font::serve,
    },
    Entry {
        vector: 0x0C00_00B8,
        target: 0x0C00_3D00,
        serve: flash::serve,
    },
    Entry {
        vector: 0x0C00_00BC,
        target: 0x0C00_1000,
        serve: gdrom::serve,
    },
    Entry {
        vector: 0x0C00_00C0,
        target: 0x0C00_10F0,
        serve: gdrom::serve,
    },
    Entry {
        vector: 0x0C00_00E0,
        target: 0x0C00_0800,
        serve: system_call,
    },
];
/// Entry of dcload, after its magic word and pointer.
const DCLOAD: u32 = 0x0C00_4010;
/// Return address of a program's entry function.
pub(crate) const RETURN: u32 = 0x8C00_4000;
/// The loader's vectors for exceptions, TLB misses and interrupts: VBR (8C00F400) + 100, 400 and 600.
const VECTORS: [u32; 3] = [0x0C00_F500, 0x0C00_F800, 0x0C00_FA00];
/// Place of IP.BIN.
const HEADER: u32 = 0x0C00_8000;
/// First bootstrap of IP.BIN.
const BOOTSTRAP: u32 = 0x8C00_B800;
/// An undefined opcode. An entry point is active only while it contains this opcode.
const TRAP: u16 = 0x0000;

/// Handles a system call. Number 0 comes from the license screen of IP.BIN: the boot ROM then starts the
/// first bootstrap of IP.BIN (`docs/hardware/console.md`, "dcload and firmware"). Others leave the program.
fn system_call(cpu: &mut Cpu, system: &mut System, _host: &mut dcload::Host) -> Served {
    let header = system.ram_at(HEADER, HARDWARE.len() as u32);
    if cpu.r[4] == 0 && header == Some(HARDWARE) {
        cpu.pc = BOOTSTRAP;
        return Served::Jump;
    }
    Served::Menu
}

/// Handles a return from the program's entry to the loader, which has no exit code.
fn returned(_cpu: &mut Cpu, _system: &mut System, _host: &mut dcload::Host) -> Served {
    Served::Exit(0)
}

/// Writes pointers and entry points to RAM.
pub(crate) fn install(system: &mut System) {
    let mut write = |address: u32, bytes: &[u8]| {
        system.write_ram(address, bytes);
    };
    for entry in ENTRIES {
        write(entry.vector, &(entry.target | 0x8000_0000).to_le_bytes());
        write(entry.target, &TRAP.to_le_bytes());
    }
    for address in [DCLOAD, RETURN & 0x1FFF_FFFF].into_iter().chain(VECTORS) {
        write(address, &TRAP.to_le_bytes());
    }
    // Interrupt stubs for programs: nop, nop, rte, nop and nop, nop, rts, nop.
    write(0x0C00_0010, &[9, 0, 9, 0, 0x2B, 0, 9, 0]);
    write(0x0C00_0018, &[9, 0, 9, 0, 0x0B, 0, 9, 0]);
    sysinfo::install(system);
    dcload::install(system);
}

fn exception(_cpu: &mut Cpu, _system: &mut System, _host: &mut dcload::Host) -> Served {
    Served::Exception
}

fn target(address: u32) -> Option<fn(&mut Cpu, &mut System, &mut dcload::Host) -> Served> {
    let physical = address & 0x1FFF_FFFF;
    match physical {
        DCLOAD => Some(dcload::serve),
        _ if VECTORS.contains(&physical) => Some(exception),
        _ if physical == RETURN & 0x1FFF_FFFF => Some(returned),
        _ => ENTRIES
            .iter()
            .find(|entry| entry.target == physical)
            .map(|entry| entry.serve),
    }
}

/// Returns whether a fetch at `address` reaches an entry point.
pub(crate) fn is_trap(system: &System, address: u32) -> bool {
    let low = (0x0C00_0800..=0x0C00_FA00).contains(&(address & 0x1FFF_FFFF));
    low && target(address).is_some()
        && system.ram_at(address & 0x1FFF_FFFF, 2) == Some(&TRAP.to_le_bytes()[..])
}

/// Handles the call at the program counter, and returns to the caller. Returns `None` if there is no entry
/// point.
pub(crate) fn serve(cpu: &mut Cpu, system: &mut System, host: &mut dcload::Host) -> Option<Served> {
    if !is_trap(system, cpu.pc) {
        return None;
    }
    let served = target(cpu.pc)?(cpu, system, host);
    if served == Served::Done {
        cpu.pc = cpu.pr;
    }
    Some(served)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    #[test]
    fn system_call_0_starts_the_bootstrap_of_ip_bin() {
        let mut system = System::new(&Config::default());
        install(&mut system);
        let call = |system: &mut System, number: u32| {
            let mut cpu = Cpu::new(sh4::Settings::default());
            (cpu.pc, cpu.pr, cpu.r[4]) = (0x8C00_0800, 0x8C00_8528, number);
            let served = serve(&mut cpu, system, &mut dcload::Host::default());
            (served, cpu.pc)
        };
        assert_eq!(call(&mut system, 0).0, Some(Served::Menu), "no IP.BIN");
        assert!(system.write_ram(HEADER, HARDWARE));
        assert_eq!(call(&mut system, 0), (Some(Served::Jump), 0x8C00_B800));
        assert_eq!(call(&mut system, 1).0, Some(Served::Menu));
    }
}
