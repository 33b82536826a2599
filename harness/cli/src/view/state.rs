//! State of the viewer. Keys and the mouse change it; the drawing code reads it. It does not depend on a
//! window.

use super::conditions::Conditions;
use scene::PlayMode;

/// A key that acts when pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Press {
    Play,
    Turntable,
    StepBack,
    StepForward,
    Slower,
    Faster,
    First,
    Last,
    Mode,
    Fly,
    Background,
    Wireframe,
    Normals,
    Spheres,
    Statistics,
    Tree,
    Textures,
    NodeUp,
    NodeDown,
    HideNode,
    Reset,
    Help,
}

/// A key that acts while it is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    Left,
    Right,
    Up,
    Down,
    Nearer,
    Further,
    LightLeft,
    LightRight,
    LightUp,
    LightDown,
}

/// Degrees per second of the turntable.
const TURNTABLE: f32 = 30.0;
/// Degrees per second while an arrow or a light key is held.
const TURN: f32 = 90.0;
/// Pan speed while an arrow is held with shift, in camera distances per second.
const PAN: f32 = 0.5;
/// Frames per second at speed 1, the rate of most motions.
const FRAMES: f32 = 30.0;
/// Number of backgrounds, including the command line's.
pub(super) const BACKGROUNDS: usize = 4;

/// Everything that keys can change.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    /// Angles of the camera around and above the model, in degrees.
    pub(super) orbit: [f32; 2],
    /// Distance relative to the initial one.
    pub(super) zoom: f32,
    /// Shift of the camera to the right and up, in units of the initial camera distance.
    pub(super) pan: [f32; 2],
    /// Frames since the start of the motions.
    pub(super) time: f32,
    pub(super) speed: f32,
    pub(super) playing: bool,
    pub(super) turning: bool,
    pub(super) mode: PlayMode,
    /// Angles of the light around and above the model, in degrees.
    pub(super) light: [f32; 2],
    /// Set while the camera follows its motion.
    pub(super) flies: bool,
    /// Set if the camera has a motion.
    may_fly: bool,
    /// Set after a key has moved the light; before that, the scene's light is used.
    pub(super) lit: bool,
    /// Index of the background; 0 is the command line's.
    pub(super) background: usize,
    pub(super) wireframe: bool,
    pub(super) normals: bool,
    pub(super) spheres: bool,
    pub(super) statistics: bool,
    pub(super) tree: bool,
    pub(super) textures: bool,
    pub(super) help: bool,
    /// Conditions for the keys on the page of keys.
    pub(super) keys: Conditions,
    /// Index of the node marked in the tree, in drawing order.
    pub(super) chosen: usize,
    /// Index of the texture marked in the list.
    pub(super) texture: usize,
    /// Number of textures in the list.
    texture_count: usize,
    /// Set for hidden nodes, by node in drawing order.
    pub(super) hidden: Vec<bool>,
    /// Number of frames of the longest motion.
    length: u32,
    /// State that a reset restores.
    first: Option<Box<State>>,
}

impl State {
    /// Creates the initial state. A model without motions rotates by itself.
    pub(super) fn new(orbit: [f32; 2], light: [f32; 2], length: u32, nodes: usize) -> Self {
        let state = Self {
            orbit,
            zoom: 1.0,
            pan: [0.0; 2],
            time: 0.0,
            speed: 1.0,
            playing: length > 0,
            turning: length == 0,
            mode: PlayMode::Loop,
            light,
            flies: false,
            may_fly: false,
            lit: false,
            background: 0,
            wireframe: false,
            normals: false,
            spheres: false,
            statistics: false,
            tree: false,
            textures: false,
            help: false,
            keys: Conditions::default(),
            chosen: 0,
            texture: 0,
            texture_count: 0,
            hidden: vec![false; nodes],
            length,
            first: None,
        };
        state.with_first()
    }

    /// Sets the number of textures in the list.
    pub(super) fn with_textures(self, count: usize) -> Self {
        let state = Self {
            texture_count: count,
            ..self
        };
        state.with_first()
    }

    /// Turns off the turntable.
    pub(super) fn without_turntable(self) -> Self {
        let state = Self {
            turning: false,
            ..self
        };
        state.with_first()
    }

