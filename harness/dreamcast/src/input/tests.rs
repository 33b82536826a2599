//! Tests the effect of scripts, and rejected scripts.

use super::*;
use crate::Config;
use crate::peripherals::{Controller, Keyboard, Mouse};

/// A console with controllers in ports A and B, a keyboard and a mouse.
fn console() -> Dreamcast {
    let mut console = Dreamcast::new(Config::default());
    console.plug(1, 0, Some(Box::new(Controller::default())));
    console.plug(2, 0, Some(Box::new(Keyboard::default())));
    console.plug(3, 0, Some(Box::new(Mouse::default())));
    console
}

fn played(text: &str, frames: std::ops::RangeInclusive<u64>) -> (Inputs, Dreamcast) {
    let script = Script::parse(text).expect("valid");
    let (mut inputs, mut console) = (Inputs::default(), console());
    for frame in frames {
        assert_eq!(inputs.apply(&script, frame, &mut console), Vec::<String>::new());
    }
    (inputs, console)
}

#[test]
fn actions_come_at_their_frames() {
    let text = "60 press start # menu\n\n64 release start\n70..72 B hold a+x\n80 stick 0 255\n";
    let pads = |last| played(text, 0..=last).0.pads;
    assert_eq!(pads(59), [Pad::default(); 4]);
    assert_eq!(pads(60)[0].buttons, Buttons(8));
    assert_eq!(pads(64)[0].buttons, Buttons(0));
    assert_eq!(pads(70)[1].buttons, Buttons(0x404));
    assert_eq!(pads(72)[1].buttons, Buttons(0));
    assert_eq!(pads(80)[0].stick, [0, 255]);
}

#[test]
fn typed_keys_go_down_and_up_one_after_the_other() {
    let keys = |last| {
        played("10 type \"A#\\n\"\n40..43 key ctrl+c\n50 key up down", 0..=last)
            .0
            .keys[2]
    };
    let down = |modifiers, key| Keys {
        modifiers,
        keys: [key, 0, 0, 0, 0, 0],
    };
    assert_eq!(keys(10), down(2, 4));
    assert_eq!(keys(14), Keys::default());
    assert_eq!(keys(18), down(2, 0x20));
    assert_eq!(keys(26), down(0, 0x28));
    assert_eq!(keys(30), Keys::default());
    assert_eq!(keys(42), down(1, 6));
    assert_eq!(keys(43), Keys::default());
    assert_eq!(keys(90), down(0, 0x52));
}

#[test]
fn the_mouse_adds_up_what_it_has_moved() {
    let (_, mut console) = played("5 mouse 5 -3 left\n6 mouse 1 1 -2 left+right\n", 0..=9);
    let mouse = console
        .main_unit(3)
        .and_then(|unit| unit.as_mouse())
        .expect("there is one");
    assert_eq!((mouse.moved, mouse.buttons), ([6, -2, -2], MouseButtons(6)));
}

/// A missing unit must cause a message, and input must not go to another port.
#[test]
fn units_that_are_missing_are_named() {
    let script = Script::parse("1 key a\n1 c key b\n1 mouse 1 1\n1 d press a").expect("valid");
    let mut console = Dreamcast::new(Config::default());
    let missing = Inputs::default().apply(&script, 1, &mut console);
    assert_eq!(
        missing,
        [
            "input for a keyboard, but none is plugged in: see --ports",
            "input for port C, which has no keyboard",
            "input for a mouse, but none is plugged in: see --ports",
            "input for port D, which has no controller",
        ]
    );
}

/// Recorded input must be parsed again unchanged, and have the same effect.
#[test]
fn scripts_are_written_as_they_are_read() {
    let script = Script::parse(
        "3..9 B hold a+start\n4 stick 0 255\n9 d triggers 1 2\n12 press x\n13 type \"~ \\\"\\\\\"\n\
         40 mouse 1 2\n41 d mouse -1 -2 3 side\n50..60 key f1+rshift\n",
    )
    .expect("valid");
    assert_eq!(Script::parse(&script.text(u64::MAX)).as_ref(), Ok(&script));
    assert_eq!(
        script.text(9),
        "3 b press a+start\n4 a stick 0 255\n9 b release a+start\n9 d triggers 1 2\n"
    );
}

#[test]
fn changes_are_recorded() {
    let (before, mut after) = (
        Pad {
            buttons: Buttons(6),
            ..Pad::default()
        },
        Pad::default(),
    );
    after.buttons = Buttons(12);
    after.stick = [0, 128];
    let mut script = Script::default();
    script.record(7, 1, before, after);
    script.record(8, 1, after, after);
    let (mut old, mut new) = (Keys::default(), Keys::default());
    ["shift", "a"]
        .into_iter()
        .filter_map(Key::named)
        .for_each(|key| old.press(key));
    ["b", "shift"]
        .into_iter()
        .filter_map(Key::named)
        .for_each(|key| new.press(key));
    script.record_keys(9, old, new);
    script.record_mouse(9, [1, -1, 0], MouseButtons(4));
    assert_eq!(
        script.text(u64::MAX),
        "7 b press start\n7 b release b\n7 b stick 0 128\n9 key a up\n9 key b down\n9 mouse 1 -1 0 left\n"
    );
    let mut inputs = Inputs::default();
    inputs.pads[1] = before;
    inputs.apply(&script, 7, &mut console());
    assert_eq!(inputs.pads[1], after);
}

#[test]
fn errors_name_line_and_word() {
    for (text, line, found) in [
        ("x press a", 1, "x"),
        ("1 press a\n2 jump", 2, "jump"),
        ("1 press q", 1, "q"),
        ("5..3 hold a", 1, "5..3"),
        ("5 hold a", 1, "5"),
        ("5..6 press a", 1, "5..6"),
        ("5 stick 1 256", 1, "1"),
        ("5 press a b", 1, "b"),
        ("5 type abc", 1, "abc"),
        ("5 type \"abc", 1, "\"abc"),
        ("5 type \"\u{e9}\"", 1, "\"\u{e9}\""),
        ("5 type \"a\\q\"", 1, "\"a\\q\""),
        ("5 key nokey", 1, "nokey"),
        ("5..7 key a down", 1, "down"),
        ("5 key a down b", 1, "b"),
        ("5 mouse 1", 1, "1"),
        ("5 mouse 1 600", 1, "600"),
        ("5 mouse 1 2 middle", 1, "middle"),
        ("5 mouse 1 2 left left", 1, "left"),
    ] {
        let error = Script::parse(text).expect_err(text);
        assert_eq!((error.line, error.found.as_str()), (line, found), "{text}");
    }
}
