//! Time: selection of a motion's frame.

/// Behaviour after the last frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlayMode {
    /// The object is not drawn before the first and after the last frame, as in the original.
    Once,
    /// Restarts at the first frame.
    #[default]
    Loop,
    /// Keeps the last frame after the end, and the first frame before the beginning.
    Hold,
    /// Alternates between forward and backward playing.
    PingPong,
}

impl PlayMode {
    /// Returns the frame of a motion of `length` frames at `time`, counted in frames from its start. `None`
    /// if the object is not drawn, or if the motion has no frames.
    pub fn frame(self, time: f32, length: u32) -> Option<f32> {
        if length == 0 || !time.is_finite() {
            return None;
        }
        let (frames, last) = (length as f32, (length - 1) as f32);
        match self {
            Self::Once => (0.0..frames).contains(&time).then_some(time),
            Self::Hold => Some(time.clamp(0.0, last)),
            // The remainder of a small negative number may round up to the length.
            Self::Loop => Some(time.rem_euclid(frames)).map(|frame| if frame < frames { frame } else { 0.0 }),
            Self::PingPong if length == 1 => Some(0.0),
            Self::PingPong => {
                let way = time.rem_euclid(2.0 * last);
                Some(if way <= last { way } else { 2.0 * last - way })
            }
        }
    }
}

/// A clock in frames.
///
/// ```
/// use scene::{PlayMode, Playback};
///
/// let mut playback = Playback { speed: 0.5, ..Playback::default() };
/// playback.advance(3.0);
/// assert_eq!(playback.time, 1.5);
/// assert_eq!(PlayMode::Loop.frame(61.5, 60), Some(1.5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playback {
    /// Number of frames since the start.
    pub time: f32,
    /// Motion frames per frame of the program; negative runs backwards, 0 pauses.
    pub speed: f32,
    /// Behaviour after a motion's last frame.
    pub mode: PlayMode,
}

impl Default for Playback {
    /// At the start, one frame at a time, looping.
    fn default() -> Self {
        Self {
            time: 0.0,
            speed: 1.0,
            mode: PlayMode::default(),
        }
    }
}

impl Playback {
    /// Advances by `frames` frames of the program.
    pub fn advance(&mut self, frames: f32) {
        self.time += frames * self.speed;
    }

    /// Returns the current frame of a motion of `length` frames.
    pub fn frame(&self, length: u32) -> Option<f32> {
        self.mode.frame(self.time, length)
    }
}

/// Converts a frame number from 16.16 fixed point.
pub fn frame_of_fixed(fixed: i32) -> f32 {
    fixed as f32 / 65536.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_the_last_frame() {
        // A motion of 4 frames, 0 to 3.
        let shown = |mode: PlayMode| [-1.0, 0.0, 3.5, 4.0, 5.0].map(|time| mode.frame(time, 4));
        assert_eq!(shown(PlayMode::Once), [None, Some(0.0), Some(3.5), None, None]);
        assert_eq!(shown(PlayMode::Loop), [3.0, 0.0, 3.5, 0.0, 1.0].map(Some));
        assert_eq!(shown(PlayMode::Hold), [0.0, 0.0, 3.0, 3.0, 3.0].map(Some));
        assert_eq!(shown(PlayMode::PingPong), [1.0, 0.0, 2.5, 2.0, 1.0].map(Some));
    }

    #[test]
    fn odd_lengths_and_times() {
        for mode in [PlayMode::Once, PlayMode::Loop, PlayMode::Hold, PlayMode::PingPong] {
            assert_eq!(mode.frame(0.0, 0), None);
            assert_eq!(mode.frame(f32::NAN, 4), None);
            assert_eq!(mode.frame(0.0, 1), Some(0.0));
        }
        assert_eq!(PlayMode::Loop.frame(-1.0e-9, 4), Some(0.0));
        assert_eq!(frame_of_fixed(0x0002_8000), 2.5);
    }
}
