//! A random program in a random machine, driven through all calls of crate `engine`.

use std::time::Duration;

use crate::source::Source;
use engine::{Engine, EngineError, Permission, Register};
use sh4::table::TABLE;
use sh4::{Exceptions, Interrupt, Settings};

/// Where regions may begin; small gaps and unaligned edges included.
const PLACES: [u32; 8] = [
    0x8C00_0000,
    0x0C00_1000,
    0xAC00_2001,
    0x0000_0000,
    0x1FFF_F000,
    0xC123_4567,
    0x8C00_1000,
    0xDFFF_FF00,
];

/// Values that registers like to hold.
fn value(from: &mut Source<'_>) -> u32 {
    let base = if from.chance(4) {
        from.pick(&PLACES)
    } else {
        PLACES[0]
    };
    match from.below(8) {
        0 => from.word(),
        1 => from.below(64),
        2 => from.pick(&[
            0,
            1,
            0x7FFF_FFFF,
            0x8000_0000,
            u32::MAX,
            0x7F80_0000,
            0x7FBF_FFFF,
            1 << 22,
            0x3F80_0000,
        ]),
        3 => from.pick(&[
            0xE000_0000,
            0xFF00_0010,
            0xFF00_0024,
            0xFF20_0000,
            0xFF20_0008,
            0xFF00_0084,
            0xFF10_0004,
        ]),
        4 => base + from.below(0x2000),
        _ => base + (from.below(0x2000) & !7),
    }
}

fn opcode(from: &mut Source<'_>) -> u16 {
    if from.chance(16) {
        return from.word() as u16;
    }
    let row = &TABLE[from.below(TABLE.len() as u32) as usize];
    let random = from.word() as u16;
    let bits = row.pattern.bytes().enumerate();
    bits.fold(0, |opcode, (i, c)| {
        let free = random >> i & 1;
        opcode << 1
            | match c {
                b'0' => 0,
                b'1' => 1,
                _ => free,
            }
    })
}

fn settings(from: &mut Source<'_>) -> Settings {
    Settings {
        alignment_checks: !from.chance(4),
        privilege_checks: !from.chance(4),
        fpu_disable_checks: !from.chance(4),
        fcause_update: !from.chance(4),
        exceptions: from.pick(&[Exceptions::Stop, Exceptions::Take]),
        ..Settings::default()
    }
}

fn permission(from: &mut Source<'_>) -> Permission {
    let odd = from.pick(&[
        Permission::NONE,
        Permission::READ,
        Permission::WRITE,
        Permission::EXEC,
    ]);
    if from.chance(4) { odd } else { Permission::ALL }
}

fn registers(from: &mut Source<'_>, engine: &mut Engine) {
    let status = [0x4000_0000, 0x7000_00F0, 0, 0x4000_8000, 0x6000_0003];
    let _ = engine.reg_write(
        Register::Sr,
        if from.chance(3) {
            from.word()
        } else {
            from.pick(&status)
        },
    );
    let fpscr = [0x0004_0000, 0, 0x0014_0000, 0x000C_0000, 0x0004_0F80];
    let _ = engine.reg_write(
        Register::Fpscr,
        if from.chance(3) {
            from.word()
        } else {
            from.pick(&fpscr)
        },
    );
    // Past the end as well: an error, no panic.
    for n in 0..=16 {
        for register in [
            Register::R(n),
            Register::RBank(n),
            Register::Fr(n),
            Register::Xf(n),
        ] {
            let _ = engine.reg_write(register, value(from));
            let _ = engine.reg_read(register);
        }
    }
    use Register::{Dbr, Fpul, Gbr, Mach, Macl, Pr, Spc, Ssr, Vbr};
    for register in [Gbr, Vbr, Spc, Dbr, Mach, Macl, Pr, Fpul, Ssr] {
        let _ = engine.reg_write(register, value(from));
    }
}

