//! `cargo +nightly fuzz run chaos`, in this folder's parent: a random machine made of the fuzzer's bytes.

#![no_main]

#[path = "../../tests/common/chaos.rs"]
mod chaos;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    chaos::chaos(&mut chaos::Source::new(data, 1));
});
