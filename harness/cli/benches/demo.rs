//! The demo's frame at 640x480, from object tree to pixels, on two threads.
//!
//! Targets: `reference` 8 ms or less on two cores; `checked` (emulated SH4 and reference, compared) 67 ms or
//! less, which is 15 frames per second.

use criterion::{Criterion, criterion_group, criterion_main};
use sh4_kernels::Reference;
use swirl::Demo;
use verify::{Checked, Emulated};

fn frame(c: &mut Criterion) {
    let mut group = c.benchmark_group("demo frame");
    group.sample_size(20);
    let Ok(mut demo) = Demo::new() else { return };
    group.bench_function("reference", |b| b.iter(|| demo.frame(&mut Reference)));
    if let (Ok(mut emulated), Ok(mut checked)) = (Emulated::new(), Checked::new()) {
        group.bench_function("sh4", |b| b.iter(|| demo.frame(&mut emulated)));
        group.bench_function("checked", |b| b.iter(|| demo.frame(&mut checked)));
    }
}

criterion_group!(benches, frame);
criterion_main!(benches);
