//! FSCA against the hardware's table, word for word.

// A failed unwrap or panic in a helper is how a test fails.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;

use sh4_fpu::approx::sincos;

#[test]
fn fsca() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/sh4-fsca/fsca.bin");
    let Ok(bytes) = std::fs::read(&path) else {
        println!("fsca: corpus not present, 0 files");
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
