//! Input by frame, as text: what somebody does with the controllers.
//!
//! ```text
//! # frame   what
//! 60        press start
//! 64        release start
//! 100..110  hold a+right
//! 120 b     press x          # port B
//! 130       stick 255 128
//! 130       triggers 0 255
//! ```
//!
//! A line holds a frame or a range of frames (the end is not part of it), a port (A if none is named) and an
//! action. [`Script::record`] and [`Script::text`] write the same form. Frames count vertical blanks from
//! power-on. `#` begins a comment.

use crate::peripherals::{Buttons, Pad};
use std::collections::BTreeMap;
use std::fmt;
use thiserror::Error;

/// An input file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: found {found:?}, expected {expected}")]
pub struct ScriptError {
    /// From 1.
    pub line: usize,
    /// What stands there.
    pub found: String,
    /// What could stand there.
    pub expected: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Press(Buttons),
    Release(Buttons),
    Stick([u8; 2]),
    Triggers([u8; 2]),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Press(buttons) => write!(f, "press {}", buttons.names()),
            Action::Release(buttons) => write!(f, "release {}", buttons.names()),
            Action::Stick([x, y]) => write!(f, "stick {x} {y}"),
            Action::Triggers([left, right]) => write!(f, "triggers {left} {right}"),
        }
    }
}

/// Actions by frame and port.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    actions: BTreeMap<u64, Vec<(usize, Action)>>,
}

const FRAME: &str = "a frame (60) or a range of frames (60..70)";
const ACTION: &str = "press, release or hold with buttons, stick X Y, or triggers LEFT RIGHT";
const BUTTONS: &str = "buttons joined by + (a b c x y z d start up down left right up2 down2 left2 right2)";
const BYTES: &str = "two numbers from 0 to 255";
const RANGE: &str = "a range of frames (60..70) before hold, one frame before anything else";

impl Script {
    /// Reads a script.
    ///
    /// # Errors
    /// The first line that has no meaning.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        let mut script = Self::default();
        for (number, line) in text.lines().enumerate() {
            let words: Vec<&str> = line.split('#').next().unwrap_or("").split_whitespace().collect();
            let failed = |(found, expected): (&str, &'static str)| ScriptError {
                line: number + 1,
                found: found.to_owned(),
                expected,
            };
            script.line(&words).map_err(failed)?;
        }
        Ok(script)
    }

    fn line<'a>(&mut self, words: &[&'a str]) -> Result<(), (&'a str, &'static str)> {
        let [frames, rest @ ..] = words else {
            return Ok(());
        };
        let (first, last) = range(frames).ok_or((*frames, FRAME))?;
        let (port, rest) = match rest {
            [name, rest @ ..] if name.len() == 1 && port(name).is_some() => (port(name).unwrap_or(0), rest),
            _ => (0, rest),
        };
        let [action, values @ ..] = rest else {
            return Err(("", ACTION));
        };
        if (*action == "hold") != last.is_some() {
            return Err((*frames, RANGE));
        }
        let value = values.first().copied().unwrap_or("");
        match *action {
            "press" => self.add(
                first,
                port,
                Action::Press(buttons(value).ok_or((value, BUTTONS))?),
            ),
            "release" => self.add(
                first,
                port,
                Action::Release(buttons(value).ok_or((value, BUTTONS))?),
            ),
            "hold" => {
                let held = buttons(value).ok_or((value, BUTTONS))?;
                self.add(first, port, Action::Press(held));
                self.add(last.unwrap_or(first), port, Action::Release(held));
            }
            "stick" => self.add(first, port, Action::Stick(pair(values).ok_or((value, BYTES))?)),
            "triggers" => self.add(first, port, Action::Triggers(pair(values).ok_or((value, BYTES))?)),
            other => return Err((other, ACTION)),
        }
        let used = if matches!(*action, "stick" | "triggers") {
            2
        } else {
            1
        };
        match values.get(used) {
            Some(extra) => Err((extra, "nothing more on the line")),
            None => Ok(()),
        }
    }

    fn add(&mut self, frame: u64, port: usize, action: Action) {
        self.actions.entry(frame).or_default().push((port, action));
    }

    /// Adds what turns the pad `before` of a port into `after`, behind everything else at `frame`.
    pub fn record(&mut self, frame: u64, port: usize, before: Pad, after: Pad) {
        let pressed = after.buttons.0 & !before.buttons.0;
        let released = before.buttons.0 & !after.buttons.0;
        let actions = [
            (pressed != 0).then_some(Action::Press(Buttons(pressed))),
            (released != 0).then_some(Action::Release(Buttons(released))),
            (before.stick != after.stick).then_some(Action::Stick(after.stick)),
            (before.triggers != after.triggers).then_some(Action::Triggers(after.triggers)),
        ];
        for action in actions.into_iter().flatten() {
            self.add(frame, port, action);
        }
    }

    /// The script as text that [`Script::parse`] reads, up to and with frame `last`.
    #[must_use]
    pub fn text(&self, last: u64) -> String {
        let lines = self.actions.range(..=last).flat_map(|(frame, actions)| {
            let line = |(port, action): &(usize, Action)| {
                let port = PORTS.get(*port).copied().unwrap_or("a");
                format!("{frame} {port} {action}\n")
            };
            actions.iter().map(line).collect::<Vec<_>>()
        });
        lines.collect()
    }

    /// Does what is due at `frame`: changes the pads of the four ports. The bits of the answer are the ports
    /// that changed.
    pub fn apply(&self, frame: u64, pads: &mut [Pad; 4]) -> u8 {
        let mut changed = 0;
        for (port, action) in self.actions.get(&frame).into_iter().flatten() {
            let pad = &mut pads[*port];
            match *action {
                Action::Press(buttons) => pad.buttons.0 |= buttons.0,
                Action::Release(buttons) => pad.buttons.0 &= !buttons.0,
                Action::Stick(stick) => pad.stick = stick,
                Action::Triggers(triggers) => pad.triggers = triggers,
            }
            changed |= 1 << port;
        }
        changed
    }
}

