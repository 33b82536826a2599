//! Comments that the writer adds.

use super::made::vertices;
use ninja::*;

#[test]
fn float_comments_change_nothing() {
    let file = File::new(vec![Chunk::Model(vertices())]);
    let options = ascii::WriteOptions {
        float_comments: true,
        name: "odd name-1".into(),
        ..ascii::WriteOptions::default()
    };
    let text = ascii::write(&file, &options).unwrap();
    assert!(text.starts_with("/* NJA 2.00.00 NinjaAsciiDataMix CnkModel (swirl) */"));
    let alone = ascii::WriteOptions {
        model_alone: true,
        ..options.clone()
    };
    let alone = ascii::write(&file, &alone).unwrap();
    assert!(alone.starts_with("/* NAD 2.00.00 NinjaAsciiModel CnkModel (swirl) */"));
    assert!(text.contains("VERT( 0x3f800000, 0xc0000000, 0x40600000 ), /* 1.0F, -2.0F, 3.5F */"));
    assert!(text.contains("CNKOBJECT   object_odd_name_1[]"));
    let mut expected = file;
    expected.renumber();
    assert_eq!(
        ascii::read(text.as_bytes()).unwrap().file.write().unwrap(),
        expected.write().unwrap()
    );
}
