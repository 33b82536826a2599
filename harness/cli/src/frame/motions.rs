//! `--motion` and `--shape`: which motions play on a model.

use super::play_options::PlayOptions;
use crate::assets;
use crate::plural::plural;
use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, Parser, ValueEnum};
use ninja::{CShapeList, CShapeMotion, Chunk, File, MotionKind};
use scene::{LastKey, Link, Motion, Object, PlayMode, ShapeMotion, SplineAngles};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The motions of a command.
#[derive(Args, Clone, Debug)]
#[group(id = "motions")]
pub(crate) struct MotionOptions {
    /// Motion of the model's nodes: a file, and which of its motions, from 0; without a file one of the
    /// model's own.
    #[arg(long, value_name = "FILE[:N]")]
    pub(crate) motion: Option<MotionSource>,
    /// A second motion, mixed into the first, or into the model at rest.
    #[arg(long, value_name = "FILE[:N]")]
    link: Option<MotionSource>,
    /// How much of the second motion is seen: 0 none, 1 it alone.
    #[arg(long, requires = "link", default_value_t = 0.5, value_parser = share)]
    share: f32,
    /// Shapes of its vertices: a file with a shape list, and which shape motion of this file, or of the
    /// motion's or the model's where it has none.
    #[arg(long, value_name = "FILE[:N]")]
    pub(crate) shape: Option<MotionSource>,
    /// What follows a table's last key, where that is before the motion's last frame.
    #[arg(long, value_enum, default_value_t)]
    last_key: Last,
}

/// The options of motions alone.
#[derive(Parser)]
struct MotionCommand {
    #[command(flatten)]
    options: MotionOptions,
}

fn share(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 to 1".to_owned()),
    }
}

/// `--last-key`.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Last {
    /// The first key after one frame, as by the original.
    #[default]
    Original,
    /// The last key stays.
    Hold,
    /// The first key at the motion's end.
    Wrap,
}

/// A file and a number of something in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MotionSource {
    /// `None` is the model's own file.
    file: Option<PathBuf>,
    number: usize,
}

impl FromStr for MotionSource {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbered = text
            .rsplit_once(':')
            .filter(|(_, number)| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()));
        let (file, number) = numbered.unwrap_or((text, "0"));
        if file.is_empty() && numbered.is_none() {
            return Err("expected FILE, FILE:N or :N".to_owned());
        }
        Ok(Self {
            file: (!file.is_empty()).then(|| PathBuf::from(file)),
            number: number.parse().map_err(|error| format!("{number}: {error}"))?,
        })
    }
}

impl MotionSource {
    /// The motion of a number in a file, or in the model's own.
    pub(crate) fn new(file: Option<PathBuf>, number: usize) -> Self {
        Self { file, number }
    }

    /// For a line of text; `path` is the model's.
    pub(crate) fn short_name(&self, path: &Path) -> String {
        let file = self.file.as_deref().unwrap_or(path).file_name();
        let file = file.unwrap_or_default().to_string_lossy();
        format!("{file}:{}", self.number)
    }

    /// Whether both name the same motion, however the file's folder is written.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let whole = |file: &Option<PathBuf>| file.as_ref().map(|path| path.canonicalize().ok());
        self.number == other.number && whole(&self.file) == whole(&other.file)
    }

    /// The same with its file in a folder.
    pub(crate) fn below(self, folder: &Path) -> Self {
        Self {
            file: self.file.map(|file| folder.join(file)),
            ..self
        }
    }

    /// The file's name, and its motion of this kind and number; `model` was read from `path`.
    pub(crate) fn motion(
        &self,
        path: &Path,
        model: &File,
        kind: MotionKind,
    ) -> Result<(String, ninja::Motion)> {
        let (name, file) = self.read(path, model)?;
        let motion = numbered(&name, &file, kind, self.number)?;
        Ok((name, motion))
    }

    /// The file's name; `path` is the model's.
    fn name(&self, path: &Path) -> String {
        self.file.as_deref().unwrap_or(path).display().to_string()
    }

    /// The file's name and content.
    fn read(&self, path: &Path, model: &File) -> Result<(String, File)> {
        Ok(match &self.file {
            None => (path.display().to_string(), model.clone()),
            Some(file) => (file.display().to_string(), assets::read_model(file)?),
        })
    }
}

impl MotionOptions {
    /// From options as on the command line.
    pub(crate) fn parse(options: impl Iterator<Item = String>) -> Result<Self> {
        let options = ["motions".to_owned()].into_iter().chain(options);
        Ok(MotionCommand::try_parse_from(options)
            .context("options of motions")?
            .options)
    }

    /// The same options with another motion, or with none.
    pub(crate) fn with_motion(&self, motion: Option<MotionSource>) -> Self {
        Self {
            motion,
            ..self.clone()
        }
    }

    /// The same options without motions and shapes.
    pub(crate) fn without_motions(&self) -> Self {
        Self {
            motion: None,
            link: None,
            shape: None,
            ..self.clone()
        }
    }