fn hooks(from: &mut Source<'_>, engine: &mut Engine) {
    let (moves, done) = (value(from) & !1, !from.chance(3));
    if from.chance(6) {
        engine.hook_code(0..=u32::MAX, move |guest, address, _| {
            if address & 0xFE == 0x40 {
                guest.cpu.pc = moves;
            }
        });
    }
    if from.chance(6) {
        engine.hook_block(0..=u32::MAX, move |guest, address, size| {
            assert!(size >= 2);
            if address & 0xFF00 == 0x100 {
                guest.emu_stop();
            }
        });
    }
    if from.chance(4) {
        engine.hook_memory(None, 0..=u32::MAX, |memory, event| {
            let _ = memory.write(event.address ^ 0x40, &[0xFF; 3]);
        });
    }
    if from.chance(3) {
        engine.hook_memory_error(0..=u32::MAX, move |guest, error| {
            let _ = guest
                .memory
                .map(error.event.address & !0xFF, 0x100, Permission::ALL);
            done
        });
    }
    if from.chance(3) {
        engine.hook_interrupt(move |guest, _| {
            guest.cpu.pc = guest.cpu.pc.wrapping_add(2);
            done
        });
    }
    if from.chance(3) {
        engine.hook_invalid(move |guest| {
            guest.cpu.pc = moves;
            done
        });
    }
}

fn fill(from: &mut Source<'_>, engine: &mut Engine, address: u32, size: u32) {
    let count = size.min(0x400) / 2;
    let bytes: Vec<u8> = (0..count).flat_map(|_| opcode(from).to_le_bytes()).collect();
    let _ = engine.mem_write(address, &bytes);
}

/// Something from outside, between two runs.
fn disturb(from: &mut Source<'_>, engine: &mut Engine) {
    let (address, size) = (value(from), from.below(0x300));
    match from.below(8) {
        0 => drop(engine.mem_unmap(address, size)),
        1 => drop(engine.mem_protect(address, size, permission(from))),
        2 => drop(engine.mem_map(address, size, permission(from))),
        3 => fill(from, engine, address, size),
        4 => registers(from, engine),
        5 => engine.cpu.raise_nmi(),
        6 => {
            let request = Interrupt {
                level: from.below(17) as u8,
                code: from.word() as u16,
            };
            engine.cpu.set_irq((!from.chance(3)).then_some(request));
        }
        _ => {
            let context = engine.context_save();
            registers(from, engine);
            engine.context_restore(&context);
        }
    }
}

/// A run, taken up again behind every instruction that ended it.
fn run(from: &mut Source<'_>, engine: &mut Engine) {
    let mut begin = value(from) & !u32::from(!from.chance(9));
    for _ in 0..40 {
        let (until, count) = (value(from), 1 + u64::from(from.below(500)));
        match engine.emu_start(begin, until, Duration::ZERO, count) {
            Ok(ended) => {
                assert!(ended.executed <= count + 1, "{} of {count}", ended.executed);
                return;
            }
            Err(EngineError::Stopped { stop, .. }) => assert!(!stop.to_string().is_empty()),
            Err(error) => panic!("{error}"),
        }
        let behind = engine.cpu.pc.wrapping_add(2);
        begin = if from.chance(8) { value(from) & !1 } else { behind };
    }
}

/// One machine, a few runs.
pub(crate) fn machine(bytes: &[u8]) {
    let from = &mut Source::new(bytes);
    let mut engine = Engine::new(settings(from));
    let count = 1 + from.below(4) as usize;
    for (index, place) in PLACES.into_iter().take(count).enumerate() {
        let size = 0x100 + from.below(0x1F00);
        let permission = if index == 0 {
            Permission::ALL
        } else {
            permission(from)
        };
        if engine.mem_map(place, size, permission).is_ok() {
            fill(from, &mut engine, place, size);
        }
    }
    registers(from, &mut engine);
    hooks(from, &mut engine);
    for _ in 0..1 + from.below(6) {
        run(from, &mut engine);
        assert_eq!(engine.cpu.sr() & !sh4::SR_MASK, 0);
        assert_eq!(engine.cpu.fpscr() & !sh4::FPSCR_MASK, 0);
        disturb(from, &mut engine);
    }
}
