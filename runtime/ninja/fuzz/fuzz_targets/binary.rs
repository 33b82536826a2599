//! Binary files: no panic, and what reads is written back byte for byte and is equal when laid out anew.
//!
//! `cargo +nightly fuzz run binary` in `runtime/ninja`; the annotated samples of `tests/data/hex` make a good first
//! corpus (`cut -d: -f2 FILE | cut -d';' -f1 | xxd -r -p`).

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut file) = ninja::read(bytes) else { return };
    file.census();
    file.advice();
    assert_eq!(file.write().as_deref(), Ok(bytes));
    ninja::annotate(bytes, &ninja::Settings::default()).expect("it was read before");
    let before = file.chunks.clone();
    file.forget_layout();
    // Some readable files have no canonical form, such as nodes too many for their counts.
    if let Ok(anew) = file.write()
        && let Ok(again) = ninja::read(&anew)
    {
        assert_eq!(again.chunks.len(), before.len());
    }
});
