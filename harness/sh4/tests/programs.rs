//! The speed programs to their end, by checksum.

// A failed unwrap or panic in a helper is how a test fails.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "common/program.rs"]
mod program;

use sh4::{Settings, Stop};
use sh4_fpu::inner::InnerProduct;

/// Under the chip's FTRV rounding and under the sequential one; the published checksums are of
/// emulators, which all are sequential or exact.
#[test]
fn checksums() {
    let mut count = 0;
    for p in &program::PROGRAMS {
        for (model, checksum) in [
            (InnerProduct::Hardware, p.hardware),
            (InnerProduct::Sequential, p.sequential),
        ] {
            let settings = Settings {
                fipr_model: model,
                ..Settings::default()
            };
            let Some((mut bus, mut cpu)) = program::load(p.name, settings) else {
                continue;
            };
            // Integer programs are the same under both.
            if model == InnerProduct::Sequential && !p.name.starts_with("fpu_") {
                continue;
            }
            let run = cpu.run(&mut bus, None, 1_000_000_000, &mut ());
            assert_eq!(
                (run.stop, cpu.r[0]),
                (Stop::Sleep, checksum),
                "{} {model:?}",
                p.name
            );
            count += 1;
        }
    }
    println!(
        "programs: {count} runs{}",
        if count == 0 { ", corpus not present" } else { "" }
    );
}
