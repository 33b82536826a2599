//! Guest instructions a second over the speed programs. Target: 100 million a second on every one,
//! goal 250 million. Prints MIPS of a whole run of each program first, its checksum compared.

// A failed unwrap or panic in a helper is how a test fails.
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
        let Some((mut bus, mut cpu)) = program::load(p.name, Settings::default()) else {
            println!("{}: corpus not present", p.name);
            continue;
        };
        let start = Instant::now();
        let run = cpu.run(&mut bus, None, u64::MAX, &mut ());
        let seconds = start.elapsed().as_secs_f64();
        let mips = run.executed as f64 / seconds / 1e6;
        println!(
            "{:12} {:5.0} MIPS, {} instructions, {:08x}, {}",
            p.name, mips, run.executed, cpu.r[0], run.stop
        );
        assert_eq!((run.stop, cpu.r[0]), (Stop::Sleep, p.checksum));
    }
}

fn interpreter(criterion: &mut Criterion) {
    whole_runs();
    let mut group = criterion.benchmark_group("interpreter");
    group.sample_size(10).throughput(Throughput::Elements(SAMPLE));
    for p in &program::PROGRAMS {
        let Some(start) = program::load(p.name, Settings::default()) else {
            continue;
        };
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
