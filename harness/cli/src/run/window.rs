//! `--window`: the program in a window, with the keyboard as the controller in port A.

use super::session::{End, Session};
use super::video::{HEIGHT, WIDTH, scaled};
use crate::output;
use crate::view::has_display;
use anyhow::{Result, anyhow, bail};
use dreamcast::peripherals::{Buttons, Pad};
use minifb::{Key, KeyRepeat, Window, WindowOptions};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Host time between two titles.
const TITLE: Duration = Duration::from_millis(500);

/// Keys of the controller's buttons, by their names in input files.
const BUTTONS: [(Key, &str); 9] = [
    (Key::X, "a"),
    (Key::C, "b"),
    (Key::S, "x"),
    (Key::D, "y"),
    (Key::Enter, "start"),
    (Key::Up, "up"),
    (Key::Down, "down"),
    (Key::Left, "left"),
    (Key::Right, "right"),
];

/// Runs the program in a window until it ends or the window is closed.
pub(super) fn run(session: &mut Session, program: &Path) -> Result<End> {
    if !has_display() {
        bail!("--window: there is no display to open a window on (DISPLAY is not set); use --screenshot");
    }
    let name = program
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let mut window = Window::new(
        &format!("swirl: {name}"),
        WIDTH as usize,
        HEIGHT as usize,
        WindowOptions::default(),
    )
    .map_err(|error| anyhow!("the window could not be opened: {error}"))?;
    window.set_target_fps(60);
    let mut player = Player::new(session, name);
    while window.is_open() && !window.is_key_down(Key::Escape) {
        if let Some(end) = player.turn(&mut window)? {
            return Ok(end);
        }
    }
    Ok(End::Closed)
}

struct Player<'a> {
    session: &'a mut Session,
    name: String,
    paused: bool,
    pad: Pad,
    /// Host time and frame at the last title.
    shown: (Instant, u64),
}

impl<'a> Player<'a> {
    fn new(session: &'a mut Session, name: String) -> Self {
        Self {
            shown: (Instant::now(), session.console.frame()),
            session,
            name,
            paused: false,
            pad: Pad::default(),
        }
    }

    /// Looks at the keys, runs a frame of the console unless it is paused, and shows the picture.
    fn turn(&mut self, window: &mut Window) -> Result<Option<End>> {
        if window.is_key_pressed(Key::Space, KeyRepeat::No) {
            self.paused = !self.paused;
            self.show_title(window);
        }
        let step = window.is_key_pressed(Key::Period, KeyRepeat::Yes);
        self.paused |= step;
        self.control(window);
        let end = match !self.paused || step {
            true => self.session.run_frame()?,
            false => None,
        };
        if window.is_key_pressed(Key::P, KeyRepeat::No) {
            self.screenshot()?;
        }
        window
            .update_with_buffer(&pixels(self.session), WIDTH as usize, HEIGHT as usize)
            .map_err(|error| anyhow!("the window could not be drawn: {error}"))?;
        if self.shown.0.elapsed() >= TITLE {
            self.show_title(window);
        }
        Ok(end)
    }

    /// Hands a changed pad to the session: it takes effect, and is recorded, at the next frame.
    fn control(&mut self, window: &Window) {
        let pad = pad(|key| window.is_key_down(key));
        if pad != self.pad {
            self.pad = pad;
            self.session.set_pad(pad);
        }
    }

    fn show_title(&mut self, window: &mut Window) {
        let frame = self.session.console.frame();
        let (since, before) = self.shown;
        self.shown = (Instant::now(), frame);
        let rate = frame.saturating_sub(before) as f64 / since.elapsed().as_secs_f64().max(1e-3);
        let state = match self.paused {
            true => "paused".to_owned(),
            false => format!(
                "{rate:.0} frames/s, {:.0} % of a console",
                rate / self.session.frame_rate() * 100.0
            ),
        };
        window.set_title(&format!("swirl: {}, frame {frame}, {state}", self.name));
    }

    fn screenshot(&self) -> Result<()> {
        let frame = self.session.console.frame();
        let path = PathBuf::from(format!("{}_{frame:06}.png", self.name));
        output::write_png(&path, &self.session.console.picture())?;
        eprintln!("swirl: {}", path.display());
        Ok(())
    }
}

/// What the keys that are down make of the controller.
fn pad(is_down: impl Fn(Key) -> bool) -> Pad {
    let held = BUTTONS.iter().filter(|(key, _)| is_down(*key));
    let buttons = held
        .filter_map(|(_, name)| Buttons::named(name))
        .fold(0, |all, button| all | button.0);
    let axis = |less, more| match (is_down(less), is_down(more)) {
        (true, false) => 0,
        (false, true) => 255,
        _ => 128,
    };
    let trigger = |key| if is_down(key) { 255 } else { 0 };
    Pad {
        buttons: Buttons(buttons),
        triggers: [trigger(Key::F), trigger(Key::V)],
        stick: [axis(Key::J, Key::L), axis(Key::I, Key::K)],
    }
}

/// The screen as the window takes it: 00RRGGBB.
fn pixels(session: &Session) -> Vec<u32> {
    let rgba = scaled(&session.console.picture());
    let points = rgba.as_chunks::<4>().0.iter();
    points
        .map(|&[r, g, b, _]| u32::from_be_bytes([0, r, g, b]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_buttons_stick_and_triggers() {
        assert_eq!(pad(|_| false), Pad::default());
        let down = |keys: &'static [Key]| pad(move |key| keys.contains(&key));
        assert_eq!(down(&[Key::X, Key::Enter]).buttons, Buttons(4 | 8));
        assert_eq!(down(&[Key::J, Key::K]).stick, [0, 255]);
        assert_eq!(down(&[Key::J, Key::L]).stick, [128, 128]);
        assert_eq!(down(&[Key::V]).triggers, [0, 255]);
    }
}
