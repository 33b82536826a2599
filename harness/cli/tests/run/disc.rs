//! `--disc`: accepted and rejected discs, and a bootable disc.

use super::{elf, swirl, text};
use std::fs;
use std::path::Path;

fn rom(name: &str) -> String {
    format!("{}/../../roms/console/{name}.elf", env!("CARGO_MANIFEST_DIR"))
}

fn run(program: &str, disc: &Path) -> (Option<i32>, String, String) {
    let output = swirl(&["run", program, "--disc", disc.to_str().unwrap()]);
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_folder_is_a_disc() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "a").unwrap();
    let disc = folder.path().to_str().unwrap();
    for (layout, kind, track) in [
        ("data", "32", "track 1 41000096"),
        ("cdr", "32", "track 2 41002e4c"),
        ("gdrom", "128", "track 1 41000096"),
    ] {
        // The program waits forever for a data sector that the layout `cdr` does not have.
        let words = [
            "run",
            &rom("gdrom"),
            "--disc",
            disc,
            "--disc-layout",
            layout,
            "--frames",
            "60",
        ];
        let said = text(&swirl(&words).stdout);
        assert!(said.contains(&format!("kind {kind}\n")), "{layout}: {said}");
        assert!(said.contains(&format!("{track}\n")), "{layout}: {said}");
    }
    let output = swirl(&["run", &rom("gdrom"), "--disc", "a.iso", "--disc-layout", "cdr"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("only a disc made from a folder has a selectable layout"));
}

#[test]
fn what_is_no_disc_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gdi");
    fs::write(&path, "1\n1 0 4 2048 missing.bin 0\n").unwrap();
    let (status, _, why) = run(&rom("gdrom"), &path);
    assert!(status == Some(2) && why.contains("missing.bin"), "{why}");
    let (status, _, why) = run(&rom("gdrom"), &folder.path().join("none"));
    assert!(status == Some(2) && why.contains("none"), "{why}");
    let (status, _, why) = run(&rom("gdrom"), Path::new(&rom("gdrom")));
    assert!(status == Some(2) && why.contains("NAME.iso"), "{why}");
    let path = folder.path().join("a.cdi");
    fs::write(&path, [0; 64]).unwrap();
    let (status, _, why) = run(&rom("gdrom"), &path);
    assert!(
        status == Some(2) && why.contains("a.cdi: found version 00000000"),
        "{why}"
    );
}

/// On a CD, too, a program of at most one slice of 32 bytes is not scrambled.
#[test]
fn a_folder_with_ip_bin_boots() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let missing = swirl(&["run", path]);
    assert_eq!(missing.status.code(), Some(2));
    let why = text(&missing.stderr);
    assert!(
        why.contains(&format!("swirl: {path}: found no IP.BIN")) && why.contains("makeip"),
        "{why}"
    );
    assert!(
        why.contains(&format!("swirl run {path}/PROGRAM --disc {path}")),
        "{why}"
    );
    // RTS and NOP; the code of an ELF file starts after 84 bytes.
    let code = elf(&[0x000B, 0x0009]).split_off(84);
    fs::write(folder.path().join("1st_read.bin"), code).unwrap();
    let named = swirl(&["run", path]);
    let why = text(&named.stderr);
    assert!(
        why.contains(&format!("swirl run {path}/1st_read.bin --disc {path}")),
        "{why}"
    );
    let mut header = b"SEGA SEGAKATANA ".to_vec();
    header.resize(0x60, b' ');
    header.extend(b"1ST_READ.BIN    ");
    fs::write(folder.path().join("IP.BIN"), header).unwrap();
    let booted = swirl(&["run", path]);
    let said = text(&booted.stdout);
    assert_eq!(booted.status.code(), Some(0), "{said}{}", text(&booted.stderr));
    assert!(said.contains("exit code 0"), "{said}");
}
