//! Discs from folders and files: what a reader finds on them, and what is refused.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

use super::*;
use std::fs;
use tempfile::TempDir;

mod cdi;

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("hello.txt"), "hello").unwrap();
    fs::write(folder.path().join("Long name, one.text"), vec![7; 5000]).unwrap();
    fs::write(folder.path().join("Long name, two.text"), "").unwrap();
    fs::create_dir_all(folder.path().join("sub/Deeper")).unwrap();
    fs::write(folder.path().join("sub/Deeper/äpfel"), "red").unwrap();
    folder
}

/// A directory entry as a reader sees it.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    iso: String,
    host: String,
    directory: bool,
    sector: u32,
    size: u32,
}

fn word(bytes: &[u8]) -> u32 {
    let little = u32::from_le_bytes(*bytes.first_chunk().unwrap());
    assert_eq!(little.to_be_bytes(), bytes[4..8]);
    little
}

fn sector(disc: &mut Disc, block: u32) -> Vec<u8> {
    disc.read(LEAD + block, Part::Data).unwrap()
}

/// The name in a record's NM entry.
fn host_name(mut system_use: &[u8]) -> String {
    while system_use.len() > 4 {
        let length = usize::from(system_use[2]);
        if &system_use[..2] == b"NM" {
            return String::from_utf8(system_use[5..length].to_vec()).unwrap();
        }
        system_use = &system_use[length..];
    }
    String::new()
}

fn entry(record: &[u8]) -> Entry {
    let name = usize::from(record[32]);
    Entry {
        iso: String::from_utf8(record[33..33 + name].to_vec()).unwrap(),
        host: host_name(&record[(33 + name).next_multiple_of(2)..]),
        directory: record[25] & 2 != 0,
        sector: word(&record[2..]),
        size: word(&record[10..]),
    }
}

fn list(disc: &mut Disc, block: u32, size: u32) -> Vec<Entry> {
    let mut entries = Vec::new();
    for block in block..block + size.div_ceil(2048) {
        let bytes = sector(disc, block);
        let mut at = 0;
        while at < bytes.len() && bytes[at] != 0 {
            let length = usize::from(bytes[at]);
            entries.push(entry(&bytes[at..at + length]));
            at += length;
        }
    }
    entries
}

fn root(disc: &mut Disc) -> Vec<Entry> {
    let descriptor = sector(disc, 16);
    assert_eq!(&descriptor[..6], b"\x01CD001");
    assert_eq!(&sector(disc, 17)[..6], b"\xFFCD001");
    let record = &descriptor[156..];
    list(disc, word(&record[2..]), word(&record[10..]))
}

fn file(disc: &mut Disc, entry: &Entry) -> Vec<u8> {
    let sectors = (0..entry.size.div_ceil(2048)).flat_map(|n| sector(disc, entry.sector + n));
    sectors.take(entry.size as usize).collect()
}

#[test]
fn a_folder_becomes_a_file_system() {
    let folder = folder();
    let mut disc = Disc::open(folder.path()).unwrap();
    let entries = root(&mut disc);
    let names: Vec<_> = entries
        .iter()
        .map(|entry| (entry.iso.as_str(), entry.host.as_str(), entry.directory))
        .collect();
    assert_eq!(
        names,
        [
            ("\0", "", true),
            ("\x01", "", true),
            ("HELLO.TXT;1", "hello.txt", false),
            ("LONG_NA1.TEX;1", "Long name, two.text", false),
            ("LONG_NAM.TEX;1", "Long name, one.text", false),
            ("SUB", "sub", true),
        ]
    );
    assert_eq!(file(&mut disc, &entries[2]), b"hello");
    assert_eq!(file(&mut disc, &entries[4]), [7; 5000]);
    let sub = list(&mut disc, entries[5].sector, entries[5].size);
    assert_eq!(
        (sub[1].sector, sub[2].host.as_str()),
        (entries[0].sector, "Deeper")
    );
    let deeper = list(&mut disc, sub[2].sector, sub[2].size);
    assert_eq!(
        (deeper[2].iso.as_str(), deeper[2].host.as_str()),
        ("_PFEL.;1", "äpfel")
    );
    assert_eq!(file(&mut disc, &deeper[2]), b"red");
}

