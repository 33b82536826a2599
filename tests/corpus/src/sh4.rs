//! Programs for the SH-4, built by the tests that run them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Debian's compiler for the SH-4.
pub const COMPILER: &str = "sh4-linux-gnu-gcc";

/// Options of a program without a C library at 8C010000, where loaders put programs.
const BARE: [&str; 6] = [
    "-m4",
    "-ml",
    "-ffreestanding",
    "-nostdlib",
    "-static",
    "-Wl,--build-id=none,-z,noexecstack,-Ttext=0x8c010000",
];

/// Whether a program of the host can be started; it prints its version.
///
/// # Panics
/// Under `CI` if it is not installed.
#[must_use]
pub fn installed(tool: &str) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok();
    assert!(
        found || std::env::var_os("CI").is_none(),
        "{tool} is not installed"
    );
    if !found {
        println!("{tool} is not installed: 0 programs");
    }
    found
}

/// Compiles and links `sources` to `elf`; `options` come after those of a bare program. Returns whether there
/// is a compiler.
///
/// # Panics
/// If the compiler refuses a source, and under `CI` if it is not installed.
pub fn compile(elf: &Path, options: &[&str], sources: &[PathBuf]) -> bool {
    if !installed(COMPILER) {
        return false;
    }
    run(Command::new(COMPILER)
        .args(BARE)
        .args(options)
        .arg("-o")
        .arg(elf)
        .args(sources)
        .arg("-lgcc"));
    true
}

/// Runs `make` in a folder, silently, with `words` on its command line. Returns whether there is a compiler
/// for the SH-4.
///
/// # Panics
/// If a step fails or prints a warning, and under `CI` if `make` or the compiler is not installed.
pub fn make(folder: &Path, words: &[&str]) -> bool {
    if !installed("make") || !installed(COMPILER) {
        return false;
    }
    let said = run(Command::new("make").arg("-s").arg("-C").arg(folder).args(words));
    assert!(said.is_empty(), "{said}");
    true
}

/// Standard error of a command that ends well.
fn run(command: &mut Command) -> String {
    let output = command.output();
    assert!(output.is_ok(), "{command:?}: {output:?}");
    let Ok(output) = output else {
        return String::new();
    };
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{command:?}: {said}");
    said
}
