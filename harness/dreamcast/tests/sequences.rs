//! Small random programs that load and store registers and memory: both engines end in the same state.

// Other hosts have one engine.
#![cfg(target_arch = "x86_64")]
#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

use dreamcast::{Clock, Config, Dreamcast, Ended, Until};
use std::collections::BTreeMap;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

/// Areas of the map, and the number of bytes tested in each.
const AREAS: [(u32, u32); 24] = [
    (0xA05F_6800, 0x500),
    (0xA05F_6900, 0x40),
    (0xA05F_6C00, 0x100),
    (0xA05F_7000, 0x100),
    (0xA05F_7400, 0x100),
    (0xA05F_7800, 0x100),
    (0xA05F_7C00, 0x100),
    (0xA05F_8000, 0x2000),
    (0xA070_0000, 0x3000),
    (0xA071_0000, 0x10),
    (0xA080_0000, 0x20_0000),
    (0xA020_0000, 0x2_0000),
    (0xA400_0000, 0x0200_0000),
    (0xB000_0000, 0x0400_0000),
    (0x8C00_0000, 0x0100_0000),
    (0x8C01_0000, 0x400),
    (0x7C00_0000, 0x4000),
    (0xE000_0000, 0x0400_0000),
    (0xFF00_0000, 0x100),
    (0xFFA0_0000, 0x48),
    (0xFFC0_0000, 0x20),
    (0xFFD0_0000, 0x20),
    (0xFFD8_0000, 0x30),
    (0xFFE8_0000, 0x28),
];
/// Number of accesses per program: limited by the range of MOV.L @(disp,PC) to the two constants of each.
const ACCESSES: usize = 8;
/// The handler of exceptions: VBR + 100.
const HANDLER: u32 = 0x8C00_F500;
/// Executions of a block before the recompiler compiles it: few, so that most programs run compiled.
const HOT: u32 = 4;
/// Instructions after which a program is stopped.
const LIMIT: u64 = 20_000;
/// Threads that share the programs.
const THREADS: u64 = 2;

/// Returns an address, aligned to 1 << `log2` bytes, except once in 32.
fn address(random: &mut Random, log2: u32) -> u32 {
    let (base, length) = AREAS[random.below(AREAS.len() as u64) as usize];
    let any = base + random.below(length.into()) as u32;
    match random.below(32) {
        0 => any,
        _ => any & !((1 << log2) - 1),
    }
}

/// Returns a value: random, with few bits, an address of RAM or video memory, or a start bit.
fn value(random: &mut Random) -> u32 {
    match random.below(5) {
        0 => random.next() as u32,
        1 => random.below(16) as u32,
        2 => 0x0C00_0000 | random.below(0x0100_0000) as u32 & !31,
        3 => 0x1000_0000 | random.below(0x0400_0000) as u32 & !31,
        _ => 1,
    }
}

/// Returns the instruction of one access: R1 holds the address, R2 the value, and R3 receives the value read.
/// Store queues have no readable address here (SH7750 manual, section 4.7), and a refused read ends a
/// program.
fn operation(random: &mut Random, address: u32, log2: u32) -> u16 {
    let writes_only = address >> 26 == 0xE000_0000 >> 26;
    match random.below(9) {
        0..4 if !writes_only => 0x6312 - (2 - log2 as u16),
        0..8 => 0x2122 - (2 - log2 as u16),
        // PREF @R1
        _ => 0x0183,
    }
}

/// `mov #n,r8; mov #0,r4; loop: (mov.l address,r1; mov.l value,r2; access; rotl r4; add r3,r4)*; dt r8;
/// bf loop; sleep or rts; nop`, and the constants.
fn program(random: &mut Random) -> Vec<u8> {
    let mut code = vec![0xE801 + random.below(120) as u16, 0xE400];
    let mut constants = Vec::new();
    let pool = 2 + 5 * ACCESSES + 4;
    let load = |register: u16, constants: &mut Vec<u32>, at: usize, constant: u32| {
        let target = 2 * pool + 4 * constants.len();
        constants.push(constant);
        // MOV.L @(disp,PC),Rn is relative to the aligned address after the next instruction.
        0xD000 | register << 8 | ((target - ((2 * at + 4) & !3)) / 4) as u16
    };
    for _ in 0..ACCESSES {
        let log2 = random.below(3) as u32;
        let address = address(random, log2);
        let place = load(1, &mut constants, code.len(), address);
        code.push(place);
        let data = load(2, &mut constants, code.len(), value(random));
        code.extend([data, operation(random, address, log2), 0x4404, 0x343C]);
    }
    let back = (2i32 - (code.len() as i32 + 1) - 2) as u8;
    code.extend([0x4810, 0x8B00 | u16::from(back)]);
    code.extend([[0x001B, 0x000B][random.below(2) as usize], 0x0009]);
    assert_eq!(code.len(), pool);
    let words = code.iter().flat_map(|word| word.to_le_bytes());
    words
        .chain(constants.iter().flat_map(|word| word.to_le_bytes()))
        .collect()
}

