//! One directional light and ambient light.

use sh4_kernels::transform_points::transform_points;
use sh4_kernels::{KernelError, Kernels, Matrix};

/// The lights of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lights {
    /// Unit vector from the scene to the light, in world space.
    pub direction: [f32; 3],
    /// Colour of the directional light; 1.0 is full.
    pub colour: [f32; 3],
    /// Colour of the ambient light; 1.0 is full.
    pub ambient: [f32; 3],
}

impl Default for Lights {
    /// White, from the upper left in front, with half as much ambient.
    fn default() -> Self {
        // (-1, 2, 2) / 3
        let third = 1.0 / 3.0;
        Self {
            direction: [-third, 2.0 * third, 2.0 * third],
            colour: [0.75; 3],
            ambient: [0.5; 3],
        }
    }
}

/// Red, green and blue of a packed colour as floats of 0 to 255.
pub(crate) fn channels(argb: u32) -> [f32; 3] {
    [16, 8, 0].map(|shift| f32::from((argb >> shift) as u8))
}

/// `light * material`, channel by channel.
pub(crate) fn scaled(
    kernels: &mut dyn Kernels,
    light: [f32; 3],
    material: u32,
) -> Result<[f32; 3], KernelError> {
    let mut matrix = Matrix::default();
    for (i, channel) in light.into_iter().enumerate() {
        matrix[i][i] = channel;
    }
    let mut out = [[0.0; 4]];
    transform_points(
        kernels,
        &matrix,
        &channels(material).map(f32::to_bits),
        3,
        0.0,
        &mut out,
    )?;
    let [[red, green, blue, _]] = out;
    Ok([red, green, blue])
}
