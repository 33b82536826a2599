//! Any bytes as registers and input of the tile accelerator.
#![no_main]

#[path = "../drive.rs"]
mod drive;

libfuzzer_sys::fuzz_target!(|data: &[u8]| drive::ta(data));
