//! Cell streams: what the cells are at each time, by numbers from seed 003 and facts 2.7.

use ninja::{Argb, BlockMotion, Cell, CellAttr, CellBlocks, CellChange, CellChunk, CellStream};
use proptest::prelude::*;
use scene::{
    CellSprite, CellWarning, EventRate, Events, IdleStream, MAX_STREAMS, StampLength, StreamError, StreamId,
    StreamList, StreamSettings,
};
use std::cell::RefCell;

const REPEAT: CellAttr = CellAttr::TIME_REPEAT;

fn end(time: u16) -> CellChunk {
    CellChunk::End { dummy: 0, time }
}

fn texture(entry: u16, tex_id: i16) -> CellChunk {
    CellChunk::Texture { entry, tex_id }
}

fn event(event: u16, data: &[u32]) -> CellChunk {
    CellChunk::Event {
        event,
        data: data.to_vec(),
    }
}

fn change(entry: u16, blocks: CellBlocks) -> CellChunk {
    CellChunk::Change(CellChange::new(entry, &blocks))
}

/// A pattern from stamps of time and chunks, its stamps counted.
fn pattern(stamps: &[(u16, &[CellChunk])], length: u16) -> CellStream {
    let mut chunks = Vec::new();
    for (time, then) in stamps {
        chunks.push(CellChunk::Stamp {
            words: 0,
            time: *time,
        });
        chunks.extend_from_slice(then);
    }
    chunks.push(end(length));
    let mut stream = CellStream::new(chunks);
    stream.count_stamps().expect("short stamps");
    stream
}

fn sprite(attrs: &[CellAttr]) -> CellSprite {
    let cell = |attr: &CellAttr| Cell {
        tex_id: 100,
        attr: *attr,
        ..Cell::default()
    };
    CellSprite::new(attrs.iter().map(cell).collect())
}

fn list(attrs: &[CellAttr], streams: &[CellStream]) -> StreamList {
    list_with(StreamSettings::default(), attrs, streams)
}

fn list_with(settings: StreamSettings, attrs: &[CellAttr], streams: &[CellStream]) -> StreamList {
    let mut list = StreamList::with_settings(&sprite(attrs), settings);
    for stream in streams {
        list.add(stream).expect("room");
    }
    list
}

/// Texture of cell 0 at times 0, 1, 2...
fn textures(list: &mut StreamList, times: usize) -> Vec<i16> {
    (0..times)
        .map(|i| {
            list.advance(i32::from(i > 0), &mut Events::new());
            list.cell(0).expect("a cell").tex_id
        })
        .collect()
}

fn cell(list: &StreamList, index: usize) -> Cell {
    list.cell(index).expect("a cell")
}

#[test]
fn a_stamp_holds_until_the_next_and_repeats_with_the_flag() {
    let stream = pattern(&[(0, &[texture(0, 7)]), (2, &[texture(0, 8)])], 4);
    let mut list = list(&[REPEAT], &[stream]);
    assert_eq!(textures(&mut list, 10), [7, 7, 8, 8, 7, 7, 8, 8, 7, 7]);
}

#[test]
fn without_the_flag_a_cell_keeps_its_last_state() {
    let stream = pattern(&[(0, &[texture(0, 7)]), (2, &[texture(0, 8)])], 4);
    let mut list = list(&[CellAttr::default()], &[stream]);
    assert_eq!(textures(&mut list, 7), [7, 7, 8, 8, 8, 8, 8]);
}

#[test]
fn in_a_repetition_the_first_cell_that_does_not_repeat_ends_the_stamp() {
    let (fixed, repeats) = (CellAttr::default(), REPEAT);
    let stamp = [texture(0, 1), texture(1, 2), texture(2, 3)];
    let other = [texture(0, 11), texture(1, 12), texture(2, 13)];
    let stream = pattern(&[(0, &stamp), (1, &other)], 2);
    let mut list = list(&[repeats, fixed, repeats], &[stream]);
    textures(&mut list, 3);
    let now: Vec<i16> = list.cells().map(|cell| cell.tex_id).collect();
    // Time 2 is 0 of the repetition: cell 0 goes back, cell 1 ends the stamp, and cell 2 waits behind it.
    assert_eq!(now, [1, 12, 13]);
}

