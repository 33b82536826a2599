//! Pictures of a frame's work at each pixel: overdraw, edges, lists.

use crate::frame::Image;
use crate::param::ListType;
use crate::probe::{DepthTest, Polygon, Probe, Shading, Shape, Spot, VolumeTest};
use std::collections::HashSet;

/// Probe that counts the events of a frame pixel by pixel; see [`crate::Pvr::render_probed`].
#[derive(Debug)]
pub struct PixelMap {
    width: u32,
    height: u32,
    /// Number of times that polygons were shaded, without the background.
    shaded: Vec<u32>,
    /// Sum of the hashes of all primitives that cover the pixel.
    covered: Vec<u64>,
    /// List and volume of the last shading.
    last: Vec<Option<(ListType, bool)>>,
    /// List of the nearest tested primitive.
    edge_list: Vec<ListType>,
    /// Address and number of the triangles that cover a pixel.
    triangles: HashSet<(u32, u32)>,
}

impl PixelMap {
    /// Returns an empty map for a frame of a size.
    #[must_use]
    pub fn new(width: u32, height: u32) -> Self {
        let pixels = (width * height) as usize;
        Self {
            width,
            height,
            shaded: vec![0; pixels],
            covered: vec![0; pixels],
            last: vec![None; pixels],
            edge_list: vec![ListType::Opaque; pixels],
            triangles: HashSet::new(),
        }
    }

    /// Number of triangles that cover at least one pixel.
    #[must_use]
    pub fn triangles(&self) -> usize {
        self.triangles.len()
    }

    /// Picture of overdraw: black for pixels that no polygon shades, then blue, green, yellow, red, and white
    /// for five times and more.
    #[must_use]
    pub fn overdraw(&self) -> Image {
        const STEPS: [[u8; 3]; 6] = [
            [0; 3],
            [0, 0, 160],
            [0, 144, 0],
            [224, 208, 0],
            [224, 32, 0],
            [255; 3],
        ];
        self.picture(|x, y| STEPS[self.shaded[(y * self.width + x) as usize].min(5) as usize])
    }

    /// Picture of all edges, including hidden ones, in the colour of their list.
    #[must_use]
    pub fn edges(&self) -> Image {
        self.picture(|x, y| {
            let at = (y * self.width + x) as usize;
            let left = x == 0 || self.covered[at - 1] == self.covered[at];
            let above = y == 0 || self.covered[at - self.width as usize] == self.covered[at];
            if left && above {
                [16; 3]
            } else {
                list_colour(self.edge_list[at])
            }
        })
    }

    /// Picture of the list that coloured each pixel last: opaque grey, punch-through yellow, translucent
    /// blue. Red tints the inside of a modifier volume.
    #[must_use]
    pub fn lists(&self) -> Image {
        self.picture(|x, y| match self.last[(y * self.width + x) as usize] {
            None => [0; 3],
            Some((list, inside)) => {
                let [r, g, b] = list_colour(list);
                if inside { [255, g / 2, b / 2] } else { [r, g, b] }
            }
        })
    }

    fn picture(&self, pixel: impl Fn(u32, u32) -> [u8; 3]) -> Image {
        let places = (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        let pixels = places.flat_map(|(x, y)| {
            let [r, g, b] = pixel(x, y);
            [r, g, b, 255]
        });
        Image {
            width: self.width,
            height: self.height,
            rgba: pixels.collect(),
        }
    }

    fn at(&self, spot: Spot) -> Option<usize> {
        (spot.x < self.width && spot.y < self.height).then_some((spot.y * self.width + spot.x) as usize)
    }

    fn cover(&mut self, spot: Spot, polygon: &Polygon, list: ListType) {
        self.triangles.insert((polygon.address, polygon.triangle));
        if let Some(at) = self.at(spot) {
            let name = u64::from(polygon.address) << 8 | u64::from(polygon.triangle);
            self.covered[at] = self.covered[at].wrapping_add(mixed(name + 1));
            self.edge_list[at] = list;
        }
    }
}

/// Hashes a number (the finaliser of SplitMix64).
fn mixed(n: u64) -> u64 {
    let n = (n ^ n >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let n = (n ^ n >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    n ^ n >> 31
}

fn list_colour(list: ListType) -> [u8; 3] {
    match list {
        ListType::Opaque => [176, 176, 176],
        ListType::PunchThrough => [224, 208, 64],
        ListType::Translucent => [64, 128, 255],
        ListType::OpaqueModifier | ListType::TranslucentModifier => [255, 64, 64],
    }
}

impl Probe for PixelMap {
    fn depth_test(&mut self, spot: Spot, event: &DepthTest) {
        self.cover(spot, &event.polygon, event.list);
    }

    fn volume_test(&mut self, spot: Spot, event: &VolumeTest) {
        self.cover(spot, &event.polygon, event.list);
    }

    fn shaded(&mut self, spot: Spot, event: &Shading) {
        if let Some(at) = self.at(spot) {
            let of_polygon = event.polygon.shape != Shape::Background;
            self.shaded[at] += u32::from(of_polygon);
            self.last[at] = of_polygon.then_some((event.list, event.inside));
        }
    }
}
