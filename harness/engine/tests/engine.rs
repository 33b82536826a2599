//! The engine: every call of its table, and that no panic can be reached through it.

// A failed unwrap or panic in a helper is how a test fails.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use engine::{Engine, EngineError, Permission, Reason, Register};
use sh4::{BusError, Direction, Exceptions, Interrupt, Settings, Stop};

const CODE: u32 = 0x8C01_0000;
const DATA: u32 = 0x8C02_0000;
const FOREVER: Duration = Duration::ZERO;
const ALL: std::ops::RangeInclusive<u32> = 0..=u32::MAX;

fn engine(opcodes: &[u16]) -> Engine {
    engine_with(Settings::default(), opcodes)
}

fn engine_with(settings: Settings, opcodes: &[u16]) -> Engine {
    let mut engine = Engine::new(settings);
    engine.mem_map(CODE, 0x1000, Permission::ALL).unwrap();
    engine
        .mem_map(DATA, 0x1000, Permission::READ.and(Permission::WRITE))
        .unwrap();
    let bytes: Vec<u8> = opcodes.iter().flat_map(|opcode| opcode.to_le_bytes()).collect();
    engine.mem_write(CODE, &bytes).unwrap();
    engine.reg_write(Register::Sr, 0x4000_0000).unwrap();
    engine
}

type Log<T> = Arc<Mutex<Vec<T>>>;

/// Something that hooks write down: one for the test, one for the hook.
fn log<T>() -> (Log<T>, Log<T>) {
    let log = Arc::new(Mutex::new(Vec::new()));
    (log.clone(), log)
}

#[test]
fn runs_end_for_every_reason() {
    // add #1,r0 x 3; bra back; nop
    let loops = [0x7001u16, 0x7001, 0x7001, 0xAFFB, 0x0009];
    let mut endless = engine(&loops);
    let ended = endless.emu_start(CODE, CODE + 4, FOREVER, 0).unwrap();
    assert_eq!((ended.reason, ended.executed), (Reason::Until, 2));
    let ended = endless.emu_start(CODE, 0, FOREVER, 10).unwrap();
    assert_eq!((ended.reason, ended.executed), (Reason::Count, 10));
    let begin = Instant::now();
    let ended = endless.emu_start(CODE, 0, Duration::from_millis(20), 0).unwrap();
    assert_eq!(ended.reason, Reason::Timeout);
    assert!(begin.elapsed() >= Duration::from_millis(20));
    let handle = endless.stop_handle();
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(20));
        handle.emu_stop();
    });
    assert_eq!(
        endless.emu_start(CODE, 0, FOREVER, 0).unwrap().reason,
        Reason::Stopped
    );
    stopper.join().unwrap();
    assert_eq!(
        engine(&[0x001B]).emu_start(CODE, 0, FOREVER, 0).unwrap().reason,
        Reason::Sleep
    );
    let error = engine(&[0xFFFD]).emu_start(CODE, 0, FOREVER, 0).unwrap_err();
    assert!(matches!(
        error,
        EngineError::Stopped {
            stop: Stop::Fault(_),
            executed: 0
        }
    ));
}

