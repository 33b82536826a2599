//! Broken files give errors or warnings. They never cause a panic or more memory use than their size
//! explains.

use fbx::{Property, Record, read};

use crate::corpus::files;

/// Parses a number from an environment variable.
fn asked<T: std::str::FromStr>(name: &str, otherwise: T) -> T {
    let given = std::env::var(name).ok().and_then(|v| v.parse().ok());
    given.unwrap_or(otherwise)
}

fn touch(record: &Record<'_>) {
    for property in record.properties.iter() {
        if let Property::Array(array) = property {
            let _ = array.elements();
        }
    }
    record.children.iter().for_each(touch);
}

/// Reads a file, decodes every array and writes the file back. A readable file must not change.
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

/// Tries every 7th length of the smaller files; `SWIRL_FBX_STEP=1` tries every length.
#[test]
fn prefixes() {
    let step = asked("SWIRL_FBX_STEP", 7);
    let mut ran = 0;
    for path in files()
        .iter()
        .filter(|p| p.metadata().is_ok_and(|m| m.len() < 30_000))
    {
        let bytes = std::fs::read(path).unwrap();
        for length in (0..bytes.len()).step_by(step) {
            survive(&bytes[..length]);
            ran += 1;
        }
    }
    println!("fbx: {ran} prefixes");
}

/// Tries mutated copies of every file; `SWIRL_FBX_MUTATIONS=N` sets the number of mutations.
#[test]
fn changed_bytes() {
    let mutations = asked("SWIRL_FBX_MUTATIONS", 200);
    let (mut ran, mut readable) = (0u64, 0u64);
    let mut state = 0x5eed_1998_0611_2000;
    for path in files()
        .iter()
        .filter(|p| p.metadata().is_ok_and(|m| m.len() < 100_000))
    {
        let original = std::fs::read(path).unwrap();
        for _ in 0..mutations {
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
