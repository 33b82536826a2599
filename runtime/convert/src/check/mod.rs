//! Compares the written files with the source: positions of all drawn vertices, at rest and at the frames of
//! motions.

mod evaluator;
mod plain;
mod volumes;

use serde::Serialize;

use crate::convert::{Conversion, Drawn, MotionFile, Positions};
use crate::error::Error;
use crate::math::{angle, length, normalized, sub};
use crate::report::Report;
use crate::source::{Frame, Scene};
pub use evaluator::{Evaluator, Held, Wanted, Written};
pub use plain::Plain;
pub use volumes::VolumeCheck;

/// Result of comparing the written files with the source.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Checked {
    /// Largest differences at rest.
    pub rest: Deviation,
    /// Largest differences by motion, over the compared frames.
    pub motions: Vec<(String, Deviation)>,
    /// Number of compared positions.
    pub compared: usize,
    /// Comparison of the volume chunks.
    pub volumes: VolumeCheck,
}

/// The largest differences to the source.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Deviation {
    /// Distance between the two positions of a vertex, in units of the model.
    pub position: f64,
    /// This distance as a share of the model's size.
    pub relative: f64,
    /// Node that draws this vertex.
    pub node: String,
    /// Number of this vertex in the source mesh.
    pub vertex: u32,
    /// Largest angle between normals at rest, in degrees; 0 without normals.
    pub normal: f64,
    /// Frame of the largest distance.
    pub frame: u32,
}

/// Maximum number of compared frames per motion, spread over its length; the last frame can add one more.
const MOST_FRAMES: usize = 200;

/// Returns the number of frames that a check of a conversion evaluates, including the rest pose.
pub fn checked_frames(report: &Report) -> u64 {
    let of = |frames: u32| frames_of(frames as usize).count() as u64;
    let motions = report.motions.iter().map(|motion| of(motion.frames));
    1 + motions.sum::<u64>()
}

/// Returns the frames of a motion to compare.
fn frames_of(length: usize) -> impl Iterator<Item = usize> {
    let step = length.div_ceil(MOST_FRAMES).max(1);
    let last = length.saturating_sub(1);
    (0..length).filter(move |frame| frame % step == 0 || *frame == last)
}

/// Reads the written bytes back, plays them on `evaluator`, and compares.
pub(crate) fn check(
    scene: &Scene,
    conversion: &Conversion,
    drawn: &[Drawn],
    evaluator: &mut dyn Evaluator,
) -> Result<Checked, Error> {
    if conversion.model.chunks.is_empty() {
        // A conversion with only cameras and lights has no vertex to compare.
        return Ok(Checked::default());
    }
    let bytes = Bytes::of(conversion)?;
    let mut comparison = Comparison {
        drawn,
        wanted: wanted(drawn),
        size: conversion.report.size.max(f64::MIN_POSITIVE),
        evaluator,
        compared: 0,
    };
    let rest = comparison.rest(scene, bytes.files(None)?)?;
    let volumes = volumes::check(drawn, comparison.evaluator);
    let mut motions = Vec::new();
    for motion in &conversion.motions {
        let deviation = comparison.motion(scene, motion, bytes.files(Some(motion))?)?;
        motions.push((motion.name.clone(), deviation));
    }
    Ok(Checked {
        rest,
        motions,
        compared: comparison.compared,
        volumes,
    })
}

/// Returns the vertex positions in the written files.
pub(crate) fn positions(
    conversion: &Conversion,
    drawn: &[Drawn],
    motion: Option<(usize, u32)>,
) -> Result<Vec<Positions>, Error> {
    let bytes = Bytes::of(conversion)?;
    let number = |number: usize| {
        let below = || format!("a number below {}", conversion.motions.len());
        let motion = conversion.motions.get(number);
        motion.ok_or_else(|| Error::scene("motion", number, below()))
    };
    let file = motion.map(|(n, _)| number(n)).transpose()?;
    let mut plain = Plain::default();
    plain.open(bytes.files(file)?).map_err(Error::Play)?;
    let frame = motion.map_or(0, |(_, frame)| frame);
    let made = plain.evaluate(frame, &wanted(drawn)).map_err(Error::Play)?;
    Ok(drawn.iter().zip(made).map(by_vertex).collect())
}

