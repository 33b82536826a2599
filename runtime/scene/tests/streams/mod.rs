//! Cell streams: the cells at each time. `specification` has the default settings, the other files the
//! original library's.

mod chunks;
mod events;
mod seeking;
mod specification;

use ninja::{Argb, BlockMotion, Cell, CellAttr, CellBlocks, CellChange, CellChunk, CellStream};
use proptest::prelude::*;
use scene::{
    CellSprite, CellWarning, EntryBurst, EventRate, Events, IdleStream, MAX_STREAMS, RepeatSpan, Settings,
    StampLength, StampRule, StreamError, StreamId, StreamList, StreamSettings, TimeRepeat,
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

/// A list that plays as the original library.
fn list(attrs: &[CellAttr], streams: &[CellStream]) -> StreamList {
    list_with(Settings::original().streams, attrs, streams)
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
    // Time 2 is time 0 of the repetition: cell 0 repeats, cell 1 ends the stamp, and cell 2 is not reached.
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
        ..Settings::original().streams
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
fn a_list_holds_256_streams() {
    let stream = pattern(&[(0, &[texture(0, 1)])], 2);
    let mut list = StreamList::with_settings(&sprite(&[REPEAT]), Settings::original().streams);
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
