//! Cameras and what they see.

use crate::matrix::{self, Axis};
use crate::turn;
use ninja::Bams;
use sh4_kernels::{IDENTITY, KernelError, Kernels, Matrix};

/// A camera on a sphere around a point. World and view are right-handed with y up; the camera looks along -z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The point in the middle of the picture.
    pub target: [f32; 3],
    /// Turn about the vertical axis: 0 looks from +z, a quarter turn from +x.
    pub yaw: Bams,
    /// Height over the horizon: a positive angle looks down.
    pub pitch: Bams,
    /// From the target, in units of the model.
    pub distance: f32,
    /// Turn about the line of sight: a positive angle tilts the camera to its left, and the picture to the
    /// right.
    pub roll: Bams,
}

/// A camera by where it is and what it looks at, as camera motions have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FreeCamera {
    /// Where it is.
    pub position: [f32; 3],
    /// The point in the middle of the picture.
    pub target: [f32; 3],
    /// Turn about the line of sight, as [`Camera::roll`]. No source tells which way ROLL_6 turns: confidence
    /// low.
    pub roll: Bams,
    /// Angle of view across the width of the picture. No source tells across what ANGLE_7 is: confidence low.
    pub angle: Bams,
}

impl FreeCamera {
    /// The same on a sphere around its target; its place is rounded to a BAMS unit of yaw and pitch. Straight
    /// above or below the target there is no yaw, and it is 0; at the target there is no direction, and it
    /// looks along -z.
    pub fn camera(&self) -> Camera {
        let from = [0, 1, 2].map(|k| self.position[k] - self.target[k]);
        // Almost straight above the target, yaw needs all bits of the level part.
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
    /// From world to view space.
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

/// The projection to pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    /// Scale of x, scale of y (negative: rows go down), centre x, centre y; in pixels.
    pub words: [f32; 4],
    /// Triangles are cut where they come nearer than this.
    pub near: f32,
    /// Width and height of the picture in pixels: what lies wholly outside may be left out.
    pub size: [f32; 2],
}

impl Viewport {
    /// A picture of `width` by `height` square pixels whose smaller side spans `field_of_view` radians.
    pub fn new(width: u32, height: u32, field_of_view: f32, near: f32) -> Self {
        let (width, height) = (width as f32, height as f32);
        let scale = width.min(height) / 2.0 / (field_of_view / 2.0).tan();
        Self::scaled(scale, [width, height], near)
    }

    /// A picture of `width` by `height` square pixels whose width spans `angle`, as cameras of files have it.
    /// Angles of nothing or half a turn and more have no picture; the nearest that has is taken.
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
