//! Files written by hand from docs/formats/fbx.md, independent of the writer.

use fbx::{
    ArrayError, ByteOrder, Document, Elements, Extent, Limits, Padding, Property, Record, read, read_with,
};

/// Magic, 1A, byte order, version.
fn header(order: u8, version: [u8; 4]) -> Vec<u8> {
    let mut file = b"Kaydara FBX Binary  \0\x1a".to_vec();
    file.push(order);
    file.extend_from_slice(&version);
    file
}

/// Id, `pad` zeros, version, 120 zeros, the constant.
fn footer(pad: usize, version: [u8; 4]) -> Vec<u8> {
    let mut footer = vec![0x11; 16];
    footer.resize(16 + pad, 0);
    footer.extend_from_slice(&version);
    footer.resize(footer.len() + 120, 0);
    footer.extend_from_slice(&[
        0xf8, 0x5a, 0x8c, 0x6a, 0xde, 0xf5, 0xd9, 0x7e, 0xec, 0xe9, 0x0c, 0xe3, 0x75, 0x8f, 0x29, 0x0b,
    ]);
    footer
}

const V7400: [u8; 4] = [0xe8, 0x1c, 0, 0];

/// Record `A` at 27 with one property of every scalar code and an empty, terminated list.
fn scalars() -> Vec<u8> {
    let mut file = header(0, V7400);
    let properties: &[u8] = &[
        b'Y', 0xfe, 0xff, // -2
        b'C', b'T', //
        b'B', 7, //
        b'Z', 0x80, // -128
        b'I', 1, 0, 0, 0, //
        b'L', 0, 0, 0, 0, 1, 0, 0, 0, // 2^32
        b'F', 0, 0, 0x80, 0x3f, // 1.0
        b'D', 0, 0, 0, 0, 0, 0, 0xf0, 0xbf, // -1.0
        b'S', 3, 0, 0, 0, b'a', 0, 1, //
        b'R', 1, 0, 0, 0, 0xff,
    ];
    let end = 27 + 13 + 1 + properties.len() + 13;
    file.extend_from_slice(&[
        end as u8,
        0,
        0,
        0,
        10,
        0,
        0,
        0,
        properties.len() as u8,
        0,
        0,
        0,
        1,
        b'A',
    ]);
    file.extend_from_slice(properties);
    file.resize(file.len() + 13 + 13, 0);
    file.extend_from_slice(&footer(16 - (file.len() + 16) % 16 + 4, V7400));
    file
}

#[test]
fn every_scalar_code() {
    let file = scalars();
    let document = read(&file).unwrap();
    let record = document.record("A").unwrap();
    let values: Vec<Property<'_>> = record.properties.iter().collect();
    let expected = [
        Property::I16(-2),
        Property::Char(b'T'),
        Property::Byte(7),
        Property::I8(-128),
        Property::I32(1),
        Property::I64(1 << 32),
        Property::F32(1.0),
        Property::F64(-1.0),
        Property::String(b"a\0\x01"),
        Property::Raw(&[0xff]),
    ];
    assert_eq!(values, expected);
    assert!(record.terminated && record.children.is_empty() && document.warnings.is_empty());
    assert_eq!(
        document.sections[0].footer.as_ref().unwrap().padding,
        Padding::Autodesk
    );
    assert_eq!(document.write().unwrap(), file);
}

#[test]
fn big_endian_with_wide_heads_and_a_raw_array() {
    let version = [0, 0, 0x1d, 0x4c]; // 7500
    let mut file = header(1, version);
    // End 27 + 25 + 1 + 21 = 74; one property of 21 bytes; no list.
    file.extend_from_slice(&[
        0, 0, 0, 0, 0, 0, 0, 74, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 21, 1, b'V',
    ]);
    file.extend_from_slice(&[
        b'i', 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 1, 0, 0xff, 0xff, 0xff, 0xff,
    ]);
    file.resize(file.len() + 25, 0);
    file.extend_from_slice(&footer(7, version));
    let document = read(&file).unwrap();
    assert_eq!((document.order, document.version), (ByteOrder::Big, 7500));
    let Some(Property::Array(array)) = document.record("V").unwrap().properties.first() else {
        panic!("an array");
    };
    assert_eq!(array.elements().unwrap(), Elements::I32(vec![256, -1]));
    assert_eq!(document.write().unwrap(), file);
}

/// A leaf may have EndOffset 0; the next record is its sibling (docs/formats/fbx.md, 1.2).
#[test]
fn a_named_record_without_an_end() {
    let mut file = header(0, V7400);
    file.extend_from_slice(&[0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, b'A', b'C', 1]);
    let end = file.len() + 14;
    file.extend_from_slice(&[end as u8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, b'B']);
    file.resize(file.len() + 13, 0);
    file.extend_from_slice(&footer(20, V7400));
    let document = read(&file).unwrap();
    assert!(document.record("A").unwrap().zero_end && !document.record("B").unwrap().zero_end);
    assert_eq!(document.write().unwrap(), file);
}

