//! The page of keys, which F1 shows. Clicking a key on it has the effect of the key.

use super::canvas::Grid;
use super::state::{Hold, Press};
use minifb::Key;

/// Effect of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Changes the state once.
    Press(Press),
    /// Changes the state while the key is held.
    Hold(Hold),
    /// Applies to the window or its files.
    Command(Command),
}

/// Commands that affect more than the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Picture,
    Reload,
    NextFile,
    PreviousFile,
    NextMotion,
    PreviousMotion,
    Ambient,
    Texel,
    Close,
}

/// A line of the page: keys with their actions, and a text. Lines for the mouse have no action.
struct Line(&'static [(&'static str, Option<(Key, Action)>)], &'static str);

/// Width of the key column.
const KEYS: usize = 14;

const fn press(key: Key, press: Press) -> Option<(Key, Action)> {
    Some((key, Action::Press(press)))
}

const fn hold(key: Key, hold: Hold) -> Option<(Key, Action)> {
    Some((key, Action::Hold(hold)))
}

const fn command(key: Key, command: Command) -> Option<(Key, Action)> {
    Some((key, Action::Command(command)))
}

const LINES: [Line; 26] = [
    Line(&[("arrows", None)], "orbit, with shift pan"),
    Line(&[("left drag", None)], "orbit"),
    Line(&[("right drag", None)], "pan"),
    Line(
        &[
            ("wheel", None),
            ("+", hold(Key::Equal, Hold::Nearer)),
            ("-", hold(Key::Minus, Hold::Further)),
        ],
        "nearer, further",
    ),
    Line(&[("space", press(Key::Space, Press::Play))], "play, stop"),
    Line(
        &[
            (",", press(Key::Comma, Press::StepBack)),
            (".", press(Key::Period, Press::StepForward)),
        ],
        "a frame back, forward",
    ),
    Line(
        &[
            ("home", press(Key::Home, Press::First)),
            ("end", press(Key::End, Press::Last)),
        ],
        "first, last frame",
    ),
    Line(
        &[
            ("[", press(Key::LeftBracket, Press::Slower)),
            ("]", press(Key::RightBracket, Press::Faster)),
        ],
        "slower, faster",
    ),
    Line(
        &[("o", press(Key::O, Press::Mode))],
        "loop, ping-pong, hold, once",
    ),
    Line(
        &[("m", command(Key::M, Command::NextMotion))],
        "next motion, with shift back",
    ),
    Line(
        &[
            ("enter", command(Key::Enter, Command::NextFile)),
            ("bksp", command(Key::Backspace, Command::PreviousFile)),
        ],
        "next, previous file",
    ),
    Line(
        &[("f5", command(Key::F5, Command::Reload))],
        "load the file again",
    ),
    Line(
        &[("t", press(Key::T, Press::Turntable))],
        "start or stop the turntable",
    ),
    Line(
        &[("v", press(Key::V, Press::Fly))],
        "camera motion, or your own view",
    ),
    Line(
        &[
            ("i", hold(Key::I, Hold::LightUp)),
            ("j", hold(Key::J, Hold::LightLeft)),
            ("k", hold(Key::K, Hold::LightDown)),
            ("l", hold(Key::L, Hold::LightRight)),
        ],
        "light",
    ),
    Line(&[("b", press(Key::B, Press::Background))], "background"),
    Line(
        &[
            ("w", press(Key::W, Press::Wireframe)),
            ("n", press(Key::N, Press::Normals)),
            ("s", press(Key::S, Press::Spheres)),
        ],
        "wireframe, normals, spheres",
    ),
    Line(
        &[("c", press(Key::C, Press::Statistics))],
        "cycles and sizes of the frame",
    ),
    Line(&[("tab", press(Key::Tab, Press::Tree))], "node tree"),
    Line(
        &[
            ("pgup", press(Key::PageUp, Press::NodeUp)),
            ("pgdn", press(Key::PageDown, Press::NodeDown)),
            ("h", press(Key::H, Press::HideNode)),
        ],
        "choose a node, hide it",
    ),
    Line(
        &[("x", press(Key::X, Press::Textures))],
        "textures, chosen by pgup, pgdn",
    ),
    Line(
        &[
            ("a", command(Key::A, Command::Ambient)),
            ("f", command(Key::F, Command::Texel)),
        ],
        "ambient rule, texel offset",
    ),
    Line(&[("p", command(Key::P, Command::Picture))], "picture into a file"),
    Line(&[("r", press(Key::R, Press::Reset))], "reset everything"),
    Line(
        &[("f1", press(Key::F1, Press::Help))],
        "this page, click its keys",
    ),
    Line(
        &[
            ("esc", command(Key::Escape, Command::Close)),
            ("q", command(Key::Q, Command::Close)),
        ],
        "close",
    ),
];

/// Returns the keys of the page with their actions.
pub(super) fn keys() -> impl Iterator<Item = (Key, Action)> {
    let keys = LINES.iter().flat_map(|Line(keys, _)| *keys);
    keys.filter_map(|(_, action)| *action)
}

/// Returns the page's lines.
pub(super) fn lines() -> Vec<String> {
    let line = |Line(keys, text): &Line| {
        let keys: Vec<&str> = keys.iter().map(|(key, _)| *key).collect();
        format!("{:<KEYS$}{text}", keys.join(" "))
    };
    LINES.iter().map(line).collect()
}

/// Returns the action of the key at a position. Elsewhere in a line, it is the first key's action.
pub(super) fn action_at(grid: &Grid, place: [f32; 2]) -> Option<Action> {
    let [column, row] = grid.cell(place)?;
    let Line(keys, text) = LINES.get(row)?;
    if column >= KEYS + text.len() {
        return None;
    }
    let mut end = 0;
    for (key, action) in *keys {
        let start = end;
        end += key.len() + 1;
        if (start..end).contains(&column) {
            return action.map(|(_, action)| action);
        }
    }
    keys.first()
        .and_then(|(_, action)| action.map(|(_, action)| action))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clicks_find_their_keys() {
        let grid = Grid::new(640, 480);
        let at = |row: usize, column: usize| action_at(&grid, grid.middle(column, row));
        let find = |text: &str| LINES.iter().position(|line| line.1 == text).unwrap();
        let frames = find("a frame back, forward");
        assert_eq!(at(frames, 0), Some(Action::Press(Press::StepBack)));
        assert_eq!(at(frames, 2), Some(Action::Press(Press::StepForward)));
        assert_eq!(at(find("light"), 4), Some(Action::Hold(Hold::LightDown)));
        assert_eq!(
            at(find("background"), KEYS + 3),
            Some(Action::Press(Press::Background))
        );
        assert_eq!(at(find("pan"), 1), None);
        assert_eq!(at(find("background"), KEYS + 30), None);
        assert_eq!(at(LINES.len(), 0), None);
        assert_eq!(action_at(&grid, [0.0, 0.0]), None);
    }

    #[test]
    fn every_line_has_its_keys_in_their_columns() {
        for Line(keys, _) in &LINES {
            let width: usize = keys.iter().map(|(key, _)| key.len() + 1).sum();
            assert!(width <= KEYS, "{:?}", keys[0].0);
        }
    }
}
