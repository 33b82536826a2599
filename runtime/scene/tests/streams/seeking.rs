//! Seeking is playing from the beginning.

use super::*;

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
    // A cell without repetition stops the stamp, so the history matters, and that is too much work.
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

/// One of the chunks that tests of seeking need: members that differ and members that agree, flags on and
/// off.
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
                // An equal member with another value.
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

fn any_settings() -> impl Strategy<Value = StreamSettings> {
    any::<[bool; 6]>().prop_map(|[held, restores, stamp, after, buffer, counted]| StreamSettings {
        stamps: if held { StampRule::Held } else { StampRule::Reached },
        idle: if restores {
            IdleStream::Restores
        } else {
            IdleStream::Keeps
        },
        repeat: if stamp {
            TimeRepeat::Stamp
        } else {
            TimeRepeat::Cell
        },
        span: if after {
            RepeatSpan::After
        } else {
            RepeatSpan::Both
        },
        entry_burst: if buffer {
            EntryBurst::Buffer
        } else {
            EntryBurst::Cell
        },
        length: if counted {
            StampLength::Counted
        } else {
            StampLength::Whole
        },
        events: EventRate::default(),
    })
}

proptest! {
    #[test]
    fn seeking_is_playing(
        attrs in proptest::collection::vec(0..4_u16, 3),
        streams in proptest::collection::vec(any_stream(), 1..4),
        settings in any_settings(),
        time in 0..60_i32,
    ) {
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

    /// Any words in a file: no panic, no endless loop, no writes outside the cells.
    #[test]
    fn random_words_play_to_the_end(
        words in proptest::collection::vec(prop_oneof![any::<u32>(), 0..0x40_u32, 0x1000_0000..0x1020_0100_u32], 0..200),
        offset in any::<i32>(),
        settings in any_settings(),
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
            let attrs = [REPEAT, CellAttr::default()];
            let mut list = list_with(settings, &attrs, &[stream.clone(), stream.clone()]);
            for &step in &steps {
                list.advance(step, &mut Events::new());
            }
            let _ = list.seek(1000);
            prop_assert_eq!(list.words().len(), 2);
        }
    }
}
