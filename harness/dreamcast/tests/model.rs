//! The console under the cycle model.

#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

use dreamcast::{Clock, Config, Dreamcast, Ended, Until};
use machine::{Image, Machine};
use std::fs;
use std::path::{Path, PathBuf};
use timing::{Counter, Parameters, Setup};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn console(path: &Path, threads: usize) -> Dreamcast {
    let mut console = Dreamcast::new(Config {
        threads,
        clock: Clock::Model,
        ..Config::default()
    });
    console
        .load(&Image::parse(&fs::read(path).unwrap()).unwrap())
        .unwrap();
    console
}

/// Results of a run.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    ended: Ended,
    text: String,
    cycles: u64,
    instructions: u64,
    frames: u64,
    renders: u64,
}

fn run(console: &mut Dreamcast, frames: u64) -> (Outcome, Vec<u8>) {
    let ended = console.run(Until {
        frame: frames,
        ..Until::FOREVER
    });
    let outcome = Outcome {
        ended,
        text: String::from_utf8_lossy(&console.take_console()).into_owned(),
        cycles: console.now().0,
        instructions: console.cpu.retired(),
        frames: console.frame(),
        renders: console.renders(),
    };
    (outcome, console.picture().rgba)
}

/// Returns the outcome with one thread, and checks that two threads, and an accelerator, which does not count
/// cycles, do not change it.
fn run_everywhere(path: &Path, frames: u64) -> Outcome {
    let (first, picture) = run(&mut console(path, 1), frames);
    let mut accelerated = console(path, 2);
    // Other hosts have one engine.
    if cfg!(target_arch = "x86_64") {
        let recompiler = sh4_recompiler::Recompiler::new(sh4_recompiler::Options::default());
        accelerated.accelerate(Box::new(recompiler.unwrap()));
    }
    let (other, same) = run(&mut accelerated, frames);
    assert_eq!(other, first, "{}", path.display());
    assert!(same == picture, "{}: another picture", path.display());
    first
}

#[test]
fn threads_agree_to_the_cycle() {
    let programs = [
        "tmu",
        "spg",
        "maple",
        "lists",
        "dmac",
        "aica",
        "exceptions",
        "wdt",
        "menu",
        "spin",
    ];
    for name in programs {
        let path = root().join(format!("roms/console/{name}.elf"));
        let outcome = run_everywhere(&path, 60);
        println!("{name}: {outcome:?}");
        let expected = if matches!(name, "menu" | "spin") {
            Ended::Frame
        } else {
            Ended::Exit(0)
        };
        assert_eq!(outcome.ended, expected, "{name}");
    }
}

/// Reads PMCTR1 (elapsed cycles) into R4 and R7 and TCNT0 (Pck/4: 16 cycles) into R5 and R6 around a loop of
/// 30,000 times DT and BF; R7 and R5 are the differences at its SLEEP:
///
/// ```text
/// mov.l pmcr1,r8; mov.l pmctr,r9; mov.l tcor0,r10; mov #0,r0; mov.w r0,@r8; mov.w clear,r0; mov.w r0,@r8
/// mov #-1,r1; mov.l r1,@r10; mov.l r1,@(4,r10); mov #0,r1; mov.w run,r0; mov #1,r1; mov.l tstr,r2
/// mov.b r1,@r2; mov.w r0,@r8; mov.w rounds,r3; loop: dt r3; bf loop; mov.l @r9,r4; mov.l @(4,r10),r5
/// mov.w rounds,r3; loop2: dt r3; bf loop2; mov.l @(4,r10),r6; mov.l @r9,r7; sub r4,r7; sub r6,r5; sleep
/// ```
const COUNTERS: &[u16] = &[
    0xD810, 0xD911, 0xDA11, 0xE000, 0x2801, 0x9017, 0x2801, 0xE1FF, 0x2A12, 0x1A11, 0xE100, 0x9012, 0xE101,
    0xD20D, 0x2210, 0x2801, 0x930E, 0x4310, 0x8BFD, 0x6492, 0x55A1, 0x9309, 0x4310, 0x8BFD, 0x56A1, 0x6792,
    0x3748, 0x3568, 0x001B, 0x0009, 0x2000, 0xC023, 0x7530, 0x0009, 0x0084, 0xFF00, 0x0008, 0xFF10, 0x0008,
    0xFFD8, 0x0004, 0xFFD8,
];

