//! The command's own readers as functions of bytes, for fuzz targets: what they refuse is no matter, only
//! that they return.

use crate::{kernel_call, profile, run, test, truth};
use pvr::container::{PvrTexture, read_pvm};

/// A `case.toml` of `swirl test`.
pub fn case_file(text: &str) {
    let _ = test::parse_case(text);
}

/// A call file of `swirl verify --call`; a call that reads is made on the emulated SH4 and the reference.
pub fn call_file(text: &str) {
    let _ = kernel_call::call(text);
}

/// A report of `swirl profile --json` or `--frames --json` as a baseline, compared with itself.
pub fn baseline(text: &str) {
    let _ = profile::baseline::compare_text(text);
    let _ = profile::program::figures::compare_text(text);
}

/// A capture of `roms/truth.elf`.
pub fn capture(text: &str) {
    let _ = truth::read_capture(text);
}

/// The places of an archive's textures in a texture list.
///
/// # Panics
/// If a place is lost.
pub fn texture_lookup(archive: &[u8], names: &[String]) {
    let Ok(entries) = read_pvm(archive) else { return };
    let (given, mut found) = (entries.len(), Vec::<Option<PvrTexture>>::new());
    found.resize(names.len(), None);
    player::place_entries(entries, names, &mut found);
    assert_eq!(found.len(), given.max(names.len()));
}

/// Back-trace, places and threads by the debug information of `elf`, from the register values `words` on;
/// memory is `words` again and again.
pub fn debug_information(elf: &[u8], words: &[u32]) {
    run::debug_information(elf, words);
}

/// `packets` from a debugger to `program`, which may run for `instructions`.
pub fn gdb(program: &[u8], packets: &[u8], instructions: u64) {
    run::gdb_packets(program, packets, instructions);
}

/// `bytes` as a state file of `program`.
pub fn state_file(program: &[u8], bytes: &[u8]) {
    run::state_file(program, bytes);
}
