//! Damaged texts give errors and warnings, never a panic, a hang or unbounded memory.

use super::seeds::{SAMPLES, data};
use crate::common::Random;
use ninja::ascii::{WriteOptions, read, write};
use std::fs;

/// Texts before damage.
fn texts() -> Vec<Vec<u8>> {
    let samples = SAMPLES
        .iter()
        .map(|sample| fs::read(data().join(sample)).unwrap());
    let made = super::made::files()
        .into_iter()
        .map(|(_, file)| write(&file, &WriteOptions::default()).unwrap());
    samples.chain(made.map(String::into_bytes)).collect()
}

/// Reads a text. The writer must then write the result or return an error.
fn exercise(text: &[u8]) -> bool {
    match read(text) {
        Ok(read) => {
            let _ = read.file.write();
            let _ = write(&read.file, &WriteOptions::default());
            true
        }
        Err(error) => {
            assert!(error.place.line > 0 && error.place.column > 0, "{error}");
            false
        }
    }
}

#[test]
fn prefixes() {
    let mut sound = 0;
    let mut prefixes = 0;
    for text in texts().iter().filter(|text| text.len() < 12_000) {
        for end in 0..text.len() {
            sound += usize::from(exercise(&text[..end]));
            prefixes += 1;
        }
    }
    println!("{prefixes} prefixes, {sound} readable");
    assert!(prefixes > 10_000);
}

/// Number of mutations for each text: `SWIRL_MUTATIONS`, or 300.
#[test]
fn mutations() {
    let count: usize = std::env::var("SWIRL_MUTATIONS").map_or(300, |n| n.parse().unwrap());
    let texts = texts();
    let words = b"(){}[],;&|-+.x0F\"#/*\\\n\x00\x83\xFF9_ ";
    let mut random = Random(0x5EED);
    let mut sound = 0;
    for text in &texts {
        for _ in 0..count {
            let mut text = text.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(text.len());
                let other = random.below(text.len());
                match random.below(5) {
                    0 => text[at] = words[random.below(words.len())],
                    1 => text[at] ^= 1 << random.below(8),
                    2 => drop(text.drain(at.min(other)..at.max(other).min(at.min(other) + 40))),
                    3 => text.insert(at, words[random.below(words.len())]),
                    _ => {
                        let piece = text[other..text.len().min(other + 60)].to_vec();
                        text.splice(at..at, piece);
                    }
                }
                if text.is_empty() {
                    text.push(b' ');
                }
            }
            sound += usize::from(exercise(&text));
        }
    }
    println!("{} texts, {count} mutations each, {sound} readable", texts.len());
}

#[test]
fn nesting_and_repetition_stay_bounded() {
    let nested = format!("VLIST a[] START {} END", "(".repeat(1 << 20));
    assert!(
        read(nested.as_bytes())
            .unwrap_err()
            .to_string()
            .contains("nested")
    );
    let negative = format!("VLIST a[] START {}1 END", "-".repeat(1 << 20));
    assert!(read(negative.as_bytes()).is_err());
    let color = format!("VLIST a[] START {} END", "D8888(".repeat(1 << 18));
    assert!(read(color.as_bytes()).is_err());
    let commas = format!("CNKOBJECT o[] START {} END", ",".repeat(1 << 20));
    assert!(!exercise(commas.as_bytes()));
    let notes = format!("VLIST a[] START {} END", "\u{3042} 1 ".repeat(1 << 16));
    exercise(notes.as_bytes());
}

/// Trees that share one long list could otherwise expand to any size.
#[test]
fn sharing_is_bounded() {
    let mut text = String::from("VLIST v[] START CnkV( 0x0, 1 ), OffnbIdx( 0, 0 ),\n");
    text.push_str(&"VERT( 0x0, 0x0, 0x0 ),\n".repeat(20_000));
    text.push_str(
        "CnkEnd() END CNKMODEL m[] START VList v, PList NULL, Center 0.0F, 0.0F, 0.0F, Radius 1.0F, END\n",
    );
    for i in 0..3_000 {
        text.push_str(&format!(
            "CNKOBJECT o{i}[] START EvalFlags(0), CNKModel m, OPosition(0,0,0), OAngle(0,0,0), OScale(1,1,1), \
             Child NULL, Sibling NULL, END\n"
        ));
    }
    let error = read(text.as_bytes()).unwrap_err();
    assert!(
        error.to_string().contains("the same definitions in many trees"),
        "{error}"
    );
}