#[test]
fn the_same_folder_gives_the_same_sectors() {
    let all = |folder: &TempDir| {
        let mut disc = Disc::open(folder.path()).unwrap();
        (0..300)
            .flat_map(|block| sector(&mut disc, block))
            .collect::<Vec<_>>()
    };
    let (first, second) = (folder(), folder());
    assert!(all(&first) == all(&second));
}

/// 200 names of 60 letters: records of 33 + 14 + 1 + 36 + 65 bytes, 13 in a sector.
#[test]
fn large_directories_take_several_sectors() {
    let folder = tempfile::tempdir().unwrap();
    for n in 0..200 {
        fs::write(folder.path().join(format!("{n:0>56}.bin")), [n as u8]).unwrap();
    }
    let mut disc = Disc::open(folder.path()).unwrap();
    let entries = root(&mut disc);
    assert_eq!(entries.len(), 202);
    assert_eq!(entries[0].size, 16 * 2048);
    for entry in &entries[2..] {
        let number: u8 = entry.host.trim_end_matches(".bin").parse().unwrap();
        assert_eq!(file(&mut disc, entry), [number]);
    }
}

#[test]
fn tracks_and_contents_of_a_folder() {
    let folder = folder();
    let mut disc = Disc::open(folder.path()).unwrap();
    assert_eq!(disc.kind(), Kind::CdRomXa);
    let contents = disc.contents(false).unwrap();
    assert_eq!((contents[0], contents[1]), (0x4100_0096, u32::MAX));
    assert_eq!(contents[99..], [0x4101_0000, 0x4101_0000, 0x4100_01C2]);
    assert!(disc.contents(true).is_none());
    assert_eq!(
        (disc.session(0), disc.session(1), disc.session(2)),
        (Some((1, 450)), Some((1, 150)), None)
    );
    assert_eq!(disc.read(450, Part::Data), Err(ReadError::Outside));
    assert_eq!(disc.read(0, Part::Data), Err(ReadError::Outside));
    assert_eq!(disc.read(166, Part::Whole).unwrap()[12..16], [0, 2, 0x16, 2]);
}

#[cfg(unix)]
#[test]
fn no_link_leads_out_of_the_folder() {
    let (folder, outside) = (folder(), tempfile::tempdir().unwrap());
    fs::write(outside.path().join("secret"), "secret").unwrap();
    let link = |target: &Path, name: &str| {
        std::os::unix::fs::symlink(target, folder.path().join(name)).unwrap();
    };
    link(&outside.path().join("secret"), "secret");
    link(outside.path(), "outside");
    link(folder.path(), "loop");
    link(&folder.path().join("hello.txt"), "inside");
    let mut disc = Disc::open(folder.path()).unwrap();
    let hosts: Vec<_> = root(&mut disc).into_iter().map(|entry| entry.host).collect();
    assert!(hosts.contains(&"inside".to_owned()), "{hosts:?}");
    for name in ["secret", "outside", "loop"] {
        assert!(!hosts.contains(&name.to_owned()), "{name}");
    }
}

#[test]
fn a_file_that_shrinks_is_an_error_of_the_read() {
    let folder = folder();
    let mut disc = Disc::open(folder.path()).unwrap();
    let entries = root(&mut disc);
    fs::write(folder.path().join("hello.txt"), "").unwrap();
    let read = disc.read(LEAD + entries[2].sector, Part::Data);
    assert!(matches!(read, Err(ReadError::Host(why)) if why.contains("hello.txt")));
}

/// An ISO file made from a folder's sectors, whose addresses count from `base` on.
fn iso_file(folder: &TempDir, base: u32) -> Vec<u8> {
    let mut disc = Disc::open(folder.path()).unwrap();
    let root = word(&sector(&mut disc, 16)[158..]);
    let mut bytes: Vec<u8> = (0..300).flat_map(|block| sector(&mut disc, block)).collect();
    let mut put = |at: usize| bytes[at..at + 4].copy_from_slice(&(root + base).to_le_bytes());
    put(16 * 2048 + 158);
    put(root as usize * 2048 + 2);
    bytes
}

