//! Clipping of strips at the near plane.
//!
//! This module determines the new corners and their connections; the `clip_near` kernel computes their
//! positions. Two triangles that share an edge request the same point, because both start from the corner in
//! front. No crack appears between them.

use sh4_kernels::clip_near::{Corner, clip_near};
use sh4_kernels::{KernelError, Kernels};
use std::ops::Range;

/// Remainder of a strip after clipping.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Clipped {
    /// Corners of the strip, followed by the new ones.
    pub(crate) corners: Vec<Corner>,
    /// Strips made of these corners.
    pub(crate) pieces: Vec<Piece>,
}

/// A strip of a clipped batch.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    /// Indices into the corners.
    pub(crate) indices: Vec<usize>,
    /// True if the first triangle has the opposite winding.
    pub(crate) reversed: bool,
    /// For a piece of one triangle: the corner that gives the colour for flat shading.
    pub(crate) flat: Option<usize>,
}

/// True if a corner in view space is in front of the plane.
pub(crate) fn in_front(position: &[f32; 4], near: f32) -> bool {
    -position[2] > near
}

/// Clips a strip with corners in view space. Triangles with a corner at a non-finite depth are removed.
pub(crate) fn clip_strip(
    kernels: &mut dyn Kernels,
    corners: Vec<Corner>,
    reversed: bool,
    near: f32,
) -> Result<Clipped, KernelError> {
    let front: Vec<bool> = corners
        .iter()
        .map(|corner| in_front(&corner.position, near))
        .collect();
    let whole = runs_of(&front, reversed)
        .into_iter()
        .map(|(run, reversed)| Piece {
            indices: run.collect(),
            reversed,
            flat: None,
        });
    let (mut pieces, mut edges) = (whole.collect::<Vec<_>>(), Vec::new());
    for first in 0..corners.len().saturating_sub(2) {
        let triangle = triangle_corners(first, reversed);
        if triangle.iter().all(|k| corners[*k].position[2].is_finite()) {
            let cut = cut_triangle(triangle, &front, corners.len(), &mut edges);
            pieces.extend(cut.map(|indices| Piece {
                indices,
                reversed: false,
                flat: Some(first + 2),
            }));
        }
    }
    let new = clip_near(kernels, &corners, &edges, near)?;
    let corners = corners.into_iter().chain(new).collect();
    Ok(Clipped { corners, pieces })
}

/// Returns triangle `first` of a strip, counter-clockwise.
pub(crate) fn triangle_corners(first: usize, reversed: bool) -> [usize; 3] {
    if (first % 2 == 1) != reversed {
        [first + 1, first, first + 2]
    } else {
        [first, first + 1, first + 2]
    }
}

/// Returns the runs of three or more consecutive corners for which `has` is true. The flag is true if the
/// first triangle of a run has the opposite winding.
pub(crate) fn runs_of(has: &[bool], reversed: bool) -> Vec<(Range<usize>, bool)> {
    let mut runs = Vec::new();
    let mut start = 0;
    for end in 0..=has.len() {
        if end == has.len() || !has[end] {
            if end >= start + 3 {
                // An odd number of dropped corners reverses the winding.
                runs.push((start..end, reversed != (start % 2 == 1)));
            }
            start = end + 1;
        }
    }
    runs
}