    /// Sets the behaviour after a motion's last frame, and the use of a camera motion.
    pub(super) fn playing(self, mode: PlayMode, flies: bool) -> Self {
        let state = Self {
            mode,
            flies,
            may_fly: flies,
            ..self
        };
        state.with_first()
    }

    /// Stores the current state as the target of a reset.
    fn with_first(self) -> Self {
        let state = Self { first: None, ..self };
        Self {
            first: Some(Box::new(state.clone())),
            ..state
        }
    }

    pub(super) fn press(&mut self, key: Press) {
        match key {
            Press::Play => self.playing = !self.playing,
            Press::Turntable => self.turning = !self.turning,
            Press::StepBack => self.step(-1.0),
            Press::StepForward => self.step(1.0),
            Press::Slower => self.speed = (self.speed / 2.0).max(1.0 / 16.0),
            Press::Faster => self.speed = (self.speed * 2.0).min(16.0),
            Press::First => self.time = 0.0,
            Press::Last => self.time = self.length.saturating_sub(1) as f32,
            Press::Fly => self.flies = self.may_fly && !self.flies,
            Press::Mode => self.mode = next_mode(self.mode),
            Press::Background => self.background = (self.background + 1) % BACKGROUNDS,
            Press::Wireframe => self.wireframe = !self.wireframe,
            Press::Normals => self.normals = !self.normals,
            Press::Spheres => self.spheres = !self.spheres,
            Press::Statistics => self.statistics = !self.statistics,
            Press::Tree => self.tree = !self.tree,
            Press::Textures => self.textures = !self.textures,
            Press::NodeUp if self.textures => self.texture = self.texture.saturating_sub(1),
            Press::NodeDown if self.textures => {
                self.texture = (self.texture + 1).min(self.texture_count.saturating_sub(1));
            }
            Press::NodeUp => self.chosen = self.chosen.saturating_sub(1),
            Press::NodeDown => self.chosen = (self.chosen + 1).min(self.hidden.len().saturating_sub(1)),
            Press::HideNode => {
                if let Some(hidden) = self.hidden.get_mut(self.chosen) {
                    *hidden = !*hidden;
                }
            }
            Press::Reset => self.reset(),
            Press::Help => self.help = !self.help,
        }
    }

    /// Moves to a whole frame, and stops playing.
    fn step(&mut self, by: f32) {
        self.playing = false;
        let at = if by > 0.0 {
            self.time.floor()
        } else {
            self.time.ceil()
        };
        self.time = self.mode.frame(at + by, self.length).unwrap_or(0.0);
    }

    fn reset(&mut self) {
        if let Some(first) = self.first.take() {
            *self = Self {
                first: Some(first.clone()),
                ..*first
            };
        }
    }

    /// Handles a key held for some seconds.
    pub(super) fn hold(&mut self, key: Hold, shift: bool, seconds: f32) {
        let (turn, pan) = (TURN * seconds, PAN * seconds * self.zoom);
        self.lit |= matches!(
            key,
            Hold::LightLeft | Hold::LightRight | Hold::LightUp | Hold::LightDown
        );
        match key {
            Hold::Left if shift => self.pan[0] -= pan,
            Hold::Right if shift => self.pan[0] += pan,
            Hold::Up if shift => self.pan[1] += pan,
            Hold::Down if shift => self.pan[1] -= pan,
            Hold::Left => self.orbit[0] -= turn,
            Hold::Right => self.orbit[0] += turn,
            Hold::Up => self.orbit[1] += turn,
            Hold::Down => self.orbit[1] -= turn,
            Hold::Nearer => self.zoom *= (-seconds).exp(),
            Hold::Further => self.zoom *= seconds.exp(),
            Hold::LightLeft => self.light[0] -= turn,
            Hold::LightRight => self.light[0] += turn,
            Hold::LightUp => self.light[1] += turn,
            Hold::LightDown => self.light[1] -= turn,
        }
        self.settle();
    }

    /// Handles dragging in degrees, and the wheel.
    pub(super) fn drag(&mut self, by: [f32; 2], wheel: f32) {
        self.orbit[0] += by[0];
        self.orbit[1] += by[1];
        self.zoom *= (-wheel * 0.1).exp();
        self.settle();
    }

