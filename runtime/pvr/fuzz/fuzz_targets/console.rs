//! Any bytes as a console that writes registers, memory and bursts, renders and shows pictures.
#![no_main]

#[path = "../drive.rs"]
mod drive;

libfuzzer_sys::fuzz_target!(|data: &[u8]| drive::console(data));
