//! CellSprites and CellStreams.

use crate::common::{chunk, le32};
use crate::samples::{motion_of, read, sprite_of, stream_of, texlist_of};
use ninja::{
    Argb, Bams, BlendMode, BlockBits, BlockMotion, CellAttr, CellChunk, Element, Error, File, KeyForm, Keys,
    MotionKind, WarningKind,
};

#[test]
fn cell_sprite() {
    let file = read("cell_sprite");
    assert_eq!(texlist_of(&file).names.len(), 1);
    let sprite = sprite_of(&file);
    assert_eq!(
        (sprite.pos, sprite.zang, sprite.scale),
        ([320.0, 240.0, -1.0], Bams(0x4000), [1.0, 2.0])
    );
    assert_eq!(
        (sprite.diffuse, sprite.specular),
        ([0.5, 1.0, 1.0, 1.0], [11.0, 0.25, 0.0, 0.0])
    );
    assert_eq!((sprite.cells.len(), sprite.work_bytes()), (3, 192));
    let [first, second, third] = sprite.cells[..] else {
        panic!()
    };
    assert_eq!(
        (first.offset, first.size, first.priority),
        ([10.0, 15.0], [64.0, 64.0], 100)
    );
    let blend = first.attr.blend();
    assert_eq!(
        (blend.src, blend.dst),
        (BlendMode::SourceAlpha, BlendMode::InverseSourceAlpha)
    );
    assert!(first.attr.contains(CellAttr::VERTEX_COLOR | CellAttr::ALPHA));
    assert_eq!(first.argb[2], Argb(0xFF00_00FF));
    assert_eq!(
        (second.zang, second.priority, second.attr),
        (0x4000, 32767, CellAttr::FLIP_H)
    );
    assert_eq!((second.uv0, second.uv2), ([0.25, 0.5], [0.75, 1.0]));
    assert_eq!((third.tex_id, third.zang, third.priority), (-1, -0x8000, -32767));
    let all = CellAttr::PUNCH_THROUGH | CellAttr::FLIP_V | CellAttr::HIDE | CellAttr::TIME_REPEAT;
    assert_eq!(third.attr, all);
    assert!(
        sprite
            .cells
            .iter()
            .all(|cell| ninja::Cell::from_words(&cell.words()) == *cell)
    );
}

#[test]
fn cell_stream() {
    let file = read("cell_stream");
    let stream = stream_of(&file);
    assert_eq!(
        (stream.current, stream.time_offset, stream.time_max),
        (Some(0), 5, 100)
    );
    let ids: Vec<_> = stream.chunks.iter().map(CellChunk::id).collect();
    assert_eq!(ids, [1, 2, 2, 2, 1, 3, 4, 5, 6, 1, 14, 15, 7, 0]);
    let CellChunk::Change(all) = &stream.chunks[1] else {
        panic!()
    };
    assert_eq!((all.size, all.blocks, all.words.len()), (0, BlockBits::KNOWN, 16));
    let blocks = all.decode();
    assert_eq!(blocks.texture, Some((3, CellAttr::ALPHA)));
    let motion = BlockMotion {
        offset: [1.0, 2.0],
        size: [16.0, 8.0],
        zang: 0x4000,
    };
    assert_eq!((blocks.motion, blocks.priority), (Some(motion), Some(1)));
    assert_eq!(
        (blocks.center, blocks.uv),
        (Some([0.5, 0.25]), Some([0.0, 0.0, 1.0, 1.0]))
    );
    assert_eq!(blocks.argb.unwrap()[3], Argb(0xFF00_0004));
    let CellChunk::Change(alone) = &stream.chunks[2] else {
        panic!()
    };
    assert_eq!((alone.entry, alone.decode().motion.unwrap().zang), (10, -0x2000));
    let CellChunk::Change(priority) = &stream.chunks[3] else {
        panic!()
    };
    assert_eq!(
        (
            priority.entry,
            priority.decode().priority,
            priority.decode().motion
        ),
        (1, Some(-2), None)
    );
    for change in [all, alone, priority] {
        assert_eq!(ninja::CellChange::new(change.entry, &change.decode()), *change);
    }
    assert_eq!(
        stream.chunks[5],
        CellChunk::Texture {
            entry: 99,
            tex_id: 10
        }
    );
    assert_eq!(
        stream.chunks[7],
        CellChunk::ZAngle {
            entry: 101,
            zang: 0x8E39u16 as i16
        }
    );
    assert_eq!(
        stream.chunks[8],
        CellChunk::Priority {
            entry: 4095,
            priority: -2
        }
    );
    let burst = CellChunk::Address {
        address: 16,
        data: vec![0x0040_0003],
    };
    assert_eq!(stream.chunks[10], burst);
    let CellChunk::Entry { entry, offset, data } = &stream.chunks[11] else {
        panic!()
    };
    assert_eq!((*entry, *offset, data.len()), (0, 5, 7));
    let mut counted = stream.clone();
    counted.count_stamps().unwrap();
    assert_eq!(&counted, stream);
    let motion = motion_of(&file);
    assert_eq!(motion.kind, MotionKind::CellSprite);
    assert_eq!(motion.keys(0, Element::Ang).map(Keys::form), Some(KeyForm::A1));
    assert_eq!(motion.keys(0, Element::Scl).map(Keys::form), Some(KeyForm::F2));
    let Some(Keys::Ui32(colors)) = motion.keys(0, Element::Rgb) else {
        panic!()
    };
    assert_eq!(colors[1].value, 0x80FF_0000);
}

/// Warnings for a stream of the given words.
fn stream(words: &[u32], time_max: u32) -> Result<File, Error> {
    let body = [&[16, 16, 0, time_max], words].concat();
    ninja::read(&[chunk(b"NJCS", &le32(&body)), chunk(b"POF0", &[0x40, 0x41, 0, 0])].concat())
}

#[test]
fn streams_with_slips() {
    let said = |words: &[u32], time_max: u32| -> Vec<WarningKind> {
        stream(words, time_max)
            .unwrap()
            .warnings
            .into_iter()
            .map(|w| w.kind)
            .collect()
    };
    assert_eq!(said(&[0x1000_0000, 0x0000_0009], 9), []);
    assert_eq!(said(&[9], 8), [WarningKind::StreamEnd { end: 9, max: 8 }]);
    // TS(2,4) before more words, as in the specification's sample.
    let stamp = WarningKind::StampWords {
        found: 4,
        expected: 1,
    };
    assert_eq!(said(&[0x1004_0002, 0x3001_0002, 9], 9), [stamp]);
    // A CZ of 200 degrees, damaged by the original macro.
    assert_eq!(
        said(&[0xFFFF_8E39, 9], 9),
        [WarningKind::LostAngle(0x8E39u16 as i16)]
    );
    assert_eq!(said(&[0x8001_0000, 1, 9], 9), [WarningKind::ReservedCellChunk(8)]);
    let size = WarningKind::CellSize {
        found: 2,
        expected: 1,
    };
    assert_eq!(said(&[0x2220_0000, 1, 9], 9), [size]);
    assert_eq!(said(&[0x2001_0000, 9], 9), [WarningKind::CellBlocks(1)]);
    assert_eq!(
        said(&[0xF20F_0000, 1, 2, 9], 9),
        [WarningKind::BurstEnd { offset: 15, words: 2 }]
    );
    assert!(
        stream(&[0x1000_0000], 9)
            .unwrap_err()
            .to_string()
            .contains("cell chunk")
    );
    assert!(
        stream(&[0x7005_0000, 1, 0], 9)
            .unwrap_err()
            .to_string()
            .contains("cell chunk data")
    );
}
