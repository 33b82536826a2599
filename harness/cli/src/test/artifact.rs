//! The output of a case, and its comparison with the expected output.

use super::sound::Samples;
use super::{diff, sound};
use crate::input;
use crate::output;
use crate::profile::baseline;
use anyhow::{Context, Result};
use profile::Report;
use pvr::Image;
use std::path::{Path, PathBuf};

/// A file that a case produces.
pub(super) struct Artifact {
    /// The expected file.
    pub(super) path: PathBuf,
    pub(super) content: Content,
}

pub(super) enum Content {
    /// A picture, in which `allowed` pixels can differ.
    Picture { image: Image, allowed: u64 },
    /// Sound. Each sample may differ by the tolerance.
    Sound { samples: Samples, tolerance: u16 },
    /// A file whose bytes must all be equal.
    Bytes(Vec<u8>),
    /// Cycles, which can grow by a permitted share.
    Cycles {
        report: Box<Report>,
        json: Vec<u8>,
        allowed: f64,
    },
}

/// A difference between an artifact and the expected one.
pub(super) struct Change {
    pub(super) path: PathBuf,
    /// Description in one line.
    pub(super) what: String,
    /// For pictures: the expected one, if it exists, and the actual one.
    pub(super) pictures: Option<(Option<Image>, Image)>,
    /// For sound: the expected one, if it exists, and the actual one.
    pub(super) sounds: Option<(Option<Samples>, Samples)>,
}

impl Artifact {
    /// Returns the difference from the expected file; `None` if they match. With `exactly`, permitted
    /// differences count too.
    pub(super) fn change(&self, exactly: bool) -> Result<Option<Change>> {
        let change = |what: String, pictures| Change {
            path: self.path.clone(),
            what,
            pictures,
            sounds: None,
        };
        if !self.path.exists() {
            let picture = self.picture().map(|image| (None, image.clone()));
            return Ok(Some(Change {
                sounds: self.sound().map(|sound| (None, sound.clone())),
                ..change("missing; --update writes it".to_owned(), picture)
            }));
        }
        Ok(match &self.content {
            Content::Picture { image, allowed } => {
                let expected = output::read_png(&self.path)?;
                let allowed = if exactly { 0 } else { *allowed };
                diff::compare(&expected, image, allowed)
                    .map(|difference| change(difference.to_string(), Some((Some(expected), image.clone()))))
            }
            Content::Sound { samples, tolerance } => {
                let name = || format!("{}", self.path.display());
                let expected = aica::wav::parse(&input::read(&self.path)?).with_context(name)?;
                let tolerance = if exactly { 0 } else { *tolerance };
                sound::compare(&expected, samples, tolerance).map(|what| Change {
                    sounds: Some((Some(expected), samples.clone())),
                    ..change(what, None)
                })
            }
            Content::Bytes(found) => {
                let expected = input::read(&self.path)?;
                diff::bytes(&expected, found).map(|what| change(what, None))
            }
            Content::Cycles {
                report,
                json,
                allowed,
            } => {
                let same = input::read(&self.path)? == *json;
                let compared = baseline::compare(&baseline::read(&self.path)?, report, *allowed);
                let changed = if exactly { !same } else { compared.exceeded };
                changed.then(|| change(compared.text.trim_end().to_owned(), None))
            }
        })
    }

    /// Stores the artifact as the expected one.
    pub(super) fn accept(&self) -> Result<()> {
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
        }
        match &self.content {
            Content::Picture { image, .. } => output::write_png(&self.path, image),
            Content::Sound { samples, .. } => output::write(&self.path, &aica::wav::file(samples)),
            Content::Bytes(bytes) => output::write(&self.path, bytes),
            Content::Cycles { json, .. } => output::write(&self.path, json),
        }
    }

    /// Writes the artifact into a folder for inspection.
    pub(super) fn keep(&self, folder: &Path) -> Result<()> {
        let name = self.path.file_name().unwrap_or_default();
        std::fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
        match &self.content {
            Content::Picture { image, .. } => {
                let expected = output::read_png(&self.path).ok();
                diff::write_pictures(folder, Path::new(name), expected.as_ref(), image)
            }
            Content::Sound { samples, .. } => output::write(&folder.join(name), &aica::wav::file(samples)),
            Content::Bytes(bytes) => output::write(&folder.join(name), bytes),
            Content::Cycles { json, .. } => output::write(&folder.join(name), json),
        }
    }

    fn sound(&self) -> Option<&Samples> {
        match &self.content {
            Content::Sound { samples, .. } => Some(samples),
            _ => None,
        }
    }

    pub(super) fn picture(&self) -> Option<&Image> {
        match &self.content {
            Content::Picture { image, .. } => Some(image),
            _ => None,
        }
    }
}
