//! The page of keys, which F1 shows. Clicking a key on it has the effect of the key.

use super::canvas::Grid;
use super::conditions::{Conditions, Needs};
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

/// A line of the page: its keys, and the parts of its text. A line without applicable keys is hidden.
struct Line(&'static [KeyLabel]);

/// A key on the page.
struct KeyLabel {
    label: &'static str,
    /// `None` for the mouse.
    action: Option<(Key, Action)>,
    /// Part of the line's text; empty if the key shares the part before it.
    text: &'static str,
    needs: Needs,
}

/// Width of the key column.
const KEYS: usize = 14;

const fn mouse(label: &'static str, text: &'static str) -> KeyLabel {
    KeyLabel {
        label,
        action: None,
        text,
        needs: Needs::Nothing,
    }
}

const fn press(label: &'static str, key: Key, press: Press, text: &'static str) -> KeyLabel {
    KeyLabel {
        action: Some((key, Action::Press(press))),
        ..mouse(label, text)
    }
}

const fn hold(label: &'static str, key: Key, hold: Hold, text: &'static str) -> KeyLabel {
    KeyLabel {
        action: Some((key, Action::Hold(hold))),
        ..mouse(label, text)
    }
}

const fn command(label: &'static str, key: Key, command: Command, text: &'static str) -> KeyLabel {
    KeyLabel {
        action: Some((key, Action::Command(command))),
        ..mouse(label, text)
    }
}

impl KeyLabel {
    const fn needs(self, needs: Needs) -> Self {
        Self { needs, ..self }
    }
}

const LINES: [Line; 26] = [
    Line(&[mouse("arrows", "orbit, with shift pan")]),
    Line(&[mouse("left drag", "orbit")]),
    Line(&[mouse("right drag", "pan")]),
    Line(&[
        mouse("wheel", "nearer, further"),
        hold("+", Key::Equal, Hold::Nearer, ""),
        hold("-", Key::Minus, Hold::Further, ""),
    ]),
    Line(&[press("space", Key::Space, Press::Play, "play, stop").needs(Needs::Motion)]),
    Line(&[
        press(",", Key::Comma, Press::StepBack, "a frame back, forward").needs(Needs::Motion),
        press(".", Key::Period, Press::StepForward, "").needs(Needs::Motion),
    ]),
    Line(&[
        press("home", Key::Home, Press::First, "first, last frame").needs(Needs::Motion),
        press("end", Key::End, Press::Last, "").needs(Needs::Motion),
    ]),
    Line(&[
        press("[", Key::LeftBracket, Press::Slower, "slower, faster").needs(Needs::Motion),
        press("]", Key::RightBracket, Press::Faster, "").needs(Needs::Motion),
    ]),
    Line(&[press("o", Key::O, Press::Mode, "loop, ping-pong, hold, once").needs(Needs::Motion)]),
    Line(&[command("m", Key::M, Command::NextMotion, "next motion, with shift back").needs(Needs::Motions)]),
    Line(&[
        command("enter", Key::Enter, Command::NextFile, "next, previous file").needs(Needs::OtherFiles),
        command("bksp", Key::Backspace, Command::PreviousFile, "").needs(Needs::OtherFiles),
    ]),
    Line(&[command("f5", Key::F5, Command::Reload, "load the file again").needs(Needs::File)]),
    Line(&[press(
        "t",
        Key::T,
        Press::Turntable,
        "start or stop the turntable",
    )]),
    Line(&[press("v", Key::V, Press::Fly, "camera motion, or your own view").needs(Needs::CameraMotion)]),
    Line(&[
        hold("i", Key::I, Hold::LightUp, "light").needs(Needs::Model),
        hold("j", Key::J, Hold::LightLeft, "").needs(Needs::Model),
        hold("k", Key::K, Hold::LightDown, "").needs(Needs::Model),
        hold("l", Key::L, Hold::LightRight, "").needs(Needs::Model),
    ]),
    Line(&[press("b", Key::B, Press::Background, "background")]),
    Line(&[
        press("w", Key::W, Press::Wireframe, "wireframe"),
        press("n", Key::N, Press::Normals, "normals").needs(Needs::Model),
        press("s", Key::S, Press::Spheres, "spheres").needs(Needs::Model),
    ]),
    Line(&[press(
        "c",
        Key::C,
        Press::Statistics,
        "cycles and sizes of the frame",
    )]),
    Line(&[press("tab", Key::Tab, Press::Tree, "node tree").needs(Needs::Model)]),
    Line(&[
        press("pgup", Key::PageUp, Press::NodeUp, "choose a node").needs(Needs::Model),
        press("pgdn", Key::PageDown, Press::NodeDown, "").needs(Needs::Model),
        press("h", Key::H, Press::HideNode, "hide it").needs(Needs::Model),
    ]),
    Line(&[press("x", Key::X, Press::Textures, "textures, chosen by pgup, pgdn").needs(Needs::Texture)]),
    Line(&[
        command("a", Key::A, Command::Ambient, "ambient rule").needs(Needs::Scene),
        command("f", Key::F, Command::Texel, "texel offset").needs(Needs::Texture),
    ]),
    Line(&[command("p", Key::P, Command::Picture, "picture into a file")]),
    Line(&[press("r", Key::R, Press::Reset, "reset everything")]),
    Line(&[press("f1", Key::F1, Press::Help, "this page, click its keys")]),
    Line(&[
        command("esc", Key::Escape, Command::Close, "close"),
        command("q", Key::Q, Command::Close, ""),
    ]),
];

/// Returns the keys of the page with their actions.
pub(super) fn keys() -> impl Iterator<Item = (Key, Action)> {
    let keys = LINES.iter().flat_map(|Line(keys)| *keys);
    keys.filter_map(|key| key.action)
}

/// Returns the lines with their applicable keys.
fn shown(conditions: Conditions) -> impl Iterator<Item = Vec<&'static KeyLabel>> {
    let applicable = move |Line(keys): &'static Line| -> Vec<_> {
        let keys = keys.iter();
        keys.filter(|key| conditions.meet(key.needs)).collect()
    };
    LINES.iter().map(applicable).filter(|keys| !keys.is_empty())
}