    /// Whether any motion is named.
    pub(crate) fn moves(&self) -> bool {
        self.motion.is_some() || self.link.is_some() || self.shape.is_some()
    }

    /// How motions are played.
    pub(crate) fn rules(&self, play: &PlayOptions) -> Result<MotionRules> {
        Ok(MotionRules {
            mode: play.mode(),
            last_key: match self.last_key {
                Last::Original => LastKey::Original,
                Last::Hold => LastKey::Hold,
                Last::Wrap => LastKey::Wrap,
            },
            spline_angles: play.settings()?.spline_angles,
        })
    }

    /// The second motion of a kind, and its share.
    pub(crate) fn linked(
        &self,
        path: &Path,
        file: &File,
        kind: MotionKind,
    ) -> Result<Option<(ninja::Motion, f32)>> {
        let link = self.link.as_ref().map(|source| source.motion(path, file, kind));
        Ok(link.transpose()?.map(|(_, motion)| (motion, self.share)))
    }

    /// Reads what the options name; `model` was read from `path`.
    pub(crate) fn load(&self, path: &Path, model: &File, play: &PlayOptions) -> Result<Motions> {
        let motion = self
            .motion
            .as_ref()
            .map(|source| source.read(path, model))
            .transpose()?;
        let shape = self
            .shape
            .as_ref()
            .map(|source| source.read(path, model))
            .transpose()?;
        let name = |source: Option<&MotionSource>| source.map_or(String::new(), |source| source.name(path));
        let names = [&self.motion, &self.link, &self.shape].map(|source| name(source.as_ref()));
        let others = [motion.as_ref().map(|(_, file)| file), Some(model)];
        let motion = self.motion.as_ref().zip(motion.as_ref());
        // A file with shape motions alone moves the vertices only.
        let shapes_alone = motion.filter(|(_, (_, file))| holds_shape_motions_alone(file));
        Ok(Motions {
            motion: motion
                .filter(|_| shapes_alone.is_none())
                .map(|(source, (name, file))| numbered(name, file, MotionKind::Model, source.number))
                .transpose()?,
            link: self.linked(path, model, MotionKind::Model)?,
            shape: match (&self.shape, &shape, shapes_alone) {
                (Some(source), Some((name, file)), None) => Some(shapes(name, file, others, source.number)?),
                (given, list, Some((source, (name, file)))) => {
                    let lists = [list.as_ref().map(|(_, file)| file), Some(model)];
                    let number = given.as_ref().map_or(0, |given| given.number).max(source.number);
                    Some(shapes(name, file, lists, number)?)
                }
                _ => None,
            },
            rules: self.rules(play)?,
            names,
        })
    }
}

/// Whether a file has shape motions (CPSM) and no motion of nodes (NMDM).
fn holds_shape_motions_alone(file: &File) -> bool {
    let has_shapes = |chunk: &Chunk| matches!(chunk, Chunk::ShapeMotion(_));
    file.chunks.iter().any(has_shapes) && !file.motions().any(|motion| motion.kind == MotionKind::Model)
}

/// How motions are played.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MotionRules {
    /// What follows a motion's last frame.
    pub(crate) mode: PlayMode,
    /// What follows a table's last key.
    pub(crate) last_key: LastKey,
    /// Angles of motions that are splines.
    pub(crate) spline_angles: SplineAngles,
}

/// The motion of a number among those of its kind.
fn numbered(name: &str, file: &File, kind: MotionKind, number: usize) -> Result<ninja::Motion> {
    let motions = || file.motions().filter(|motion| motion.kind == kind);
    let motion = motions().nth(number).cloned();
    motion.with_context(|| {
        let (count, id) = (motions().count(), kind.chunk_id());
        match count {
            0 => format!("{name}: found no motion of kind {id}, expected one"),
            _ => format!(
                "{name}: found {}, expected number {number} of those",
                plural(count, &format!("{id} motion"))
            ),
        }
    })
}

/// The shape list of a file, or else of the others, and a shape motion likewise.
fn shapes(
    name: &str,
    file: &File,
    others: [Option<&File>; 2],
    number: usize,
) -> Result<(CShapeList, CShapeMotion)> {
    let files = || std::iter::once(file).chain(others.into_iter().flatten());
    let list = files()
        .flat_map(|file| &file.chunks)
        .find_map(|chunk| match chunk {
            Chunk::ShapeList(list) => Some(list.clone()),
            _ => None,
        });
    let Some(list) = list else {
        bail!("{name}: no shape list (NJSL), nor in the other files; name one by --shape");
    };
    let motions = |file: &File| -> Vec<CShapeMotion> {
        let motions = file.chunks.iter().filter_map(|chunk| match chunk {
            Chunk::ShapeMotion(motion) => Some(motion.clone()),
            _ => None,
        });
        motions.collect()
    };
    let motions = files()
        .map(motions)
        .find(|motions| !motions.is_empty())
        .unwrap_or_default();
    let motion = motions.get(number).cloned();
    let motion = motion.with_context(|| {
        let count = motions.len();
        format!(
            "{name}: shape motion {number}, but there are {count} (CPSM) in it, the motion's or the \
             model's file"
        )
    })?;
    Ok((list, motion))
}