#[test]
fn memory_is_mapped_cut_and_protected() {
    let mut engine = Engine::new(Settings::default());
    engine.mem_map(0x0C00_0000, 0x1000, Permission::ALL).unwrap();
    // Through all areas.
    engine.mem_write(0xAC00_0FFE, &[1, 2]).unwrap();
    let mut two = [0; 2];
    engine.mem_read(0x8C00_0FFE, &mut two).unwrap();
    assert_eq!(two, [1, 2]);
    assert!(engine.mem_read(0x8C00_0FFF, &mut two).is_err());
    for (address, size) in [
        (0x0C00_0800, 1),
        (0x0C00_0FFF, 2),
        (0, 0),
        (0x1FFF_FFFF, 2),
        (0xE000_0000, 16),
        (0, 1 << 29),
    ] {
        assert!(
            engine.mem_map(address, size, Permission::ALL).is_err(),
            "{address:08X} {size:X}"
        );
    }
    // A hole in the middle.
    engine.mem_unmap(0x0C00_0400, 0x100).unwrap();
    engine.mem_protect(0x0C00_0500, 0x80, Permission::READ).unwrap();
    let regions: Vec<_> = engine
        .memory()
        .regions()
        .map(|r| (r.address, r.size, r.permission))
        .collect();
    assert_eq!(
        regions,
        [
            (0x0C00_0000, 0x400, Permission::ALL),
            (0x0C00_0500, 0x80, Permission::READ),
            (0x0C00_0580, 0xA80, Permission::ALL),
        ]
    );
    assert!(engine.mem_write(0x0C00_03FF, &[0; 2]).is_err());
    assert!(engine.mem_unmap(0x0C00_0300, 0x200).is_err());
    // Across two regions.
    engine.mem_write(0x0C00_057F, &[7, 8]).unwrap();
    engine.mem_read(0x0C00_057F, &mut two).unwrap();
    assert_eq!(two, [7, 8]);
    engine.mem_unmap(0x0C00_0500, 0xB00).unwrap();
    assert_eq!(engine.memory().regions().count(), 1);
}

#[test]
fn permissions_hold_for_the_program_only() {
    let faults = |permission, opcode: u16| {
        let mut engine = engine(&[opcode, 0x0009, 0x0009]);
        engine.mem_protect(DATA, 0x1000, permission).unwrap();
        engine.reg_write(Register::R(1), DATA).unwrap();
        engine.mem_write(DATA, &[9]).unwrap(); // nop
        engine.emu_start(CODE, 0, FOREVER, 3).is_err()
    };
    let (load, store, jump) = (0x6012, 0x2102, 0x412B);
    assert!(faults(Permission::NONE, load) && !faults(Permission::READ, load));
    assert!(faults(Permission::READ, store) && !faults(Permission::WRITE, store));
    assert!(faults(Permission::READ.and(Permission::WRITE), jump) && !faults(Permission::EXEC, jump));
}

/// Code under a region that goes away, or comes back with other permissions, is not run from memory of it.
#[test]
fn decoded_code_follows_its_region() {
    let mut engine = engine(&[0x7001, 0x001B]);
    for _ in 0..2 {
        assert_eq!(
            engine.emu_start(CODE, 0, FOREVER, 0).unwrap().reason,
            Reason::Sleep
        );
    }
    engine.mem_protect(CODE, 0x1000, Permission::READ).unwrap();
    assert!(engine.emu_start(CODE, 0, FOREVER, 0).is_err());
    engine.mem_unmap(CODE, 0x1000).unwrap();
    assert!(engine.emu_start(CODE, 0, FOREVER, 0).is_err());
    engine.mem_map(CODE, 0x1000, Permission::ALL).unwrap();
    engine.mem_write(CODE, &[0x05, 0x70, 0x1B, 0]).unwrap(); // add #5,r0; sleep
    engine.emu_start(CODE, 0, FOREVER, 0).unwrap();
    assert_eq!(engine.reg_read(Register::R(0)), Ok(7));
}

/// A region that begins inside a 64-byte line notices writes to its code all the same.
#[test]
fn code_in_an_unaligned_region_is_watched() {
    let mut engine = Engine::new(Settings::default());
    engine.mem_map(0x0C00_0012, 0x100, Permission::ALL).unwrap();
    for (address, step) in [(0x8C00_0052u32, 1u8), (0x8C00_0040, 2), (0x8C00_0012, 3)] {
        for add in [step, step + 10] {
            engine.mem_write(address, &[add, 0x70, 0x1B, 0]).unwrap();
            engine.reg_write(Register::R(0), 0).unwrap();
            engine.emu_start(address, 0, FOREVER, 0).unwrap();
            assert_eq!(engine.reg_read(Register::R(0)), Ok(add.into()));
        }
    }
}

