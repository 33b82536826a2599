//! The page of keys that F1 shows. A click on a key does what the key does.

use super::canvas::Grid;
use super::state::{Hold, Press};

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// To the state, once.
    Press(Press),
    /// To the state, as long as it is held.
    Hold(Hold),
    /// To the window or its files.
    Command(Command),
}

/// What the state alone cannot do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Picture,
    Reload,
    NextFile,
    PreviousFile,
    NextMotion,
    PreviousMotion,
    Close,
}

/// A line of the page: keys with what they do, and a text. The mouse's own lines do nothing.
struct Line(&'static [(&'static str, Option<Action>)], &'static str);

/// Columns of the keys.
const KEYS: usize = 14;

const fn press(press: Press) -> Option<Action> {
    Some(Action::Press(press))
}

const fn hold(hold: Hold) -> Option<Action> {
    Some(Action::Hold(hold))
}

const fn command(command: Command) -> Option<Action> {
    Some(Action::Command(command))
}

const LINES: [Line; 24] = [
    Line(&[("arrows", None)], "orbit, with shift pan"),
    Line(&[("left drag", None)], "orbit"),
    Line(&[("right drag", None)], "pan"),
    Line(
        &[
            ("wheel", None),
            ("+", hold(Hold::Nearer)),
            ("-", hold(Hold::Further)),
        ],
        "nearer, further",
    ),
    Line(&[("space", press(Press::Play))], "play, stop"),
    Line(
        &[(",", press(Press::StepBack)), (".", press(Press::StepOn))],
        "a frame back, on",
    ),
    Line(
        &[("home", press(Press::First)), ("end", press(Press::Last))],
        "first, last frame",
    ),
    Line(
        &[("[", press(Press::Slower)), ("]", press(Press::Faster))],
        "slower, faster",
    ),
    Line(&[("o", press(Press::Mode))], "loop, ping-pong, hold, once"),
    Line(
        &[("m", command(Command::NextMotion))],
        "next motion, with shift back",
    ),
    Line(
        &[
            ("enter", command(Command::NextFile)),
            ("bksp", command(Command::PreviousFile)),
        ],
        "next, previous file",
    ),
    Line(&[("f5", command(Command::Reload))], "load the file again"),
    Line(&[("t", press(Press::Turntable))], "turn by itself, stop"),
    Line(&[("v", press(Press::Fly))], "camera motion, or your own view"),
    Line(
        &[
            ("i", hold(Hold::LightUp)),
            ("j", hold(Hold::LightLeft)),
            ("k", hold(Hold::LightDown)),
            ("l", hold(Hold::LightRight)),
        ],
        "light",
    ),
    Line(&[("b", press(Press::Background))], "background"),
    Line(
        &[
            ("w", press(Press::Wireframe)),
            ("n", press(Press::Normals)),
            ("s", press(Press::Spheres)),
        ],
        "wireframe, normals, spheres",
    ),
    Line(&[("c", press(Press::Figures))], "cycles and sizes of the frame"),
    Line(&[("tab", press(Press::Tree))], "node tree"),
    Line(
        &[
            ("pgup", press(Press::NodeUp)),
            ("pgdn", press(Press::NodeDown)),
            ("h", press(Press::HideNode)),
        ],
        "choose a node, hide it",
    ),
    Line(&[("p", command(Command::Picture))], "picture into a file"),
    Line(&[("r", press(Press::Reset))], "all as at first"),
    Line(&[("f1", press(Press::Help))], "this page, click its keys"),
    Line(
        &[("esc", command(Command::Close)), ("q", command(Command::Close))],
        "close",
    ),
];

/// The page's lines.
pub(super) fn lines() -> Vec<String> {
    let line = |Line(keys, text): &Line| {
        let keys: Vec<&str> = keys.iter().map(|(key, _)| *key).collect();
        format!("{:<KEYS$}{text}", keys.join(" "))
    };
    LINES.iter().map(line).collect()
}

/// What the key at a place of the picture does; beside a line's keys it is the first of them.
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
            return *action;
        }
    }
    keys.first().and_then(|(_, action)| *action)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clicks_find_their_keys() {
        let grid = Grid::new(640, 480);
        let at = |row: usize, column: usize| action_at(&grid, grid.middle(column, row));
        let find = |text: &str| LINES.iter().position(|line| line.1 == text).unwrap();
        let frames = find("a frame back, on");
        assert_eq!(at(frames, 0), press(Press::StepBack));
        assert_eq!(at(frames, 2), press(Press::StepOn));
        assert_eq!(at(find("light"), 4), hold(Hold::LightDown));
        assert_eq!(at(find("background"), KEYS + 3), press(Press::Background));
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