#[test]
fn an_iso_file_lies_where_its_addresses_say() {
    let (source, target) = (folder(), tempfile::tempdir().unwrap());
    let path = target.path().join("game.ISO");
    for (base, kind, number) in [
        (0, Kind::CdRomXa, 1),
        (11_702, Kind::CdRomXa, 2),
        (45_000, Kind::GdRom, 2),
    ] {
        fs::write(&path, iso_file(&source, base)).unwrap();
        let mut disc = Disc::open(&path).unwrap();
        assert_eq!(
            (disc.kind(), disc.track_at(LEAD + base)),
            (kind, Some(number)),
            "{base}"
        );
        assert_eq!(
            &disc.read(LEAD + base + 16, Part::Data).unwrap()[..6],
            b"\x01CD001"
        );
        let contents = disc.contents(base == 45_000).unwrap();
        assert_eq!(contents[number as usize - 1], 0x4100_0000 + LEAD + base);
        assert_eq!(disc.session(0).unwrap().0, number as u8, "{base}");
    }
}

#[test]
fn damaged_iso_files_are_refused() {
    let (source, target) = (folder(), tempfile::tempdir().unwrap());
    let path = target.path().join("a.iso");
    let good = iso_file(&source, 0);
    let refused = |bytes: &[u8], why: &str| {
        fs::write(&path, bytes).unwrap();
        let text = Disc::open(&path).unwrap_err().to_string();
        assert!(text.contains("a.iso") && text.contains(why), "{text}");
    };
    refused(b"", "found 0 bytes");
    refused(&good[..1000], "found 1000 bytes");
    refused(&good[..17 * 2048], "found 34816 bytes");
    refused(&vec![0; 300 * 2048], "no primary volume descriptor");
    let mut outside = good.clone();
    outside[16 * 2048 + 158..][..4].fill(0xFF);
    refused(&outside, "root directory outside");
    // Whatever else is damaged: reads never panic.
    for at in (0..good.len()).step_by(4099) {
        let mut bytes = good.clone();
        bytes[at] ^= 0xFF;
        fs::write(&path, &bytes).unwrap();
        if let Ok(mut disc) = Disc::open(&path) {
            assert!(disc.read(LEAD + 299, Part::Whole).is_ok() || disc.track_at(LEAD + 299).is_none());
        }
    }
}

fn gdi(text: &str) -> (TempDir, Result<Disc, DiscError>) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("data.bin"), vec![1; 2352 * 10]).unwrap();
    fs::write(folder.path().join("two words.raw"), vec![2; 2352 * 4 + 16]).unwrap();
    fs::write(folder.path().join("high.iso"), vec![3; 2048 * 20]).unwrap();
    let path = folder.path().join("disc.gdi");
    fs::write(&path, text).unwrap();
    let disc = Disc::open(&path);
    (folder, disc)
}

#[test]
fn a_gdi_file_gives_tracks() {
    let (_folder, disc) = gdi(
        "3\r\n1 0 4 2352 data.bin 0\r\n2 450 0 2352 \"two words.raw\" 16\r\n3 45000 4 2048 high.iso 2048\r\n",
    );
    let mut disc = disc.unwrap();
    assert_eq!(disc.kind(), Kind::GdRom);
    let (low, high) = (disc.contents(false).unwrap(), disc.contents(true).unwrap());
    assert_eq!(low[..3], [0x4100_0096, 0x0100_0258, u32::MAX]);
    assert_eq!(low[99..], [0x4101_0000, 0x0102_0000, 0x0100_025C]);
    assert_eq!(high[..3], [u32::MAX, u32::MAX, 0x4100_B05E]);
    assert_eq!(high[99..], [0x4103_0000, 0x4103_0000, 0x4100_B05E + 19]);
    assert_eq!(disc.read(600, Part::Data), Err(ReadError::Mode));
    assert_eq!(disc.read(603, Part::Whole).unwrap(), [2; 2352]);
    assert_eq!(disc.read(150, Part::Data).unwrap(), [1; 2048]);
    assert_eq!(disc.read(45_150, Part::Data).unwrap(), [3; 2048]);
}