#[test]
fn code_and_block_hooks() {
    // nop; bra +0; add #1,r0 (slot); add #1,r0; sleep
    let mut engine = engine(&[0x0009, 0xA000, 0x7001, 0x7001, 0x001B]);
    let (code, ours) = log();
    engine.hook_code(CODE..=CODE + 6, move |_, address, size| {
        ours.lock().unwrap().push((address - CODE, size))
    });
    let (blocks, ours) = log();
    let id = engine.hook_block(ALL, move |_, address, size| {
        ours.lock().unwrap().push((address - CODE, size))
    });
    engine.emu_start(CODE, 0, FOREVER, 0).unwrap();
    assert_eq!(*code.lock().unwrap(), [(0, 2), (2, 2), (4, 2), (6, 2)]);
    assert_eq!(*blocks.lock().unwrap(), [(0, 6), (6, 4)]);
    assert!(engine.hook_delete(id) && !engine.hook_delete(id));
    // A hook that moves the program counter skips; one that stops, stops before the instruction.
    engine.hook_code(CODE..=CODE, |guest, _, _| guest.cpu.pc = CODE + 6);
    engine.reg_write(Register::R(0), 0).unwrap();
    engine.emu_start(CODE, 0, FOREVER, 0).unwrap();
    assert_eq!(engine.reg_read(Register::R(0)), Ok(1));
    engine.hook_code(CODE + 6..=CODE + 6, |guest, _, _| guest.emu_stop());
    let ended = engine.emu_start(CODE, 0, FOREVER, 0).unwrap();
    assert_eq!((ended.reason, ended.executed), (Reason::Stopped, 0));
    assert_eq!(engine.reg_read(Register::Pc), Ok(CODE + 6));
}

#[test]
fn memory_hooks_come_before_the_access() {
    // mov.l r0,@r1; mov.w @r1,r2; sleep
    let mut engine = engine(&[0x2102, 0x6211, 0x001B]);
    engine.reg_write(Register::R(0), 0x1234_5678).unwrap();
    engine.reg_write(Register::R(1), DATA).unwrap();
    let (events, ours) = log();
    engine.hook_memory(None, ALL, move |_, event| {
        ours.lock()
            .unwrap()
            .push((event.direction, event.address, event.size, event.value, event.pc));
    });
    engine.hook_memory(Some(Direction::Read), DATA..=DATA + 3, |memory, event| {
        memory.write(event.address, &[0x42, 0]).unwrap();
    });
    engine.emu_start(CODE, 0, FOREVER, 0).unwrap();
    assert_eq!(
        *events.lock().unwrap(),
        [
            (Direction::Fetch, CODE, 2, 0, CODE),
            (Direction::Write, DATA, 4, 0x1234_5678, CODE),
            (Direction::Fetch, CODE + 2, 2, 0, CODE + 2),
            (Direction::Read, DATA, 2, 0, CODE + 2),
            (Direction::Fetch, CODE + 4, 2, 0, CODE + 4),
        ]
    );
    assert_eq!(engine.reg_read(Register::R(2)), Ok(0x42));
}

#[test]
fn memory_error_hooks_can_map() {
    // mov.l r0,@r1; jmp @r1; nop
    let mut engine = engine(&[0x2102, 0x412B, 0x0009]);
    engine.reg_write(Register::R(0), 0x001B_0009).unwrap(); // nop; sleep
    engine.reg_write(Register::R(1), 0x0000_1000).unwrap();
    let (errors, ours) = log();
    engine.hook_memory_error(ALL, move |guest, error| {
        let (event, why) = (error.event, error.error);
        ours.lock()
            .unwrap()
            .push((event.direction, event.address, event.size, event.value, why));
        match why {
            BusError::Unmapped => guest.memory.map(0x1000, 0x100, Permission::WRITE).is_ok(),
            _ => guest.memory.protect(0x1000, 0x100, Permission::ALL).is_ok(),
        }
    });
    assert_eq!(
        engine.emu_start(CODE, 0, FOREVER, 0).unwrap().reason,
        Reason::Sleep
    );
    assert_eq!(
        *errors.lock().unwrap(),
        [
            (Direction::Write, 0x1000, 4, 0x001B_0009, BusError::Unmapped),
            (Direction::Fetch, 0x1000, 2, 0, BusError::Protected),
        ]
    );
    // One that only says so is asked once.
    let mut engine = self::engine(&[0x2102]);
    let (asked, ours) = log();
    engine.hook_memory_error(ALL, move |_, _| {
        ours.lock().unwrap().push(());
        true
    });
    assert!(engine.emu_start(CODE, 0, FOREVER, 0).is_err());
    assert_eq!(asked.lock().unwrap().len(), 1);
}

