//! Discs from folders and files: their content for readers, and rejected discs.

#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

use super::*;
use std::fs;
use tempfile::TempDir;

mod cdi;
mod sheets;

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("hello.txt"), "hello").unwrap();
    fs::write(folder.path().join("Long name, one.text"), vec![7; 5000]).unwrap();
    fs::write(folder.path().join("Long name, two.text"), "").unwrap();
    fs::create_dir_all(folder.path().join("sub/Deeper")).unwrap();
    fs::write(folder.path().join("sub/Deeper/äpfel"), "red").unwrap();
    folder
}

/// Creates a disc with one track, which begins at logical block 0.
fn single(folder: &TempDir) -> Disc {
    Disc::from_folder(folder.path(), Layout::Data).unwrap()
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

/// Returns the name in a record's NM entry.
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
    let mut disc = single(&folder);
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
        let mut disc = single(folder);
        (0..300)
            .flat_map(|block| sector(&mut disc, block))
            .collect::<Vec<_>>()
    };
    let (first, second) = (folder(), folder());
    assert!(all(&first) == all(&second));
}

/// 200 names of 60 letters: records of 33 + 14 + 1 + 36 + 65 bytes, 13 per sector.
#[test]
fn large_directories_take_several_sectors() {
    let folder = tempfile::tempdir().unwrap();
    for n in 0..200 {
        fs::write(folder.path().join(format!("{n:0>56}.bin")), [n as u8]).unwrap();
    }
    let mut disc = single(&folder);
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
    // Audio at FAD 150, data at 11,702 + 150.
    assert_eq!(contents[..3], [0x0100_0096, 0x4100_2E4C, u32::MAX]);
    assert_eq!(contents[99..], [0x0101_0000, 0x4102_0000, 0x4100_2F78]);
    assert!(disc.contents(true).is_none());
    let sessions = [0, 1, 2, 3].map(|session| disc.session(session));
    assert_eq!(
        sessions,
        [Some((2, 12_152)), Some((1, 150)), Some((2, 11_852)), None]
    );
    assert_eq!(disc.read(166, Part::Data), Err(ReadError::Mode));
    assert_eq!(disc.read(450, Part::Data), Err(ReadError::Outside));
    assert_eq!(disc.read(0, Part::Data), Err(ReadError::Outside));
    assert_eq!(
        disc.read(11_868, Part::Whole).unwrap()[12..16],
        [2, 0x38, 0x18, 2]
    );
    // Addresses count from the start of the disc.
    let descriptor = sector(&mut disc, 11_702 + 16);
    let entries = list(&mut disc, word(&descriptor[158..]), word(&descriptor[166..]));
    assert_eq!(file(&mut disc, &entries[2]), b"hello");
}

#[test]
fn a_folder_as_a_gd_rom_has_its_files_in_the_high_density_area() {
    let folder = folder();
    let mut disc = Disc::from_folder(folder.path(), Layout::GdRom).unwrap();
    assert_eq!(disc.kind(), Kind::GdRom);
    let (low, high) = (disc.contents(false).unwrap(), disc.contents(true).unwrap());
    assert_eq!(low[..3], [0x4100_0096, 0x0100_01C2, u32::MAX]);
    assert_eq!(low[99..], [0x4101_0000, 0x0102_0000, 0x4100_02EE]);
    assert_eq!(
        (high[2], high[99], high[100]),
        (0x4100_AFC8 + 150, 0x4103_0000, 0x4103_0000)
    );
    assert_eq!(root(&mut disc).len(), 2);
    let descriptor = sector(&mut disc, 45_016);
    let entries = list(&mut disc, word(&descriptor[158..]), word(&descriptor[166..]));
    assert_eq!(file(&mut disc, &entries[2]), b"hello");
}

/// Returns the Rock Ridge entries in the record of a host's name.
#[cfg(unix)]
fn rock_ridge(disc: &mut Disc, host: &str) -> Vec<u8> {
    let descriptor = sector(disc, 16);
    let bytes = sector(disc, word(&descriptor[158..]));
    let mut rest = &bytes[..];
    while rest[0] != 0 {
        let record = &rest[..usize::from(rest[0])];
        if entry(record).host == host {
            return record[(33 + usize::from(record[32])).next_multiple_of(2)..].to_vec();
        }
        rest = &rest[record.len()..];
    }
    Vec::new()
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
    let mut disc = single(&folder);
    let entries = root(&mut disc);
    for (name, bytes) in [
        ("inside", &b"hello"[..]),
        ("secret", b""),
        ("outside", b""),
        ("loop", b""),
    ] {
        let found = entries.iter().find(|entry| entry.host == name).unwrap();
        assert!(!found.directory);
        assert_eq!(file(&mut disc, found), bytes, "{name}");
    }
}

