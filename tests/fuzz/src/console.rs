//! Programs on the console, and their accesses to devices.

use crate::source::Source;
use dreamcast::{Config, Cycles, Dreamcast, Ended, Until};
use machine::Image;
use sh4_recompiler::{Options, Recompiler};

/// Maximum number of instructions of a program on the console.
const INSTRUCTIONS: u64 = 2_000;
/// Maximum number of cycles: three frames.
const TIME: u64 = 3 * 200_000_000 / 60;
/// After each step of this many instructions the run ends if the program has started a render. A frame of
/// unused memory takes a second, and other targets test drawing.
const STEP: u64 = 100;

/// Address of the default region array in video memory, in the 32-bit area.
const REGIONS: u32 = 0xA500_0000;

/// Areas of the memory map, and the number of bytes that are accessed in each.
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

/// Runs the loaded program on both engines and compares their final states.
fn run(load: impl Fn(&mut Dreamcast) -> bool) {
    let mut consoles = [(); 2].map(|()| Dreamcast::new(Config::default()));
    if !consoles.iter_mut().all(&load) {
        return;
    }
    // Writes one tile without lists to the default address of the region array. Unused memory would be an
    // array of 8,192 tiles.
    for console in &mut consoles {
        let ends = (REGIONS..REGIONS + 24).all(|address| console.poke(address, 0xFF));
        assert!(ends, "video memory can be written");
    }
    if let Ok(recompiler) = Recompiler::new(Options { hot: 2 }) {
        consoles[1].accelerate(Box::new(recompiler));
    }
    let ends = consoles.each_mut().map(run_a_little);
    let [plain, compiled] = &mut consoles;
    assert_eq!(ends[0], ends[1]);
    assert_eq!(plain.now(), compiled.now());
    assert!(plain.cpu == compiled.cpu, "the engines' registers differ");
    assert_eq!(plain.take_console(), compiled.take_console());
}

