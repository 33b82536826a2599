//! Playback of a window's sound on the host's default audio device. The device needs the feature `playback`,
//! since on Linux it needs the headers of ALSA; other builds have no device.

#[cfg(feature = "playback")]
mod device;
#[cfg(any(feature = "playback", test))]
mod queue;

#[cfg(feature = "playback")]
pub(crate) use device::Playback;

/// True if this build can play sound.
pub(crate) const AVAILABLE: bool = cfg!(feature = "playback");

/// An audio device. A build without the feature `playback` has none.
#[cfg(not(feature = "playback"))]
#[derive(Debug)]
pub(crate) enum Playback {}

#[cfg(not(feature = "playback"))]
impl Playback {
    /// Fails: the build has no device.
    pub(crate) fn open() -> anyhow::Result<Self> {
        anyhow::bail!("the feature `playback` is missing")
    }

    /// Adds samples of the console.
    pub(crate) fn push(&self, _: &[[i16; 2]]) {
        match *self {}
    }
}
