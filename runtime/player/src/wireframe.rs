//! Edges of the triangles that the tile accelerator received.

use pvr::{ParamType, Pcw};

/// Two points on the screen, in pixels.
pub type Edge = [[f32; 2]; 2];

/// Bit of the parameter control word that ends a strip.
const END_OF_STRIP: u32 = 1 << 28;

/// Returns the edges of the strips in `blocks`, the input of the tile accelerator
/// ([`Picture::blocks`](crate::Picture::blocks)). Skips strips with vertices of two blocks: sprites,
/// modifier volumes, and textured polygons with two volumes.
///
/// Edges connect each vertex with the previous two of its strip.
#[must_use]
pub fn edges(blocks: &[[u32; 8]]) -> Vec<Edge> {
    let (mut edges, mut strip, mut is_wide) = (Vec::new(), Vec::<[f32; 2]>::new(), false);
    let mut blocks = blocks.iter();
    while let Some(block) = blocks.next() {
        let control = Pcw(block[0]);
        match control.param_type() {
            ParamType::Polygon | ParamType::Sprite => {
                strip.clear();
                is_wide = has_wide_vertices(control);
            }
            ParamType::Vertex if is_wide => {
                blocks.next();
            }
            ParamType::Vertex => {
                let point = [f32::from_bits(block[1]), f32::from_bits(block[2])];
                edges.extend(strip.iter().rev().take(2).map(|other| [*other, point]));
                strip.push(point);
                if block[0] & END_OF_STRIP != 0 {
                    strip.clear();
                }
            }
            _ => {}
        }
    }
    edges
}

/// Returns whether vertices take two blocks: sprites, modifier volumes, and textured polygons with two
/// volumes.
fn has_wide_vertices(control: Pcw) -> bool {
    let is_modifier = matches!(control.0 >> 24 & 7, 1 | 3);
    let two_textured = control.0 >> 6 & 1 != 0 && control.0 >> 3 & 1 != 0;
    control.param_type() == ParamType::Sprite || is_modifier || two_textured
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strip_of_four_vertices_has_five_edges() {
        let vertex = |x: f32, last: bool| {
            let control = 0xE000_0000 | if last { END_OF_STRIP } else { 0 };
            [control, x.to_bits(), 0, 0, 0, 0, 0, 0]
        };
        let polygon = [0x8000_0000, 0, 0, 0, 0, 0, 0, 0];
        let blocks = [
            polygon,
            vertex(0.0, false),
            vertex(1.0, false),
            vertex(2.0, false),
            vertex(3.0, true),
        ];
        let found = edges(&blocks);
        let ends: Vec<[f32; 2]> = found.iter().map(|[a, b]| [a[0], b[0]]).collect();
        assert_eq!(ends, [[0.0, 1.0], [1.0, 2.0], [0.0, 2.0], [2.0, 3.0], [1.0, 3.0]]);
    }
}
