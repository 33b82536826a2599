//! Scripts of controller, keyboard and mouse input by frame.
//!
//! ```text
//! # frame   what
//! 60        press start
//! 64        release start
//! 100..110  hold a+right
//! 120 b     press x          # port B
//! 130       stick 255 128
//! 130       triggers 0 255
//! 200       type "ls -l\\n"
//! 300       key enter        # for four frames
//! 310       key shift down
//! 320..340  key up
//! 350       mouse 5 -3 left
//! 352       mouse 0 0
//! ```
//!
//! A line has a frame or a range of frames (excluding its end), a port and an action. Without a port,
//! controllers mean port A, keys the first keyboard, and mouse the first mouse. [`Script::text`] writes the
//! same format. Frames count vertical blanks from power-on. `#` begins a comment.

use crate::limits::{SCRIPT_ACTIONS, SCRIPT_BYTES};
use crate::peripherals::{Buttons, Key, Keys, MouseButtons, Pad};
use crate::run::Dreamcast;
use std::collections::BTreeMap;
use std::fmt;
use thiserror::Error;

/// An error in an input file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: found {found:?}, expected {expected}")]
pub struct ScriptError {
    /// Line, counted from 1.
    pub line: usize,
    /// Found text.
    pub found: String,
    /// Expected text.
    pub expected: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Press(Buttons),
    Release(Buttons),
    Stick([u8; 2]),
    Triggers([u8; 2]),
    KeyDown(Key),
    KeyUp(Key),
    /// Movement to the right, down and of the wheel, and the pressed buttons.
    Mouse([i32; 3], MouseButtons),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Press(buttons) => write!(f, "press {}", buttons.names()),
            Action::Release(buttons) => write!(f, "release {}", buttons.names()),
            Action::Stick([x, y]) => write!(f, "stick {x} {y}"),
            Action::Triggers([left, right]) => write!(f, "triggers {left} {right}"),
            Action::KeyDown(key) => write!(f, "key {} down", key.name()),
            Action::KeyUp(key) => write!(f, "key {} up", key.name()),
            Action::Mouse([x, y, wheel], buttons) => {
                write!(f, "mouse {x} {y} {wheel} {}", buttons.names())
            }
        }
    }
}

/// Actions by frame and port. Without a port they apply to the first suitable unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    actions: BTreeMap<u64, Vec<(Option<usize>, Action)>>,
    /// Number of all actions.
    count: usize,
}

const FRAME: &str = "a frame (60) or a range of frames (60..70)";
const ACTION: &str = "press, release or hold with buttons, stick X Y, triggers LEFT RIGHT, type \"TEXT\", \
                      key KEYS, key KEYS down or up, or mouse X Y with buttons";
const BUTTONS: &str = "buttons joined by + (a b c x y z d start up down left right up2 down2 left2 right2)";
const BYTES: &str = "two numbers from 0 to 255";
const RANGE: &str = "a range of frames (60..70) before hold, one frame before anything but hold and key";
const KEYS: &str = "keys joined by +: letters, digits, signs, and words such as enter, shift, f1 or up";
const KEY_STATE: &str = "down or up after a key at one frame; neither after a key with a range of frames";
const TEXT: &str = "a text in quotes, of characters of the US keyboard; \\n is Enter, \\t Tab";
const MOVED: &str = "two numbers from -512 to 511 (right, down), optionally a third (wheel)";
const MOUSE: &str = "buttons joined by + (left right side)";
const MORE: &str = "the end of the line";
const FEWER: &str = "at most 131072 keys and buttons, and one for each 8 bytes of the script";
const QUOTE: &str = "a second quote";
/// Number of frames for which a key is pressed if the script does not release it. Programs that poll the
/// keyboard every fourth frame still see it.
const STROKE: u64 = 4;

type Wrong<'a> = (&'a str, &'static str);

