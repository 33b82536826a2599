//! TSP parameters of a triangle or sprite: instruction words and the planes of coordinates and colours.

use super::corner::Corner;
use super::objects::Triangle;
use super::plane::{COLOUR, Corners, Planes, U, V, Z};
use super::setup::Source;
use crate::param::{BlendFactor, IspWord, TextureWord, TspWord};
use crate::texture::layout_of;

/// TSP parameters of a primitive for one volume.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Surface {
    pub(super) isp: IspWord,
    pub(super) tsp: TspWord,
    pub(super) tcw: TextureWord,
    /// True if the primitive reacts to modifier volumes.
    pub(super) shadow: bool,
    /// Planes of z, of u and v (in 1/256 texel of level 0, times z; zero if untextured), and of A, R, G, B of
    /// the base colour (times z; zero if flat).
    pub(super) planes: Planes,
    /// Planes of A, R, G, B of the offset colour times z; undefined if flat or without offset colour.
    pub(super) offset_planes: Planes,
    /// Colours for flat shading: base and offset.
    pub(super) flat: [u32; 2],
    /// Steps of u and v in texels, times z squared, at the third vertex; undefined without mip levels: see
    /// `mip`.
    pub(super) gradients: [[f64; 2]; 2],
}

impl Surface {
    pub(super) fn read(source: &Source<'_>, triangle: &Triangle, volume: u32) -> Self {
        let mut surface = Self::default();
        surface.set_up(source, triangle, volume);
        surface
    }

    /// Sets the surface to a triangle or sprite.
    #[inline(always)]
    pub(super) fn set_up(&mut self, source: &Source<'_>, triangle: &Triangle, volume: u32) {
        let vram = source.vram;
        let isp = triangle.isp(vram);
        let (mut tsp, tcw) = triangle.tsp(vram, volume);
        if triangle.replaces {
            tsp = tsp.with_src(BlendFactor::One).with_dst(BlendFactor::Zero);
        }
        let corners = triangle.read(vram, isp, volume);
        let shape = Corners::new(corners.map(|c| c.xy));
        let offset = isp.texture() && isp.offset();
        let mut scale = [0.0; 2];
        if isp.texture() {
            scale = size(tsp, tcw);
        }
        let mut values = [[0.0; 8]; 3];
        for (values, corner) in values.iter_mut().zip(&corners) {
            corner_values(values, corner, scale, isp.gouraud());
        }
        self.planes = shape.planes(&values);
        if offset && isp.gouraud() {
            let mut values = [[0.0; 8]; 3];
            for (values, corner) in values.iter_mut().zip(&corners) {
                set_colour(values, corner.offset, corner.z);
            }
            self.offset_planes = shape.planes(&values);
        }
        (self.isp, self.tsp, self.tcw) = (isp, tsp, tcw);
        self.shadow = triangle.shadow;
        self.flat = [corners[2].base, corners[2].offset];
        if tcw.mip() {
            self.gradients = gradients(&self.planes, &corners[2], tsp, tcw);
        }
    }

    /// True if there is an offset colour.
    pub(super) fn has_offset(&self) -> bool {
        self.isp.texture() && self.isp.offset()
    }
}

/// Returns width and height of level 0 in texels; mipmapped textures are square.
fn size(tsp: TspWord, tcw: TextureWord) -> [f64; 2] {
    let layout = layout_of(tcw, tsp, 0);
    [layout.width, layout.height].map(f64::from)
}

/// Values are interpolated as value times z and multiplied by W = 1/z at each pixel.
#[inline(always)]
fn corner_values(values: &mut [f64; 8], corner: &Corner, size: [f64; 2], gouraud: bool) {
    let z = f64::from(corner.z);
    values[Z] = z;
    values[U] = f64::from(corner.uv[0]) * size[0] * 256.0 * z;
    values[V] = f64::from(corner.uv[1]) * size[1] * 256.0 * z;
    if gouraud {
        set_colour(values, corner.base, corner.z);
    }
}

/// Sets the values of a colour: A, R, G, B times z.
#[inline(always)]
fn set_colour(values: &mut [f64; 8], colour: u32, z: f32) {
    for (value, channel) in values[COLOUR..].iter_mut().zip(colour.to_be_bytes()) {
        *value = f64::from(channel) * f64::from(z);
    }
}

/// Steps of u and v along x and y. d(U/Z) = (dU Z - U dZ) / Z^2; these are the numerators at the third
/// vertex.
fn gradients(planes: &Planes, corner: &Corner, tsp: TspWord, tcw: TextureWord) -> [[f64; 2]; 2] {
    let size = size(tsp, tcw);
    let q = f64::from(corner.z);
    let dz = planes.plane(Z).gradient();
    let numerators = [0, 1].map(|n| {
        let duv = planes.plane(U + n).gradient().map(|step| step / 256.0);
        let value = f64::from(corner.uv[n]) * size[n] * q;
        [duv[0] * q - value * dz[0], duv[1] * q - value * dz[1]]
    });
    [
        [numerators[0][0], numerators[1][0]],
        [numerators[0][1], numerators[1][1]],
    ]
}