#[test]
fn wrong_gdi_files_are_refused_with_their_line() {
    let rows = [
        ("", "expected 1 to 99 tracks"),
        ("x\n", "expected 1 to 99 tracks"),
        ("100\n", "expected 1 to 99 tracks"),
        ("2\n1 0 4 2352 data.bin 0\n", "found 1 tracks, expected 2"),
        (
            "1\n1 0 4 2352 data.bin\n",
            "line 2: found \"1 0 4 2352 data.bin\", expected number",
        ),
        (
            "1\n2 0 4 2352 data.bin 0\n",
            "line 2: found track 2, expected track 1",
        ),
        ("1\n1 -1 4 2352 data.bin 0\n", "found \"-1\", expected a number"),
        ("1\n1 600000 4 2352 data.bin 0\n", "logical block 600000"),
        (
            "1\n1 549149 4 2352 data.bin 0\n",
            "10 sectors from logical block 549149",
        ),
        ("1\n1 0 5 2352 data.bin 0\n", "type \"5\""),
        ("1\n1 0 0 2048 data.bin 0\n", "sectors of \"2048\" bytes"),
        ("1\n1 0 4 2048 data.bin 0\n", "23520 bytes behind the offset"),
        ("1\n1 0 4 2352 data.bin 23520\n", "offset 23520"),
        ("1\n1 0 4 2352 missing.bin 0\n", "missing.bin"),
        ("1\n1 0 4 2352 ../data.bin 0\n", "expected a file in the folder"),
        ("1\n1 0 4 2352 /etc/passwd 0\n", "expected a file in the folder"),
        ("1\n1 0 4 2352 . 0\n", "expected a file in the folder"),
        ("1\n1 0 4 2352 \"data.bin 0\n", "expected number"),
        ("1\n1 44995 4 2352 data.bin 0\n", "expected an end before 45000"),
        (
            "2\n1 0 4 2352 data.bin 0\n2 9 4 2352 data.bin 0\n",
            "line 3: found logical block 9, expected 10",
        ),
    ];
    for (text, why) in rows {
        let (_folder, disc) = gdi(text);
        let error = disc.unwrap_err().to_string();
        assert!(error.contains(why), "{text:?}: {error}");
    }
}

#[test]
fn other_paths_are_no_discs() {
    let folder = folder();
    for name in ["hello.txt", "missing.gdi", "missing.iso", "missing"] {
        assert!(Disc::open(&folder.path().join(name)).is_err(), "{name}");
    }
}

fn cue(text: &str) -> (TempDir, Result<Disc, DiscError>) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a b.bin"), vec![1; 2352 * 600]).unwrap();
    fs::write(folder.path().join("c.iso"), vec![3; 2048 * 20]).unwrap();
    let path = folder.path().join("disc.cue");
    fs::write(&path, text).unwrap();
    let disc = Disc::open(&path);
    (folder, disc)
}

/// Two audio tracks in a file, 300 sectors and 225 behind a pregap of 75 in the file; a second session behind
/// 11,400 sectors.
#[test]
fn a_cue_sheet_gives_tracks() {
    let (_folder, disc) = cue(
        "REM COMMENT \"x\"\nREM SESSION 01\nFILE \"a b.bin\" BINARY\n  TRACK 01 AUDIO\n    \
         INDEX 01 00:00:00\n  TRACK 02 AUDIO\n    INDEX 00 00:04:00\n    INDEX 01 00:05:00\n\
         REM SESSION 02\nFILE c.iso BINARY\n  TRACK 03 MODE1/2048\n    INDEX 01 00:00:00\n",
    );
    let mut disc = disc.unwrap();
    assert_eq!(disc.kind(), Kind::CdRomXa);
    let contents = disc.contents(false).unwrap();
    assert_eq!(
        contents[..3],
        [0x0100_0096, 0x0100_020D, 0x4100_0000 + 150 + 600 + 11_400]
    );
    assert_eq!(
        (disc.session(0).unwrap().0, disc.session(2)),
        (2, Some((3, 12_150)))
    );
    assert_eq!(disc.read(12_150, Part::Data).unwrap(), [3; 2048]);
    // The pregap between the tracks belongs to none.
    assert_eq!(
        (disc.track_at(449), disc.track_at(450), disc.track_at(525)),
        (Some(1), None, Some(2))
    );
    let (_folder, disc) = cue(
        "FILE c.iso BINARY\nTRACK 01 MODE1/2048\nPREGAP 00:02:00\nINDEX 01 00:00:00\n\
         REM HIGH-DENSITY AREA\nFILE c.iso BINARY\nTRACK 02 MODE1/2048\nINDEX 01 00:00:01\n",
    );
    let disc = disc.unwrap();
    assert_eq!(disc.kind(), Kind::GdRom);
    assert_eq!(disc.contents(false).unwrap()[0], 0x4100_012C);
    assert_eq!(disc.contents(true).unwrap()[1], 0x4100_B05F);
}