/// Links and execute permissions are recorded in Rock Ridge, as mkisofs -r does.
#[cfg(unix)]
#[test]
fn links_and_programs_are_marked() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    symlink("../a/./hello.txt", at("relative")).unwrap();
    symlink("/hello.txt", at("absolute")).unwrap();
    fs::write(at("run"), "").unwrap();
    fs::set_permissions(at("run"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut disc = single(&folder);
    let mode = |entries: &[u8]| u32::from_le_bytes(*entries[4..].first_chunk().unwrap());
    let relative = rock_ridge(&mut disc, "relative");
    assert_eq!(mode(&relative), 0o120_777);
    let link = b"SL\x17\x01\0\x04\0\0\x01a\x02\0\0\x09hello.txt";
    assert!(
        relative.windows(link.len()).any(|bytes| bytes == link),
        "{relative:?}"
    );
    let absolute = rock_ridge(&mut disc, "absolute");
    let link = b"SL\x12\x01\0\x08\0\0\x09hello.txt";
    assert!(
        absolute.windows(link.len()).any(|bytes| bytes == link),
        "{absolute:?}"
    );
    assert_eq!(mode(&rock_ridge(&mut disc, "run")), 0o100_555);
    assert_eq!(mode(&rock_ridge(&mut disc, "hello.txt")), 0o100_444);
    // Absolute links are relative to the disc; readers without Rock Ridge see a copy.
    let entries = root(&mut disc);
    let found = entries.iter().find(|entry| entry.host == "absolute").unwrap();
    assert_eq!(file(&mut disc, found), b"hello");
}

#[test]
fn a_file_that_shrinks_is_an_error_of_the_read() {
    let folder = folder();
    let mut disc = single(&folder);
    let entries = root(&mut disc);
    fs::write(folder.path().join("hello.txt"), "").unwrap();
    let read = disc.read(LEAD + entries[2].sector, Part::Data);
    assert!(matches!(read, Err(ReadError::Host(why)) if why.contains("hello.txt")));
}

/// Creates an ISO file from a folder, with addresses relative to `base`.
fn iso_file(folder: &TempDir, base: u32) -> Vec<u8> {
    let mut disc = single(folder);
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
    // Reading other damaged images must not panic.
    for at in (0..good.len()).step_by(4099) {
        let mut bytes = good.clone();
        bytes[at] ^= 0xFF;
        fs::write(&path, &bytes).unwrap();
        if let Ok(mut disc) = Disc::open(&path) {
            assert!(disc.read(LEAD + 299, Part::Whole).is_ok() || disc.track_at(LEAD + 299).is_none());
        }
    }
}

/// A folder's WAV files must become audio tracks in every layout, and stay in the file system.
#[test]
fn wav_files_of_a_folder_are_audio_tracks() {
    let folder = folder();
    let write = |name: &str, sectors: usize| {
        let samples = vec![[1, 2]; 588 * sectors];
        fs::write(folder.path().join(name), aica::wav::file(&samples)).unwrap();
    };
    write("Track02.WAV", 301);
    write("track03.wav", 10);
    write("track3.wav", 10);
    let tracks = |layout| -> Vec<_> {
        let disc = Disc::from_folder(folder.path(), layout).unwrap();
        disc.tracks()
            .map(|(_, start, sectors, data)| (start - LEAD, sectors, data))
            .collect()
    };
    let cd = tracks(Layout::CdR);
    assert_eq!(cd[..2], [(0, 301, false), (301, 300, false)]);
    assert_eq!((cd.len(), cd[2].0, cd[2].2), (3, 601 + 11_402, true));
    let data = tracks(Layout::Data);
    assert_eq!(
        data[1..],
        [(data[0].1, 301, false), (data[0].1 + 301, 300, false)]
    );
    let gd = tracks(Layout::GdRom);
    assert_eq!(gd[1..3], [(gd[0].1, 301, false), (gd[0].1 + 301, 300, false)]);
    assert_eq!((gd.len(), gd[3].0), (4, 45_000));
    let mut disc = Disc::from_folder(folder.path(), Layout::CdR).unwrap();
    assert_eq!(disc.read_audio(LEAD).unwrap()[..4], [1, 0, 2, 0]);
    assert_eq!(
        disc.read_audio(LEAD + 311).unwrap(),
        [0; 2352],
        "four seconds at least"
    );
    fs::write(folder.path().join("track04.wav"), "RIFF").unwrap();
    let error = Disc::from_folder(folder.path(), Layout::CdR)
        .unwrap_err()
        .to_string();
    assert!(error.contains("track04.wav: found no WAV file"), "{error}");
}