/// What plays on a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Motions {
    pub(crate) motion: Option<ninja::Motion>,
    /// The second motion and its share.
    pub(crate) link: Option<(ninja::Motion, f32)>,
    pub(crate) shape: Option<(CShapeList, CShapeMotion)>,
    pub(crate) rules: MotionRules,
    /// The files of the three.
    pub(crate) names: [String; 3],
}

impl Motions {
    /// Sets each motion on the first object that it fits.
    pub(crate) fn set(&self, objects: &mut [Object]) -> Result<()> {
        let fits_not = |name: &str, what: &str| format!("{name}: the {what} does not fit the model");
        let [motion_name, link_name, shape_name] = &self.names;
        for object in objects.iter_mut() {
            object.playback.mode = self.rules.mode;
        }
        if let Some(motion) = &self.motion {
            let (i, bound) = first_fit(objects, |object| Motion::bind(object.tree(), motion))
                .with_context(|| fits_not(motion_name, "motion"))?;
            objects[i].motion = Some(self.played(bound));
        }
        if let Some((motion, share)) = &self.link {
            let (i, bound) = first_fit(objects, |object| Motion::bind(object.tree(), motion))
                .with_context(|| fits_not(link_name, "linked motion"))?;
            objects[i].link = Some(Link {
                motion: self.played(bound),
                share: *share,
                ahead: 0.0,
            });
        }
        if let Some((list, motion)) = &self.shape {
            let (i, bound) = first_fit(objects, |object| ShapeMotion::bind(object.tree(), list, motion))
                .with_context(|| fits_not(shape_name, "shape motion"))?;
            objects[i].shape = Some(bound.with_last_key(self.rules.last_key));
        }
        Ok(())
    }

    fn played(&self, motion: Motion) -> Motion {
        let motion = motion.with_last_key(self.rules.last_key);
        motion.with_spline_angles(self.rules.spline_angles)
    }

    /// What is unusual about the motions of `objects`.
    pub(crate) fn warnings(&self, objects: &[Object]) -> Vec<String> {
        let mut warnings = Vec::new();
        for object in objects {
            let motion = object.motion.iter().flat_map(Motion::warnings);
            warnings.extend(motion.map(|warning| self.named(0, &warning.to_string())));
            let link = object.link.iter().flat_map(|link| link.motion.warnings());
            warnings.extend(link.map(|warning| self.named(1, &format!("the linked motion: {warning}"))));
            let linked = object.link.as_ref().map(|link| &link.motion);
            let splines = object.motion.iter().chain(linked).find_map(Motion::spline_angles);
            warnings.extend(splines.map(spline_note));
            let shape = object.shape.iter().flat_map(ShapeMotion::warnings);
            warnings.extend(shape.map(|warning| self.named(2, &warning.to_string())));
        }
        warnings
    }

    /// A warning behind the name of the file that it is about.
    fn named(&self, source: usize, warning: &str) -> String {
        match &self.names[source] {
            name if name.is_empty() => warning.to_owned(),
            name => format!("{name}: {warning}"),
        }
    }
}

/// What is done with the angles of a motion that asks for splines.
pub(crate) fn spline_note(rule: SplineAngles) -> String {
    let (name, other) = match rule {
        SplineAngles::Spline => ("spline: they follow the spline", "linear"),
        SplineAngles::Linear => ("linear: they go straight from key to key", "spline"),
    };
    format!(
        "a spline motion moves angles; play setting spline-angles={name} (--play spline-angles={other} \
         otherwise)"
    )
}

/// The first success, or the first error.
fn first_fit<T, E>(objects: &[Object], bind: impl Fn(&Object) -> Result<T, E>) -> Result<(usize, T)>
where
    E: std::error::Error + Send + Sync + 'static,
{
    let mut first = None;
    for (i, object) in objects.iter().enumerate() {
        match bind(object) {
            Ok(bound) => return Ok((i, bound)),
            Err(error) => first = first.or(Some(error)),
        }
    }
    Err(first.map_or_else(|| anyhow!("the file holds no model"), anyhow::Error::new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_a_file_and_a_number() {
        let source = |file: Option<&str>, number| {
            Ok(MotionSource {
                file: file.map(PathBuf::from),
                number,
            })
        };
        assert_eq!("walk.njm".parse(), source(Some("walk.njm"), 0));
        assert_eq!("walk.njm:12".parse(), source(Some("walk.njm"), 12));
        assert_eq!(":3".parse(), source(None, 3));
        assert_eq!("C:\\walk.njm".parse(), source(Some("C:\\walk.njm"), 0));
        assert!("".parse::<MotionSource>().is_err());
        assert!("a:99999999999999999999".parse::<MotionSource>().is_err());
    }
}
