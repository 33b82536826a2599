//! `--window`: shows the program in a window. The host's keyboard acts as the controller in port A or as the
//! first keyboard, the host's mouse as the first mouse.

use super::host_keys;
use super::playback::{self, Playback};
use super::session::{End, Session, SessionSnapshot, WindowInput};
use super::video::{HEIGHT, WIDTH, scaled};
use crate::output;
use crate::view::has_display;
use anyhow::{Result, anyhow, bail};
use dreamcast::input::Script;
use dreamcast::peripherals::{Buttons, Keys, MouseButtons, Pad};
use minifb::{Key, KeyRepeat, MouseButton, MouseMode, Window, WindowOptions};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Host time between two updates of the title.
const TITLE: Duration = Duration::from_millis(500);

/// Frames between two snapshots to which Backspace can go back.
const REWIND_FRAMES: u64 = 12;
/// Maximum number of snapshots for Backspace: ten seconds.
const SNAPSHOTS: usize = 50;
/// Window updates per snapshot while Backspace is held: the run goes back at twice the console's speed.
const REWIND_TURNS: u64 = 6;

/// Keys for the controller's buttons, which have the names of input files.
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

/// Opens a window with the name of the program.
fn open(program: &Path) -> Result<(Window, String)> {
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
    Ok((window, name))
}

/// Shows the framebuffer.
fn draw(window: &mut Window, session: &Session) -> Result<()> {
    window
        .update_with_buffer(&pixels(session), WIDTH as usize, HEIGHT as usize)
        .map_err(|error| anyhow!("the window could not be drawn: {error}"))
}

/// Runs the program in a window until it ends or the window is closed.
pub(super) fn run(session: &mut Session, program: &Path) -> Result<End> {
    let (mut window, name) = open(program)?;
    if playback::AVAILABLE {
        match Playback::open() {
            Ok(playback) => session.playback = Some(playback),
            Err(error) => session.warn(format!("--window: no sound: {error:#}")),
        }
    }
    let mut player = Player::new(session, name);
    while window.is_open() && (player.typing || !window.is_key_down(Key::Escape)) {
        if let Some(end) = player.turn(&mut window)? {
            return Ok(end);
        }
    }
    Ok(End::Closed)
}

/// The state file of F5 and F7.
struct Saves {
    path: PathBuf,
    /// Input at the start of the program; the next field is the input up to the saved state.
    start: Arc<Script>,
    saved: Option<Arc<Script>>,
}

impl Saves {
    fn new(session: &Session, name: &str) -> Self {
        Self {
            path: PathBuf::from(format!("{name}.swst")),
            start: Arc::clone(session.script()),
            saved: None,
        }
    }

    fn save(&mut self, session: &mut Session) -> Result<()> {
        let bytes = session.state_file(false)?;
        self.saved = Some(Arc::clone(session.script()));
        output::replace(&self.path, &bytes)
    }

    fn load(&self, session: &mut Session) -> Result<()> {
        session.load_state(&self.path)?;
        session.set_script(self.saved.as_ref().unwrap_or(&self.start));
        Ok(())
    }

    /// Saves or loads the state, and prints the result. Returns whether it succeeded.
    fn transfer(&mut self, session: &mut Session, save: bool) -> bool {
        let (verb, done) = match save {
            true => ("saved", self.save(session)),
            false => ("loaded", self.load(session)),
        };
        match &done {
            Ok(()) => {
                let frame = session.console.frame();
                eprintln!("swirl: {verb} {}: frame {frame}", self.path.display());
            }
            Err(error) => eprintln!("swirl: error: {error:#}"),
        }
        done.is_ok()
    }
}

/// The window of a program that a debugger drives. It has the keys of the controller, and those that save,
/// load and rewind.
pub(super) struct DebugWindow {
    /// `None` after the window is closed.
    window: Option<Window>,
    name: String,
    shown: Instant,
    frame: u64,
    pad: Pad,
    saves: Saves,
    /// Pictures for which Backspace has been held.
    rewound: u64,
}

/// Effect of a window's keys on the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    Picture,
    /// F7 has loaded a state.
    Loaded,
    /// Backspace is held: the program must not run.
    Held,
    /// Backspace is held, and the program must go back.
    Back,
}

/// Host time between two pictures under a debugger.
const PICTURE: Duration = Duration::from_millis(16);
/// Pictures from one step back to the next, while Backspace is held.
const BACK_PICTURES: u64 = 3;

