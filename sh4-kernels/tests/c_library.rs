//! Checks that the generated files of `c/` are current, and that compilers accept the header.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "../examples/c_library/header.rs"]
mod header;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("c")
}

#[test]
fn generated_files_are_current() {
    for (name, text) in header::files(&folder().join("../asm")).unwrap() {
        let path = folder().join(name);
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            found == text,
            "{}: not current; run `cargo run -p swirl-kernels --example c_library`",
            path.display()
        );
    }
}

/// Sizes that the assembly requires.
const SIZES: &str = "#include \"swirl.h\"\n\
    #ifdef __cplusplus\n#define CHECK static_assert\n#else\n#define CHECK _Static_assert\n#endif\n\
    CHECK(sizeof(struct swirl_directional_light) == 128, \"directional light\");\n\
    CHECK(sizeof(struct swirl_light) == 88, \"light\");\n\
    CHECK(sizeof(struct swirl_shade) == 16, \"shade\");\n\
    CHECK(sizeof(struct swirl_view) == 80, \"view\");\n\
    CHECK(sizeof(struct swirl_corner) == 48, \"corner\");\n\
    CHECK(sizeof(struct swirl_cell) == 64, \"cell\");\n";
/// Sizes with 32-bit pointers.
const SIZES_32: &str = "CHECK(sizeof(struct swirl_cell_sprite) == 64, \"cell sprite\");\n";

/// Compiles `text` with `compiler`; returns false if the compiler is missing.
fn compiles(compiler: &str, arguments: &[&str], name: &str, text: &str) -> bool {
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&source, text).unwrap();
    let built = Command::new(compiler)
        .args(arguments)
        .args(["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(folder().join("include"))
        .arg(&source)
        .output();
    let Ok(output) = built else { return false };
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    true
}

#[test]
fn c_and_c_plus_plus_take_the_header() {
    let all = format!("{SIZES}{SIZES_32}");
    let sh4 = compiles(
        "sh4-linux-gnu-gcc",
        &["-m4", "-std=c99", "-ffreestanding"],
        "sh4.c",
        &all,
    );
    assert!(
        sh4 || std::env::var_os("CI").is_none(),
        "sh4-linux-gnu-gcc is not installed"
    );
    let host = compiles("c++", &["-x", "c++", "-std=c++11"], "host.cc", SIZES);
    println!("swirl.h: C for the SH-4: {sh4}, C++ of the host: {host}");
}