#[test]
fn the_flag_is_tested_before_the_chunk_changes_it() {
    let on = CellChunk::Attr {
        entry: 0,
        attr: REPEAT,
    };
    let stream = pattern(&[(0, &[texture(0, 1), on.clone()]), (1, &[texture(0, 2)])], 2);
    let mut playing = list(&[CellAttr::default()], std::slice::from_ref(&stream));
    // The first pass does not test; it sets the flag, so all later ones run.
    assert_eq!(textures(&mut playing, 4), [1, 2, 1, 2]);
    let off = CellChunk::Attr {
        entry: 0,
        attr: CellAttr::default(),
    };
    let stream = pattern(&[(0, &[texture(0, 1)]), (1, &[texture(0, 2), off])], 2);
    let mut playing = list(&[REPEAT], &[stream]);
    assert_eq!(textures(&mut playing, 4), [1, 2, 2, 2]);
}

#[test]
fn bursts_and_events_do_not_test_the_flag_but_entry_bursts_do() {
    let address = |value| CellChunk::Address {
        address: 6,
        data: vec![value],
    };
    let stream = pattern(&[(0, &[address(1)]), (1, &[address(2)])], 2);
    let mut playing = list(&[CellAttr::default()], &[stream]);
    textures(&mut playing, 3);
    assert_eq!(playing.words()[0][6], 1);
    let entry = |value| CellChunk::Entry {
        entry: 0,
        offset: 6,
        data: vec![value],
    };
    let stream = pattern(&[(0, &[entry(1)]), (1, &[entry(2)])], 2);
    let mut playing = list(&[CellAttr::default()], &[stream]);
    textures(&mut playing, 3);
    assert_eq!(playing.words()[0][6], 2);
}

#[test]
fn an_offset_shifts_the_pattern_and_before_it_the_sprite_s_cells_show() {
    let mut stream = pattern(&[(0, &[texture(0, 7)]), (2, &[texture(0, 8)])], 4);
    stream.time_offset = 3;
    let mut list = list(&[REPEAT], &[stream]);
    assert_eq!(textures(&mut list, 9), [100, 100, 100, 7, 7, 8, 8, 7, 7]);
}

#[test]
fn a_late_first_stamp_leaves_a_gap_in_each_repetition() {
    let stream = pattern(&[(2, &[texture(0, 8)])], 3);
    let mut list = list(&[REPEAT], &[stream]);
    assert_eq!(textures(&mut list, 6), [100, 100, 8, 100, 100, 8]);
}

#[test]
fn an_idle_stream_undoes_those_before_it_unless_told_not_to() {
    let first = pattern(&[(0, &[texture(0, 7)])], 9);
    let mut late = pattern(&[(0, &[texture(1, 9)])], 9);
    late.time_offset = 2;
    let streams = [first, late];
    let mut playing = list(&[REPEAT; 2], &streams);
    assert_eq!(textures(&mut playing, 4), [100, 100, 7, 7]);
    assert_eq!(cell(&playing, 1).tex_id, 9);
    let keeps = StreamSettings {
        idle: IdleStream::Keeps,
        ..StreamSettings::default()
    };
    assert_eq!(
        textures(&mut list_with(keeps, &[REPEAT; 2], &streams), 4),
        [7, 7, 7, 7]
    );
}

