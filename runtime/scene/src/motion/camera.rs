//! Motions of cameras.

use super::view::ViewMotion;
use super::{LastKey, MotionError, MotionWarning};
use crate::{FreeCamera, Kernels, SplineAngles};
use ninja::{Bams, Element, MotionKind};
use sh4_kernels::KernelError;

/// A camera motion (NCAM): POS_0, TARGET_3 or VEC_3 (relative to the camera), ROLL_6, ANGLE_7. Elements
/// without keys keep the values of the camera to which the motion is bound.
#[derive(Clone, Debug, PartialEq)]
pub struct CameraMotion {
    motion: ViewMotion,
    rest: FreeCamera,
}

impl CameraMotion {
    /// Reads the key tables; `rest` supplies the other values.
    ///
    /// # Errors
    /// See [`MotionError`].
    pub fn bind(rest: FreeCamera, source: &ninja::Motion) -> Result<Self, MotionError> {
        use Element::{Angle, Pos, Roll, Target, Vec3};
        let motion = ViewMotion::bind(source, MotionKind::Camera, &[Pos, Target, Vec3, Roll, Angle])?;
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

    /// Returns the camera at `frame`; `None` before the first frame and from `length` on.
    ///
    /// # Errors
    /// See [`KernelError`].
    pub fn camera(&self, frame: f32, kernels: &mut dyn Kernels) -> Result<Option<FreeCamera>, KernelError> {
        let Some(values) = self.motion.values(frame, kernels)? else {
            return Ok(None);
        };
        let mut camera = self.rest;
        camera.position = values.vector(Element::Pos).unwrap_or(camera.position);
        if let Some(target) = values.vector(Element::Target) {
            camera.target = target;
        }
        if let Some(vector) = values.vector(Element::Vec3) {
            camera.target = [0, 1, 2].map(|k| camera.position[k] + vector[k]);
        }
        let angle = |element| values.angles(element).map(|[angle, ..]| Bams(angle));
        camera.roll = angle(Element::Roll).unwrap_or(camera.roll);
        camera.angle = angle(Element::Angle).unwrap_or(camera.angle);
        Ok(Some(camera))
    }
}