    /// Pans after dragging with the right button. The unit is the camera's current distance from its target.
    pub(super) fn slide(&mut self, [right, up]: [f32; 2]) {
        self.pan[0] -= right * self.zoom;
        self.pan[1] -= up * self.zoom;
    }

    /// Returns the state for a reloaded model, whose initial state is `new`. Keeps the view, and limits the
    /// time and the choices to the new motions, nodes and textures.
    pub(super) fn loaded(mut self, new: Self) -> Self {
        if self.hidden.len() != new.hidden.len() {
            (self.hidden, self.chosen) = (new.hidden.clone(), 0);
        }
        if self.length == 0 || new.length == 0 {
            (self.time, self.playing) = (0.0, new.playing);
        }
        (self.length, self.may_fly) = (new.length, new.may_fly);
        self.time = self.time.min(self.length.saturating_sub(1) as f32);
        self.flies &= self.may_fly;
        self.texture_count = new.texture_count;
        self.texture = self.texture.min(self.texture_count.saturating_sub(1));
        self.first = new.first;
        self
    }

    /// Takes over the background and the help page from the state of the previous file. Does not rotate the
    /// model if the user had stopped the turntable.
    pub(super) fn after(mut self, before: &Self) -> Self {
        (self.help, self.background) = (before.help, before.background);
        self.turning &= before.turning || before.length > 0;
        self
    }

    /// Wraps and limits the angles, and limits the zoom.
    fn settle(&mut self) {
        for angles in [&mut self.orbit, &mut self.light] {
            *angles = [angles[0].rem_euclid(360.0), angles[1].clamp(-89.0, 89.0)];
        }
        self.zoom = self.zoom.clamp(0.02, 50.0);
    }

    /// Advances the time.
    pub(super) fn advance(&mut self, seconds: f32) {
        if self.turning {
            self.orbit[0] = (self.orbit[0] + TURNTABLE * seconds).rem_euclid(360.0);
        }
        if self.playing {
            self.time += FRAMES * self.speed * seconds;
            // Wraps to one cycle, so that the fraction stays precise.
            if self.mode == PlayMode::Loop {
                self.time = self.mode.frame(self.time, self.length).unwrap_or(0.0);
            }
        }
    }

    /// Returns the current frame; `None` without motions, and after their end.
    pub(super) fn now(&self) -> Option<f32> {
        self.mode.frame(self.time, self.length)
    }

    /// Returns the status line at the bottom of the picture.
    pub(super) fn status(&self) -> String {
        let mode = match self.mode {
            PlayMode::Loop => "loop",
            PlayMode::PingPong => "ping-pong",
            PlayMode::Hold => "hold",
            PlayMode::Once => "once",
        };
        let frame = match self.now() {
            Some(frame) => {
                let last = self.length.saturating_sub(1);
                format!("frame {frame:.1}/{last}  x{}  {mode}  ", self.speed)
            }
            None if self.length > 0 => format!("over  x{}  {mode}  ", self.speed),
            None => String::new(),
        };
        let turns = if self.turning { "on" } else { "off" };
        format!("{frame}t turning {turns}  f1 keys")
    }
}

