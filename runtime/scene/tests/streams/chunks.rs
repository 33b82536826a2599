//! Members changed by each chunk.

use super::*;

#[test]
fn every_block_changes_its_members_and_no_others() {
    let motion = BlockMotion {
        offset: [1.0, 2.0],
        size: [3.0, 4.0],
        zang: -2,
    };
    let colours = [0x01020304, 0x05060708, 0x090A0B0C, 0x0D0E0F10].map(Argb);
    let base = Cell {
        tex_id: 100,
        attr: REPEAT,
        ..Cell::default()
    };
    let cases: [(CellBlocks, Cell); 8] = [
        (
            CellBlocks {
                texture: Some((-3, CellAttr::HIDE)),
                ..CellBlocks::default()
            },
            Cell {
                tex_id: -3,
                attr: CellAttr::HIDE,
                ..base
            },
        ),
        (
            CellBlocks {
                motion: Some(motion),
                ..CellBlocks::default()
            },
            Cell {
                offset: [1.0, 2.0],
                size: [3.0, 4.0],
                zang: -2,
                ..base
            },
        ),
        (
            CellBlocks {
                motion: Some(motion),
                priority: Some(-7),
                ..CellBlocks::default()
            },
            Cell {
                offset: [1.0, 2.0],
                size: [3.0, 4.0],
                zang: -2,
                priority: -7,
                ..base
            },
        ),
        (
            CellBlocks {
                priority: Some(-7),
                ..CellBlocks::default()
            },
            Cell { priority: -7, ..base },
        ),
        (
            CellBlocks {
                center: Some([0.25, 0.75]),
                ..CellBlocks::default()
            },
            Cell {
                center: [0.25, 0.75],
                ..base
            },
        ),
        (
            CellBlocks {
                argb: Some(colours),
                ..CellBlocks::default()
            },
            Cell {
                argb: colours,
                ..base
            },
        ),
        (
            CellBlocks {
                uv: Some([0.1, 0.2, 0.3, 0.4]),
                ..CellBlocks::default()
            },
            Cell {
                uv0: [0.1, 0.2],
                uv2: [0.3, 0.4],
                ..base
            },
        ),
        (
            CellBlocks {
                texture: Some((1, REPEAT)),
                motion: Some(motion),
                priority: Some(9),
                center: Some([0.0, 1.0]),
                argb: Some(colours),
                uv: Some([0.5; 4]),
            },
            Cell {
                tex_id: 1,
                attr: REPEAT,
                offset: [1.0, 2.0],
                size: [3.0, 4.0],
                zang: -2,
                priority: 9,
                center: [0.0, 1.0],
                argb: colours,
                uv0: [0.5; 2],
                uv2: [0.5; 2],
            },
        ),
    ];
    for (blocks, expected) in cases {
        let stream = pattern(&[(0, &[change(1, blocks)])], 5);
        let mut list = list(&[REPEAT; 3], &[stream]);
        list.advance(0, &mut Events::new());
        let cells: Vec<Cell> = list.cells().collect();
        assert_eq!(cells, [base, expected, base], "{blocks:?}");
    }
}

/// The words of the chunks as the seed's macros make them, so that which half is which does not rest on the
/// writer above.
#[test]
fn the_halves_of_chunk_words_go_where_the_seed_says() {
    let body = [
        16,
        16,
        0,
        9,           // NJS_CELL_STREAM: stream and current stamp at 16, offset 0, timemax 9
        0x1009_0000, // CC_TS: 9 words, time 0
        0x22A0_0001, // CC_CE: 2 words, IA0 and PR2, cell 1
        0x0005_0042, // texId 5, attr 0x42
        0x0000_FFFE, // cp -2
        0x3001_0006, // CC_TD: cell 1, texture 6
        0x5002_4000, // CC_CZ: cell 2, a quarter turn
        0x6002_000B, // CC_CP: cell 2, priority 11
        0xF105_0000, // CBC_ED: 1 word to word 5 of cell 0
        0x0007_C000, // cp 7, czang 0xC000: as in memory, the other way round
        0x4000_0082, // CC_AT: cell 0, attr 0x82
        0x0000_0009, // CC_TE: time 9
    ];
    let mut bytes = b"NJCS".to_vec();
    bytes.extend((4 * body.len() as u32).to_le_bytes());
    bytes.extend(body.iter().flat_map(|word: &u32| word.to_le_bytes()));
    bytes.extend(*b"POF0\x04\0\0\0\x40\x41\0\0");
    let file = ninja::read(&bytes).expect("a stream");
    assert_eq!(file.warnings, []);
    let Some(ninja::Chunk::CellStream(stream)) = file.chunks.first() else {
        panic!("{:?}", file.chunks);
    };
    let mut list = list(&[REPEAT; 3], std::slice::from_ref(stream));
    list.advance(0, &mut Events::new());
    let got: Vec<_> = list
        .cells()
        .map(|c| (c.tex_id, c.attr.0, c.zang, c.priority))
        .collect();
    let expected = [(100, 0x82, -0x4000, 7), (6, 0x42, 0, -2), (100, 2, 0x4000, 11)];
    assert_eq!(got, expected);
}

