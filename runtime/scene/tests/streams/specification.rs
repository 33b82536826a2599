//! The default settings: the words of the specification (docs/formats/cell-sprite.md), counted out by hand.

use super::*;

const STOPS: CellAttr = CellAttr(0);

fn list(attrs: &[CellAttr], streams: &[CellStream]) -> StreamList {
    list_with(StreamSettings::default(), attrs, streams)
}

fn late(mut stream: CellStream, time_offset: i32) -> CellStream {
    stream.time_offset = time_offset;
    stream
}

/// Textures of all cells at the present time.
fn all(list: &StreamList) -> Vec<i16> {
    list.cells().map(|cell| cell.tex_id).collect()
}

/// Section 2: "timeoffset to timemax + timeoffset" is animated; outside, the cells do not change.
#[test]
fn a_stream_outside_its_span_leaves_the_cells_alone() {
    let first = pattern(&[(0, &[texture(0, 7)])], 9);
    let second = late(pattern(&[(0, &[texture(1, 9)]), (1, &[texture(1, 10)])], 2), 2);
    for streams in [[first.clone(), second.clone()], [second, first]] {
        let mut list = list(&[STOPS; 2], &streams);
        let mut seen = Vec::new();
        for i in 0..6 {
            list.advance(i32::from(i > 0), &mut Events::new());
            seen.push((cell(&list, 0).tex_id, cell(&list, 1).tex_id));
        }
        assert_eq!(seen, [(7, 100), (7, 100), (7, 9), (7, 10), (7, 10), (7, 10)]);
        assert!(list.warnings().is_empty(), "{:?}", list.warnings());
    }
}

/// Section 4, step 3: a stamp's data run at its time, so the later write remains for every order of the list.
#[test]
fn the_later_write_to_a_member_stays() {
    let early = pattern(&[(0, &[texture(0, 1)])], 9);
    let later = pattern(&[(2, &[texture(0, 2)])], 9);
    for streams in [[early.clone(), later.clone()], [later, early]] {
        assert_eq!(textures(&mut list(&[STOPS], &streams), 4), [1, 1, 2, 2]);
    }
}

/// At the same time the order of the list decides, and a warning says so.
#[test]
fn two_streams_that_write_a_member_at_the_same_time_are_reported() {
    let stream = |value| late(pattern(&[(1, &[texture(0, value)])], 9), 2);
    let list = list(&[STOPS], &[stream(1), stream(2), stream(2)]);
    let told: Vec<String> = list.warnings().keys().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "streams 0 and 1 write different values to the same member of cell 0 at time 3: the value of stream \
             1 applies, which is later in the list"
        ]
    );
}

/// Sections 2 and 5: NJD_FCA_TR is an attribute of the cell.
#[test]
fn a_cell_without_the_flag_stops_alone() {
    let stamp = |k: i16| [texture(0, k + 1), texture(1, k + 2), texture(2, k + 3)];
    let stream = pattern(&[(0, &stamp(0)), (1, &stamp(10))], 2);
    let mut list = list(&[REPEAT, STOPS, REPEAT], &[stream]);
    let mut seen = Vec::new();
    for i in 0..5 {
        list.advance(i32::from(i > 0), &mut Events::new());
        seen.push(all(&list));
    }
    let (even, odd) = ([1, 2, 3], [11, 12, 13]);
    // From time 2 on cell 1 keeps the state of its end.
    assert_eq!(seen, [even, odd, [1, 12, 3], [11, 12, 13], [1, 12, 3]]);
}

/// Section 5: "the set span is the centre, and the period repeats at other times too". Offset 3, period 4:
/// time 0 is time 1 of the run before, time 1 its time 2.
#[test]
fn the_flag_repeats_before_the_offset_too() {
    let stream = late(pattern(&[(0, &[texture(0, 7)]), (2, &[texture(0, 8)])], 4), 3);
    let mut repeats = list(&[REPEAT], std::slice::from_ref(&stream));
    assert_eq!(textures(&mut repeats, 10), [7, 8, 8, 7, 7, 8, 8, 7, 7, 8]);
    let mut stops = list(&[STOPS], &[stream]);
    assert_eq!(textures(&mut stops, 10), [100, 100, 100, 7, 7, 8, 8, 8, 8, 8]);
}

/// Section 2: the pattern's time runs from 0 to timemax, so a stamp at timemax runs; a repeating cell begins
/// again then.
#[test]
fn a_stamp_at_the_last_time_runs() {
    let stream = pattern(&[(0, &[texture(0, 7)]), (3, &[texture(0, 9)])], 3);
    assert_eq!(
        textures(&mut list(&[STOPS], std::slice::from_ref(&stream)), 5),
        [7, 7, 7, 9, 9]
    );
    assert_eq!(textures(&mut list(&[REPEAT], &[stream]), 5), [7, 7, 7, 7, 7]);
}

/// Section 4, step 3: events of passed stamps arrive once, each with its own time.
#[test]
fn events_of_skipped_frames_arrive_once_at_their_time() {
    let stream = pattern(
        &[
            (0, &[event(3, &[1])]),
            (2, &[event(4, &[2]), texture(0, 5)]),
            (5, &[event(5, &[])]),
        ],
        6,
    );
    let seen = RefCell::new(Vec::new());
    let mut list = list(&[STOPS], &[stream]);
    let mut events = Events::new();
    events.on_any(|e| seen.borrow_mut().push((e.time, e.id, e.words.to_vec())));
    list.advance(0, &mut events);
    list.advance(0, &mut events);
    list.advance(4, &mut events);
    assert_eq!(
        seen.borrow_mut().drain(..).collect::<Vec<_>>(),
        [(0, 3, vec![1]), (2, 4, vec![2])]
    );
    list.advance(20, &mut events);
    assert_eq!(seen.borrow()[..], [(5, 5, vec![])]);
    assert_eq!(cell(&list, 0).tex_id, 5);
}