#[test]
fn streams_of_different_lengths_run_side_by_side() {
    let short = pattern(&[(0, &[texture(0, 1)]), (1, &[texture(0, 2)])], 2);
    let long = pattern(
        &[
            (0, &[texture(1, 5)]),
            (1, &[texture(1, 6)]),
            (2, &[texture(1, 7)]),
        ],
        3,
    );
    let mut list = list(&[REPEAT; 2], &[short, long]);
    let mut seen = Vec::new();
    for i in 0..6 {
        list.advance(i32::from(i > 0), &mut Events::new());
        seen.push((cell(&list, 0).tex_id, cell(&list, 1).tex_id));
    }
    assert_eq!(seen, [(1, 5), (2, 6), (1, 7), (2, 5), (1, 6), (2, 7)]);
}

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

/// The words of the chunks as the seed's macros make them, so that which half is which does not rest on the writer above.
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
        ["stream 0: the stamp of time 0 counts fewer words than follow it: the others are not run"]
    );
    let whole = StreamSettings {
        length: StampLength::Whole,
        ..StreamSettings::default()
    };
    let mut whole = list_with(whole, &[REPEAT; 2], &[stream]);
    whole.advance(0, &mut Events::new());
    assert_eq!(cell(&whole, 0).tex_id, 3);
    assert!(whole.warnings().is_empty());
}

#[test]
fn events_arrive_with_their_words_at_their_time() {
    let stream = pattern(
        &[(0, &[event(3, &[1, 2, 0x3F80_0000])]), (2, &[event(4, &[])])],
        4,
    );
    let every = RefCell::new(Vec::new());
    let mut list = list(&[REPEAT], std::slice::from_ref(&stream));
    let mut events = Events::new();
    events
        .on(3, |e| every.borrow_mut().push((e.time, e.id, e.words.to_vec())))
        .on(3, |e| every.borrow_mut().push((e.time, 99, Vec::new())))
        .on(4, |e| every.borrow_mut().push((e.time, e.id, e.words.to_vec())));
    list.advance(0, &mut events);
    list.advance(1, &mut events);
    list.advance(1, &mut events);
    drop(events);
    let (three, other) = (vec![1, 2, 0x3F80_0000], Vec::new());
    let expected = vec![
        (0, 3, three.clone()),
        (0, 99, other.clone()),
        (1, 3, three),
        (1, 99, other.clone()),
        (2, 4, other),
    ];
    assert_eq!(every.into_inner(), expected);
}

#[test]
fn events_can_be_had_once_a_stamp() {
    let once = StreamSettings {
        events: EventRate::OncePerStamp,
        ..StreamSettings::default()
    };
    let stream = pattern(&[(0, &[event(3, &[])]), (2, &[event(4, &[])])], 4);
    let single = pattern(&[(0, &[event(5, &[])])], 3);
    let mut list = list_with(once, &[REPEAT], &[stream, single]);
    let mut seen = Vec::new();
    let mut events = Events::new();
    let seen_by = RefCell::new(&mut seen);
    for id in 3..6 {
        events.on(id, |e| seen_by.borrow_mut().push((e.time, e.id)));
    }
    for i in 0..7 {
        list.advance(i32::from(i > 0), &mut events);
    }
    drop(events);
    assert_eq!(seen, [(0, 3), (0, 5), (2, 4), (3, 5), (4, 3), (6, 4), (6, 5)]);
}

#[test]
fn an_event_that_nobody_wants_is_told_once() {
    let stream = pattern(&[(0, &[event(3, &[1]), texture(0, 5)])], 4);
    let mut list = list(&[REPEAT], &[stream]);
    textures(&mut list, 3);
    assert_eq!(cell(&list, 0).tex_id, 5);
    let told: Vec<_> = list.warnings().iter().map(|(w, n)| (w.to_string(), *n)).collect();
    assert_eq!(told, [("stream 0: no callback for user event 3".to_owned(), 3)]);
}

