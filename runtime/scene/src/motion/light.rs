//! Motions of lights.

use super::view::{Values, ViewMotion};
use super::{LastKey, MotionError, MotionWarning};
use crate::{Kernels, Light, Range, Source, SplineAngles};
use ninja::{Bams, Element, MotionKind};
use sh4_kernels::KernelError;

/// A light motion (NLIM). RGB_8 and INTENSITY_9 occur with VEC_0 (a distant light), with POS_0 and POINT_9 (a
/// point light), or with POS_0, VEC_3 and SPOT_10 (a spot light). Elements without keys keep the values of
/// the light to which the motion is bound, if that is of the same kind.
///
/// Vectors point in the direction in which the light shines. SPOT_10 has the full angles of its cones. No
/// source confirms these two rules; this library's converter follows them.
#[derive(Clone, Debug, PartialEq)]
pub struct LightMotion {
    motion: ViewMotion,
    rest: Light,
}

impl LightMotion {
    /// Reads the key tables; `rest` supplies the other values.
    ///
    /// # Errors
    /// See [`MotionError`].
    pub fn bind(rest: Light, source: &ninja::Motion) -> Result<Self, MotionError> {
        use Element::{Intensity, Point, Pos, Rgb, Spot, Vec0, Vec3};
        let moved = [Pos, Vec0, Vec3, Rgb, Intensity, Point, Spot];
        let motion = ViewMotion::bind(source, MotionKind::Light, &moved)?;
        Ok(Self { motion, rest })
    }

    /// Returns the motion with another rule for the time after the last key.
    #[must_use]
    pub fn with_last_key(self, last_key: LastKey) -> Self {
        Self {
            motion: self.motion.with_last_key(last_key),
            ..self
        }
    }

    /// Returns the motion with another rule for angles, if its method is a spline.
    #[must_use]
    pub fn with_spline_angles(self, spline_angles: SplineAngles) -> Self {
        Self {
            motion: self.motion.with_spline_angles(spline_angles),
            ..self
        }
    }

    /// Returns the rule for angles, if the motion's method is a spline and it has angles.
    pub fn spline_angles(&self) -> Option<SplineAngles> {
        self.motion.spline_angles()
    }

    /// Length in frames; the last frame is one less.
    pub fn length(&self) -> u32 {
        self.motion.length()
    }

    /// Warnings about the motion.
    pub fn warnings(&self) -> &[MotionWarning] {
        &self.motion.warnings
    }

    /// Returns the light at `frame`, with its intensity multiplied into its colours, and the motion's ambient
    /// light. `None` before the first frame and from `length` on.
    ///
    /// # Errors
    /// See [`KernelError`].
    pub fn light(
        &self,
        frame: f32,
        kernels: &mut dyn Kernels,
    ) -> Result<Option<(Light, [f32; 3])>, KernelError> {
        let Some(values) = self.motion.values(frame, kernels)? else {
            return Ok(None);
        };
        let keyed = values.vector(Element::Rgb);
        let [intensity, ambient, _] = values.vector(Element::Intensity).unwrap_or([1.0, 0.0, 0.0]);
        let colour = keyed.unwrap_or(self.rest.colour);
        let light = Light {
            source: source(self.rest.source, &values),
            colour: colour.map(|c| c * intensity),
            specular: keyed.unwrap_or(self.rest.specular).map(|c| c * intensity),
        };
        Ok(Some((light, colour.map(|c| c * ambient))))
    }
}

/// Returns the source. The keys determine its kind; without them it has the kind at rest.
fn source(rest: Source, values: &Values) -> Source {
    let place = values.vector(Element::Pos);
    let reach = |element| values.vector(element).map(|[near, far, _]| Range { near, far });
    let axis = values
        .vector(Element::Vec3)
        .or(values.vector(Element::Vec0))
        .map(unit);
    match (reach(Element::Spot), reach(Element::Point), rest) {
        (Some(range), _, _) => {
            let [inner, outer, _] = values.angles(Element::Spot).unwrap_or_default();
            Source::Spot {
                position: place.unwrap_or_else(|| position(rest)),
                beam: axis.unwrap_or_else(|| beam(rest)),
                range,
                inner: Bams(inner / 2),
                outer: Bams(outer / 2),
            }
        }
        (_, Some(range), _) => Source::Point {
            position: place.unwrap_or_else(|| position(rest)),
            range,
        },
        (_, _, Source::Directional { direction }) => Source::Directional {
            direction: axis.map_or(direction, |axis| axis.map(|c| -c)),
        },
        (_, _, Source::Point { position, range }) => Source::Point {
            position: place.unwrap_or(position),
            range,
        },
        (
            _,
            _,
            Source::Spot {
                position,
                beam,
                range,
                inner,
                outer,
            },
        ) => Source::Spot {
            position: place.unwrap_or(position),
            beam: axis.unwrap_or(beam),
            range,
            inner,
            outer,
        },
    }
}

fn position(source: Source) -> [f32; 3] {
    match source {
        Source::Directional { .. } => [0.0; 3],
        Source::Point { position, .. } | Source::Spot { position, .. } => position,
    }
}

/// Returns the direction in which the light shines; downwards for a point light.
fn beam(source: Source) -> [f32; 3] {
    match source {
        Source::Directional { direction } => direction.map(|c| -c),
        Source::Point { .. } => [0.0, -1.0, 0.0],
        Source::Spot { beam, .. } => beam,
    }
}

/// Normalises a vector, once per light. A vector of length 0 does not change; it gives no light.
fn unit(v: [f32; 3]) -> [f32; 3] {
    let length = v.iter().map(|c| c * c).sum::<f32>().sqrt();
    if length.is_normal() {
        v.map(|c| c / length)
    } else {
        [0.0; 3]
    }
}
