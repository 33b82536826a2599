//! Disc images and the texts that describe them.

use super::{ends, folder, refused};
use std::fs;
use std::path::Path;

const SECTOR: usize = 2048;
const SPIN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/console/spin.elf");

/// A directory record of ISO 9660 (9.1).
fn record(sector: u32, size: u32, name: &[u8], flags: u8) -> Vec<u8> {
    let length = (33 + name.len()).next_multiple_of(2);
    let mut record = vec![length as u8, 0];
    for value in [sector, size] {
        record.extend(value.to_le_bytes());
        record.extend(value.to_be_bytes());
    }
    record.extend([0; 7]);
    record.extend([flags, 0, 0, 1, 0, 0, 1, name.len() as u8]);
    record.extend(name);
    record.resize(length, 0);
    record
}

struct Iso<'a> {
    root_size: u32,
    boot: &'a [u8],
    entries: Vec<u8>,
}

fn file(sector: u32, size: u32) -> Vec<u8> {
    record(sector, size, b"1ST_READ.BIN;1", 0)
}

impl Default for Iso<'_> {
    fn default() -> Self {
        Self {
            root_size: 2048,
            boot: b"1ST_READ.BIN",
            entries: file(19, 64),
        }
    }
}

impl Iso<'_> {
    fn write(&self, path: &Path) {
        let mut image = vec![0; 24 * SECTOR];
        let mut put = |at: usize, bytes: &[u8]| image[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, b"SEGA SEGAKATANA ");
        put(0x60, &[b' '; 16]);
        put(0x60, self.boot);
        put(16 * SECTOR, b"\x01CD001");
        put(16 * SECTOR + 156, &record(18, self.root_size, b"\0", 2));
        let own = [
            record(18, self.root_size, b"\0", 2),
            record(18, self.root_size, b"\x01", 2),
        ]
        .concat();
        put(18 * SECTOR, &[own, self.entries.clone()].concat());
        // A branch to itself.
        put(19 * SECTOR, &[0xFE, 0xAF, 9, 0]);
        fs::write(path, image).unwrap();
    }
}

fn in_drive(folder: &Path, name: &str, found: &str) {
    refused(folder, &["run", SPIN, "--disc", name, "--frames", "2"], found);
    refused(folder, &["run", name, "--frames", "2"], found);
}

#[test]
fn images_are_refused_with_what_is_wrong() {
    let folder = folder("images");
    let iso = |name: &str, iso: Iso<'_>| iso.write(&folder.join(name));
    let run = |name: &str, statuses: &[i32]| {
        ends(&folder, &["run", name, "--frames", "2"], statuses);
    };
    iso("ok.iso", Iso::default());
    run("ok.iso", &[0]);
    let large = Iso {
        root_size: u32::MAX,
        boot: b"NOSUCH.BIN",
        ..Iso::default()
    };
    iso("a.iso", large);
    run("a.iso", &[0, 1, 2]);
    for (sector, size) in [(19, u32::MAX), (19, 16_711_680), (u32::MAX, 64), (19, 0)] {
        iso(
            "a.iso",
            Iso {
                entries: file(sector, size),
                ..Iso::default()
            },
        );
        run("a.iso", &[0, 1, 2]);
    }
    iso(
        "a.iso",
        Iso {
            entries: record(18, 2048, b"DIR", 2).repeat(10),
            ..Iso::default()
        },
    );
    run("a.iso", &[0, 1, 2]);
    iso(
        "a.iso",
        Iso {
            entries: vec![1; 200],
            ..Iso::default()
        },
    );
    run("a.iso", &[0, 1, 2]);
    let mut cdi = vec![0; 64];
    cdi.extend([6, 0, 0, 0x80, 64, 0, 0, 0]);
    fs::write(folder.join("a.cdi"), cdi).unwrap();
    run("a.cdi", &[2]);
    let mut cdi = vec![0xFF; 60_000];
    cdi.extend([6, 0, 0, 0x80]);
    cdi.extend(60_008_u32.to_le_bytes());
    fs::write(folder.join("a.cdi"), cdi).unwrap();
    run("a.cdi", &[2]);
}

#[test]
fn texts_name_files_beside_them_only() {
    let folder = folder("texts");
    Iso::default().write(&folder.join("ok.iso"));
    for (name, target) in [("zero", "/dev/zero"), ("out", "/etc/passwd")] {
        std::os::unix::fs::symlink(target, folder.join(name)).unwrap();
    }
    assert!(
        std::process::Command::new("mkfifo")
            .arg(folder.join("fifo"))
            .status()
            .unwrap()
            .success()
    );
    let tracks: String = (1..100)
        .map(|n| format!("{n} {} 4 2048 ok.iso 0\n", n * 24))
        .collect();
    for text in [
        "1\n1 0 4 2048 /etc/passwd 0\n",
        "99999999999\n",
        "1\n1 4294967295 4 2048 ok.iso 0\n",
        "1\n1 0 4 2048 ok.iso 4294967295\n",
        "1\n1 0 4 2048 fifo 0\n",
        "1\n1 0 4 2048 zero 0\n",
        "1\n1 0 4 2048 \"ok.iso 0\n",
        "1\n1 0 4 2048 \u{1b}[31mX 0\n",
    ] {
        fs::write(folder.join("a.gdi"), text).unwrap();
        in_drive(&folder, "a.gdi", "");
    }
    // 99 tracks of one file, and a file that is its own track.
    for text in [format!("99\n{tracks}"), "1\n1 0 4 2048 a.gdi 0\n".to_owned()] {
        fs::write(folder.join("a.gdi"), text).unwrap();
        ends(
            &folder,
            &["run", SPIN, "--disc", "a.gdi", "--frames", "2"],
            &[0, 2],
        );
    }
    for text in [
        "FILE \"../../fifo\" BINARY\nTRACK 01 MODE1/2048\nINDEX 01 00:00:00\n",
        &"TRACK 01 AUDIO\n".repeat(3_000),
        &"REM SESSION 01\n".repeat(4_000),
        &"FILE \"ok.iso\" BINARY\nTRACK 01 MODE1/2048\nPREGAP 99:59:74\nINDEX 01 00:00:00\n".repeat(3),
    ] {
        fs::write(folder.join("a.cue"), text).unwrap();
        in_drive(&folder, "a.cue", "");
    }
}

/// 10,000 files with similar names must take proportional time.
#[test]
fn similar_names_take_time_in_proportion() {
    let folder = folder("similar");
    fs::create_dir(folder.join("disc")).unwrap();
    for n in 0..10_000 {
        fs::write(folder.join(format!("disc/similar_name_{n}.txt")), b"").unwrap();
    }
    ends(&folder, &["run", SPIN, "--disc", "disc", "--frames", "2"], &[0]);
}
