//! User events.

use super::*;

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
        ..Settings::original().streams
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
