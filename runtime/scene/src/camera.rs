//! An orbit camera and what it sees.

use crate::matrix::{self, Axis};
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
}

impl Camera {
    /// From world to view space.
    ///
    /// # Errors
    /// See [`KernelError`].
    pub fn view(&self, kernels: &mut dyn Kernels) -> Result<Matrix, KernelError> {
        let view = matrix::translate(kernels, &IDENTITY, [0.0, 0.0, -self.distance])?;
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
        Self {
            words: [scale, -scale, width / 2.0, height / 2.0],
            near,
            size: [width, height],
        }
    }
}
