//! Holds what was written against the source: positions of all drawn vertices, at rest and at every frame.

mod evaluate;

use serde::Serialize;

use crate::convert::{Conversion, Drawn, Positions};
use crate::error::Error;
use crate::math::{Vec3, angle, length, normalized, sub};
use crate::source::{Frame, Scene};
use evaluate::Files;

/// How far the written files are from the source.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Checked {
    /// At rest.
    pub rest: Deviation,
    /// By motion, over the frames that were compared.
    pub motions: Vec<(String, Deviation)>,
    /// Positions compared.
    pub compared: usize,
}

/// The largest differences to the source.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Deviation {
    /// Distance of a vertex, in units of the model.
    pub position: f64,
    /// The same as a share of the model's size.
    pub relative: f64,
    /// The node that draws that vertex.
    pub node: String,
    /// Angle between normals in degrees, at rest; 0 without normals.
    pub normal: f64,
    /// The frame of the largest distance.
    pub frame: u32,
}

/// Frames compared of one motion at most, spread over its length.
const MOST_FRAMES: usize = 200;

/// Re-reads the written bytes, evaluates them plainly in `f64` and compares.
pub(crate) fn check(scene: &Scene, conversion: &Conversion, drawn: &[Drawn]) -> Result<Checked, Error> {
    let mut checked = Checked::default();
    let size = conversion.report.size.max(f64::MIN_POSITIVE);
    let model = conversion.model.write()?;
    let shapes = conversion.shapes.as_ref().map(|f| f.write()).transpose()?;
    let files = Files::read(&model, None, shapes.as_deref())?;
    let rest = scene.frame(None, 0.0, true)?;
    compare(
        &rest,
        &files,
        None,
        drawn,
        &mut checked.rest,
        &mut checked.compared,
    );
    normals(&files, drawn, &mut checked.rest);
    checked.rest.relative = checked.rest.position / size;
    for motion in &conversion.motions {
        let bytes = motion.file.write()?;
        let files = Files::read(&model, Some(&bytes), shapes.as_deref())?;
        let mut worst = Deviation::default();
        let step = motion.times.len().div_ceil(MOST_FRAMES).max(1);
        let last = motion.times.len().saturating_sub(1);
        let frames = (0..motion.times.len()).filter(|k| k % step == 0 || *k == last);
        for frame in frames {
            let source = scene.frame(Some(motion.stack), motion.times[frame], true)?;
            compare(
                &source,
                &files,
                Some(frame as u32),
                drawn,
                &mut worst,
                &mut checked.compared,
            );
        }
        worst.relative = worst.position / size;
        checked.motions.push((motion.name.clone(), worst));
    }
    Ok(checked)
}

/// Where the written files have the vertices.
pub(crate) fn positions(
    conversion: &Conversion,
    drawn: &[Drawn],
    motion: Option<(usize, u32)>,
) -> Result<Vec<Positions>, Error> {
    let model = conversion.model.write()?;
    let shapes = conversion.shapes.as_ref().map(|f| f.write()).transpose()?;
    let file = match motion {
        Some((number, _)) => Some(conversion.motions.get(number).ok_or_else(|| {
            Error::scene(
                "motion",
                number,
                format!("a number below {}", conversion.motions.len()),
            )
        })?),
        None => None,
    };
    let motion_bytes = file.map(|f| f.file.write()).transpose()?;
    let files = Files::read(&model, motion_bytes.as_deref(), shapes.as_deref())?;
    let made = files.evaluate(motion.map(|(_, frame)| frame), drawn);
    let by_vertex = |(drawn, made): (&Drawn, Vec<Option<(Vec3, Vec3)>>)| {
        let count = drawn
            .slots
            .iter()
            .map(|(_, v)| *v as usize + 1)
            .max()
            .unwrap_or(0);
        let mut vertices = vec![None; count];
        for ((_, vertex), made) in drawn.slots.iter().zip(made) {
            vertices[*vertex as usize] = made.map(|(position, _)| position);
        }
        Positions {
            node: drawn.name.clone(),
            vertices,
        }
    };
    Ok(drawn.iter().zip(made).map(by_vertex).collect())
}

fn compare(
    source: &Frame,
    files: &Files,
    frame: Option<u32>,
    drawn: &[Drawn],
    worst: &mut Deviation,
    compared: &mut usize,
) {
    let made = files.evaluate(frame, drawn);
    for (drawn, made) in drawn.iter().zip(made) {
        let wanted = source.vertices(drawn.source_node, drawn.source_mesh);
        for ((_, vertex), made) in drawn.slots.iter().zip(made) {
            let Some(wanted) = wanted.get(*vertex as usize) else {
                continue;
            };
            *compared += 1;
            let far = made.map_or(f64::INFINITY, |(position, _)| length(sub(position, *wanted)));
            if far > worst.position {
                worst.position = far;
                worst.node.clone_from(&drawn.name);
                worst.frame = frame.unwrap_or(0);
            }
        }
    }
}

/// Normals at rest, against those that the vertices were made with.
fn normals(files: &Files, drawn: &[Drawn], worst: &mut Deviation) {
    for (drawn, made) in drawn.iter().zip(files.evaluate(None, drawn)) {
        for (wanted, made) in drawn.normals.iter().zip(made) {
            if let (Some(wanted), Some(made)) = (normalized(*wanted), made.and_then(|(_, n)| normalized(n))) {
                worst.normal = worst.normal.max(angle(wanted, made));
            }
        }
    }
}