impl DebugWindow {
    pub(super) fn open(program: &Path, session: &Session) -> Result<Self> {
        let (window, name) = open(program)?;
        Ok(Self {
            window: Some(window),
            saves: Saves::new(session, &name),
            name,
            shown: Instant::now(),
            frame: 0,
            pad: Pad::default(),
            rewound: 0,
        })
    }

    /// Shows the framebuffer at each frame, or if it was last shown some time ago. The window waits between
    /// two frames, so that the program runs at most at a console's speed. Keys that change the state have an
    /// effect only while the program `runs`, because gdb keeps the registers of a stopped program.
    pub(super) fn show(&mut self, session: &mut Session, runs: bool) -> Result<Shown> {
        let Some(window) = &mut self.window else {
            return Ok(Shown::Picture);
        };
        let frame = session.console.frame();
        if !(runs && frame != self.frame) && self.shown.elapsed() < PICTURE {
            return Ok(match self.rewound {
                0 => Shown::Picture,
                _ => Shown::Held,
            });
        }
        draw(window, session)?;
        (self.shown, self.frame) = (Instant::now(), frame);
        window.set_title(&format!("swirl: {}, frame {frame}, debugger", self.name));
        let held = pad(|key| window.is_key_down(key));
        if self.rewound > 0 {
            self.pad = session.inputs.pads[0];
        }
        if held != self.pad {
            self.pad = held;
            session.play(WindowInput {
                pad: Some(held),
                ..WindowInput::default()
            });
        }
        let pressed = |key| window.is_key_pressed(key, KeyRepeat::No);
        let (save, load, backspace) = (pressed(Key::F5), pressed(Key::F7), Key::Backspace);
        let (back, newly) = (window.is_key_down(backspace), pressed(backspace));
        if !window.is_open() {
            self.window = None;
        }
        if save {
            self.saves.transfer(session, true);
        }
        if !runs && (load || newly) {
            eprintln!("swirl: gdb has stopped the program: F7 and Backspace have an effect while it runs");
        }
        self.rewound = if runs && back { self.rewound + 1 } else { 0 };
        if runs && load && self.rewound == 0 && self.saves.transfer(session, false) {
            self.pad = session.inputs.pads[0];
            return Ok(Shown::Loaded);
        }
        Ok(match self.rewound {
            0 => Shown::Picture,
            n if n % BACK_PICTURES == 1 => Shown::Back,
            _ => Shown::Held,
        })
    }
}

struct Player<'a> {
    session: &'a mut Session,
    name: String,
    paused: bool,
    pad: Pad,
    /// Set if the host's keys go to the console's keyboard; F12 switches.
    typing: bool,
    keys: Keys,
    /// Devices that are present.
    has_keyboard: bool,
    has_mouse: bool,
    /// Last pointer position of the host, and the buttons that were pressed.
    pointer: Option<(f32, f32)>,
    buttons: MouseButtons,
    /// Host time and frame number at the last title.
    shown: (Instant, u64),
    /// Snapshots for Backspace, the newest last.
    past: VecDeque<SessionSnapshot>,
    /// First frame at which to take the next snapshot.
    next_snapshot: u64,
    /// Turns for which Backspace has been held.
    rewound: u64,
    saves: Saves,
}

impl<'a> Player<'a> {
    fn new(session: &'a mut Session, name: String) -> Self {
        let [keyboard, mouse] = session.console.keyboard_and_mouse();
        Self {
            typing: keyboard.is_some(),
            keys: Keys::default(),
            has_keyboard: keyboard.is_some(),
            has_mouse: mouse.is_some(),
            pointer: None,
            buttons: MouseButtons::default(),
            shown: (Instant::now(), session.console.frame()),
            saves: Saves::new(session, &name),
            session,
            name,
            paused: false,
            pad: Pad::default(),
            past: VecDeque::new(),
            next_snapshot: 0,
            rewound: 0,
        }
    }

    /// Takes a snapshot if the last one is old enough.
    fn keep(&mut self) {
        let frame = self.session.console.frame();
        if frame < self.next_snapshot {
            return;
        }
        self.next_snapshot = frame + REWIND_FRAMES;
        let snapshot = self.session.snapshot(self.past.back());
        self.past.push_back(snapshot);
        if self.past.len() > SNAPSHOTS {
            self.past.pop_front();
        }
    }

    /// Goes back to the last snapshot and removes it, unless it is the oldest one.
    fn rewind(&mut self) {
        let oldest = self.past.len() < 2;
        let past = match oldest {
            true => self.past.front(),
            false => self.past.back(),
        };
        if let Some(snapshot) = past {
            self.session.rewind(snapshot);
            self.next_snapshot = self.session.console.frame() + REWIND_FRAMES;
        }
        if !oldest {
            self.past.pop_back();
        }
        self.take_input();
    }

