//! Nanoseconds per operation. Targets: FIPR 10 to 20 ns or better, FTRV four times that, scalars below 5 ns.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use sh4_fpu::inner::{InnerModel, inner, transform};
use sh4_fpu::{Control, approx, single};

fn arithmetic(criterion: &mut Criterion) {
    let a = [46.351_59f32, 68.0362, -91.7353, -50.511_566].map(f32::to_bits);
    let b = [-25.173_294f32, 72.041_53, 72.575_27, -57.887_85].map(f32::to_bits);
    let matrix: [u32; 16] = std::array::from_fn(|i| (i as f32 * 0.37 - 2.0).to_bits());
    let (model, control) = (InnerModel::default(), Control::STARTUP);
    criterion.bench_function("fipr", |bencher| {
        bencher.iter(|| inner(black_box(&a), black_box(&b), model, control));
    });
    criterion.bench_function("ftrv", |bencher| {
        bencher.iter(|| transform(black_box(&matrix), black_box(&a), model, control));
    });
    criterion.bench_function("fmac", |bencher| {
        bencher.iter(|| single::mac(black_box(a[0]), black_box(b[0]), black_box(a[1]), control));
    });
    criterion.bench_function("fadd", |bencher| {
        bencher.iter(|| single::add(black_box(a[0]), black_box(b[0]), control));
    });
    criterion.bench_function("fsca", |bencher| bencher.iter(|| approx::sincos(black_box(1234))));
}

criterion_group!(benches, arithmetic);
criterion_main!(benches);
