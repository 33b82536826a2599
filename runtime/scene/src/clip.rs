//! Strips cut at the near plane.
//!
//! Which corners are new and how they are joined is decided here; where they lie is computed by the `clip_near` kernel.
//! Both triangles at an edge ask for the same point, in front first, so no crack opens between them.

use sh4_kernels::clip_near::{Corner, clip_near};
use sh4_kernels::{KernelError, Kernels};
use std::ops::Range;

/// What is left of a strip.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Clipped {
    /// The strip's corners and, behind them, the new ones.
    pub(crate) corners: Vec<Corner>,
    /// Strips of these.
    pub(crate) pieces: Vec<Piece>,
}

/// A strip.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    /// Indices of corners.
    pub(crate) indices: Vec<usize>,
    /// The first triangle winds the other way.
    pub(crate) reversed: bool,
    /// For a piece of one triangle, the corner whose colour flat shading takes.
    pub(crate) flat: Option<usize>,
}

/// Whether a corner in view space is in front of the plane.
pub(crate) fn in_front(position: &[f32; 4], near: f32) -> bool {
    -position[2] > near
}

/// Cuts a strip whose corners are in view space. Triangles with a corner that is nowhere (not a finite depth) go.
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
        let triangle = wound(first, reversed);
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

/// Triangle `first` of a strip, counter-clockwise.
pub(crate) fn wound(first: usize, reversed: bool) -> [usize; 3] {
    if (first % 2 == 1) != reversed {
        [first + 1, first, first + 2]
    } else {
        [first, first + 1, first + 2]
    }
}

/// The runs of three and more that have what `has` tells, and whether their first triangle winds the other way.
pub(crate) fn runs_of(has: &[bool], reversed: bool) -> Vec<(Range<usize>, bool)> {
    let mut runs = Vec::new();
    let mut start = 0;
    for end in 0..=has.len() {
        if end == has.len() || !has[end] {
            if end >= start + 3 {
                // Dropping an odd number in front turns the winding once more.
                runs.push((start..end, reversed != (start % 2 == 1)));
            }
            start = end + 1;
        }
    }
    runs
}

/// What a triangle that crosses the plane leaves, as a strip. New corners are numbered from `new` on, in the order of
/// `edges`.
pub(crate) fn cut_triangle(
    triangle: [usize; 3],
    front: &[bool],
    new: usize,
    edges: &mut Vec<[u16; 2]>,
) -> Option<Vec<usize>> {
    let inside = triangle.map(|k| front[k]);
    let count = inside.iter().filter(|inside| **inside).count();
    // The corner that is alone on its side comes first.
    let alone = inside.iter().position(|inside| *inside == (count == 1))?;
    let [a, b, c] = [0, 1, 2].map(|k| triangle[(alone + k) % 3]);
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
