//! Samples of docs/formats/compact-shape.md and cell-sprite.md, including their errors. Conversion to binary
//! and back gives the corrected text.

use ninja::ascii::{Text, WriteOptions, read, write};
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) const SAMPLES: [&str; 10] = [
    "MODEL.nat",
    "same_heavywalk_body_3.nat",
    "same_heavywalk_body_3.spa",
    "with_nat/same_heavywalk_body_3.spa",
    "csprite_spec.nam",
    "rotation/csprite_spec.nam",
    "same_heavywalk_body_3.csa",
    "with_nam/same_heavywalk_body_3.csa",
    "sc0_model0.nas",
    "sc0_model0.nam",
];

pub(crate) fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/seeds")
}

pub(crate) fn read_sample(sample: &str) -> Text {
    let text = fs::read(data().join(sample)).unwrap();
    read(&text).unwrap_or_else(|e| panic!("{sample}:{e}"))
}

/// Converts a sample to text by way of a binary file. Returns the text and its warnings, one per line.
fn corrected(sample: &str) -> (String, String) {
    let read = read_sample(sample);
    let binary = read.file.write().unwrap();
    let file = ninja::read(&binary).unwrap();
    assert!(file.warnings.is_empty(), "{sample}: {:?}", file.warnings);
    let name = Path::new(sample)
        .file_stem()
        .unwrap()
        .to_string_lossy()
        .into_owned();
    let options = WriteOptions {
        name,
        ..WriteOptions::default()
    };
    let warnings = read.warnings.iter().map(|w| format!("{w}\n")).collect();
    (write(&file, &options).unwrap(), warnings)
}

/// With `SWIRL_BLESS` set, the results replace the expected files. Review them before committing.
fn compare(path: &Path, found: &str) {
    if std::env::var_os("SWIRL_BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, found).unwrap();
    }
    let expected = fs::read_to_string(path).unwrap();
    assert!(found == expected, "{}: found\n{found}", path.display());
}

#[test]
fn samples_become_the_corrected_text() {
    for sample in SAMPLES {
        let (text, warnings) = corrected(sample);
        compare(&data().join("corrected").join(sample), &text);
        compare(
            &data().join("corrected").join(format!("{sample}.warnings")),
            &warnings,
        );
    }
    println!("{} samples", SAMPLES.len());
}

#[test]
fn corrected_texts_stay_as_they_are() {
    for sample in SAMPLES {
        let path = Path::new("corrected").join(sample);
        let read = read_sample(path.to_str().unwrap());
        assert_eq!(read.warnings, [], "{sample}");
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let options = WriteOptions {
            name,
            ..WriteOptions::default()
        };
        let text = fs::read_to_string(data().join(&path)).unwrap();
        assert!(write(&read.file, &options).unwrap() == text, "{sample}");
    }
}

/// Words of the stream in docs/formats/cell-sprite.md 5.4, derived by hand from docs/formats/ninja.md 1.11.
/// The third stamp is followed by 14 words although the sample states 4. The last datum has nine digits.
#[test]
fn the_stream_has_the_words_of_the_specification() {
    let bytes = read_sample("same_heavywalk_body_3.csa").file.write().unwrap();
    let attr = 0x25C0;
    let expected: [u32; 50] = [
        // TS 0, 27 words
        0x101B_0000,
        // CE 0 with all six blocks: 16 words; the size field is 0 because it has four bits.
        0x20FC_0000,
        0x000A_0000 | attr,
        0x4120_0000,
        0x4120_0000,
        0x4280_0000,
        0x4280_0000,
        0x4000_0001,
        0x3F00_0000,
        0x3F00_0000,
        0xFFFF_5A64,
        0xFFC8_8264,
        0xFF96_BE64,
        0xFF64_C864,
        0x3E99_999A,
        0x3ECC_CCCD,
        0x3F00_0000,
        0x3F19_999A,
        // CE 10: texture and motion, the angle in the low half
        0x26C0_000A,
        0x000B_0000 | attr,
        0x4120_0000,
        0x4120_0000,
        0x4280_0000,
        0x4280_0000,
        0x0000_4000,
        // CE 1: texture and priority
        0x22A0_0001,
        0x000C_0000 | attr,
        0x0000_0002,
        // TS 1, 4 words: TD, AT, CZ, CP
        0x1004_0001,
        0x3063_000A,
        0x4064_0000 | attr,
        0x5064_2000,
        0x6065_000A,
        // TS 2, 14 words: AD, ED, UE
        0x100E_0002,
        0xE001_0010,
        0x0001_00FF,
        0xF700_0002,
        0x0002_00FF,
        0x0300_FFFF,
        0x0FF0_FF00,
        0xFFFF_FFFF,
        0x0F0F_0F0F,
        0xEEEE_EEEE,
        0x1E1E_1E1E,
        0x7003_0000,
        0x0000_00FF,
        0xFFFF_FFFF,
        0x0F0F_0F0F,
        // TE 100
        0x0000_0064,
        // The pointer list follows NJCS: the next four bytes are its name.
        u32::from_le_bytes(*b"POF0"),
    ];
    // IFF head and NJS_CELL_STREAM precede the words: 8 and 16 bytes.
    let words: Vec<u32> = bytes[24..]
        .as_chunks::<4>()
        .0
        .iter()
        .map(|b| u32::from_le_bytes(*b))
        .collect();
    assert_eq!(words[..50], expected);
    assert_eq!(bytes[..8], *b"NJCS\xD4\0\0\0");
    assert_eq!(bytes[8..24], [16, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 100, 0, 0, 0]);
}