#[test]
fn a_list_holds_256_streams() {
    let stream = pattern(&[(0, &[texture(0, 1)])], 2);
    let mut list = StreamList::new(&sprite(&[REPEAT]));
    let ids: Vec<_> = (0..MAX_STREAMS).map(|_| list.add(&stream)).collect();
    assert_eq!(ids.len(), 256);
    assert!(ids.iter().all(Result::is_ok));
    assert_eq!(list.add(&stream), Err(StreamError::Full { limit: 256 }));
    assert!(list.remove(StreamId(17)) && !list.remove(StreamId(17)));
    assert_eq!(list.add(&stream), Ok(StreamId(256)));
    assert_eq!(list.streams().count(), 256);
}

#[test]
fn a_stream_without_length_or_stamps_does_nothing() {
    for (stream, told) in [
        (pattern(&[(0, &[texture(0, 1)])], 0), 1),
        (pattern(&[], 4), 0),
        (CellStream::default(), 1),
    ] {
        let mut list = list(&[REPEAT], &[stream]);
        assert_eq!(textures(&mut list, 5), [100; 5]);
        assert_eq!(list.warnings().len(), told, "{:?}", list.warnings());
    }
}

#[test]
fn steps_of_more_than_one_lose_stamps_and_seeking_does_not() {
    let priority = CellChunk::Priority {
        entry: 0,
        priority: 4,
    };
    let stream = pattern(
        &[(0, &[texture(0, 1)]), (1, &[priority]), (2, &[texture(0, 3)])],
        9,
    );
    let mut list = list(&[REPEAT], std::slice::from_ref(&stream));
    assert!(!list.streams().any(|(_, stream)| stream.is_skippable()));
    list.advance(0, &mut Events::new());
    list.advance(2, &mut Events::new());
    assert_eq!((cell(&list, 0).tex_id, cell(&list, 0).priority), (3, 0));
    list.seek(2).expect("near");
    assert_eq!((cell(&list, 0).tex_id, cell(&list, 0).priority), (3, 4));
    list.reset();
    assert_eq!((list.time(), cell(&list, 0).tex_id), (0, 100));
}

#[test]
fn streams_that_always_change_the_same_members_seek_to_any_time_at_once() {
    let stream = pattern(&[(0, &[texture(0, 1)]), (5, &[texture(0, 2)])], 10);
    let mut playing = list(&[REPEAT], &[stream.clone(), stream.clone()]);
    assert!(playing.streams().all(|(_, stream)| stream.is_skippable()));
    playing.seek(2_000_000_007).expect("any time");
    assert_eq!((playing.time(), cell(&playing, 0).tex_id), (2_000_000_007, 2));
    assert_eq!(playing.seek(-1), Err(StreamError::Time { time: -1 }));
    // A cell that does not repeat stops the stamp, so what was before matters, and that is too much.
    let mut fixed = list(&[CellAttr::default()], &[stream]);
    fixed.seek(9).expect("not repeating yet");
    assert!(matches!(
        fixed.seek(2_000_000_007),
        Err(StreamError::TooFar { .. })
    ));
}

#[test]
fn time_stops_at_its_ends() {
    let mut list = list(&[REPEAT], &[pattern(&[(0, &[texture(0, 1)])], 3)]);
    list.advance(i32::MAX, &mut Events::new());
    list.advance(i32::MAX, &mut Events::new());
    assert_eq!(list.time(), i32::MAX);
    list.advance(i32::MIN, &mut Events::new());
    list.advance(i32::MIN, &mut Events::new());
    assert_eq!(list.time(), i32::MIN);
}

/// One of the chunks that tests of seeking need: members that differ and members that agree, flags on and off.
fn any_chunk() -> impl Strategy<Value = CellChunk> {
    let id = 0..3_u16;
    prop_oneof![
        (id.clone(), any::<i16>()).prop_map(|(entry, tex_id)| CellChunk::Texture { entry, tex_id }),
        (id.clone(), any::<i16>()).prop_map(|(entry, zang)| CellChunk::ZAngle { entry, zang }),
        (id.clone(), 0..4_u16).prop_map(|(entry, attr)| CellChunk::Attr {
            entry,
            attr: CellAttr(attr << 1)
        }),
        (0..44_u16, any::<u32>()).prop_map(|(address, word)| CellChunk::Address {
            address,
            data: vec![word; 5]
        }),
        (id, 0..12_u8, any::<u32>()).prop_map(|(entry, offset, word)| CellChunk::Entry {
            entry,
            offset,
            data: vec![word; 3]
        }),
        Just(event(1, &[5])),
    ]
}