#[test]
fn below_7000_a_second_list_follows() {
    let version = [0xd4, 0x17, 0, 0]; // 6100
    let mut file = header(0, version);
    let leaf = |name: u8, file: &mut Vec<u8>| {
        let end = (file.len() + 14) as u32;
        file.extend_from_slice(&end.to_le_bytes());
        file.extend_from_slice(&[0, 0, 0, 0, 0, 0, 0, 0, 1, name]);
        file.resize(file.len() + 13, 0);
    };
    leaf(b'A', &mut file);
    file.extend_from_slice(&footer(9, version));
    let second = file.len();
    leaf(b'S', &mut file);
    let mut last = footer(9, [0xa8, 0x16, 0, 0]);
    // The four bytes before the version count from the start of the second list: 14 + 13 of the list, 16 of
    // the id and 5 zeros.
    last[21] = 14 + 13 + 16 + 5;
    file.extend_from_slice(&last);
    let document = read(&file).unwrap();
    assert_eq!(
        (document.sections.len(), second),
        (2, 27 + 14 + 13 + 16 + 9 + 4 + 120 + 16)
    );
    assert_eq!(document.sections[0].footer.as_ref().unwrap().extent, Extent::Zero);
    assert_eq!(document.sections[1].footer.as_ref().unwrap().extent, Extent::List);
    assert!(document.record("S").is_some());
    assert_eq!(document.write().unwrap(), file);
}

#[test]
fn new_documents_are_read_back() {
    for (order, version) in [
        (ByteOrder::Little, 7400),
        (ByteOrder::Big, 7400),
        (ByteOrder::Little, 7700),
    ] {
        let mut numbers = Record::new("Numbers", order);
        let long: Vec<f64> = (0..1000).map(f64::from).collect();
        numbers.properties.push_elements(&Elements::F64(long.clone()));
        numbers.properties.push_elements(&Elements::I64(vec![i64::MIN]));
        let mut document = Document::new(version, order);
        let objects = Record::new("Objects", order)
            .with(&Property::I16(-3))
            .with_child(numbers);
        document.sections[0].records.push(objects);
        document.sections[0]
            .records
            .push(Record::new("References", order));
        let bytes = document.write().unwrap();
        let back = read(&bytes).unwrap();
        assert_eq!(back.sections, document.sections);
        let numbers = back.record("Objects").unwrap().child("Numbers").unwrap();
        let Some(Property::Array(array)) = numbers.properties.first() else {
            panic!("an array")
        };
        assert!(
            array.payload.len() < 4000,
            "{} bytes were not compressed",
            array.payload.len()
        );
        assert_eq!(array.elements().unwrap(), Elements::F64(long));
    }
}

/// A `c` array of `count` bytes with the compressed stream `stored`.
fn zlib_array(count: u32, stored: &[u8]) -> Vec<u8> {
    let mut file = header(0, V7400);
    let list = 13 + stored.len() as u32;
    for field in [27 + 14 + list, 1, list] {
        file.extend_from_slice(&field.to_le_bytes());
    }
    file.extend_from_slice(&[1, b'A', b'c']);
    for field in [count, 1, stored.len() as u32] {
        file.extend_from_slice(&field.to_le_bytes());
    }
    file.extend_from_slice(stored);
    file.resize(file.len() + 13, 0);
    file.extend_from_slice(&footer(20, V7400));
    file
}

/// "aaaa" by RFC 1950/1951: 78 9c, one fixed-code block, adler 0x03ce0185.
const AAAA: [u8; 12] = [
    0x78, 0x9c, 0x4b, 0x4c, 0x4c, 0x4c, 0x04, 0x00, 0x03, 0xce, 0x01, 0x85,
];

fn decode(file: &[u8]) -> Result<Elements, ArrayError> {
    let document = read(file).unwrap();
    let Some(Property::Array(array)) = document.record("A").unwrap().properties.first() else {
        panic!("an array");
    };
    array.elements()
}

#[test]
fn a_zlib_stream_must_give_exactly_its_elements() {
    assert_eq!(
        decode(&zlib_array(4, &AAAA)),
        Ok(Elements::Byte(b"aaaa".to_vec()))
    );
    assert_eq!(
        decode(&zlib_array(3, &AAAA)),
        Err(ArrayError::TooLong { expected: 3 })
    );
    let short = decode(&zlib_array(5, &AAAA));
    assert_eq!(
        short,
        Err(ArrayError::Damaged {
            produced: 4,
            expected: 5
        })
    );
    let mut broken = AAAA;
    broken[11] ^= 1;
    assert!(decode(&zlib_array(4, &broken)).is_err(), "a wrong checksum");
    assert!(decode(&zlib_array(4, &AAAA[..9])).is_err(), "a cut stream");
}

