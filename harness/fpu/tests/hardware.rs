//! Published results of the real chip.

// These helpers fail a test by unwrap or panic.
#![allow(clippy::unwrap_used, clippy::panic)]

use sh4_fpu::inner::{InnerModel, InnerProduct, ProductExponent, inner};
use sh4_fpu::{Control, startup};

// The digits as published.
#[allow(clippy::excessive_precision)]
const A: [f32; 4] = [46.351589, 68.036201, -91.735298, -50.511566];
#[allow(clippy::excessive_precision)]
const B: [f32; 4] = [-25.173294, 72.041527, 72.575272, -57.887852];

/// Renesas community, thread 32763 ("SH FIPR precision").
#[test]
fn fipr_datum() {
    assert_eq!(startup::inner(A, B).to_bits(), 0x3F66_CC00);
    let alternative = |product| {
        let model = InnerModel {
            product,
            ..InnerModel::default()
        };
        inner(
            &A.map(f32::to_bits),
            &B.map(f32::to_bits),
            model,
            Control::STARTUP,
        )
        .bits
    };
    assert_eq!(alternative(InnerProduct::Exact), 0x3F66_C9EA);
    assert_ne!(alternative(InnerProduct::Sequential), 0x3F66_CC00);
    let after = InnerModel {
        exponent: ProductExponent::AfterNormalising,
        ..InnerModel::default()
    };
    assert_eq!(
        inner(
            &A.map(f32::to_bits),
            &B.map(f32::to_bits),
            after,
            Control::STARTUP
        )
        .bits,
        0x3F66_CC00
    );
}

#[test]
fn fipr_data_that_do_not_discriminate() {
    let x = f32::from_bits(0x3F7F_FFD5);
    assert_eq!(startup::inner([x; 4], [x; 4]).to_bits(), 0x407F_FFAA);
    let y = f32::from_bits(0x407F_FFFF);
    assert_eq!(
        startup::inner([y, 0.0, 0.0, 0.0], [1.0; 4]).to_bits(),
        0x407F_FFFF
    );
}
