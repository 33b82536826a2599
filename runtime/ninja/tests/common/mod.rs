//! Shared by the tests: files made by hand, real files, seeded random numbers.
#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};

/// An IFF chunk with little-endian size.
pub(crate) fn chunk(id: &[u8; 4], body: &[u8]) -> Vec<u8> {
    [&id[..], &(body.len() as u32).to_le_bytes(), body].concat()
}

pub(crate) fn le32(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

pub(crate) fn be32(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_be_bytes()).collect()
}

pub(crate) fn le16(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

pub(crate) fn be16(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_be_bytes()).collect()
}

pub(crate) const ONE: u32 = 0x3F80_0000;

/// The 13 words of a node at the origin, scale 1.
pub(crate) fn node(evalflags: u32, model: u32, child: u32, sibling: u32) -> [u32; 13] {
    [evalflags, model, 0, 0, 0, 0, 0, 0, ONE, ONE, ONE, child, sibling]
}

/// NJCM of one node at 0 and one model at 52 that has a vlist or a plist at 76, with its POF0.
pub(crate) fn one_list(list: &[u8], is_plist: bool) -> Vec<u8> {
    let (vlist, plist) = if is_plist { (0, 76) } else { (76, 0) };
    let mut body = le32(&node(0, 52, 0, 0));
    body.extend(le32(&[vlist, plist, 0, 0, 0, ONE]));
    body.extend(list);
    // Pointers at 4 and at 52 (13 words, delta 12) or 56 (14 words, delta 13).
    let pof0 = [0x41, if is_plist { 0x4D } else { 0x4C }, 0, 0];
    [chunk(b"NJCM", &body), chunk(b"POF0", &pof0)].concat()
}

/// The bytes of an annotated hex text: lines `offset: bytes ; meaning`, comments after `#`.
pub(crate) fn parse_hex(name: &str, text: &str) -> Vec<u8> {
    let mut bytes: Vec<u8> = Vec::new();
    for line in text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let (offset, rest) = line.split_once(':').unwrap();
        let offset = usize::from_str_radix(offset, 16).unwrap();
        assert_eq!(offset, bytes.len(), "{name}: {line}");
        let data = rest.split_once(';').unwrap().0;
        bytes.extend(
            data.split_whitespace()
                .map(|b| u8::from_str_radix(b, 16).unwrap()),
        );
    }
    bytes
}

fn hex_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/hex")
}

/// The bytes of `tests/data/hex/NAME.hex`.
pub(crate) fn hex(name: &str) -> Vec<u8> {
    parse_hex(
        name,
        &fs::read_to_string(hex_dir().join(format!("{name}.hex"))).unwrap(),
    )
}

/// All samples of this folder with their names, sorted.
pub(crate) fn hex_samples() -> Vec<(String, Vec<u8>)> {
    let names = fs::read_dir(hex_dir())
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut names: Vec<String> = names
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    names.into_iter().map(|name| (name.clone(), hex(&name))).collect()
}

/// Files below a folder with the extension of a binary Ninja file, sorted.
pub(crate) fn nj_files(dir: &Path) -> Vec<PathBuf> {
    let kinds = ["nj", "njd", "njm", "njs", "njt", "njl", "njc", "spj", "csj"];
    corpus::files(dir, &kinds)
}

/// The folder of real files, if available.
pub(crate) fn corpus(part: &str) -> Option<PathBuf> {
    let dir = corpus::folder("ninja").join(part);
    dir.is_dir().then_some(dir)
}

/// Xorshift64*: the same numbers on every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}
