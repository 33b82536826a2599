//! Any bytes as registers, region array, object lists and parameters of the core.
#![no_main]

#[path = "../drive.rs"]
mod drive;

libfuzzer_sys::fuzz_target!(|data: &[u8]| drive::core(data));