#[test]
fn a_burst_crosses_blocks_and_cells() {
    let data: Vec<u32> = (0..20).map(|i| 0xA000_0000 + i).collect();
    let burst = CellChunk::Address {
        address: 14,
        data: data.clone(),
    };
    let mut list = list(&[REPEAT; 3], &[pattern(&[(0, &[burst])], 5)]);
    let before: Vec<u32> = list.words().as_flattened().to_vec();
    list.advance(0, &mut Events::new());
    let after = list.words().as_flattened();
    assert_eq!(after[..14], before[..14]);
    assert_eq!(after[14..34], data);
    assert_eq!(after[34..], before[34..]);
    assert!(list.warnings().is_empty());
}

#[test]
fn a_burst_behind_the_last_cell_is_told_and_left_out() {
    let burst = |address| CellChunk::Address {
        address,
        data: vec![1; 4],
    };
    let stream = pattern(&[(0, &[burst(29), burst(28), texture(0, 3)])], 5);
    let mut list = list(&[REPEAT; 2], &[stream]);
    list.advance(0, &mut Events::new());
    assert_eq!(list.words()[1][12..], [1; 4]);
    assert_eq!(cell(&list, 0).tex_id, 3);
    let warning = CellWarning::BurstOutside {
        stream: StreamId(0),
        word: 32,
    };
    assert_eq!(list.warnings().iter().collect::<Vec<_>>(), [(&warning, &1)]);
    assert!(warning.to_string().contains("word 32"), "{warning}");
}

#[test]
fn cells_that_do_not_exist_are_told_once_and_the_rest_plays() {
    let stream = pattern(&[(0, &[texture(9, 1), texture(8, 1), texture(0, 3)])], 5);
    let mut list = list(&[REPEAT; 2], &[stream.clone(), stream]);
    list.advance(0, &mut Events::new());
    assert_eq!(cell(&list, 0).tex_id, 3);
    let told: Vec<_> = list.warnings().iter().map(|(w, n)| (w.to_string(), *n)).collect();
    let line = "names cells that the sprite does not have (cell 9 is the first): without effect";
    assert_eq!(
        told,
        [(format!("stream 0: {line}"), 2), (format!("stream 1: {line}"), 2)]
    );
}

#[test]
fn a_stamp_s_count_ends_it_unless_told_otherwise() {
    let mut stream = pattern(&[(0, &[texture(0, 1), texture(1, 2), texture(0, 3)])], 5);
    if let Some(CellChunk::Stamp { words, .. }) = stream.chunks.first_mut() {
        *words = 2;
    }
    let mut counted = list(&[REPEAT; 2], std::slice::from_ref(&stream));
    counted.advance(0, &mut Events::new());
    assert_eq!((cell(&counted, 0).tex_id, cell(&counted, 1).tex_id), (1, 2));
    let told: Vec<_> = counted.warnings().keys().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "stream 0: the word count of the stamp of time 0 ends before its last chunk: the chunks beyond \
             it are not run"
        ]
    );
    let whole = StreamSettings {
        length: StampLength::Whole,
        ..Settings::original().streams
    };
    let mut whole = list_with(whole, &[REPEAT; 2], &[stream]);
    whole.advance(0, &mut Events::new());
    assert_eq!(cell(&whole, 0).tex_id, 3);
    assert!(whole.warnings().is_empty());
}