/// Events repeat with the cells of their stream.
#[test]
fn events_repeat_if_a_cell_of_the_stream_does() {
    let stream = pattern(&[(0, &[event(3, &[]), texture(0, 1), texture(1, 1)])], 3);
    for (attrs, expected) in [([STOPS, REPEAT], vec![0, 3, 6]), ([STOPS, STOPS], vec![0])] {
        let seen = RefCell::new(Vec::new());
        let mut list = list(&attrs, std::slice::from_ref(&stream));
        let mut events = Events::new();
        events.on_any(|e| seen.borrow_mut().push(e.time));
        list.advance(0, &mut events);
        list.advance(8, &mut events);
        drop(events);
        assert_eq!(seen.into_inner(), expected);
    }
}

/// Section 3.11: "a write over several cells is not possible".
#[test]
fn a_burst_to_a_cell_stays_in_it() {
    let burst = |offset, len| CellChunk::Entry {
        entry: 0,
        offset,
        data: vec![5; len],
    };
    let stream = pattern(&[(0, &[burst(6, 2), burst(12, 5)])], 4);
    let mut specified = list(&[STOPS; 2], std::slice::from_ref(&stream));
    specified.advance(0, &mut Events::new());
    assert_eq!(specified.words()[0][6..8], [5, 5]);
    assert_eq!(specified.words()[0][12..16], sprite(&[STOPS]).words()[0][12..16]);
    let told: Vec<String> = specified.warnings().keys().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "stream 0: a burst of 5 words from word 12 of cell 0 on, expected it to end within the cell's 16 words: without \
          effect"
        ]
    );
    let mut original = super::list(&[STOPS; 2], &[stream]);
    original.advance(0, &mut Events::new());
    assert_eq!(original.words()[1][0], 5);
}

/// A burst to an address can span cells; in a repetition it writes only cells that repeat.
#[test]
fn a_burst_to_an_address_stops_at_cells_without_the_flag() {
    let burst = |value| CellChunk::Address {
        address: 15,
        data: vec![value, u32::from(REPEAT.0) << 16 | 4, value],
    };
    let stream = pattern(&[(0, &[burst(1)]), (1, &[burst(2)])], 2);
    let mut list = list(&[STOPS, REPEAT], &[stream]);
    let mut seen = Vec::new();
    for i in 0..3 {
        list.advance(i32::from(i > 0), &mut Events::new());
        seen.push((list.words()[0][15], list.words()[1][1]));
    }
    assert_eq!(seen, [(1, 1), (2, 2), (2, 1)]);
}

/// Section 4, step 3: "the data up to the next stamp", whatever the stamp's count.
#[test]
fn chunks_up_to_the_next_stamp_run() {
    let mut stream = pattern(&[(0, &[texture(0, 1), texture(1, 2)])], 5);
    if let Some(CellChunk::Stamp { words, .. }) = stream.chunks.first_mut() {
        *words = 1;
    }
    let mut list = list(&[STOPS; 2], &[stream]);
    list.advance(0, &mut Events::new());
    assert_eq!(all(&list), [1, 2]);
}

/// The cells at a time must not depend on the steps that led to it.
#[test]
fn a_long_step_is_many_short_ones() {
    let priority = |priority| CellChunk::Priority { entry: 1, priority };
    let a = pattern(
        &[
            (0, &[texture(0, 1), priority(3)]),
            (1, &[priority(4)]),
            (2, &[texture(0, 3)]),
        ],
        5,
    );
    let b = late(pattern(&[(0, &[texture(1, 1)]), (3, &[texture(1, 2)])], 7), 4);
    let streams = [a, b];
    let mut short = list(&[REPEAT, STOPS], &streams);
    for time in 0..50 {
        short.advance(i32::from(time > 0), &mut Events::new());
        let mut long = list(&[REPEAT, STOPS], &streams);
        long.advance(time, &mut Events::new());
        assert_eq!(short.words(), long.words(), "time {time}");
    }
}

#[test]
fn far_times_are_reached_at_once_where_no_stream_changes_the_flag() {
    let stream = pattern(&[(0, &[texture(0, 1)]), (5, &[texture(0, 2)])], 10);
    let mut playing = list(&[REPEAT], std::slice::from_ref(&stream));
    playing.seek(2_000_000_007).expect("any time");
    assert_eq!((playing.time(), cell(&playing, 0).tex_id), (2_000_000_007, 2));
    let flips = pattern(
        &[(
            0,
            &[CellChunk::Attr {
                entry: 0,
                attr: STOPS,
            }],
        )],
        10,
    );
    let mut playing = list(&[REPEAT], &[stream, flips]);
    assert!(matches!(
        playing.seek(2_000_000_007),
        Err(StreamError::TooFar { .. })
    ));
}

/// A stream that is added while the list plays takes up where the list is.
#[test]
fn a_stream_added_late_catches_up() {
    let mut list = list(&[STOPS], &[]);
    list.advance(5, &mut Events::new());
    let stream = pattern(
        &[
            (0, &[texture(0, 1), event(1, &[])]),
            (5, &[event(2, &[])]),
            (6, &[event(3, &[])]),
        ],
        9,
    );
    list.add(&stream).expect("room");
    let seen = RefCell::new(Vec::new());
    let mut events = Events::new();
    events.on_any(|e| seen.borrow_mut().push((e.time, e.id)));
    list.advance(1, &mut events);
    drop(events);
    assert_eq!(
        (seen.into_inner(), cell(&list, 0).tex_id),
        (vec![(5, 2), (6, 3)], 1)
    );
}