fn range(text: &str) -> Option<(u64, Option<u64>)> {
    match text.split_once("..") {
        None => Some((text.parse().ok()?, None)),
        Some((first, last)) => {
            let (first, last) = (first.parse().ok()?, last.parse().ok()?);
            (first < last).then_some((first, Some(last)))
        }
    }
}

const PORTS: [&str; 4] = ["a", "b", "c", "d"];

fn port(name: &str) -> Option<usize> {
    PORTS.iter().position(|known| name.eq_ignore_ascii_case(known))
}

fn buttons(text: &str) -> Option<Buttons> {
    text.split('+').try_fold(Buttons(0), |all, name| {
        Some(Buttons(all.0 | Buttons::named(name)?.0))
    })
}

fn pair(values: &[&str]) -> Option<[u8; 2]> {
    Some([values.first()?.parse().ok()?, values.get(1)?.parse().ok()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_come_at_their_frames() {
        let script =
            Script::parse("60 press start # menu\n\n64 release start\n70..72 B hold a+x\n80 stick 0 255\n")
                .expect("valid");
        let mut pads = [Pad::default(); 4];
        assert_eq!(script.apply(59, &mut pads), 0);
        assert_eq!(script.apply(60, &mut pads), 1);
        assert_eq!(pads[0].buttons, Buttons(8));
        script.apply(64, &mut pads);
        assert_eq!(pads[0].buttons, Buttons(0));
        assert_eq!(script.apply(70, &mut pads), 2);
        assert_eq!(pads[1].buttons, Buttons(0x404));
        script.apply(72, &mut pads);
        assert_eq!(pads[1].buttons, Buttons(0));
        script.apply(80, &mut pads);
        assert_eq!(pads[0].stick, [0, 255]);
    }

    /// What was recorded is read back as it was, and does the same.
    #[test]
    fn scripts_are_written_as_they_are_read() {
        let script = Script::parse("3..9 B hold a+start\n4 stick 0 255\n9 d triggers 1 2\n12 press x\n")
            .expect("valid");
        assert_eq!(Script::parse(&script.text(u64::MAX)).as_ref(), Ok(&script));
        assert_eq!(
            script.text(9),
            "3 b press a+start\n4 a stick 0 255\n9 b release a+start\n9 d triggers 1 2\n"
        );
    }

    #[test]
    fn changes_of_a_pad_are_recorded() {
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
        assert_eq!(
            script.text(u64::MAX),
            "7 b press start\n7 b release b\n7 b stick 0 128\n"
        );
        let mut pads = [before; 4];
        script.apply(7, &mut pads);
        assert_eq!(pads[1], after);
    }

    #[test]
    fn errors_name_line_and_word() {
        for (text, line, found) in [
            ("x press a", 1, "x"),
            ("1 press a\n2 jump", 2, "jump"),
            ("1 press q", 1, "q"),
            ("5..3 hold a", 1, "5..3"),
            ("5 hold a", 1, "5"),
            ("5 stick 1 256", 1, "1"),
            ("5 press a b", 1, "b"),
        ] {
            let error = Script::parse(text).expect_err(text);
            assert_eq!((error.line, error.found.as_str()), (line, found), "{text}");
        }
    }
}