fn by_vertex((drawn, made): (&Drawn, Vec<Option<Held>>)) -> Positions {
    let last = drawn.slots.iter().map(|(_, vertex)| *vertex as usize).max();
    let mut vertices = vec![None; last.map_or(0, |last| last + 1)];
    for ((_, vertex), made) in drawn.slots.iter().zip(made) {
        vertices[*vertex as usize] = made.map(|held| held.position);
    }
    Positions {
        node: drawn.name.clone(),
        vertices,
    }
}

fn wanted(drawn: &[Drawn]) -> Vec<Wanted> {
    let of = |drawn: &Drawn| Wanted {
        node: drawn.node,
        slots: drawn.slots.iter().map(|(slot, _)| *slot).collect(),
    };
    drawn.iter().map(of).collect()
}

/// Bytes of the files that all motions share.
struct Bytes {
    model: Vec<u8>,
    shapes: Option<Vec<u8>>,
}

impl Bytes {
    fn of(conversion: &Conversion) -> Result<Self, Error> {
        Ok(Bytes {
            model: conversion.model.write()?,
            shapes: conversion.shapes.as_ref().map(|f| f.write()).transpose()?,
        })
    }

    fn files(&self, motion: Option<&MotionFile>) -> Result<Written, Error> {
        let motion = motion.map(|m| m.file.write()).transpose()?;
        Written::read(&self.model, motion.as_deref(), self.shapes.as_deref())
    }
}

/// A comparison in progress.
struct Comparison<'a> {
    drawn: &'a [Drawn],
    wanted: Vec<Wanted>,
    size: f64,
    evaluator: &'a mut dyn Evaluator,
    compared: usize,
}

impl Comparison<'_> {
    fn rest(&mut self, scene: &Scene, files: Written) -> Result<Deviation, Error> {
        self.evaluator.open(files).map_err(Error::Play)?;
        let mut worst = Deviation::default();
        let made = self.compare(&scene.frame(None, 0.0)?, 0, &mut worst)?;
        worst.normal = normals(self.drawn, &made);
        Ok(self.relative(worst))
    }

    fn motion(&mut self, scene: &Scene, motion: &MotionFile, files: Written) -> Result<Deviation, Error> {
        self.evaluator.open(files).map_err(Error::Play)?;
        let mut worst = Deviation::default();
        for frame in frames_of(motion.times.len()) {
            let source = scene.frame(Some(motion.stack), motion.times[frame])?;
            self.compare(&source, frame as u32, &mut worst)?;
        }
        Ok(self.relative(worst))
    }

    fn relative(&self, worst: Deviation) -> Deviation {
        Deviation {
            relative: worst.position / self.size,
            ..worst
        }
    }

    /// Compares one frame and returns the positions in the written files.
    fn compare(
        &mut self,
        source: &Frame,
        frame: u32,
        worst: &mut Deviation,
    ) -> Result<Vec<Vec<Option<Held>>>, Error> {
        let made = self
            .evaluator
            .evaluate(frame, &self.wanted)
            .map_err(Error::Play)?;
        // Parts of a split mesh follow each other, so this keeps the vertices of the last mesh.
        let mut known = None;
        for (drawn, made) in self.drawn.iter().zip(&made) {
            let of = (drawn.source_node, drawn.source_mesh);
            let (_, source) = match known.take() {
                Some((mesh, vertices)) if mesh == of => known.insert((mesh, vertices)),
                _ => known.insert((of, source.vertices(of.0, of.1))),
            };
            let pairs = drawn.slots.iter().zip(made);
            let known = pairs.filter_map(|((_, v), made)| Some((*v, made, source.get(*v as usize)?)));
            for (vertex, made, source) in known {
                self.compared += 1;
                let far = made.map_or(f64::INFINITY, |held| length(sub(held.position, *source)));
                // A position that is not a number counts as infinitely far.
                let far = if far.is_nan() { f64::INFINITY } else { far };
                if far > worst.position {
                    worst.position = far;
                    worst.vertex = vertex;
                    worst.node.clone_from(&drawn.name);
                    worst.frame = frame;
                }
            }
        }
        Ok(made)
    }
}

/// Returns the largest angle between the drawn normals and the normals of the source.
fn normals(drawn: &[Drawn], made: &[Vec<Option<Held>>]) -> f64 {
    let pairs = drawn.iter().zip(made).flat_map(|(d, m)| d.normals.iter().zip(m));
    let angles = pairs
        .filter_map(|(wanted, made)| Some(angle(normalized(*wanted)?, normalized(made.as_ref()?.normal)?)));
    angles.fold(0.0, f64::max)
}
