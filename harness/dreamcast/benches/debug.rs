//! Measures the costs of a debugger over a second of the console's time with 3,000 textured triangles per
//! frame.
//!
//! Targets: a snapshot 2 ms and 2 MiB on average at ten a second; ten breakpoints that the program does not
//! reach 1.3 times the time without; a watchpoint on a page that the program does not use 1.5 times.

#![allow(missing_docs, reason = "a bench")]
#![allow(
    clippy::unwrap_used,
    reason = "a bench that cannot read its program has nothing to say"
)]

use criterion::{Criterion, criterion_group, criterion_main};
use dreamcast::debug::Watchpoint;
use dreamcast::snapshot::Snapshot;
use dreamcast::{Config, Cycles, Dreamcast, Until};
use machine::Image;
use sh4_recompiler::{Options, Recompiler};
use std::path::Path;
use std::time::{Duration, Instant};

const CPU_HZ: u64 = 199_500_000;
/// Frame after which the program has built its tables, and both frame buffers contain a picture.
const BEGIN: u64 = 20;
/// Snapshots in a second.
const RATE: u64 = 10;
/// Addresses of RAM that the program does not use.
const UNUSED: u32 = 0x8CF0_0000;

fn console() -> Dreamcast {
    let mut console = Dreamcast::new(Config {
        threads: 2,
        ..Config::default()
    });
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../roms/console/crowd.elf");
    let image = Image::parse(&std::fs::read(path).unwrap()).unwrap();
    console.load(&image).unwrap();
    let recompiler = Recompiler::new(Options::console()).unwrap();
    console.accelerate(Box::new(recompiler));
    console.run(Until {
        frame: BEGIN,
        ..Until::FOREVER
    });
    console
}

fn run(console: &mut Dreamcast, cycles: u64) {
    let time = Cycles(console.now().0 + cycles);
    console.run(Until {
        time,
        ..Until::FOREVER
    });
}

fn stops(c: &mut Criterion) {
    let mut group = c.benchmark_group("second of crowd");
    group.sample_size(10);
    let mut console = console();
    group.bench_function("no debugger", |b| b.iter(|| run(&mut console, CPU_HZ)));
    console.set_breakpoints((0..10).map(|n| UNUSED + 16 * n));
    group.bench_function("ten breakpoints", |b| b.iter(|| run(&mut console, CPU_HZ)));
    console.set_breakpoints([]);
    console.set_watchpoints(vec![Watchpoint {
        address: UNUSED,
        bytes: 4,
        reads: false,
        writes: true,
    }]);
    group.bench_function("a watchpoint", |b| b.iter(|| run(&mut console, CPU_HZ)));
    group.finish();
}

/// Measures the snapshots of `seconds` of the console: their time, their number, and the bytes that each one
/// adds.
fn snapshots(console: &mut Dreamcast, seconds: u64) -> (Duration, u64, usize) {
    let mut last: Option<Snapshot> = None;
    let (mut time, mut count, mut bytes) = (Duration::ZERO, 0, 0);
    for _ in 0..seconds * RATE {
        run(console, CPU_HZ / RATE);
        let begin = Instant::now();
        let snapshot = console.snapshot(last.as_ref());
        time += begin.elapsed();
        if last.is_some() {
            bytes += snapshot.bytes_after(last.as_ref());
            count += 1;
        }
        last = Some(snapshot);
    }
    (time, count, bytes / (count.max(1) as usize))
}

fn states(c: &mut Criterion) {
    let mut group = c.benchmark_group("state");
    group.sample_size(10);
    let mut console = console();
    let (_, count, bytes) = snapshots(&mut console, 3);
    println!("snapshots: {count}, {bytes} bytes each on average");
    group.bench_function("ten snapshots", |b| {
        b.iter_custom(|times| (0..times).map(|_| snapshots(&mut console, 1).0).sum());
    });
    let mut bytes = Vec::new();
    console.save_state(&mut bytes).unwrap();
    group.bench_function("save", |b| {
        b.iter(|| {
            bytes.clear();
            console.save_state(&mut bytes).unwrap();
        });
    });
    let mut other = Vec::new();
    console.save_state(&mut other).unwrap();
    group.bench_function("load", |b| {
        b.iter(|| console.load_state(&mut other.as_slice()).unwrap())
    });
    group.finish();
}

criterion_group!(benches, stops, states);
criterion_main!(benches);
