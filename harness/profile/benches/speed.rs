//! Guest instructions per second in both modes, for the speed programs. Targets: 120 million when counting,
//! 25 million when explaining.
//!
//! `cargo bench -p swirl-profile` runs 12 million instructions of each program. `SWIRL_BENCH=whole` runs the
//! programs to their end, `SWIRL_BENCH=NUMBER` runs this number of instructions. Arguments after `--` select
//! programs and modes by name.

#![allow(
    clippy::unwrap_used,
    reason = "a bench that cannot read its programs has nothing to say"
)]

use machine::{Image, Machine, Observer};
use profile::Profiler;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Instant;
use timing::{Counter, Setup};

const PROGRAMS: [&str; 6] = [
    "int_crc",
    "mem_copy",
    "fpu_ftrv",
    "fpu_mixed",
    "fpu_mixfmac",
    "c_mix",
];

const MODES: [&str; 3] = ["bare", "counting", "explaining"];

fn main() {
    let limit = match std::env::var("SWIRL_BENCH").as_deref() {
        Ok("whole") => u64::MAX,
        Ok(number) => number.parse().unwrap(),
        Err(_) => 12_000_000,
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../roms/speed");
    println!("million guest instructions a second of processor time");
    let picked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with('-'))
        .collect();
    let wanted = |name: &str, among: &[&str]| {
        let mut known = picked
            .iter()
            .filter(|arg| among.contains(&arg.as_str()))
            .peekable();
        known.peek().is_none() || known.any(|arg| arg == name)
    };
    for name in PROGRAMS.into_iter().filter(|name| wanted(name, &PROGRAMS)) {
        let bytes = std::fs::read(folder.join(format!("{name}.elf"))).unwrap();
        let image = Image::parse(&bytes).unwrap();
        print!("{name:<12}");
        let mut counter = Counter::new(Setup::default());
        let mut profiler = Profiler::new(Setup::default()).without_interval();
        for mode in MODES.into_iter().filter(|mode| wanted(mode, &MODES)) {
            let speed = match mode {
                "bare" => time(&image, limit, &mut ()),
                "counting" => time(&image, limit, &mut counter),
                _ => time(&image, limit, &mut profiler),
            };
            print!(" {mode} {speed:>5.0}");
        }
        let (counted, explained) = (counter.finish(), profiler.finish());
        if MODES.iter().all(|mode| wanted(mode, &MODES)) {
            assert_eq!(counted.events, explained.events, "{name}");
        }
        println!("  {:>12} cycles", counted.cycles());
    }
}

/// Million instructions per second.
fn time(image: &Image, limit: u64, observer: &mut impl Observer) -> f64 {
    let mut machine = Machine::new();
    machine.load(image).unwrap();
    let start = now();
    let halt = machine.emu_start_hooked(image.entry, None, limit, observer);
    halt.instructions as f64 / (now() - start) / 1e6
}

/// Returns seconds of processor time on Linux, so that other work on the machine does not count.
fn now() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let scheduled = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanoseconds: Option<f64> = scheduled.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(
        || START.get_or_init(Instant::now).elapsed().as_secs_f64(),
        |ns| ns / 1e9,
    )
}
