//! Programs, and texts that drive them.

use crate::source::Source;
use dreamcast::input::Script;
use dreamcast::{Config, Dreamcast, Until};
use machine::Image;
use sh4::flat::FlatBus;
use sh4::{Bus, Cpu, Settings, listener};
use sh4_recompiler::{Options, Recompiler};
use std::path::Path;
use timing::{Counter, Setup};
use verify::SH4;
use verify::user::{Spec, UserVerifier};

/// Most instructions of a program on the console.
const INSTRUCTIONS: u64 = 2_000;
const BASE: u32 = 0x8C00_0000;
const MEMORY: usize = 0x1000;

/// Areas of the map, and how many bytes of each are tried.
const AREAS: [(u32, u32); 24] = [
    (0xA05F_6800, 0x100),
    (0xA05F_6900, 0x40),
    (0xA05F_6C00, 0x100),
    (0xA05F_7000, 0x100),
    (0xA05F_7400, 0x100),
    (0xA05F_7800, 0x100),
    (0xA05F_7C00, 0x100),
    (0xA05F_8000, 0x200),
    (0xA070_0000, 0x3000),
    (0xA071_0000, 0x10),
    (0xA080_0000, 0x20_0000),
    (0xA000_0000, 0x22_0000),
    (0xA400_0000, 0x0400_0000),
    (0xB000_0000, 0x0400_0000),
    (0x8C00_0000, 0x0100_0000),
    (0x7C00_0000, 0x4000),
    (0xE000_0000, 0x0400_0000),
    (0xF400_0000, 0x0200_0000),
    (0xFF00_0000, 0x100),
    (0xFF80_0000, 0x80),
    (0xFFA0_0000, 0x48),
    (0xFFC0_0000, 0x20),
    (0xFFD0_0000, 0x40),
    (0xFFE8_0000, 0x28),
];

/// Runs what is loaded on both engines; the same state comes out.
fn run(load: impl Fn(&mut Dreamcast) -> bool) {
    let mut consoles = [(); 2].map(|()| Dreamcast::new(Config::default()));
    if !consoles.iter_mut().all(&load) {
        return;
    }
    if let Ok(recompiler) = Recompiler::new(Options { hot: 2 }) {
        consoles[1].accelerate(Box::new(recompiler));
    }
    let until = Until {
        instructions: INSTRUCTIONS,
        ..Until::FOREVER
    };
    let ends = consoles.each_mut().map(|console| console.run(until));
    let [plain, compiled] = &mut consoles;
    assert_eq!(ends[0], ends[1]);
    assert_eq!(plain.now(), compiled.now());
    assert!(plain.cpu == compiled.cpu, "the engines' registers differ");
    assert_eq!(plain.take_console(), compiled.take_console());
}

/// ELF files on the console.
pub(crate) fn elf(bytes: &[u8]) {
    if let Ok(image) = Image::parse(bytes) {
        run(|console| console.load(&image).is_ok());
    }
}

/// Raw binaries on the console.
pub(crate) fn raw(bytes: &[u8]) {
    run(|console| console.load_raw(bytes).is_ok());
}

/// Programs that access devices and nothing else: MOV.L of an address, MOV.L of a value, a load or a store.
pub(crate) fn devices(bytes: &[u8]) {
    const ACCESSES: [u16; 8] = [
        0x2122, // mov.l r2,@r1
        0x6212, // mov.l @r1,r2
        0x2121, // mov.w r2,@r1
        0x6211, // mov.w @r1,r2
        0x2120, // mov.b r2,@r1
        0x6210, // mov.b @r1,r2
        0x0183, // pref @r1
        0x0009, // nop
    ];
    let mut from = Source::new(bytes);
    let mut program = Vec::new();
    while !from.is_empty() && program.len() < 0x4000 {
        let access = from.pick(&ACCESSES);
        let address = device_address(&mut from);
        let value = from.word();
        // mov.l @(1*4,pc),r1; mov.l @(1*4,pc),r2; access; bra over the pool; nop; two words
        for opcode in [0xD102, 0xD203, access, 0xA004, 0x0009, 0x0009] {
            program.extend(u16::to_le_bytes(opcode));
        }
        program.extend(address.to_le_bytes());
        program.extend(value.to_le_bytes());
    }
    program.extend([0x0B, 0x00, 0x09, 0x00]); // rts; nop
    raw(&program);
}

/// An address among the registers of the map's devices, aligned for a long word nine times in ten.
fn device_address(from: &mut Source<'_>) -> u32 {
    let (first, length) = from.pick(&AREAS);
    let address = first + from.below(length);
    if from.chance(10) { address } else { address & !3 }
}

/// Random code on interpreter and recompiler, cycles counted: state, memory, events are the same.
pub(crate) fn engines(bytes: &[u8]) {
    let mut from = Source::new(bytes);
    let mut cpu = Cpu::new(Settings::default());
    cpu.set_fpscr(from.word() & 0x0038_0003);
    for register in &mut cpu.r {
        *register = BASE + (from.below(MEMORY as u32) & !3);
    }
    cpu.pc = BASE;
    let mut bus = FlatBus::new(BASE, MEMORY);
    let rest = from.rest();
    bus.load(BASE, &rest[..rest.len().min(MEMORY)]);
    let (mut other, mut other_bus) = (cpu.clone(), bus.clone());
    let Ok(mut recompiler) = Recompiler::new(Options { hot: 1 }) else {
        return;
    };
    let [mut counter, mut recounter] = [(); 2].map(|()| Counter::new(Setup::default()));
    let run = cpu.run(&mut bus, None, 400, &mut counter);
    let same = other.run_accelerated_observed(
        &mut other_bus,
        None,
        400,
        listener(&mut recounter),
        &mut recompiler,
    );
    assert_eq!(run, same);
    assert!(cpu == other, "registers differ");
    assert_eq!(counter.events(), recounter.events());
    let bytes = |bus: &mut FlatBus| bus.window().map(|window| window.bytes.to_vec());
    assert!(bytes(&mut bus) == bytes(&mut other_bus), "memory differs");
}

/// Specifications of routines, with a case of each kernel on the project's own kernels.
pub(crate) fn specification(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(spec) = Spec::parse(&text, Path::new("fuzz.toml"), &[SH4]) else {
        return;
    };
    if let Ok(mut verifier) = UserVerifier::new(roms::KERNELS_ELF, spec, &[SH4]) {
        let count = verifier.names().count();
        verifier.set_deadline(Some(
            std::time::Instant::now() + std::time::Duration::from_secs(1),
        ));
        (0..count.min(2)).for_each(|index| drop(verifier.run(index, 1, 1, || {})));
    }
}

/// Scripts of inputs.
pub(crate) fn input_script(bytes: &[u8]) {
    let _ = Script::parse(&String::from_utf8_lossy(bytes));
}

/// Scenes of the PowerVR2 as text.
pub(crate) fn chip_scene(bytes: &[u8]) {
    let _ = pvr_scene::run(&String::from_utf8_lossy(bytes), &pvr_scene::Options::default());
}