fn next_mode(mode: PlayMode) -> PlayMode {
    match mode {
        PlayMode::Loop => PlayMode::PingPong,
        PlayMode::PingPong => PlayMode::Hold,
        PlayMode::Hold => PlayMode::Once,
        PlayMode::Once => PlayMode::Loop,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> State {
        State::new([30.0, 15.0], [0.0, 45.0], 10, 3)
    }

    #[test]
    fn scrubbing_stops_on_whole_frames_and_goes_around() {
        let mut state = state();
        state.advance(0.05);
        assert_eq!(state.time, 1.5);
        state.press(Press::StepForward);
        assert_eq!((state.time, state.playing), (2.0, false));
        state.press(Press::Last);
        state.press(Press::StepForward);
        assert_eq!(state.time, 0.0);
        state.press(Press::StepBack);
        assert_eq!(state.time, 9.0);
        state.advance(1.0);
        assert_eq!(state.time, 9.0, "a step stops playback");
    }

    #[test]
    fn speed_doubles_and_halves_within_limits() {
        let mut state = state();
        state.press(Press::Faster);
        state.advance(0.1);
        assert!((state.time - 6.0).abs() < 1.0e-4, "{}", state.time);
        for _ in 0..20 {
            state.press(Press::Slower);
        }
        assert_eq!(state.speed, 1.0 / 16.0);
    }

    #[test]
    fn held_keys_orbit_pan_and_move_the_light() {
        let mut state = state();
        state.hold(Hold::Left, false, 1.0);
        state.hold(Hold::Up, false, 5.0);
        assert_eq!(state.orbit, [300.0, 89.0]);
        state.hold(Hold::Right, true, 1.0);
        assert_eq!(state.pan, [0.5, 0.0]);
        state.hold(Hold::LightDown, false, 0.5);
        assert_eq!((state.light, state.lit), ([0.0, 0.0], true));
        state.hold(Hold::Nearer, false, 100.0);
        assert_eq!(state.zoom, 0.02);
        state.press(Press::Reset);
        assert_eq!(state, super::tests::state());
    }

    #[test]
    fn nodes_are_chosen_and_hidden() {
        let mut state = state();
        for _ in 0..5 {
            state.press(Press::NodeDown);
        }
        state.press(Press::HideNode);
        assert_eq!(state.hidden, [false, false, true]);
        state.press(Press::NodeUp);
        state.press(Press::HideNode);
        assert_eq!((state.chosen, &state.hidden[..]), (1, &[false, true, true][..]));
    }

    #[test]
    fn textures_are_chosen_while_their_list_is_shown() {
        let mut state = state().with_textures(2);
        state.press(Press::Textures);
        for _ in 0..3 {
            state.press(Press::NodeDown);
        }
        assert_eq!((state.texture, state.chosen), (1, 0));
        let fewer = state.loaded(super::tests::state().with_textures(1));
        assert_eq!((fewer.texture, fewer.textures), (0, true));
    }

    #[test]
    fn a_camera_flies_if_it_can() {
        let mut state = state();
        state.press(Press::Fly);
        assert!(!state.flies, "there is no motion");
        let mut state = state.playing(PlayMode::Hold, true);
        assert!(state.flies);
        state.press(Press::Fly);
        state.press(Press::Mode);
        assert!(!state.flies);
        state.press(Press::Reset);
        assert_eq!((state.flies, state.mode), (true, PlayMode::Hold));
    }

    #[test]
    fn without_motions_the_model_turns() {
        let mut state = State::new([0.0; 2], [0.0; 2], 0, 1);
        state.advance(1.0);
        assert_eq!((state.orbit[0], state.time), (30.0, 0.0));
        assert_eq!(state.status(), "t turning on  f1 keys");
        state.press(Press::Turntable);
        state.advance(1.0);
        assert_eq!(
            (state.orbit[0], state.status()),
            (30.0, "t turning off  f1 keys".to_owned())
        );
        let mut still = State::new([0.0; 2], [0.0; 2], 0, 1).without_turntable();
        still.advance(1.0);
        still.press(Press::Reset);
        assert_eq!((still.orbit[0], still.turning), (0.0, false));
        state.press(Press::StepForward);
        assert_eq!(state.time, 0.0);
    }

    #[test]
    fn a_model_that_is_loaded_anew_keeps_the_view() {
        let mut state = state();
        state.drag([40.0, 5.0], 2.0);
        state.slide([0.5, -0.25]);
        state.press(Press::HideNode);
        state.press(Press::Last);
        let longer = state.clone().loaded(State::new([30.0, 15.0], [0.0, 45.0], 20, 3));
        assert_eq!(
            (longer.orbit, longer.zoom, longer.pan),
            (state.orbit, state.zoom, state.pan)
        );
        assert_eq!(
            (&longer.hidden, longer.time, longer.length),
            (&state.hidden, 9.0, 20)
        );
        let other = longer.loaded(State::new([30.0, 15.0], [0.0, 45.0], 4, 2));
        assert_eq!((other.hidden.len(), other.time), (2, 3.0));
        let rest = other.loaded(State::new([30.0, 15.0], [0.0, 45.0], 0, 2));
        assert_eq!((rest.time, rest.playing), (0.0, false));
    }
}
