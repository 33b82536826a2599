//! Guest instructions a second in both modes, over the speed programs. Target: counting 120 million, explaining 25.
//!
//! `cargo bench -p profile` runs 12 million instructions of each; `SWIRL_BENCH=whole` runs them to their end.

#![allow(
    clippy::unwrap_used,
    reason = "a bench that cannot read its programs has nothing to say"
)]

use machine::{Image, Machine, Observer};
use profile::{Counter, Profiler, Setup};
use std::path::Path;
use std::time::Instant;

const PROGRAMS: [&str; 6] = [
    "int_crc",
    "mem_copy",
    "fpu_ftrv",
    "fpu_mixed",
    "fpu_mixfmac",
    "c_mix",
];

fn main() {
    let limit = match std::env::var("SWIRL_BENCH").as_deref() {
        Ok("whole") => u64::MAX,
        _ => 12_000_000,
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench/sh4/elf");
    println!(
        "{:<12} {:>12} {:>12} {:>12} {:>12}  million a second",
        "", "bare", "counting", "explaining", "cycles"
    );
    for name in PROGRAMS {
        let Ok(bytes) = std::fs::read(folder.join(format!("{name}.bare"))) else {
            println!("{name:<12} not present");
            continue;
        };
        let image = Image::parse(&bytes).unwrap();
        let mut counter = Counter::new(Setup::default());
        let mut profiler = Profiler::new(Setup::default()).without_interval();
        let bare = time(&image, limit, &mut ());
        let counting = time(&image, limit, &mut counter);
        let explaining = time(&image, limit, &mut profiler);
        let (counted, explained) = (counter.finish(), profiler.finish());
        assert_eq!(counted.events, explained.events, "{name}");
        println!(
            "{name:<12} {bare:>12.0} {counting:>12.0} {explaining:>12.0} {:>12}",
            counted.cycles()
        );
    }
}

/// Million instructions a second.
fn time(image: &Image, limit: u64, observer: &mut impl Observer) -> f64 {
    let mut machine = Machine::new();
    machine.load(image).unwrap();
    let start = Instant::now();
    let halt = machine.emu_start_hooked(image.entry, None, limit, observer);
    halt.instructions as f64 / start.elapsed().as_secs_f64() / 1e6
}
