//! The command's own readers as functions of bytes, for fuzz targets. They must return, with or without an
//! error.

use crate::{kernel_call, profile, run, test, truth};
use pvr::container::{PvrTexture, read_pvm};

/// Parses a `case.toml` of `swirl test`.
pub fn case_file(text: &str) {
    let _ = test::parse_case(text);
}

/// Parses a call file of `swirl verify --call`. Executes a valid call on the emulated SH4 and the reference.
pub fn call_file(text: &str) {
    let _ = kernel_call::call(text);
}

/// Parses a report of `swirl profile --json` or `--frames --json`, and compares it with itself.
pub fn baseline(text: &str) {
    let _ = profile::baseline::compare_text(text);
    let _ = profile::program::measurements::compare_text(text);
}

/// Parses a capture of `roms/truth.elf`.
pub fn capture(text: &str) {
    let _ = truth::read_capture(text);
}

/// Assigns an archive's textures to a texture list.
///
/// # Panics
/// If a texture is lost.
pub fn texture_lookup(archive: &[u8], names: &[String]) {
    let Ok(entries) = read_pvm(archive) else { return };
    let (given, mut found) = (entries.len(), Vec::<Option<PvrTexture>>::new());
    found.resize(names.len(), None);
    player::place_entries(entries, names, &mut found);
    assert_eq!(found.len(), given.max(names.len()));
}

/// Computes a back-trace, places and threads from the debug information of `elf` and the register values
/// `words`. Memory repeats `words`.
pub fn debug_information(elf: &[u8], words: &[u32]) {
    run::debug_information(elf, words);
}

/// Sends `packets` from a debugger to `program`, which can run for `instructions`.
pub fn gdb(program: &[u8], packets: &[u8], instructions: u64) {
    run::gdb_packets(program, packets, instructions);
}

/// Loads `bytes` as a state file of `program`.
pub fn state_file(program: &[u8], bytes: &[u8]) {
    run::state_file(program, bytes);
}
