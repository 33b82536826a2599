//! Names of C++ functions in the output and arguments of verbs.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

use crate::common::{swirl, text};
use std::path::{Path, PathBuf};

fn program(name: &str) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verify_cases/cpp/names.S");
    let elf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cpp-{name}.elf"));
    corpus::sh4::compile(&elf, &["-Wl,-e,start"], &[source]).then_some(elf)
}

#[test]
fn listings_have_the_names_of_the_source() {
    let Some(elf) = program("disasm") else { return };
    let elf = elf.to_str().unwrap();
    let whole = text(&swirl(&["disasm", elf]).stdout);
    for name in [
        "<Mesh::draw(int)>:",
        "<Mesh::twice(short)>:",
        "<operator+(Mesh, Mesh)>:",
    ] {
        assert!(whole.contains(name), "{name}\n{whole}");
    }
    assert!(!whole.contains("_Z"), "{whole}");
    // A function ends at the start of the next one, for any name.
    for name in ["Mesh::draw", "Mesh::draw(int)", "_ZN4Mesh4drawEi"] {
        let one = text(&swirl(&["disasm", elf, "--symbol", name]).stdout);
        assert!(
            one.contains("<Mesh::draw(int)>:") && !one.contains("twice"),
            "{one}"
        );
    }
    // Two functions have this name.
    let twice = swirl(&["disasm", elf, "--symbol", "Mesh::twice"]);
    assert_eq!(twice.status.code(), Some(2));
    let said = text(&twice.stderr);
    assert!(
        said.contains("there are Mesh::twice(int), Mesh::twice(short)"),
        "{said}"
    );
}

#[test]
fn reports_and_profiles_have_the_names_of_the_source() {
    let Some(elf) = program("run") else { return };
    let elf = elf.to_str().unwrap();
    let checked = swirl(&["run", elf, "--check", "misaligned"]);
    let said = text(&checked.stderr);
    assert!(said.contains("(Mesh::draw(int)+0x6)"), "{said}");
    for allowed in ["Mesh::draw", "Mesh::draw(int)", "_ZN4Mesh4drawEi"] {
        let rule = format!("misaligned@{allowed}");
        let said = text(&swirl(&["run", elf, "--check", "misaligned", "--allow", &rule]).stderr);
        assert!(said.contains("0 reports, 1 allowed"), "{said}");
    }
    let failed = text(&swirl(&["run", elf]).stdout);
    assert!(failed.contains("Mesh::draw(int)+0x6"), "{failed}");
    let call = [
        "profile",
        "--elf",
        elf,
        "--call",
        "Mesh::twice(int)",
        "--arg",
        "3",
    ];
    let listing = text(&swirl(&[&call[..], &["--view", "listing,functions"]].concat()).stdout);
    assert!(listing.contains("<Mesh::twice(int)>:"), "{listing}");
    // The short names of causes are explained.
    assert!(listing.contains("causes of lost slots\n"), "{listing}");
    assert!(
        listing.contains("  instruction_miss   instruction cache miss\n"),
        "{listing}"
    );
    let region = ["--region", "Mesh::twice(int)..Mesh::twice(int)+0x2"];
    let measured = swirl(&[&call[..], &region].concat());
    assert_eq!(measured.status.code(), Some(0), "{}", text(&measured.stderr));
}

#[test]
fn specifications_take_the_names_of_the_source() {
    let Some(elf) = program("verify") else { return };
    let spec = elf.with_extension("toml");
    let kernel = |call: &str| {
        format!(
            "[[kernel]]\ncall = \"{call}\"\nagainst = \"Mesh::twice(short)\"\nreturns = \"u32\"\n\
             [kernel.args]\nx = {{ value = \"u32\" }}\n"
        )
    };
    std::fs::write(&spec, kernel("Mesh::twice(int)") + &kernel("operator+")).unwrap();
    let [elf, spec] = [&elf, &spec].map(|path| path.to_str().unwrap());
    let output = swirl(&["verify", "--elf", elf, "--spec", spec, "--cases", "50"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let report = text(&output.stdout);
    assert!(report.contains("Mesh::twice(int)"), "{report}");
    assert!(
        report.contains("operator+(Mesh, Mesh)") && report.contains("r8 changed"),
        "{report}"
    );
}