#[test]
fn counters_and_timers_agree_with_the_model() {
    let mut console = Dreamcast::new(Config {
        clock: Clock::Model,
        ..Config::default()
    });
    let bytes: Vec<u8> = COUNTERS.iter().flat_map(|word| word.to_le_bytes()).collect();
    console.load_raw(&bytes).unwrap();
    assert_eq!(console.run(Until::FOREVER), Ended::Asleep);
    let [counted, ticks] = [console.cpu.r[7], console.cpu.r[5]];
    // DT and BF taken: 3 cycles a round; 8 cycles for each of the registers read in between.
    assert!((90_000..90_040).contains(&counted), "{counted} cycles");
    // The timer counts whole ticks, and is read between the two reads of the counter.
    let by_timer = 16 * ticks;
    assert!(
        by_timer <= counted + 16 && by_timer + 32 >= counted,
        "{by_timer}, {counted}"
    );
}

/// Addresses of the routines' data.
const SOURCE: u32 = 0x8C10_0000;
const TARGET: u32 = 0x8C50_2000;
const MATRIX: u32 = 0x8C11_3000;
/// Routines of `roms/timing.elf` with their arguments; `profile` compares their cycles with measurements.
const LOOPS: &[(&str, &[u32])] = &[
    ("transform_in_turn", &[SOURCE, TARGET, 32, MATRIX]),
    ("transform_grouped", &[SOURCE, TARGET, 32, MATRIX]),
    ("copy_pairs", &[SOURCE, TARGET, 64]),
    ("copy_lines", &[SOURCE, TARGET, 64]),
    ("copy_words", &[SOURCE, 0xA400_0000, 256]),
    ("normalise_each", &[SOURCE, TARGET + 0x1000, 64]),
    ("matrix_load", &[SOURCE]),
    ("matrix_store", &[SOURCE]),
    ("prefetch_then_load", &[SOURCE + 0x40, 120]),
];

/// Calls a routine twice on the machine for kernels; the first call fills the caches.
fn as_kernel(image: &Image, entry: u32, args: &[u32]) -> [u64; 2] {
    let mut machine = Machine::new();
    machine.load(image).unwrap();
    machine.memory_mut().map(0x0400_0000, 0x0080_0000).unwrap();
    let mut counter = Counter::new(Setup::default());
    let mut before = 0;
    [0, 1].map(|_| {
        machine
            .call_hooked(entry, args, 10_000_000, &mut counter)
            .unwrap();
        let now = timing::ConsoleClock::cycles(&counter);
        now - std::mem::replace(&mut before, now)
    })
}

/// Parameters without memory refresh, which kernels do not have.
fn without_refresh() -> Parameters {
    Parameters {
        refresh_stall: 0,
        ..Parameters::default()
    }
}

/// Calls a routine twice on the console.
fn as_program(image: &Image, entry: u32, args: &[u32], parameters: Parameters) -> [u64; 2] {
    let mut console = Dreamcast::new(Config {
        clock: Clock::Model,
        parameters,
        ..Config::default()
    });
    console.load(image).unwrap();
    let home = console.cpu.pr;
    [0, 1].map(|_| {
        console.cpu.pc = entry;
        console.cpu.pr = home;
        console.cpu.r[15] = 0x8CFF_F000;
        console.cpu.r[4..4 + args.len()].copy_from_slice(args);
        let begin = console.now();
        assert!(matches!(console.run(Until::FOREVER), Ended::Exit(_)));
        console.now() - begin
    })
}

/// The measured loops take the same cycles as programs and as kernels, with equal stack and arguments. The
/// console's refresh is off, since kernels have no refresh; it changes a loop by at most 2 %, in either
/// direction.
#[test]
fn measured_loops_cost_the_same_as_kernels_and_as_programs() {
    let image = Image::parse(&fs::read(root().join("roms/timing.elf")).unwrap()).unwrap();
    let calls: &[(&str, &[u32])] = LOOPS;
    for (symbol, args) in calls {
        let entry = image.symbols.address(symbol).unwrap();
        let kernel = as_kernel(&image, entry, args);
        let program = as_program(&image, entry, args, without_refresh());
        let refreshed = as_program(&image, entry, args, Parameters::default());
        println!("{symbol}: {program:?} as a program, {refreshed:?} with refresh, {kernel:?} as a kernel");
        assert_eq!(program, kernel, "{symbol}");
        for (with, without) in refreshed.into_iter().zip(program) {
            assert!(with.abs_diff(without) <= without / 50, "{symbol}");
        }
    }
}

/// Programs of a user's folder: SWIRL_CONSOLE_PROGRAMS=FOLDER.
#[test]
fn threads_agree_on_other_programs() {
    let Some(folder) = std::env::var_os("SWIRL_CONSOLE_PROGRAMS") else {
        println!("0 programs: SWIRL_CONSOLE_PROGRAMS names no folder");
        return;
    };
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    for path in &paths {
        let outcome = run_everywhere(path, 120);
        println!("{}: {} cycles", path.display(), outcome.cycles);
    }
    println!("{} programs", paths.len());
}
