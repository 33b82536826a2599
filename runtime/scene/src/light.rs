//! Lights, and their conversion to view space.

use crate::settings::Highlight;
use ninja::Bams;
use sh4_kernels::light_vertices::{CONE, HIGHLIGHT, LightBlock, POSITION, REFLECTED};
use sh4_kernels::sincos::sincos;
use sh4_kernels::transform_points::transform_points;
use sh4_kernels::{KernelError, Kernels, Matrix};

/// Lights of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Lights {
    /// Colour of the ambient light; 1.0 is full.
    pub ambient: [f32; 3],
    /// Other lights, in any number.
    pub list: Vec<Light>,
}

/// A light in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Kind and position of the light.
    pub source: Source,
    /// Colour; 1.0 is full.
    pub colour: [f32; 3],
    /// Colour of highlights; 1.0 is full.
    pub specular: [f32; 3],
}

/// Kinds of light sources.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// A distant light.
    Directional {
        /// Unit vector from the scene to the light.
        direction: [f32; 3],
    },
    /// A light at a point, in all directions.
    Point {
        /// Position of the light.
        position: [f32; 3],
        /// Range of the light.
        range: Range,
    },
    /// A light at a point, in a cone.
    Spot {
        /// Position of the light.
        position: [f32; 3],
        /// Unit vector of the beam.
        beam: [f32; 3],
        /// Range of the light.
        range: Range,
        /// Angle from the beam up to which the light is full.
        inner: Bams,
        /// Angle from which the light is zero; in between it falls with the cosine.
        outer: Bams,
    },
}

/// A light is full up to `near` and zero from `far` on; in between it falls linearly with the distance.
/// NJS_LIGHT names the two distances, and no source gives the curve: confidence low.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Distance up to which the light is full.
    pub near: f32,
    /// Distance from which the light is zero.
    pub far: f32,
}

impl Light {
    /// Creates a distant light with highlights of its own colour.
    pub fn directional(direction: [f32; 3], colour: [f32; 3]) -> Self {
        Self {
            source: Source::Directional { direction },
            colour,
            specular: colour,
        }
    }
}

impl Lights {
    /// Creates one distant light (given by the unit vector to it) and ambient light.
    pub fn single(direction: [f32; 3], colour: [f32; 3], ambient: [f32; 3]) -> Self {
        Self {
            ambient,
            list: vec![Light::directional(direction, colour)],
        }
    }
}

impl Default for Lights {
    /// White light from the upper left in front, and ambient light of two thirds its intensity.
    fn default() -> Self {
        // (-1, 2, 2) / 3
        let third = 1.0 / 3.0;
        Self::single([-third, 2.0 * third, 2.0 * third], [0.75; 3], [0.5; 3])
    }
}

/// Returns the lights in view space in the format of their kernel, without highlights.
pub(crate) fn blocks(
    kernels: &mut dyn Kernels,
    view: &Matrix,
    lights: &Lights,
) -> Result<Vec<LightBlock>, KernelError> {
    lights
        .list
        .iter()
        .map(|light| block(kernels, view, light))
        .collect()
}

fn block(kernels: &mut dyn Kernels, view: &Matrix, light: &Light) -> Result<LightBlock, KernelError> {
    let mut block = LightBlock {
        colour: light.colour,
        gloss: light.specular,
        ..LightBlock::default()
    };
    match light.source {
        Source::Directional { direction } => block.place = transformed(kernels, view, direction, 0.0)?,
        Source::Point { position, range } => {
            block.place = transformed(kernels, view, position, 1.0)?;
            block.range = slope(range.near, range.far);
            block.flags = POSITION;
        }
        Source::Spot {
            position,
            beam,
            range,
            inner,
            outer,
        } => {
            block.place = transformed(kernels, view, position, 1.0)?;
            block.axis = transformed(kernels, view, beam.map(|c| -c), 0.0)?;
            block.range = slope(range.near, range.far);
            let [[_, full], [_, zero]] = sincos(kernels, [inner.0 as u32, outer.0 as u32])?;
            block.cone = slope(full, zero);
            block.flags = POSITION | CONE;
        }
    }
    Ok(block)
}

fn transformed(
    kernels: &mut dyn Kernels,
    view: &Matrix,
    vector: [f32; 3],
    w: f32,
) -> Result<[f32; 3], KernelError> {
    let mut out = [[0.0; 4]];
    transform_points(kernels, view, &vector.map(f32::to_bits), 3, w, &mut out)?;
    let [[x, y, z, _]] = out;
    Ok([x, y, z])
}

/// Returns offset and slope of the line that is 1 at `full` and 0 at `zero`. If both are equal, the line has
/// the largest slope that single precision allows. The host computes it once per light, without a kernel.
fn slope(full: f32, zero: f32) -> [f32; 2] {
    let least = zero.abs().max(full.abs()).max(1.0e-20) * f32::EPSILON;
    let distance = zero - full;
    let distance = if distance.abs() < least {
        least.copysign(distance)
    } else {
        distance
    };
    [zero / distance, -1.0 / distance]
}

/// Returns a light with the highlight of a material.
pub(crate) fn with_highlight(light: &LightBlock, highlight: Highlight, exponent: u32) -> LightBlock {
    let flags = match highlight {
        Highlight::Off => 0,
        Highlight::HalfWay => HIGHLIGHT,
        Highlight::Reflected => HIGHLIGHT | REFLECTED,
    };
    LightBlock {
        flags: light.flags | flags,
        exponent,
        ..*light
    }
}

/// Returns a light without its colour, for intensities.
pub(crate) fn grey(light: &LightBlock) -> LightBlock {
    LightBlock {
        colour: [mean(light.colour); 3],
        ..*light
    }
}

/// Returns the mean of three channels, computed once per light.
pub(crate) fn mean([red, green, blue]: [f32; 3]) -> f32 {
    (red + green + blue) / 3.0
}

/// Returns red, green and blue of a packed colour as floats of 0 to 255.
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
    transformed(kernels, &matrix, channels(material), 0.0)
}

#[cfg(test)]
mod tests {
    use super::slope;

    #[test]
    fn a_slope_is_one_at_one_end_and_zero_at_the_other() {
        let [offset, rise] = slope(10.0, 30.0);
        assert_eq!((offset + 10.0 * rise, offset + 30.0 * rise), (1.0, 0.0));
        let [offset, rise] = slope(0.75, 0.25);
        assert_eq!((offset + 0.75 * rise, offset + 0.25 * rise), (1.0, 0.0));
        let [offset, rise] = slope(5.0, 5.0);
        assert!(offset.is_finite() && offset + 4.0 * rise > 1.0 && offset + 6.0 * rise < 0.0);
    }
}