#[test]
fn wrong_cue_sheets_are_refused_with_their_line() {
    let file = "FILE c.iso BINARY\n";
    let rows = [
        (String::new(), "no TRACK line"),
        (
            "TRACK 01 AUDIO\n".into(),
            "line 1: found TRACK, expected FILE before it",
        ),
        ("INDEX 01 00:00:00\n".into(), "line 1: found no track"),
        ("FILE ../c.iso BINARY\n".into(), "expected a file in the folder"),
        ("FILE c.iso WAVE\n".into(), "expected FILE \"NAME\" BINARY"),
        ("FILE \"c.iso BINARY\n".into(), "a second quote"),
        ("PLAY 1\n".into(), "found \"PLAY 1\""),
        (
            format!("{file}TRACK 02 MODE1/2048\n"),
            "line 2: found track \"02\", expected track 1",
        ),
        (format!("{file}TRACK 01 MODE2/2336\n"), "found \"MODE2/2336\""),
        (
            format!("{file}TRACK 01 MODE1/2352\nINDEX 01 00:00:00\n"),
            "40960 bytes",
        ),
        (format!("{file}TRACK 01 MODE1/2048\n"), "no INDEX 01"),
        (
            format!("{file}TRACK 01 MODE1/2048\nINDEX 01 00:00:20\n"),
            "sectors 20 to 20 of 20",
        ),
        (
            format!("{file}TRACK 01 MODE1/2048\nINDEX 01 00:60:00\n"),
            "found \"00:60:00\"",
        ),
        (
            format!("{file}TRACK 01 MODE1/2048\nINDEX 01 0:0\n"),
            "found \"0:0\"",
        ),
        (
            format!("{file}TRACK 01 MODE1/2048\nPREGAP 130:00:00\nINDEX 01 00:00:00\n"),
            "logical block 585020",
        ),
        (
            format!("{file}TRACK 01 MODE1/2048\nINDEX 01 00:00:00\nREM SESSION 02\nTRACK 02 MODE1/2048\n"),
            "line 5: found a new session or area inside a file",
        ),
        (
            format!("{file}TRACK 01 MODE1/2048\nINDEX 01 00:00:00\nTRACK 02 AUDIO\n"),
            "sectors of one size",
        ),
    ];
    for (text, why) in rows {
        let (_folder, disc) = cue(&text);
        let error = disc.unwrap_err().to_string();
        assert!(error.contains(why), "{text:?}: {error}");
    }
}

/// Long audio tracks reach blocks that a GD-ROM has in its high-density area.
#[test]
fn a_cue_sheet_without_high_density_area_is_a_cd() {
    let (_folder, disc) = cue("FILE \"a b.bin\" BINARY\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n\
         FILE c.iso BINARY\nTRACK 02 MODE1/2048\nPREGAP 20:00:00\nINDEX 01 00:00:00\n");
    let disc = disc.unwrap();
    assert_eq!(disc.kind(), Kind::CdRomXa);
    assert_eq!(disc.contents(false).unwrap()[1], 0x4100_0000 + 150 + 600 + 90_000);
    assert!(disc.contents(true).is_none());
}
