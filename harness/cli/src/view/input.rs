//! Keys and mouse of a window, as the state takes them.

use super::state::{Hold, Press, State};
use minifb::{Key, KeyRepeat, MouseButton, MouseMode, Window};

/// Degrees of one pixel of dragging.
const DRAG: f32 = 0.4;

/// Keys that act when they are pressed.
const PRESSES: [(Key, Press); 21] = [
    (Key::Space, Press::Play),
    (Key::T, Press::Turntable),
    (Key::Comma, Press::StepBack),
    (Key::Period, Press::StepOn),
    (Key::LeftBracket, Press::Slower),
    (Key::RightBracket, Press::Faster),
    (Key::Home, Press::First),
    (Key::End, Press::Last),
    (Key::O, Press::Mode),
    (Key::V, Press::Fly),
    (Key::B, Press::Background),
    (Key::W, Press::Wireframe),
    (Key::N, Press::Normals),
    (Key::S, Press::Spheres),
    (Key::C, Press::Figures),
    (Key::Tab, Press::Tree),
    (Key::PageUp, Press::NodeUp),
    (Key::PageDown, Press::NodeDown),
    (Key::H, Press::HideNode),
    (Key::R, Press::Reset),
    (Key::F1, Press::Help),
];

/// Keys that act while they are held.
const HOLDS: [(Key, Hold); 12] = [
    (Key::Left, Hold::Left),
    (Key::Right, Hold::Right),
    (Key::Up, Hold::Up),
    (Key::Down, Hold::Down),
    (Key::Equal, Hold::Nearer),
    (Key::NumPadPlus, Hold::Nearer),
    (Key::Minus, Hold::Further),
    (Key::NumPadMinus, Hold::Further),
    (Key::J, Hold::LightLeft),
    (Key::L, Hold::LightRight),
    (Key::I, Hold::LightUp),
    (Key::K, Hold::LightDown),
];

/// What was seen of a window before.
#[derive(Default)]
pub(super) struct Input {
    /// Where the mouse was, if it was dragging.
    mouse: Option<(f32, f32)>,
}

impl Input {
    /// Does what keys and mouse want; `seconds` have passed since it was asked last.
    pub(super) fn control(&mut self, window: &Window, state: &mut State, seconds: f32) {
        for (key, press) in PRESSES {
            let scrubs = matches!(
                press,
                Press::StepBack | Press::StepOn | Press::NodeUp | Press::NodeDown
            );
            let repeat = if scrubs { KeyRepeat::Yes } else { KeyRepeat::No };
            if window.is_key_pressed(key, repeat) {
                state.press(press);
            }
        }
        let shift = window.is_key_down(Key::LeftShift) || window.is_key_down(Key::RightShift);
        for (key, hold) in HOLDS {
            if window.is_key_down(key) {
                state.hold(hold, shift, seconds);
            }
        }
        let dragging = self.drag(window, state);
        state.pass(if dragging { 0.0 } else { seconds });
    }

    /// Whether the mouse drags now.
    fn drag(&mut self, window: &Window, state: &mut State) -> bool {
        let dragging = window.get_mouse_down(MouseButton::Left);
        let mouse = window.get_mouse_pos(MouseMode::Pass).filter(|_| dragging);
        let by = match (mouse, self.mouse) {
            (Some((x, y)), Some((old_x, old_y))) => [(old_x - x) * DRAG, (y - old_y) * DRAG],
            _ => [0.0; 2],
        };
        self.mouse = mouse;
        state.drag(by, window.get_scroll_wheel().map_or(0.0, |(_, y)| y));
        dragging
    }
}
