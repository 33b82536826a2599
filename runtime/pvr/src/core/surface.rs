//! What the TSP needs of a triangle or sprite: instruction words and the planes of coordinates and colours.

use super::objects::Triangle;
use super::plane::{Corners, Plane};
use super::setup::{Corner, Source};
use crate::param::{IspWord, TextureWord, TspWord};
use crate::texture::layout_of;

/// A figure as the TSP sees it, with the parameters of one volume.
#[derive(Debug, Clone, Copy)]
pub(super) struct Surface {
    pub(super) isp: IspWord,
    pub(super) tsp: TspWord,
    pub(super) tcw: TextureWord,
    /// Reacts to modifier volumes.
    pub(super) shadow: bool,
    pub(super) z: Plane,
    /// u and v in 1/256 texel of level 0, times z. Zero if untextured.
    pub(super) uv: [Plane; 2],
    /// Colours of flat shading: base and offset.
    pub(super) flat: [u32; 2],
    /// A, R, G, B of the base colour and of the offset colour, times z. Zero if flat, or without offset.
    pub(super) colours: [[Plane; 4]; 2],
    /// Steps of u and v in texels, times z squared, at the third vertex, with mip levels: see `mip`.
    pub(super) gradients: [[f64; 2]; 2],
}

impl Surface {
    pub(super) fn read(source: &Source<'_>, triangle: &Triangle, volume: u32) -> Self {
        let vram = source.vram;
        let isp = triangle.isp(vram);
        let (tsp, tcw) = triangle.tsp(vram, volume);
        let corners = triangle.read(vram, isp, volume);
        let shape = Corners::new(corners.map(|c| c.xy));
        let z = shape.plane(corners.map(|c| f64::from(c.z)));
        let uv = texture_planes(&shape, &corners, isp, tsp, tcw);
        let offset = isp.texture() && isp.offset();
        let none = [Plane::default(); 4];
        let colours = |is_used: bool, colour: fn(&Corner) -> u32| {
            if is_used && isp.gouraud() {
                colour_planes(&shape, &corners, colour)
            } else {
                none
            }
        };
        Self {
            isp,
            tsp,
            tcw,
            shadow: triangle.shadow,
            z,
            uv,
            flat: [corners[2].base, corners[2].offset],
            colours: [colours(true, |c| c.base), colours(offset, |c| c.offset)],
            gradients: if tcw.mip() {
                gradients(&z, &uv, &corners[2], tsp, tcw)
            } else {
                [[0.0; 2]; 2]
            },
        }
    }

    /// The offset colour is present.
    pub(super) fn has_offset(&self) -> bool {
        self.isp.texture() && self.isp.offset()
    }
}

/// Width and height of level 0 in texels; mipmapped textures are square.
fn size(tsp: TspWord, tcw: TextureWord) -> [f64; 2] {
    let layout = layout_of(tcw, tsp, 0);
    [layout.width, layout.height].map(f64::from)
}

/// Values are interpolated as value times z and multiplied by W = 1/z at each pixel.
fn times_z(shape: &Corners, corners: &[Corner; 3], value: impl Fn(&Corner) -> f64) -> Plane {
    let [a, b, c] = corners
        .each_ref()
        .map(|corner| value(corner) * f64::from(corner.z));
    shape.plane([a, b, c])
}

fn texture_planes(
    shape: &Corners,
    corners: &[Corner; 3],
    isp: IspWord,
    tsp: TspWord,
    tcw: TextureWord,
) -> [Plane; 2] {
    if !isp.texture() {
        return [Plane::default(); 2];
    }
    let size = size(tsp, tcw);
    [0, 1].map(|n| times_z(shape, corners, |c| f64::from(c.uv[n]) * size[n] * 256.0))
}

fn colour_planes(shape: &Corners, corners: &[Corner; 3], colour: fn(&Corner) -> u32) -> [Plane; 4] {
    [24, 16, 8, 0].map(|shift| times_z(shape, corners, |c| f64::from(colour(c) >> shift & 0xFF)))
}

/// For x and y: the steps of u and v. d(U/Z) = (dU Z - U dZ) / Z^2; these are the numerators at the third vertex.
fn gradients(z: &Plane, uv: &[Plane; 2], corner: &Corner, tsp: TspWord, tcw: TextureWord) -> [[f64; 2]; 2] {
    let size = size(tsp, tcw);
    let q = f64::from(corner.z);
    let dz = z.gradient();
    let numerators = [0, 1].map(|n| {
        let duv = uv[n].gradient().map(|step| step / 256.0);
        let value = f64::from(corner.uv[n]) * size[n] * q;
        [duv[0] * q - value * dz[0], duv[1] * q - value * dz[1]]
    });
    [
        [numerators[0][0], numerators[1][0]],
        [numerators[0][1], numerators[1][1]],
    ]
}
