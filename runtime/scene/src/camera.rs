//! Cameras and projections.

use crate::matrix::{self, Axis};
use crate::turn;
use ninja::Bams;
use sh4_kernels::{IDENTITY, KernelError, Kernels, Matrix};

/// A camera on a sphere around a target. World and view are right-handed with y up; the camera looks along
/// -z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Point in the middle of the image.
    pub target: [f32; 3],
    /// Rotation about the vertical axis: 0 looks from +z, a quarter turn from +x.
    pub yaw: Bams,
    /// Elevation above the horizon: a positive angle looks down.
    pub pitch: Bams,
    /// Distance from the target, in units of the model.
    pub distance: f32,
    /// Rotation about the line of sight. A positive angle tilts the camera to its left, and the image to the
    /// right.
    pub roll: Bams,
}

/// A camera given by position and target, as in camera motions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FreeCamera {
    /// Position of the camera.
    pub position: [f32; 3],
    /// Point in the middle of the image.
    pub target: [f32; 3],
    /// Rotation about the line of sight, like [`Camera::roll`]. No source gives the direction of ROLL_6:
    /// confidence low.
    pub roll: Bams,
    /// Angle of view across the width of the image. No source says whether ANGLE_7 applies to the width:
    /// confidence low.
    pub angle: Bams,
}

impl FreeCamera {
    /// Converts to a camera on a sphere around its target; yaw and pitch are rounded to BAMS units. Straight
    /// above or below the target yaw is undefined, and 0 is used. At the target there is no direction, and -z
    /// is used.
    pub fn camera(&self) -> Camera {
        let from = [0, 1, 2].map(|k| self.position[k] - self.target[k]);
        // Scales x and z without y: almost straight above the target, yaw needs all bits of x and z.
        let [x, _, z] = turn::fixed([from[0], 0.0, from[2]]);
        let (yaw, _) = turn::angle([z, x]);
        let [x, y, z] = turn::fixed(from);
        let (_, level) = turn::angle([z, x]);
        let (pitch, _) = turn::angle([level, y]);
        Camera {
            target: self.target,
            yaw,
            pitch,
            distance: from.iter().map(|c| c * c).sum::<f32>().sqrt(),
            roll: self.roll,
        }
    }
}

impl Camera {
    /// Returns the matrix from world to view space.
    ///
    /// # Errors
    /// See [`KernelError`].
    pub fn view(&self, kernels: &mut dyn Kernels) -> Result<Matrix, KernelError> {
        let view = matrix::rotate(kernels, &IDENTITY, Axis::Z, Bams(self.roll.0.wrapping_neg()))?;
        let view = matrix::translate(kernels, &view, [0.0, 0.0, -self.distance])?;
        let view = matrix::rotate(kernels, &view, Axis::X, self.pitch)?;
        let view = matrix::rotate(kernels, &view, Axis::Y, Bams(self.yaw.0.wrapping_neg()))?;
        matrix::translate(kernels, &view, self.target.map(|c| -c))
    }
}

/// Projection to pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    /// Scale of x, scale of y (negative because rows count downwards), centre x, centre y; in pixels.
    pub words: [f32; 4],
    /// Distance of the near plane, at which triangles are cut.
    pub near: f32,
    /// Width and height of the image in pixels; geometry completely outside may be omitted.
    pub size: [f32; 2],
}

impl Viewport {
    /// Creates a viewport of `width` by `height` square pixels. Its smaller side spans `field_of_view`
    /// radians.
    pub fn new(width: u32, height: u32, field_of_view: f32, near: f32) -> Self {
        let (width, height) = (width as f32, height as f32);
        let scale = width.min(height) / 2.0 / (field_of_view / 2.0).tan();
        Self::scaled(scale, [width, height], near)
    }

    /// Creates a viewport of `width` by `height` square pixels. Its width spans `angle`, as for cameras in
    /// files. For angles of 0, or of half a turn and more, the nearest valid angle is used.
    pub fn across(width: u32, height: u32, angle: Bams, near: f32) -> Self {
        let units = (angle.0 & 0xFFFF).clamp(1, 0x7FFF) as u32;
        let scale = width as f32 / 2.0 * turn::cotangent(units);
        Self::scaled(scale, [width as f32, height as f32], near)
    }

    fn scaled(scale: f32, [width, height]: [f32; 2], near: f32) -> Self {
        Self {
            words: [scale, -scale, width / 2.0, height / 2.0],
            near,
            size: [width, height],
        }
    }
}
