//! Writes pictures of frames: single ones by number, every n-th one, and the last one.

use crate::output;
use anyhow::{Context, Result, anyhow};
use dreamcast::Dreamcast;
use std::path::{Path, PathBuf};

/// Time of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PictureTime {
    /// The end of a frame.
    Frame(u64),
    /// The end of the run, for any reason.
    End,
}

/// An output file with its time: `FRAME=FILE` or `end=FILE`.
#[derive(Clone, Debug)]
pub(crate) struct TimedFile {
    pub(crate) time: PictureTime,
    pub(crate) path: PathBuf,
}

impl std::str::FromStr for TimedFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || format!("found {text:?}, expected FRAME=FILE or end=FILE, for instance 60=name");
        let (time, path) = text.split_once('=').ok_or_else(expected)?;
        Ok(Self {
            time: match time {
                "end" => PictureTime::End,
                frame => PictureTime::Frame(frame.parse().map_err(|_| expected())?),
            },
            path: PathBuf::from(path),
        })
    }
}

/// Pictures to write during a run.
#[derive(Default)]
pub(crate) struct Pictures {
    pub(crate) single: Vec<TimedFile>,
    /// Interval in frames, and a name pattern such as `out/%04d.png`.
    pub(crate) every: Option<(u64, String)>,
    /// Number of pictures written.
    pub(crate) written: u64,
}

impl Pictures {
    /// Returns requested frames after `last`, which the run did not reach.
    pub(crate) fn missed(&self, last: u64) -> impl Iterator<Item = u64> {
        let frames = self.single.iter().filter_map(|shot| match shot.time {
            PictureTime::Frame(frame) => Some(frame),
            PictureTime::End => None,
        });
        frames.filter(move |frame| *frame > last)
    }

    /// Returns whether to write the last picture.
    pub(crate) fn has_end(&self) -> bool {
        self.single.iter().any(|shot| shot.time == PictureTime::End)
    }

    fn paths(&self, time: PictureTime) -> Vec<PathBuf> {
        let shots = self.single.iter().filter(|shot| shot.time == time);
        shots.map(|shot| shot.path.clone()).collect()
    }

    /// Writes the last picture at the end of the run.
    pub(crate) fn end(&mut self, console: &Dreamcast) -> Result<()> {
        self.write(self.paths(PictureTime::End), console)
    }

    pub(crate) fn frame(&mut self, frame: u64, console: &Dreamcast) -> Result<()> {
        let mut paths = self.paths(PictureTime::Frame(frame));
        if let Some((every, pattern)) = &self.every
            && frame.is_multiple_of(*every)
        {
            paths.push(numbered(pattern, frame)?);
        }
        self.write(paths, console)
    }

    fn write(&mut self, paths: Vec<PathBuf>, console: &Dreamcast) -> Result<()> {
        if paths.is_empty() {
            return Ok(());
        }
        let picture = console.picture();
        for path in paths {
            make_folder(&path)?;
            output::write_png(&path, &picture)?;
            self.written += 1;
        }
        Ok(())
    }
}

fn make_folder(path: &Path) -> Result<()> {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => {
            std::fs::create_dir_all(parent).with_context(|| format!("{}", parent.display()))
        }
        _ => Ok(()),
    }
}

/// Replaces `%d` or `%0Nd` in a pattern by a number.
pub(crate) fn numbered(pattern: &str, number: u64) -> Result<PathBuf> {
    let wrong = || anyhow!("-o {pattern}: expected %d or %04d at the place of the frame's number");
    let (before, rest) = pattern.split_once('%').ok_or_else(wrong)?;
    let (digits, after) = rest.split_once('d').ok_or_else(wrong)?;
    let width: usize = match digits {
        "" => 0,
        _ => digits
            .strip_prefix('0')
            .and_then(|digits| digits.parse().ok())
            .filter(|n| *n <= 20)
            .ok_or_else(wrong)?,
    };
    Ok(PathBuf::from(format!("{before}{number:0width$}{after}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_take_the_number() {
        assert_eq!(
            numbered("out/%04d.png", 30).unwrap_or_default(),
            PathBuf::from("out/0030.png")
        );
        assert_eq!(numbered("%d.png", 7).unwrap_or_default(), PathBuf::from("7.png"));
        assert!(numbered("a.png", 7).is_err());
        assert!(numbered("%4x.png", 7).is_err());
    }
}
