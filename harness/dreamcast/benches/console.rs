//! Emulates a second of the console's time with 3,000 textured triangles per frame, and measures the cost of
//! events.
//!
//! Targets: `second of crowd` 250 ms or less with the fast clock, 667 ms with the cycle model, on one thread
//! for the CPU and two for the chip (4 and 1.5 times the console's speed); a million events 50 ms or less.

#![allow(missing_docs, reason = "a bench")]
#![allow(
    clippy::unwrap_used,
    reason = "a bench that cannot read its program has nothing to say"
)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dreamcast::scheduler::{Event, Scheduler};
use dreamcast::{Clock, Config, Cycles, Dreamcast, Until};
use machine::Image;
use sh4_recompiler::{Options, Recompiler};
use std::path::Path;

const CPU_HZ: u64 = 199_500_000;
/// Frame after which the program has built its tables, and both frame buffers contain a picture.
const BEGIN: u64 = 20;
const EVENTS: u64 = 1_000_000;

fn console(clock: Clock) -> Dreamcast {
    let mut console = Dreamcast::new(Config {
        clock,
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

fn second(console: &mut Dreamcast) {
    let time = Cycles(console.now().0 + CPU_HZ);
    console.run(Until {
        time,
        ..Until::FOREVER
    });
}

fn crowd(c: &mut Criterion) {
    let mut group = c.benchmark_group("second of crowd");
    group.sample_size(10);
    for (name, clock) in [("fast", Clock::Fast), ("model", Clock::Model)] {
        let mut console = console(clock);
        group.bench_function(name, |b| b.iter(|| second(&mut console)));
        let per_second = console.renders() as f64 / (console.now().0 as f64 / CPU_HZ as f64);
        println!("{name}: {per_second:.1} renders a second of the console's time");
    }
    group.finish();
}

/// Delivers a million events with all kinds pending. Each delivered event is scheduled again.
fn deliver() -> u64 {
    let mut scheduler = Scheduler::default();
    for (n, event) in Event::ALL.iter().enumerate() {
        scheduler.set(*event, Cycles(n as u64));
    }
    while scheduler.delivered < EVENTS {
        if let Some((event, time)) = scheduler.pop(scheduler.next()) {
            scheduler.set(event, Cycles(time.0 + 100 + 7 * event as u64));
        }
    }
    scheduler.next().0
}

fn events(c: &mut Criterion) {
    let mut group = c.benchmark_group("scheduler");
    group.throughput(Throughput::Elements(EVENTS));
    group.bench_function("million events", |b| b.iter(deliver));
    group.finish();
}

criterion_group!(benches, crowd, events);
criterion_main!(benches);
