//! Compares FSCA with the hardware's table, word for word, and FSRRA with its known properties.

// These helpers fail a test by unwrap or panic.
#![allow(clippy::unwrap_used, clippy::panic)]

use sh4_fpu::approx::{ReciprocalRoot, rsqrt, sincos};
use sh4_fpu::{Cause, Control};

#[test]
fn fsca() {
    let path = corpus::folder("sh4-fsca").join("fsca.bin");
    let Ok(bytes) = std::fs::read(&path) else {
        corpus::absent("fsca");
        return;
    };
    assert_eq!(bytes.len(), 65_536 * 8);
    let words: Vec<u32> = bytes
        .chunks_exact(4)
        .map(|b| u32::from_le_bytes(b.try_into().unwrap()))
        .collect();
    let mut differing = 0;
    for angle in 0..=u16::MAX {
        let at = 2 * usize::from(angle);
        let (sine, cosine) = sincos(angle).bits;
        differing += usize::from(sine != words[at]) + usize::from(cosine != words[at + 1]);
    }
    println!("fsca: {differing} of {} words differ", words.len());
    assert_eq!(differing, 0);
}

/// The manual's bound, 2^-21, and the symmetries of the hardware's table.
#[test]
fn fsca_is_within_its_bound() {
    for angle in 0..=u16::MAX {
        let outcome = sincos(angle);
        let (sine, cosine) = outcome.bits;
        let turn = std::f64::consts::TAU * f64::from(angle) / 65_536.0;
        for (bits, exact) in [(sine, turn.sin()), (cosine, turn.cos())] {
            let error = f64::from(f32::from_bits(bits)) - exact;
            assert!(error.abs() < 2f64.powi(-21), "{angle:04X} {bits:08X}");
        }
        assert_eq!(sincos(angle ^ 0x8000).bits.0, sine ^ 0x8000_0000);
        assert_eq!(sincos(angle.wrapping_add(0x4000)).bits.0, cosine);
        assert_eq!(outcome.cause, Cause::INEXACT);
    }
}

/// Known properties of the instruction, for every mantissa at both parities of the exponent. The error is
/// within 2^-21 (and within 2 ulp, according to a report about a dump). The result never rises with the
/// operand. Powers of four are exact. The last bits are not proven on hardware.
#[test]
fn fsrra_every_mantissa() {
    for model in [ReciprocalRoot::Nearest, ReciprocalRoot::RootThenDivide] {
        let mut before = f64::INFINITY;
        let mut worst = 0.0f64;
        for bits in 0x3F80_0000u32..0x4080_0000 {
            let outcome = rsqrt(bits, model, Control::STARTUP);
            assert_eq!(outcome.cause, Cause::INEXACT);
            let value = f64::from(f32::from_bits(outcome.bits));
            assert!(value <= before, "{bits:08X} rises");
            before = value;
            let exact = 1.0 / f64::from(f32::from_bits(bits)).sqrt();
            // All results except the first are in [0.5, 1), where an ulp is 2^-24.
            worst = worst.max((value - exact).abs() * 2f64.powi(24));
        }
        assert!(worst < 2.0, "{model:?}: {worst} ulp");
        println!("fsrra {model:?}: 16777216 operands, at most {worst:.4} ulp off; not proven on hardware");
    }
}

/// The exponent only scales: over the whole range, four times the operand gives half the result. Powers of
/// four are exact.
#[test]
fn fsrra_scales_exactly() {
    let control = Control::STARTUP;
    for model in [ReciprocalRoot::Nearest, ReciprocalRoot::RootThenDivide] {
        for fraction in (0..0x80_0000u32).step_by(0x3FF) {
            for exponent in 1..=252u32 {
                let low = rsqrt(exponent << 23 | fraction, model, control).bits;
                let high = rsqrt((exponent + 2) << 23 | fraction, model, control).bits;
                assert_eq!(low, high + 0x80_0000, "{exponent} {fraction:06X}");
            }
        }
        for half in -63..=63i32 {
            let operand = ((127 + 2 * half) as u32) << 23;
            let result = ((127 - half) as u32) << 23;
            assert_eq!(rsqrt(operand, model, control).bits, result);
        }
    }
}