/// The handler counts in R9 and skips the faulting instruction: `add #1,r9; stc spc,r10; add #2,r10; ldc
/// r10,spc; rte; nop`. After an interrupt it also skips one instruction.
const COUNT_AND_SKIP: [u16; 6] = [0x7901, 0x0A42, 0x7A02, 0x4A4E, 0x002B, 0x0009];

fn console(seed: u64, recompiled: bool) -> Dreamcast {
    let mut random = Random(seed);
    let mut console = Dreamcast::new(Config {
        clock: [Clock::Fast, Clock::Model][random.below(2) as usize],
        ..Config::default()
    });
    console.load_raw(&program(&mut random)).unwrap();
    for at in [HANDLER, HANDLER + 0x300, HANDLER + 0x500] {
        for (n, byte) in COUNT_AND_SKIP
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .enumerate()
        {
            assert!(console.poke(at + n as u32, byte));
        }
    }
    // Half of the programs enable interrupts: SR without BL and IMASK.
    if random.below(2) == 0 {
        console.cpu.set_sr(0x4000_0000);
    }
    if recompiled {
        let recompiler = sh4_recompiler::Recompiler::new(sh4_recompiler::Options { hot: HOT });
        console.accelerate(Box::new(recompiler.unwrap()));
    }
    console
}

/// FNV-1a over the words of RAM.
fn digest(console: &Dreamcast) -> u64 {
    (0x8C00_0000..0x8D00_0000)
        .step_by(4)
        .fold(0xCBF2_9CE4_8422_2325, |hash, at| {
            (hash ^ u64::from(console.word(at).unwrap())).wrapping_mul(0x0100_0000_01B3)
        })
}

/// Registers, time, text, end and RAM.
#[derive(Debug, PartialEq, Eq)]
struct State {
    ended: Ended,
    r: [u32; 16],
    r_bank: [u32; 8],
    control: [u32; 12],
    retired: u64,
    cycles: u64,
    frame: u64,
    renders: u64,
    text: Vec<u8>,
    ram: u64,
}

fn run(seed: u64, recompiled: bool) -> State {
    let mut console = console(seed, recompiled);
    let ended = console.run(Until {
        instructions: LIMIT,
        frame: 3,
        ..Until::FOREVER
    });
    let cpu = &console.cpu;
    let control = [
        cpu.pc,
        cpu.pr,
        cpu.gbr,
        cpu.vbr,
        cpu.ssr,
        cpu.spc,
        cpu.sgr,
        cpu.sr(),
        cpu.fpscr(),
        cpu.expevt,
        cpu.intevt,
        cpu.tra,
    ];
    State {
        ended,
        r: cpu.r,
        r_bank: cpu.r_bank,
        control,
        retired: cpu.retired(),
        cycles: console.now().0,
        frame: console.frame(),
        renders: console.renders(),
        text: console.take_console(),
        ram: digest(&console),
    }
}

/// Compares the engines for all seeds below `count` with this remainder. Returns the kinds of ends, and the
/// number of instructions.
fn compare(count: u64, remainder: u64) -> (Vec<String>, u64) {
    let mut ends = Vec::new();
    let mut retired = 0;
    for seed in (remainder..count).step_by(THREADS as usize) {
        let interpreted = run(seed, false);
        assert_eq!(run(seed, true), interpreted, "seed {seed}");
        retired += interpreted.retired;
        let end = format!("{:?}", interpreted.ended);
        ends.push(end.split('(').next().unwrap().to_owned());
    }
    (ends, retired)
}

/// `SWIRL_SEQUENCES=10000` runs ten thousand programs instead of 40.
#[test]
fn random_register_sequences_end_in_the_same_state_on_both_engines() {
    let count: u64 = std::env::var("SWIRL_SEQUENCES").map_or(40, |text| text.parse().unwrap());
    let parts: Vec<(Vec<String>, u64)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|n| scope.spawn(move || compare(count, n)))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut ends = BTreeMap::<&str, u64>::new();
    for end in parts.iter().flat_map(|(ends, _)| ends) {
        *ends.entry(end).or_default() += 1;
    }
    let retired: u64 = parts.iter().map(|(_, retired)| retired).sum();
    println!("{count} programs, {retired} instructions on each engine, ends: {ends:?}");
}
