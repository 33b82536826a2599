//! Translates keys and mouse of a window into actions.

use super::canvas::Grid;
use super::help::{self, Action, Command};
use super::state::{Hold, Press, State};
use minifb::{Key, KeyRepeat, MouseButton, MouseMode, Window};

/// Degrees per pixel of dragging.
const DRAG: f32 = 0.4;

/// Keys that act while held and are not listed individually on the page of keys.
const HOLDS: [(Key, Hold); 6] = [
    (Key::Left, Hold::Left),
    (Key::Right, Hold::Right),
    (Key::Up, Hold::Up),
    (Key::Down, Hold::Down),
    (Key::NumPadPlus, Hold::Nearer),
    (Key::NumPadMinus, Hold::Further),
];

/// Previous input of a window.
#[derive(Default)]
pub(super) struct Input {
    /// Mouse position with the left and the right button, while dragging.
    mouse: [Option<(f32, f32)>; 2],
    /// Action of the key on the help page on which the left button is held.
    clicked: Option<Action>,
    was_down: bool,
}

/// Position of the picture in its window.
#[derive(Clone, Copy, Debug)]
pub(super) struct PictureArea {
    /// Width and height of the picture.
    pub(super) picture: [f32; 2],
    /// Width and height of the window.
    pub(super) window: [f32; 2],
    /// Pixels of the picture per unit of length at unit distance.
    pub(super) scale: f32,
}

impl PictureArea {
    /// Returns the window's pixels per pixel of the picture, which fills the window in one direction.
    fn zoom(&self) -> f32 {
        let [x, y] = [0, 1].map(|axis| self.window[axis] / self.picture[axis]);
        x.min(y).max(f32::MIN_POSITIVE)
    }

    /// Converts a position in the window to one in the picture.
    fn in_picture(&self, (x, y): (f32, f32)) -> [f32; 2] {
        let zoom = self.zoom();
        let at = |axis: usize, place: f32| {
            let gap = (self.window[axis] - self.picture[axis] * zoom) / 2.0;
            (place - gap) / zoom
        };
        [at(0, x), at(1, y)]
    }
}

impl Input {
    /// Applies keys and mouse; `seconds` have passed since the last call. Returns commands for the window and
    /// its files.
    pub(super) fn control(
        &mut self,
        window: &Window,
        state: &mut State,
        placed: &PictureArea,
        seconds: f32,
    ) -> Vec<Command> {
        let shift = window.is_key_down(Key::LeftShift) || window.is_key_down(Key::RightShift);
        let mut commands = Vec::new();
        let more = HOLDS.map(|(key, hold)| (key, Action::Hold(hold)));
        for (key, action) in help::keys().chain(more) {
            match action {
                Action::Press(press) => {
                    let scrubs = matches!(
                        press,
                        Press::StepBack | Press::StepForward | Press::NodeUp | Press::NodeDown
                    );
                    let repeat = if scrubs { KeyRepeat::Yes } else { KeyRepeat::No };
                    if window.is_key_pressed(key, repeat) {
                        state.press(press);
                    }
                }
                Action::Hold(hold) if window.is_key_down(key) => state.hold(hold, shift, seconds),
                Action::Command(command) if window.is_key_pressed(key, KeyRepeat::No) => {
                    commands.push(match command {
                        Command::NextFile if shift => Command::PreviousFile,
                        Command::NextMotion if shift => Command::PreviousMotion,
                        command => command,
                    });
                }
                _ => {}
            }
        }
        commands.extend(self.click(window, state, placed, seconds));
        let dragging = self.drag(window, state, placed);
        state.advance(if dragging { 0.0 } else { seconds });
        commands
    }

    /// Handles the left button on the page of keys.
    fn click(
        &mut self,
        window: &Window,
        state: &mut State,
        placed: &PictureArea,
        seconds: f32,
    ) -> Option<Command> {
        let is_down = window.get_mouse_down(MouseButton::Left);
        let is_new = is_down && !self.was_down;
        self.was_down = is_down;
        if !is_down {
            self.clicked = None;
        }
        if is_new && state.help {
            let [width, height] = placed.picture.map(|side| side as u32);
            let mouse = window.get_unscaled_mouse_pos(MouseMode::Pass)?;
            let grid = Grid::new(width, height);
            self.clicked = help::action_at(state.keys, &grid, placed.in_picture(mouse));
        }
        match self.clicked? {
            Action::Press(press) if is_new => state.press(press),
            Action::Hold(hold) => state.hold(hold, false, seconds),
            Action::Command(command) if is_new => return Some(command),
            _ => {}
        }
        None
    }

    /// Handles dragging. Returns whether the mouse is dragging.
    fn drag(&mut self, window: &Window, state: &mut State, placed: &PictureArea) -> bool {
        let held = [MouseButton::Left, MouseButton::Right].map(|button| window.get_mouse_down(button));
        let held = [held[0] && self.clicked.is_none(), held[1]];
        let mouse = window.get_mouse_pos(MouseMode::Pass);
        let moved = [0, 1].map(
            |button| match (mouse.filter(|_| held[button]), self.mouse[button]) {
                (Some((x, y)), Some((old_x, old_y))) => [x - old_x, y - old_y],
                _ => [0.0; 2],
            },
        );
        self.mouse = held.map(|held| mouse.filter(|_| held));
        let ([x, y], wheel) = (moved[0], window.get_scroll_wheel().map_or(0.0, |(_, y)| y));
        state.drag([-x * DRAG, y * DRAG], wheel);
        // Keeps the point at the target's distance under the mouse.
        let pixel = 1.0 / (placed.zoom() * placed.scale);
        state.slide([moved[1][0] * pixel, -moved[1][1] * pixel]);
        held.contains(&true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mouse_is_found_in_a_window_of_another_shape() {
        let placed = |window| PictureArea {
            picture: [320.0, 240.0],
            window,
            scale: 1.0,
        };
        let wide = placed([1000.0, 480.0]);
        assert_eq!((wide.zoom(), wide.in_picture((180.0, 0.0))), (2.0, [0.0, 0.0]));
        assert_eq!(wide.in_picture((500.0, 240.0)), [160.0, 120.0]);
        let high = placed([160.0, 240.0]);
        assert_eq!((high.zoom(), high.in_picture((0.0, 60.0))), (0.5, [0.0, 0.0]));
        assert!(wide.in_picture((0.0, 0.0))[0] < 0.0, "left of the picture");
    }
}