impl Script {
    /// Parses a script.
    ///
    /// # Errors
    /// If a line is invalid; returns the first one.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        let mut script = Self::default();
        let most = SCRIPT_ACTIONS + text.len() / SCRIPT_BYTES;
        for (number, line) in text.lines().enumerate() {
            let failed = |(found, expected): Wrong<'_>| ScriptError {
                line: number + 1,
                found: found.to_owned(),
                expected,
            };
            let words = words(line).map_err(failed)?;
            script.line(&words).map_err(failed)?;
            if script.count > most {
                return Err(failed((line, FEWER)));
            }
        }
        Ok(script)
    }

    fn line<'a>(&mut self, words: &[&'a str]) -> Result<(), Wrong<'a>> {
        let [frames, rest @ ..] = words else {
            return Ok(());
        };
        let (first, last) = range(frames).ok_or((*frames, FRAME))?;
        let (port, rest) = match rest {
            [name, rest @ ..] if port(name).is_some() => (port(name), rest),
            _ => (None, rest),
        };
        let [action, values @ ..] = rest else {
            return Err(("", ACTION));
        };
        let has_range = match *action {
            "hold" => last.is_some(),
            "key" => true,
            _ => last.is_none(),
        };
        if !has_range {
            return Err((*frames, RANGE));
        }
        let pad = Some(port.unwrap_or(0));
        let value = values.first().copied().unwrap_or("");
        let rest = match *action {
            "press" => {
                let pressed = buttons(value).ok_or((value, BUTTONS))?;
                self.add(first, pad, Action::Press(pressed));
                values.get(1..)
            }
            "release" => {
                let released = buttons(value).ok_or((value, BUTTONS))?;
                self.add(first, pad, Action::Release(released));
                values.get(1..)
            }
            "hold" => {
                let held = buttons(value).ok_or((value, BUTTONS))?;
                self.add(first, pad, Action::Press(held));
                self.add(last.unwrap_or(first), pad, Action::Release(held));
                values.get(1..)
            }
            "stick" => {
                let stick = pair(values).ok_or((value, BYTES))?;
                self.add(first, pad, Action::Stick(stick));
                values.get(2..)
            }
            "triggers" => {
                let triggers = pair(values).ok_or((value, BYTES))?;
                self.add(first, pad, Action::Triggers(triggers));
                values.get(2..)
            }
            "type" => {
                self.type_text(first, port, value)?;
                values.get(1..)
            }
            "key" => return self.keys((first, last), port, values),
            "mouse" => return self.mouse(first, port, values),
            other => return Err((other, ACTION)),
        };
        nothing(rest.unwrap_or_default())
    }

    /// Types keys one after the other, each pressed for [`STROKE`] frames and released for the same time.
    fn type_text<'a>(&mut self, first: u64, port: Option<usize>, quoted: &'a str) -> Result<(), Wrong<'a>> {
        let text = quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        let text = text.and_then(unescaped).ok_or((quoted, TEXT))?;
        for (n, character) in (0..).zip(text) {
            let (key, shift) = Key::of(character).ok_or((quoted, TEXT))?;
            let down = first.saturating_add(n * 2 * STROKE);
            for key in shift.then_some(Key::SHIFT).into_iter().chain([key]) {
                self.stroke(down, down.saturating_add(STROKE), port, key);
            }
        }
        Ok(())
    }

    fn stroke(&mut self, down: u64, up: u64, port: Option<usize>, key: Key) {
        self.add(down, port, Action::KeyDown(key));
        self.add(up, port, Action::KeyUp(key));
    }

    fn keys<'a>(
        &mut self,
        (first, last): (u64, Option<u64>),
        port: Option<usize>,
        values: &[&'a str],
    ) -> Result<(), Wrong<'a>> {
        let [names, rest @ ..] = values else {
            return Err(("", KEYS));
        };
        let keys: Option<Vec<Key>> = names.split('+').map(Key::named).collect();
        let (state, rest) = match rest {
            ["down", rest @ ..] if last.is_none() => (Some(true), rest),
            ["up", rest @ ..] if last.is_none() => (Some(false), rest),
            [other, ..] => return Err((other, KEY_STATE)),
            [] => (None, rest),
        };
        for key in keys.ok_or((*names, KEYS))? {
            match state {
                Some(true) => self.add(first, port, Action::KeyDown(key)),
                Some(false) => self.add(first, port, Action::KeyUp(key)),
                None => {
                    let up = last.unwrap_or(first.saturating_add(STROKE));
                    self.stroke(first, up, port, key);
                }
            }
        }
        nothing(rest)
    }

    fn mouse<'a>(&mut self, frame: u64, port: Option<usize>, values: &[&'a str]) -> Result<(), Wrong<'a>> {
        let number = |text: &str| text.parse::<i32>().ok().filter(|n| (-512..512).contains(n));
        let [x, y, rest @ ..] = values else {
            return Err((values.last().copied().unwrap_or(""), MOVED));
        };
        let (wheel, rest) = match rest {
            [wheel, rest @ ..] if wheel.parse::<i32>().is_ok() => (*wheel, rest),
            _ => ("0", rest),
        };
        let mut moved = [0; 3];
        for (place, text) in moved.iter_mut().zip([*x, *y, wheel]) {
            *place = number(text).ok_or((text, MOVED))?;
        }
        let (names, rest) = match rest {
            [names, rest @ ..] => (Some(*names), rest),
            [] => (None, rest),
        };
        let down = names.into_iter().flat_map(|names| names.split('+'));
        let down = down
            .map(MouseButtons::named)
            .try_fold(0, |all, button| Some(all | button?.0));
        let down = down.ok_or((names.unwrap_or(""), MOUSE))?;
        self.add(frame, port, Action::Mouse(moved, MouseButtons(down)));
        nothing(rest)
    }

    fn add(&mut self, frame: u64, port: Option<usize>, action: Action) {
        self.actions.entry(frame).or_default().push((port, action));
        self.count += 1;
    }

    /// Adds all actions of another script, after the actions of the same frame.
    pub fn append(&mut self, other: &Script) {
        for (frame, actions) in &other.actions {
            self.actions.entry(*frame).or_default().extend(actions);
        }
        self.count += other.count;
    }

    /// Adds actions that change the pad of a port from `before` to `after`, after all others of `frame`.
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
            self.add(frame, Some(port), action);
        }
    }

    /// Adds actions that change the keys of the first keyboard from `before` to `after`.
    pub fn record_keys(&mut self, frame: u64, before: Keys, after: Keys) {
        let is_down = |keys: Keys, key: Key| keys.down().any(|down| down == key);
        for key in before.down().filter(|key| !is_down(after, *key)) {
            self.add(frame, None, Action::KeyUp(key));
        }
        for key in after.down().filter(|key| !is_down(before, *key)) {
            self.add(frame, None, Action::KeyDown(key));
        }
    }

    /// Adds a movement of the first mouse, and its buttons.
    pub fn record_mouse(&mut self, frame: u64, moved: [i32; 3], buttons: MouseButtons) {
        self.add(frame, None, Action::Mouse(moved, buttons));
    }

    /// Returns the script as text for [`Script::parse`], up to and including frame `last`.
    #[must_use]
    pub fn text(&self, last: u64) -> String {
        let lines = self.actions.range(..=last).flat_map(|(frame, actions)| {
            let line = |(port, action): &(Option<usize>, Action)| {
                let port = port.and_then(|port| PORTS.get(port));
                let line = match port {
                    Some(port) => format!("{frame} {port} {action}"),
                    None => format!("{frame} {action}"),
                };
                format!("{}\n", line.trim_end())
            };
            actions.iter().map(line).collect::<Vec<_>>()
        });
        lines.collect()
    }
}

