//! Runs whole kernels on the interpreter and the Unicorn engine.

use crate::engine::{Engine, PSR};
use crate::oracle::Oracle;
use roms::AICA_ELF;
use sh4_kernels::{Rng, Value};
use verify::arm7::{Arm7, KERNELS, Stop, parse};

/// Bytes of the machine for programs.
const RAM: usize = 2 << 20;
/// Return address of a kernel, and the top of its stack.
const RETURN: u32 = 0x001F_F000;
/// Address of the buffers.
const BUFFERS: u32 = 0x0001_0000;

/// Places a case: bytes with their addresses, and the argument words.
fn place(case: &[Value]) -> (Vec<(u32, Vec<u8>)>, Vec<u32>) {
    let (mut buffers, mut passed, mut next) = (Vec::new(), Vec::new(), BUFFERS);
    for value in case {
        let bytes: Vec<u8> = match value {
            Value::Value(word) => {
                passed.push(*word);
                continue;
            }
            Value::Words(words) | Value::WordsMut(words) => {
                words.iter().flat_map(|w| w.to_le_bytes()).collect()
            }
            Value::Halfwords(halves) => halves.iter().flat_map(|h| h.to_le_bytes()).collect(),
            other => panic!("{other:?} is no argument of an ARM7 kernel"),
        };
        passed.push(next);
        let end = next + bytes.len() as u32;
        buffers.push((next, bytes));
        next = end.next_multiple_of(32);
    }
    (buffers, passed)
}

/// Both sides with the ROM and a kernel's arguments.
fn prepared(case: &[Value]) -> (Arm7, Engine) {
    let image = parse(AICA_ELF).unwrap();
    let segments: Vec<(u32, Vec<u8>)> = image
        .segments
        .iter()
        .map(|s| (s.address, s.bytes.clone()))
        .collect();
    let (mut arm7, mut engine) = (Arm7::new(image).unwrap(), Engine::new(RAM));
    let (buffers, passed) = place(case);
    let stack: Vec<u8> = passed
        .iter()
        .skip(4)
        .flat_map(|word| word.to_le_bytes())
        .collect();
    let sp = (RETURN - stack.len() as u32) & !7;
    for (address, bytes) in segments.into_iter().chain(buffers).chain([(sp, stack)]) {
        arm7.write(address, &bytes).unwrap();
        engine.write(address, &bytes);
    }
    for n in 0..13 {
        let word = passed.get(n).filter(|_| n < 4).copied();
        arm7.set_register(n as u32, word.unwrap_or(0x5A5A_0000 | n as u32));
    }
    arm7.set_register(13, sp);
    arm7.set_register(14, RETURN);
    (arm7, engine)
}

fn copy_registers(arm7: &Arm7, engine: &mut Engine) {
    engine.set_cpsr(arm7.cpsr().bits());
    (0..15).for_each(|n| engine.set(n, arm7.register(n as u32)));
}

/// Counts of the steps on both sides.
#[derive(Default)]
struct Steps {
    compared: u64,
    /// Transfers at unaligned addresses, which the engine executes differently.
    skipped: u64,
}

/// Runs `entry` on both sides. Compares registers after every instruction, and all memory at the end.
fn kernel(entry: u32, case: &[Value], steps: &mut Steps) {
    let (mut arm7, mut engine) = prepared(case);
    copy_registers(&arm7, &mut engine);
    arm7.set_register(15, entry);
    while arm7.register(15) != RETURN {
        let pc = arm7.register(15);
        let halt = arm7.run(pc, RETURN, 1, false);
        assert!(matches!(halt.stop, Stop::Until | Stop::Limit), "{halt}");
        if !engine.step(pc) {
            copy_registers(&arm7, &mut engine);
            engine.write(0, arm7.read(0, RAM as u32).unwrap());
            steps.skipped += 1;
            continue;
        }
        for n in 0..16 {
            assert_eq!(arm7.register(n as u32), engine.get(n), "r{n} after {pc:08x}");
        }
        assert_eq!(arm7.cpsr().bits(), engine.cpsr() & PSR, "after {pc:08x}");
        steps.compared += 1;
    }
    assert!(
        arm7.read(0, RAM as u32).unwrap() == engine.memory(RAM),
        "memory differs"
    );
}

#[test]
fn kernels_have_the_engines_results() {
    let image = parse(AICA_ELF).unwrap();
    for of in KERNELS {
        let entry = image.symbols.address(of.symbol).unwrap();
        let mut steps = Steps::default();
        for seed in 0..50 {
            kernel(entry, &(of.generate)(&mut Rng::new(seed)).0, &mut steps);
        }
        let Steps { compared, skipped } = steps;
        assert!(
            compared > 500 && skipped < compared,
            "{}: {compared}, {skipped}",
            of.name
        );
        println!(
            "{}: 50 cases, {compared} instructions compared, {skipped} unaligned",
            of.name
        );
    }
}
