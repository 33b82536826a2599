//! Broken files: errors or warnings, never a panic, never more memory than the file's size explains.

use fbx::{Property, Record, read};

use crate::corpus::files;

/// Mutated copies of every file; `SWIRL_FBX_MUTATIONS` asks for more.
fn mutations() -> u64 {
    std::env::var("SWIRL_FBX_MUTATIONS")
        .ok()
        .and_then(|v| v.parse().ok())
        .unwrap_or(200)
}

fn touch(record: &Record<'_>) {
    for property in record.properties.iter() {
        if let Property::Array(array) = property {
            let _ = array.elements();
        }
    }
    record.children.iter().for_each(touch);
}

/// Reads, decodes every array, writes; what can be read is written back as it was.
fn survive(bytes: &[u8]) -> bool {
    let Ok(document) = read(bytes) else { return false };
    document.records().for_each(touch);
    assert!(document.write().unwrap() == bytes);
    true
}

/// A 64-bit xorshift.
fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[test]
fn prefixes() {
    let mut ran = 0;
    for path in files()
        .iter()
        .filter(|p| p.metadata().is_ok_and(|m| m.len() < 30_000))
    {
        let bytes = std::fs::read(path).unwrap();
        for length in (0..bytes.len()).step_by(7) {
            survive(&bytes[..length]);
            ran += 1;
        }
    }
    println!("fbx: {ran} prefixes");
}

#[test]
fn changed_bytes() {
    let (mut ran, mut readable) = (0u64, 0u64);
    let mut state = 0x5eed_1998_0611_2000;
    for path in files()
        .iter()
        .filter(|p| p.metadata().is_ok_and(|m| m.len() < 100_000))
    {
        let original = std::fs::read(path).unwrap();
        for _ in 0..mutations() {
            let mut bytes = original.clone();
            for _ in 0..=next(&mut state) % 4 {
                let at = (next(&mut state) % bytes.len() as u64) as usize;
                bytes[at] = match next(&mut state) % 4 {
                    0 => 0,
                    1 => 0xff,
                    _ => next(&mut state) as u8,
                };
            }
            readable += u64::from(survive(&bytes));
            ran += 1;
        }
    }
    println!("fbx: {ran} changed files, {readable} still readable and written back as they were");
}
