//! The speed programs to their end, by checksum.

// A failed unwrap or panic in a helper is how a test fails.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "common/program.rs"]
mod program;

use sh4::{Settings, Stop};
use sh4_fpu::inner::InnerProduct;

/// Every program by the chip's rounding, those with FTRV by the other models too.
#[test]
fn checksums() {
    let mut count = 0;
    for p in &program::PROGRAMS {
        for fipr_model in [
            InnerProduct::Hardware,
            InnerProduct::Exact,
            InnerProduct::Sequential,
        ] {
            if fipr_model != InnerProduct::Hardware && !matches!(p.name, "fpu_ftrv" | "fpu_mixed") {
                continue;
            }
            let settings = Settings {
                fipr_model,
                ..Settings::default()
            };
            let Some((mut bus, mut cpu)) = program::load(p.name, settings) else {
                continue;
            };
            let run = cpu.run(&mut bus, None, 1_000_000_000, &mut ());
            assert_eq!(
                (run.stop, cpu.r[0]),
                (Stop::Sleep, p.checksum),
                "{} {fipr_model:?}",
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
