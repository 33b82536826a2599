//! Generated cases of every kernel on the emulated SH4 and the reference, compared.
//!
//! Target: 10,000 cases of transform_points in 1 s or less.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sh4_kernels::KERNELS;
use verify::Verifier;

const CASES: u64 = 100;

fn cases(c: &mut Criterion) {
    let mut group = c.benchmark_group("verify");
    group.throughput(Throughput::Elements(CASES)).sample_size(10);
    let Ok(mut verifier) = Verifier::new() else { return };
    for kernel in KERNELS {
        group.bench_function(kernel.name, |b| b.iter(|| verifier.run(kernel, CASES, 1, |_| {})));
    }
}

criterion_group!(benches, cases);
criterion_main!(benches);