/// Returns the remainder of a triangle that crosses the plane, as a strip. New corners are numbered from
/// `new` on, in the order of `edges`.
pub(crate) fn cut_triangle(
    triangle: [usize; 3],
    front: &[bool],
    new: usize,
    edges: &mut Vec<[u16; 2]>,
) -> Option<Vec<usize>> {
    let inside = triangle.map(|k| front[k]);
    let count = inside.iter().filter(|inside| **inside).count();
    // The single corner on its side of the plane comes first.
    let single = inside.iter().position(|inside| *inside == (count == 1))?;
    let [a, b, c] = [0, 1, 2].map(|k| triangle[(single + k) % 3]);
    let mut cut = |front: usize, behind: usize| {
        edges.push([front as u16, behind as u16]);
        new + edges.len() - 1
    };
    match count {
        1 => Some(vec![a, cut(a, b), cut(a, c)]),
        2 => {
            let (p, q) = (cut(b, a), cut(c, a));
            Some(vec![p, b, q, c])
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sh4_kernels::{Reference, Rng};

    const NEAR: f32 = 1.0;

    type Point = [f64; 3];

    fn point(corner: &Corner) -> Point {
        [0, 1, 2].map(|k| f64::from(corner.position[k]))
    }

    /// Half the cross product: its length is the area, its direction the winding.
    fn area([a, b, c]: [Point; 3]) -> Point {
        let (u, v) = ([0, 1, 2].map(|k| b[k] - a[k]), [0, 1, 2].map(|k| c[k] - a[k]));
        [
            (u[1] * v[2] - u[2] * v[1]) / 2.0,
            (u[2] * v[0] - u[0] * v[2]) / 2.0,
            (u[0] * v[1] - u[1] * v[0]) / 2.0,
        ]
    }

    fn sum(areas: impl IntoIterator<Item = Point>) -> Point {
        areas
            .into_iter()
            .fold([0.0; 3], |sum, area| [0, 1, 2].map(|k| sum[k] + area[k]))
    }

    /// Returns the part of a triangle in front of the plane, computed edge by edge (Sutherland and Hodgman)
    /// in `f64`.
    fn front_area(triangle: [Point; 3]) -> Point {
        let height = |p: &Point| -p[2] - f64::from(NEAR);
        let mut polygon: Vec<Point> = Vec::new();
        for k in 0..3 {
            let (from, to) = (triangle[k], triangle[(k + 1) % 3]);
            let (a, b) = (height(&from), height(&to));
            if a > 0.0 {
                polygon.push(from);
            }
            if (a > 0.0) != (b > 0.0) {
                polygon.push([0, 1, 2].map(|k| from[k] + (to[k] - from[k]) * a / (a - b)));
            }
        }
        sum((2..polygon.len()).map(|k| area([polygon[0], polygon[k - 1], polygon[k]])))
    }

    /// Texture coordinates and a colour that depend linearly on the position, so that every new corner can be
    /// checked.
    fn corner(position: [f32; 3]) -> Corner {
        let [x, y, z] = position;
        let byte = |c: f32| (c * 8.0 + 128.0) as u32;
        Corner {
            position: [x, y, z, 1.0],
            uv: [x * 0.5 - 1.0, y + z, z * 0.25, x],
            colours: [byte(x) << 16 | byte(y) << 8 | 0xFF00_0000, byte(z), 0, u32::MAX],
        }
    }

    #[test]
    fn pieces_cover_the_visible_part_and_keep_the_winding() {
        let mut rng = Rng::new(7);
        let mut cut = 0;
        for _ in 0..2000 {
            let n = 3 + rng.below(12) as usize;
            let strip: Vec<Corner> = (0..n)
                .map(|_| corner(std::array::from_fn(|_| rng.range(-8.0, 6.0))))
                .collect();
            let reversed = rng.word() & 1 == 0;
            let triangles = (0..n - 2).map(|k| triangle_corners(k, reversed).map(|k| point(&strip[k])));
            let expected: Vec<Point> = triangles.map(front_area).collect();
            let clipped = clip_strip(&mut Reference, strip.clone(), reversed, NEAR).unwrap();
            let mut found = Vec::new();
            for piece in &clipped.pieces {
                for k in 0..piece.indices.len() - 2 {
                    let triangle = triangle_corners(k, piece.reversed).map(|k| piece.indices[k]);
                    found.push(area(triangle.map(|k| point(&clipped.corners[k]))));
                }
            }
            // Expected and found triangles have equal sums of area vectors, and equal sums of areas: no part
            // is missing, doubled or reversed.
            let length = |v: &Point| v.iter().map(|c| c * c).sum::<f64>().sqrt();
            let (a, b) = (sum(expected.clone()), sum(found.clone()));
            assert!((0..3).all(|k| (a[k] - b[k]).abs() < 1.0e-3), "{a:?} {b:?}");
            let lengths = |all: &[Point]| all.iter().map(length).sum::<f64>();
            assert!((lengths(&expected) - lengths(&found)).abs() < 1.0e-3);
            cut += check_new(&strip, &clipped);
        }
        println!("2000 strips, {cut} new corners");
        assert!(cut > 1000);
    }

    /// Checks that new corners are on the plane with interpolated words, one position for each edge. Returns
    /// their number.
    fn check_new(strip: &[Corner], clipped: &Clipped) -> usize {
        let new = &clipped.corners[strip.len()..];
        for found in new {
            let [x, y, z, _] = found.position;
            assert_eq!(z, -NEAR);
            let expected = corner([x, y, z]);
            for (found, expected) in found.uv.iter().zip(expected.uv) {
                assert!((found - expected).abs() < 1.0e-4, "{found} {expected}");
            }
            // Strip colours are truncated to bytes, and interpolation truncates again: bytes may differ by 2.
            for (k, shift) in [(0, 16), (0, 8), (1, 0)] {
                let byte = |corner: &Corner| i32::from((corner.colours[k] >> shift) as u8);
                assert!((byte(found) - byte(&expected)).abs() <= 2);
            }
            assert_eq!(
                (found.colours[0] >> 24, found.colours[2..].to_vec()),
                (255, vec![0, u32::MAX])
            );
        }
        let front: Vec<bool> = strip.iter().map(|c| in_front(&c.position, NEAR)).collect();
        let mut edges = std::collections::BTreeSet::new();
        for first in 0..strip.len() - 2 {
            let [a, b, c] = [first, first + 1, first + 2];
            edges.extend(
                [(a, b), (b, c), (a, c)]
                    .into_iter()
                    .filter(|(a, b)| front[*a] != front[*b]),
            );
        }
        let places: std::collections::BTreeSet<[u32; 3]> = new
            .iter()
            .map(|c| [0, 1, 2].map(|k| c.position[k].to_bits()))
            .collect();
        // Two triangles at an edge have exactly the same point: no crack.
        assert_eq!(places.len(), edges.len());
        for piece in &clipped.pieces {
            assert!(
                piece
                    .indices
                    .iter()
                    .all(|k| -clipped.corners[*k].position[2] >= NEAR)
            );
        }
        new.len()
    }

    #[test]
    fn triangles_with_a_non_finite_corner_are_removed() {
        let mut strip: Vec<Corner> = [
            [0.0, 0.0, -2.0],
            [1.0, 0.0, -2.0],
            [0.0, 1.0, -2.0],
            [1.0, 1.0, 3.0],
        ]
        .map(corner)
        .to_vec();
        strip[3].position[2] = f32::NAN;
        let clipped = clip_strip(&mut Reference, strip, false, NEAR).unwrap();
        assert_eq!(clipped.pieces.len(), 1);
        assert_eq!(clipped.pieces[0].indices, [0, 1, 2]);
    }

    #[test]
    fn runs_keep_their_winding() {
        assert_eq!(runs_of(&[true; 4], false), [(0..4, false)]);
        assert_eq!(
            runs_of(&[true, false, true, true, true, false], true),
            [(2..5, true)]
        );
        assert_eq!(runs_of(&[false, true, true, true], false), [(1..4, true)]);
        assert_eq!(runs_of(&[], false), []);
    }
}
