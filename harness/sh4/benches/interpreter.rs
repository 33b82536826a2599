//! Guest instructions a second over the speed programs.
//!
//! Target: 100 million a second on every one on an idle 2.5 GHz Xeon (Cascade Lake), goal 200 million.
//! Prints MIPS of whole runs of each program first, the shortest of three, its checksum compared; then
//! times the first 20 million instructions of each.
//!
//! To compare another machine, measure qemu's recompiler there on the same work:
//! `for p in int_crc mem_copy c_mix; do time qemu-sh4 roms/speed/linux/$p.elf; done`

// A failed unwrap or panic in a helper fails the test.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::time::Instant;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use sh4::{Settings, Stop};

#[path = "../tests/common/program.rs"]
mod program;

/// Instructions a sample: enough to reach every inner loop.
const SAMPLE: u64 = 20_000_000;

fn whole_runs() {
    for p in &program::PROGRAMS {
        let start = program::load(p.name, Settings::default());
        let (mut shortest, mut executed) = (f64::INFINITY, 0);
        for _ in 0..3 {
            let (mut bus, mut cpu) = start.clone();
            let begin = Instant::now();
            let run = cpu.run(&mut bus, None, u64::MAX, &mut ());
            shortest = shortest.min(begin.elapsed().as_secs_f64());
            executed = run.executed;
            assert_eq!((run.stop, cpu.r[0]), (Stop::Sleep, p.checksum), "{}", p.name);
        }
        let mips = executed as f64 / shortest / 1e6;
        println!(
            "{:12} {mips:5.0} MIPS, {executed} instructions in {shortest:.2} s",
            p.name
        );
    }
}

fn interpreter(criterion: &mut Criterion) {
    whole_runs();
    let mut group = criterion.benchmark_group("interpreter");
    group.sample_size(10).throughput(Throughput::Elements(SAMPLE));
    for p in &program::PROGRAMS {
        let start = program::load(p.name, Settings::default());
        group.bench_function(p.name, |bencher| {
            bencher.iter_batched_ref(
                || start.clone(),
                |(bus, cpu)| cpu.run(bus, None, SAMPLE, &mut ()),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, interpreter);
criterion_main!(benches);