/// Current input of all plugged-in devices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// Pads by port.
    pub pads: [Pad; 4],
    keys: [Keys; 4],
}

state::fields!(Inputs { pads, keys });

impl Inputs {
    /// Applies the actions due at `frame` to the console. Returns messages about units that are not plugged
    /// in.
    pub fn apply(&mut self, script: &Script, frame: u64, console: &mut Dreamcast) -> Vec<String> {
        let [keyboard, mouse] = console.keyboard_and_mouse();
        let mut missing = Vec::new();
        for (port, action) in script.actions.get(&frame).into_iter().flatten() {
            let (unit, first) = match action {
                Action::KeyDown(_) | Action::KeyUp(_) => ("keyboard", keyboard),
                Action::Mouse(..) => ("mouse", mouse),
                _ => ("controller", Some(0)),
            };
            let Some(port) = port.or(first) else {
                missing.push(format!("input for a {unit}, but none is plugged in: see --ports"));
                continue;
            };
            if !self.act(port, *action, console) {
                let name = PORTS[port].to_ascii_uppercase();
                missing.push(format!("input for port {name}, which has no {unit}"));
            }
        }
        missing
    }

    fn act(&mut self, port: usize, action: Action, console: &mut Dreamcast) -> bool {
        let (pad, keys) = (&mut self.pads[port], &mut self.keys[port]);
        match action {
            Action::Press(buttons) => pad.buttons.0 |= buttons.0,
            Action::Release(buttons) => pad.buttons.0 &= !buttons.0,
            Action::Stick(stick) => pad.stick = stick,
            Action::Triggers(triggers) => pad.triggers = triggers,
            Action::KeyDown(key) => keys.press(key),
            Action::KeyUp(key) => keys.release(key),
            Action::Mouse(moved, buttons) => return console.move_mouse(port, moved, buttons),
        }
        match action {
            Action::KeyDown(_) | Action::KeyUp(_) => console.set_keys(port, *keys),
            _ => console.set_pad(port, *pad),
        }
    }
}

/// Splits a line into words; a quoted text is one word, including its quotes. `#` outside of quotes begins a
/// comment.
fn words(line: &str) -> Result<Vec<&str>, Wrong<'_>> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() && !rest.starts_with('#') {
        let length = if let Some(quoted) = rest.strip_prefix('"') {
            let mut escaped = false;
            let end = quoted.find(|letter| {
                let is_end = letter == '"' && !escaped;
                escaped = letter == '\\' && !escaped;
                is_end
            });
            end.ok_or((rest, QUOTE))? + 2
        } else {
            let is_end = |letter: char| letter.is_whitespace() || letter == '#';
            rest.find(is_end).unwrap_or(rest.len())
        };
        let (word, after) = rest.split_at(length);
        words.push(word);
        rest = after.trim_start();
    }
    Ok(words)
}

/// Returns the characters of a text, with the escapes `\n`, `\t`, `\"` and `\\` resolved.
fn unescaped(text: &str) -> Option<Vec<char>> {
    let mut letters = text.chars();
    let mut characters = Vec::new();
    while let Some(letter) = letters.next() {
        characters.push(match letter {
            '\\' => match letters.next()? {
                'n' => '\n',
                't' => '\t',
                letter @ ('"' | '\\') => letter,
                _ => return None,
            },
            letter => letter,
        });
    }
    Some(characters)
}

fn nothing<'a>(rest: &[&'a str]) -> Result<(), Wrong<'a>> {
    match rest.first() {
        Some(extra) => Err((extra, MORE)),
        None => Ok(()),
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
mod tests;