/// Runs a console up to its limits, or up to the end of the step in which it draws.
fn run_a_little(console: &mut Dreamcast) -> Ended {
    let mut until = Until {
        instructions: STEP,
        time: Cycles(TIME),
        ..Until::FOREVER
    };
    loop {
        let ended = console.run(until);
        let is_step = ended == Ended::Instructions && until.instructions < INSTRUCTIONS;
        if !is_step || console.renders() > 0 {
            return ended;
        }
        until.instructions += STEP;
    }
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

/// Runs programs that only access devices: MOV.L of an address, MOV.L of a value, then a load or store.
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

/// Returns an address of a device register. Nine of ten addresses are multiples of 4.
fn device_address(from: &mut Source<'_>) -> u32 {
    let (first, length) = from.pick(&AREAS);
    let address = first + from.below(length);
    if from.chance(10) { address } else { address & !3 }
}

/// DMA channels: registers to set up, and the register that starts the transfer.
const CHANNELS: [(&[u32], u32); 9] = [
    // Channel 2 of the CPU to the tile accelerator or to textures.
    (
        &[
            0xFFA0_0020,
            0xFFA0_0028,
            0xFFA0_002C,
            0xFFA0_0040,
            0xA05F_6800,
            0xA05F_6804,
            0xA05F_6884,
        ],
        0xA05F_6808,
    ),
    // Sort DMA.
    (&[0xA05F_6810, 0xA05F_6814, 0xA05F_6818, 0xA05F_681C], 0xA05F_6820),
    // Maple.
    (
        &[0xA05F_6C04, 0xA05F_6C10, 0xA05F_6C14, 0xA05F_6C80, 0xA05F_6C8C],
        0xA05F_6C18,
    ),
    // The drive.
    (
        &[0xA05F_7404, 0xA05F_7408, 0xA05F_740C, 0xA05F_74B8, 0xA05F_7414],
        0xA05F_7418,
    ),
    // Sound and three other channels of G2.
    (
        &[
            0xA05F_7800,
            0xA05F_7804,
            0xA05F_7808,
            0xA05F_780C,
            0xA05F_7810,
            0xA05F_7814,
        ],
        0xA05F_7818,
    ),
    (
        &[
            0xA05F_7820,
            0xA05F_7824,
            0xA05F_7828,
            0xA05F_782C,
            0xA05F_7830,
            0xA05F_7834,
        ],
        0xA05F_7838,
    ),
    (
        &[
            0xA05F_7860,
            0xA05F_7864,
            0xA05F_7868,
            0xA05F_786C,
            0xA05F_7870,
            0xA05F_7874,
        ],
        0xA05F_7878,
    ),
    // PVR DMA.
    (
        &[
            0xA05F_7C00,
            0xA05F_7C04,
            0xA05F_7C08,
            0xA05F_7C0C,
            0xA05F_7C10,
            0xA05F_7C14,
        ],
        0xA05F_7C18,
    ),
    // Channel 3 of the CPU, which software starts.
    (&[0xFFA0_0030, 0xFFA0_0034, 0xFFA0_0038, 0xFFA0_0040], 0xFFA0_003C),
];

/// Addresses of the transferred data and of the interrupt handler.
const DATA: u32 = 0x8C02_0000;
const VECTORS: u32 = 0x8C03_0000;

/// Returns a value for a DMA register: an address in some memory, a length, a value with few bits, or any
/// word.
fn dma_value(from: &mut Source<'_>) -> u32 {
    let word = from.word();
    match word >> 24 & 7 {
        0 => 0x0C02_0000 + (word & 0x7FE0),
        1 => 0x0C00_0000 + (word & 0xFF_FFE0),
        2 => {
            [0x1000_0000, 0x1100_0000, 0x1080_0000, 0x0500_0000, 0x0080_0000][(word % 5) as usize]
                + (word >> 8 & 0x7FE0)
        }
        3 | 4 => word & 0x7E0,
        5 => word & 0x8000_000F,
        6 => [0x12C1, 0x8201, 0x6155_00FF, 0x4659_0080, 0x8843_007F, 0x4702_007F][(word % 6) as usize],
        _ => from.word(),
    }
}

/// Sets up and starts transfers on all DMA channels, then lets time pass until an interrupt. The rest of the
/// input is data, with Maple frames among them.
pub(crate) fn dma(bytes: &[u8]) {
    let mut from = Source::new(bytes);
    let mut program: Vec<u8> = Vec::new();
    let mut store = |address: u32, value: u32| {
        // mov.l @(1*4,pc),r1; mov.l @(1*4,pc),r2; mov.l r2,@r1; bra over the pool; nop; nop; two words
        for opcode in [0xD102, 0xD203, 0x2122, 0xA004, 0x0009, 0x0009] {
            program.extend(u16::to_le_bytes(opcode));
        }
        program.extend(address.to_le_bytes());
        program.extend(value.to_le_bytes());
    };
    // Enables all normal interrupts at level 2.
    store(0xA05F_6910, u32::MAX);
    let data = from.rest();
    for _ in 0..1 + from.below(4) {
        let (registers, start) = from.pick(&CHANNELS);
        for register in registers {
            if !from.chance(16) {
                store(*register, dma_value(&mut from));
            }
        }
        let value = if from.chance(4) { from.word() } else { 1 };
        store(start, value);
        for _ in 0..from.below(3) {
            // sleep; the stores after it continue when an interrupt ends it
            store(0xFF00_0020, 0);
        }
    }
    // sleep; bra -4; nop
    program.extend([0x1B, 0, 0xFD, 0xAF, 9, 0]);
    // mov.l ISTNRM,r1; mov.l all,r2; mov.l r2,@r1; rte; nop
    let handler: [u32; 5] = [0xD203_D102, 0x002B_2122, 0x0009_0009, 0xA05F_6900, u32::MAX];
    let handler: Vec<u8> = handler.iter().flat_map(|word| word.to_le_bytes()).collect();
    run(|console| {
        console.cpu.vbr = VECTORS;
        console.cpu.set_sr(0x4000_0000);
        console.load_raw_at(DATA, &data[..data.len().min(0x8000)]).is_ok()
            && console.load_raw_at(VECTORS + 0x600, &handler).is_ok()
            && console.load_raw(&program).is_ok()
    });
}