#[test]
fn interrupt_and_invalid_hooks() {
    // trapa #5; .word fffd; fadd with SR.FD... here mov.l @r1,r2 misaligned; sleep
    let mut engine = engine(&[0xC305, 0xFFFD, 0x6212, 0x001B]);
    engine.reg_write(Register::R(1), DATA + 1).unwrap();
    let (codes, ours) = log();
    engine.hook_interrupt(move |guest, code| {
        ours.lock().unwrap().push(code);
        if code == 0x0E0 {
            guest.cpu.r[1] &= !3;
        }
        true
    });
    engine.hook_invalid(|guest| {
        guest.cpu.pc += 2;
        true
    });
    assert_eq!(
        engine.emu_start(CODE, 0, FOREVER, 0).unwrap().reason,
        Reason::Sleep
    );
    assert_eq!(*codes.lock().unwrap(), [0x160, 0x0E0]);
    // With exceptions taken the hook hears of the entry.
    let settings = Settings {
        exceptions: Exceptions::Take,
        ..Settings::default()
    };
    let mut engine = engine_with(settings, &[0x0009, 0x001B]);
    engine.reg_write(Register::Vbr, CODE).unwrap();
    let handler = CODE + 0x600;
    engine.mem_write(handler, &[0x2B, 0, 0x09, 0]).unwrap();
    engine.cpu.set_irq(Some(Interrupt {
        level: 3,
        code: 0x400,
    }));
    let (codes, ours) = log();
    engine.hook_interrupt(move |guest, code| {
        ours.lock().unwrap().push(code);
        guest.cpu.set_irq(None);
        true
    });
    assert_eq!(
        engine.emu_start(CODE, 0, FOREVER, 0).unwrap().reason,
        Reason::Sleep
    );
    assert_eq!(*codes.lock().unwrap(), [0x400]);
}

#[test]
fn contexts() {
    let mut engine = engine(&[0x7001, 0x001B]);
    let context = engine.context_save();
    engine.emu_start(CODE, 0, FOREVER, 0).unwrap();
    assert_eq!(engine.reg_read(Register::R(0)), Ok(1));
    engine.context_restore(&context);
    assert_eq!(engine.reg_read(Register::R(0)), Ok(0));
    assert_eq!(engine.context_save(), context);
    assert!(engine.reg_read(Register::R(16)).is_err());
}

/// A TLB miss reaches the interrupt hooks with its code, as other exceptions do.
#[test]
fn tlb_misses_reach_interrupt_hooks() {
    let mut engine = engine(&[0x6212, 0x0009]); // mov.l @r1,r2; nop
    engine.cpu.set_mmu(sh4::MmuRegister::Mmucr, 1);
    engine.reg_write(Register::R(1), 0x0123_4568).unwrap();
    let (seen, codes) = log();
    engine.hook_interrupt(move |guest, code| {
        codes.lock().unwrap().push(code);
        guest.cpu.pc += 2;
        true
    });
    let ended = engine.emu_start(CODE, CODE + 4, FOREVER, 0).unwrap();
    assert_eq!(ended.reason, Reason::Until);
    assert_eq!(*seen.lock().unwrap(), [0x040]);
}