    /// Copies the console's pressed keys, for comparison with the host's keys.
    fn take_input(&mut self) {
        (self.pad, self.keys) = (self.session.inputs.pads[0], self.session.keys);
    }

    /// Saves or loads a state; a failure does not end the game.
    fn use_state(&mut self, save: bool) {
        if self.saves.transfer(self.session, save) && !save {
            self.take_input();
            self.past.clear();
            self.next_snapshot = 0;
        }
    }

    /// Handles keys, runs a frame of the console unless it is paused, and shows the picture.
    fn turn(&mut self, window: &mut Window) -> Result<Option<End>> {
        if self.has_keyboard && window.is_key_pressed(Key::F12, KeyRepeat::No) {
            self.typing = !self.typing;
            self.show_title(window);
        }
        let typing = self.typing;
        let pressed = |key, repeat| !typing && window.is_key_pressed(key, repeat);
        let pause = pressed(Key::Space, KeyRepeat::No);
        let step = pressed(Key::Period, KeyRepeat::Yes);
        let screenshot = pressed(Key::P, KeyRepeat::No);
        let rewinds = !self.typing && window.is_key_down(Key::Backspace);
        for (key, save) in [(Key::F5, true), (Key::F7, false)] {
            if pressed(key, KeyRepeat::No) {
                self.use_state(save);
            }
        }
        if pause {
            self.paused = !self.paused;
            self.show_title(window);
        }
        self.paused |= step;
        self.control(window);
        let end = match () {
            () if rewinds => {
                if self.rewound.is_multiple_of(REWIND_TURNS) {
                    self.rewind();
                }
                self.rewound += 1;
                None
            }
            () if !self.paused || step => {
                self.rewound = 0;
                self.keep();
                self.session.run_frame()?
            }
            () => None,
        };
        if screenshot {
            self.screenshot()?;
        }
        draw(window, self.session)?;
        if self.shown.0.elapsed() >= TITLE {
            self.show_title(window);
        }
        Ok(end)
    }

    /// Passes changed input to the session, which applies and records it at the next frame.
    fn control(&mut self, window: &Window) {
        let (pad, keys) = match self.typing {
            true => (Pad::default(), host_keys::keys(&window.get_keys())),
            false => (pad(|key| window.is_key_down(key)), Keys::default()),
        };
        let played = WindowInput {
            pad: (pad != self.pad).then_some(pad),
            keys: (keys != self.keys).then_some(keys),
            mouse: self.has_mouse.then(|| self.mouse(window)).flatten(),
        };
        (self.pad, self.keys) = (pad, keys);
        self.session.play(played);
    }

    /// Returns the movement of the pointer, and the buttons, if either has changed.
    fn mouse(&mut self, window: &Window) -> Option<([i32; 3], MouseButtons)> {
        let buttons = [
            (MouseButton::Left, "left"),
            (MouseButton::Right, "right"),
            (MouseButton::Middle, "side"),
        ];
        let down = buttons
            .into_iter()
            .filter(|(button, _)| window.get_mouse_down(*button));
        let down = down.filter_map(|(_, name)| MouseButtons::named(name));
        let buttons = MouseButtons(down.fold(0, |all, button| all | button.0));
        let pointer = window.get_mouse_pos(MouseMode::Pass);
        let (before, now) = (self.pointer.or(pointer)?, pointer?);
        let wheel = window.get_scroll_wheel().map_or(0.0, |(_, y)| -y);
        let moved = [now.0 - before.0, now.1 - before.1, wheel].map(|moved| moved as i32);
        let is_same = moved == [0; 3] && buttons == self.buttons;
        // Keeps fractions of a point for the next frame.
        self.pointer = Some((before.0 + moved[0] as f32, before.1 + moved[1] as f32));
        self.buttons = buttons;
        (!is_same).then_some((moved.map(|moved| moved.clamp(-512, 511)), buttons))
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
        let keys = if self.typing {
            ", keys go to the keyboard (F12)"
        } else {
            ""
        };
        window.set_title(&format!("swirl: {}, frame {frame}, {state}{keys}", self.name));
    }

    fn screenshot(&self) -> Result<()> {
        let frame = self.session.console.frame();
        let path = PathBuf::from(format!("{}_{frame:06}.png", self.name));
        output::write_png(&path, &self.session.console.picture())?;
        eprintln!("swirl: {}", path.display());
        Ok(())
    }
}

/// Returns the controller's state for the pressed keys.
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

/// Returns the screen in the window's format: 00RRGGBB.
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
