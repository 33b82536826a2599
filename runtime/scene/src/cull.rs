//! Visibility decisions.
//!
//! The arithmetic of this file only decides what to draw. It does not affect numbers in the image.

use crate::Viewport;
use ninja::Model;
use sh4_kernels::bounding_sphere::bounding_sphere;
use sh4_kernels::{KernelError, Kernels, Matrix};

/// A plane through or in front of the eye: points with negative `normal . point + distance` are hidden.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plane {
    normal: [f32; 3],
    distance: f32,
}

/// Five planes that bound the visible space; there is no far plane.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Frustum {
    planes: Vec<Plane>,
}

impl Plane {
    fn height(&self, [x, y, z]: [f32; 3]) -> f32 {
        self.normal[0] * x + self.normal[1] * y + self.normal[2] * z + self.distance
    }

    /// True if a point is hidden, by more than the rounding error of its projection.
    pub(crate) fn hides(&self, [x, y, z, _]: [f32; 4]) -> bool {
        let size = x.abs().max(y.abs()).max(z.abs());
        self.height([x, y, z]) < -1.0e-3 * size
    }
}

impl Frustum {
    /// Creates the frustum. If the viewport has no near plane, the frustum has no planes and hides no model:
    /// such viewports serve to measure complete models.
    pub(crate) fn new(viewport: &Viewport) -> Self {
        if !viewport.near.is_finite() {
            return Self { planes: Vec::new() };
        }
        let [scale_x, scale_y, centre_x, centre_y] = viewport.words;
        let [width, height] = viewport.size;
        // A pixel is centre + scale * x / w with w = -z: it is >= 0 where scale * x - centre * z >= 0.
        let sides = [
            [scale_x, 0.0, -centre_x],
            [-scale_x, 0.0, centre_x - width],
            [0.0, scale_y, -centre_y],
            [0.0, -scale_y, centre_y - height],
        ];
        let near = Plane {
            normal: [0.0, 0.0, -1.0],
            distance: -viewport.near,
        };
        let planes = sides.into_iter().map(|normal| Plane {
            normal: unit(normal),
            distance: 0.0,
        });
        Self {
            planes: planes.chain([near]).collect(),
        }
    }

    /// Returns a plane that hides the model's complete bounding sphere, if there is one.
    pub(crate) fn hiding(
        &self,
        kernels: &mut dyn Kernels,
        matrix: &Matrix,
        model: &Model,
    ) -> Result<Option<Plane>, KernelError> {
        let [x, y, z] = model.center;
        let [x, y, z, radius] = bounding_sphere(kernels, matrix, &[x, y, z, model.radius])?;
        Ok(self
            .planes
            .iter()
            .find(|plane| plane.height([x, y, z]) < -radius)
            .copied())
    }
}

fn unit(v: [f32; 3]) -> [f32; 3] {
    let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    v.map(|c| c / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_hide_spheres_outside_the_picture() {
        // 64 x 48 pixels, 32 pixels a unit at distance 1: at distance 10 x reaches to +-10, y to +-7.5.
        let mut viewport = Viewport::new(64, 48, 1.0, 0.5);
        viewport.words = [32.0, -32.0, 32.0, 24.0];
        let frustum = Frustum::new(&viewport);
        let hidden = |x: f32, y: f32, z: f32| frustum.planes.iter().any(|plane| plane.hides([x, y, z, 1.0]));
        for (x, y) in [(9.9, 0.0), (-9.9, 0.0), (0.0, 7.4), (0.0, -7.4)] {
            assert!(!hidden(x, y, -10.0), "{x} {y}");
        }
        for (x, y) in [(10.1, 0.0), (-10.1, 0.0), (0.0, 7.6), (0.0, -7.6)] {
            assert!(hidden(x, y, -10.0), "{x} {y}");
        }
        assert!(hidden(0.0, 0.0, -0.4) && !hidden(0.0, 0.0, -0.6));
    }
}
