//! The camera that has a whole box in the picture.

use super::options::RenderOptions;
use super::values::Size;

/// Vertical angle of view, radians: 45 degrees.
pub(crate) const FIELD_OF_VIEW: f32 = std::f32::consts::FRAC_PI_4;

/// From where a box is seen whole.
pub(crate) struct Fit {
    /// Half the box's diagonal.
    pub(super) radius: f32,
    /// From its middle to the camera.
    pub(crate) distance: f32,
}

impl Fit {
    /// Room that is left around the model, as a share of it.
    const MARGIN: f32 = 1.06;

    pub(crate) fn new([low, high]: [[f32; 3]; 2], size: Size, render: &RenderOptions) -> Self {
        let half = [0, 1, 2].map(|k| ((high[k] - low[k]) / 2.0).max(f32::MIN_POSITIVE));
        let (sin_yaw, cos_yaw) = render.yaw.to_radians().sin_cos();
        let (sin_pitch, cos_pitch) = render.pitch.to_radians().sin_cos();
        let tangent = (FIELD_OF_VIEW / 2.0).tan();
        let smaller = size.width.min(size.height) as f32;
        let [wide, high] = [size.width, size.height].map(|side| tangent * side as f32 / smaller);
        let mut distance = 0.0_f32;
        for corner in 0..8 {
            let [x, y, z] = [0, 1, 2].map(|k| if corner >> k & 1 == 0 { -half[k] } else { half[k] });
            let (x, z) = (x * cos_yaw - z * sin_yaw, x * sin_yaw + z * cos_yaw);
            let (y, z) = (y * cos_pitch - z * sin_pitch, y * sin_pitch + z * cos_pitch);
            distance = distance.max(z + Self::MARGIN * (x.abs() / wide).max(y.abs() / high));
        }
        let radius = half.iter().map(|c| c * c).sum::<f32>().sqrt();
        Self { radius, distance }
    }
}