#[test]
fn promises_that_no_stream_can_keep_are_refused_before_anything_is_allocated() {
    let error = read(&zlib_array(12 * 1032 + 1, &AAAA)).unwrap_err();
    assert_eq!((error.what, error.path.as_str()), ("array length", "A"));
    assert!(read(&zlib_array(12 * 1032, &AAAA)).is_ok());
    let limits = Limits {
        array: 0,
        ..Limits::default()
    };
    let most = 8 * zlib_array(0, &AAAA).len() as u32;
    assert!(read_with(&zlib_array(most, &AAAA), &limits).is_ok());
    assert_eq!(
        read_with(&zlib_array(most + 1, &AAAA), &limits).unwrap_err().what,
        "array data"
    );
    let limits = Limits {
        total: 100,
        ..Limits::default()
    };
    assert_eq!(
        read_with(&zlib_array(101, &AAAA), &limits).unwrap_err().what,
        "array data"
    );
}

/// A record in a record in a record ..., `depth` lists deep.
fn nested(depth: usize) -> Vec<u8> {
    let mut file = header(0, V7400);
    let innermost_end = 27 + 14 * (depth + 1);
    for level in 0..=depth {
        let end = (innermost_end + 13 * (depth - level)) as u32;
        file.extend_from_slice(&end.to_le_bytes());
        file.extend_from_slice(&[0, 0, 0, 0, 0, 0, 0, 0, 1, b'N']);
    }
    file.resize(file.len() + 13 * depth + 13, 0);
    file.extend_from_slice(&footer(20, V7400));
    file
}

#[test]
fn depth_is_bounded() {
    let file = nested(32);
    assert_eq!(read(&file).unwrap().write().unwrap(), file);
    let error = read(&nested(33)).unwrap_err();
    assert_eq!(error.what, "nesting");
    assert!(error.path.starts_with("N/N/"), "{}", error.path);
}

#[test]
fn an_unknown_code_is_kept_or_refused() {
    let mut file = header(0, V7400);
    file.extend_from_slice(&[
        27 + 14 + 5,
        0,
        0,
        0,
        2,
        0,
        0,
        0,
        5,
        0,
        0,
        0,
        1,
        b'A',
        b'C',
        1,
        b'?',
        9,
        9,
    ]);
    file.resize(file.len() + 13, 0);
    file.extend_from_slice(&footer(20, V7400));
    let document = read(&file).unwrap();
    assert_eq!(document.record("A").unwrap().properties.unknown(), [b'?', 9, 9]);
    assert!(
        document.warnings[0]
            .to_string()
            .starts_with("A at 0x2b: property code 0x3f")
    );
    assert_eq!(document.write().unwrap(), file);
    let strict = Limits {
        strict: true,
        ..Limits::default()
    };
    assert_eq!(read_with(&file, &strict).unwrap_err().offset, 0x2b);
}

#[test]
fn text_and_other_files_are_named() {
    let error = read(b"; FBX 7.5.0 project file").unwrap_err().to_string();
    assert!(error.contains("an ASCII FBX file"), "{error}");
    assert!(read(b"").is_err() && read(&header(0, V7400)[..26]).is_err() && read(&header(2, V7400)).is_err());
}

/// The notes of 2013 leave CompressedLength of raw arrays open: 0 means the size of the elements.
#[test]
fn a_raw_array_without_a_stored_length_is_read() {
    let mut file = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
    let record = |compressed: u32| {
        let mut properties = b"i".to_vec();
        for word in [2, 0, compressed, 7, 9] {
            properties.extend(word.to_le_bytes());
        }
        properties
    };
    file.extend(7400_u32.to_le_bytes());
    let end = |list: usize| (27 + 13 + 1 + list) as u32;
    for (compressed, is_read) in [(0, true), (8, true), (4, false)] {
        let properties = record(compressed);
        let mut bytes = file.clone();
        for word in [end(properties.len()), 1, properties.len() as u32] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(b"\x01A");
        bytes.extend(&properties);
        bytes.extend([0; 13]);
        let read = fbx::read(&bytes);
        let elements = read.as_ref().ok().and_then(|document| {
            let Property::Array(array) = document.records().next()?.properties.first()? else {
                return None;
            };
            array.elements().ok()
        });
        let wanted = is_read.then(|| Elements::I32(vec![7, 9]));
        assert_eq!(elements, wanted, "{compressed}: {read:?}");
        if let Ok(document) = read {
            assert_eq!(document.write().unwrap(), bytes);
        }
    }
}