/// A pattern; half of them change the same members in each stamp.
fn any_stream() -> impl Strategy<Value = CellStream> {
    let stamps = proptest::collection::vec((0..6_u16, proptest::collection::vec(any_chunk(), 0..4)), 1..5);
    (stamps, any::<bool>(), 0..7_i32, 0..4_u16).prop_map(|(stamps, same, offset, tail)| {
        let (mut time, mut chunks) = (0, Vec::new());
        for (i, (step, then)) in stamps.iter().enumerate() {
            time += if same && i == 0 { 0 } else { *step };
            chunks.push(CellChunk::Stamp { words: 0, time });
            let then = if same { &stamps[0].1 } else { then };
            for chunk in then {
                // The same member, another value.
                chunks.push(match chunk {
                    CellChunk::Texture { entry, tex_id } => texture(*entry, tex_id ^ i as i16),
                    chunk => chunk.clone(),
                });
            }
        }
        chunks.push(end(time + tail));
        let mut stream = CellStream::new(chunks);
        stream.count_stamps().expect("short");
        stream.time_offset = offset;
        stream
    })
}

proptest! {
    #[test]
    fn seeking_is_playing(
        attrs in proptest::collection::vec(0..4_u16, 3),
        streams in proptest::collection::vec(any_stream(), 1..4),
        keeps in any::<bool>(),
        time in 0..60_i32,
    ) {
        let idle = if keeps { IdleStream::Keeps } else { IdleStream::Restores };
        let settings = StreamSettings { idle, ..StreamSettings::default() };
        let attrs: Vec<CellAttr> = attrs.iter().map(|attr| CellAttr(attr << 1)).collect();
        let mut played = list_with(settings, &attrs, &streams);
        played.advance(0, &mut Events::new());
        for _ in 0..time {
            played.advance(1, &mut Events::new());
        }
        let mut sought = list_with(settings, &attrs, &streams);
        sought.seek(time).expect("near");
        prop_assert_eq!(played.words(), sought.words());
        prop_assert_eq!(played.time(), sought.time());
        // And on from there.
        for step in [0, 1, 1, 3] {
            played.advance(step, &mut Events::new());
            sought.advance(step, &mut Events::new());
            prop_assert_eq!(played.words(), sought.words());
        }
    }

    /// Whatever words a file holds: no panic, no endless loop, nothing outside the cells.
    #[test]
    fn random_words_play_to_the_end(
        words in proptest::collection::vec(prop_oneof![any::<u32>(), 0..0x40_u32, 0x1000_0000..0x1020_0100_u32], 0..200),
        offset in any::<i32>(),
        max in prop_oneof![any::<i32>(), -2..300_i32],
        steps in proptest::collection::vec(prop_oneof![any::<i32>(), -3..40_i32], 0..30),
    ) {
        let mut body: Vec<u32> = vec![16, 16, offset as u32, max as u32];
        body.extend(words);
        body.push(0x10);
        let mut bytes = b"NJCS".to_vec();
        bytes.extend((4 * body.len() as u32).to_le_bytes());
        bytes.extend(body.iter().flat_map(|word| word.to_le_bytes()));
        let Ok(file) = ninja::read(&bytes) else { return Ok(()) };
        for chunk in &file.chunks {
            let ninja::Chunk::CellStream(stream) = chunk else { continue };
            let mut list = list(&[REPEAT, CellAttr::default()], &[stream.clone(), stream.clone()]);
            for &step in &steps {
                list.advance(step, &mut Events::new());
            }
            let _ = list.seek(1000);
            prop_assert_eq!(list.words().len(), 2);
        }
    }
}