fn text(keys: &[&KeyLabel]) -> String {
    let texts: Vec<&str> = keys
        .iter()
        .map(|key| key.text)
        .filter(|text| !text.is_empty())
        .collect();
    texts.join(", ")
}

/// Returns the page's lines.
pub(super) fn lines(conditions: Conditions) -> Vec<String> {
    let line = |keys: Vec<&KeyLabel>| {
        let labels: Vec<&str> = keys.iter().map(|key| key.label).collect();
        format!("{:<KEYS$}{}", labels.join(" "), text(&keys))
    };
    shown(conditions).map(line).collect()
}

/// Returns the action of the key at a position. Elsewhere in a line, it is the first key's action.
pub(super) fn action_at(conditions: Conditions, grid: &Grid, place: [f32; 2]) -> Option<Action> {
    let [column, row] = grid.cell(place)?;
    let keys = shown(conditions).nth(row)?;
    if column >= KEYS + text(&keys).len() {
        return None;
    }
    let mut end = 0;
    for key in &keys {
        let start = end;
        end += key.label.len() + 1;
        if (start..end).contains(&column) {
            return key.action.map(|(_, action)| action);
        }
    }
    keys.first()?.action.map(|(_, action)| action)
}

#[cfg(test)]
mod tests {
    use super::super::conditions::ALL;
    use super::*;

    #[test]
    fn clicks_find_their_keys() {
        let grid = Grid::new(640, 480);
        for conditions in [
            ALL,
            Conditions::default()
                .with(Needs::Motion, true)
                .with(Needs::Model, true),
        ] {
            let lines = lines(conditions);
            let at = |row: usize, column: usize| action_at(conditions, &grid, grid.middle(column, row));
            let find = |text: &str| lines.iter().position(|line| &line[KEYS..] == text).unwrap();
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
            assert_eq!(at(lines.len(), 0), None);
            assert_eq!(action_at(conditions, &grid, [0.0, 0.0]), None);
        }
    }

    #[test]
    fn every_line_has_its_keys_in_their_columns() {
        for Line(keys) in &LINES {
            let width: usize = keys.iter().map(|key| key.label.len() + 1).sum();
            assert!(width <= KEYS, "{:?}", keys[0].label);
        }
    }

    #[test]
    fn keys_without_effect_are_hidden() {
        let still = lines(Conditions::default());
        let has = |lines: &[String], text: &str| lines.iter().any(|line| line.contains(text));
        for text in [
            "frame",
            "motion",
            "file again",
            "light",
            "node",
            "texture",
            "texel",
            "ambient",
        ] {
            assert!(has(&lines(ALL), text), "{text}");
            assert!(text == "frame" || !has(&still, text), "{text}: {still:?}");
        }
        assert!(has(&still, "wireframe") && !has(&still, "normals"));
        let textured = lines(Conditions::default().with(Needs::Texture, true));
        assert!(has(&textured, "f             texel offset") && !has(&textured, "ambient"));
        assert_eq!(lines(ALL).len(), LINES.len());
    }
}
