//! Surfaces for the demo's model: grids of vertices, with strips over them.

use ninja::{StripEntry, StripSource};

pub(super) type Vector = [f32; 3];

pub(super) fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn dot(a: Vector, b: Vector) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn normalised(v: Vector) -> Vector {
    let length = dot(v, v).sqrt();
    if length > 0.0 {
        v.map(|c| c / length)
    } else {
        [0.0, 1.0, 0.0]
    }
}

/// A vertex of a grid: position, outward normal, texture coordinates from 0 to 1.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Point {
    pub position: Vector,
    pub normal: Vector,
    pub uv: [f32; 2],
}

/// A grid of `rows * columns` vertices, row by row.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub rows: usize,
    pub columns: usize,
    pub points: Vec<Point>,
}

impl Grid {
    /// Samples `surface(u, v)` for u along the rows and v along the columns, both from 0 to 1. Computes
    /// normals from neighbours, on the side given by `outward` for a position.
    pub(super) fn sample(
        rows: usize,
        columns: usize,
        surface: impl Fn(f32, f32) -> Vector,
        outward: impl Fn(Vector) -> Vector,
        uv_scale: [f32; 2],
    ) -> Self {
        let share = |i: usize, n: usize| i as f32 / (n - 1) as f32;
        let mut points = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            for column in 0..columns {
                let (u, v) = (share(row, rows), share(column, columns));
                let position = surface(u, v);
                let step = 0.004;
                let along = sub(surface((u + step).min(1.0), v), surface((u - step).max(0.0), v));
                let around = sub(surface(u, v + step), surface(u, v - step));
                let normal = normalised(cross(along, around));
                let side = if dot(normal, outward(position)) < 0.0 {
                    -1.0
                } else {
                    1.0
                };
                points.push(Point {
                    position,
                    normal: normal.map(|c| c * side),
                    uv: [u * uv_scale[0], v * uv_scale[1]],
                });
            }
        }
        Self {
            rows,
            columns,
            points,
        }
    }

    /// Returns one strip between each pair of columns. Indices start at `first`, UV has `units` per texture.
    /// Every other strip begins on its other side, and is marked as reversed if its winding requires it.
    pub(super) fn strips(&self, first: u16, units: f32) -> Vec<StripSource> {
        (1..self.columns)
            .map(|column| self.strip(first, column, units))
            .collect()
    }

    fn strip(&self, first: u16, column: usize, units: f32) -> StripSource {
        let pair = if column.is_multiple_of(2) {
            [column, column - 1]
        } else {
            [column - 1, column]
        };
        let points: Vec<usize> = (0..self.rows)
            .flat_map(|row| pair.map(|column| row * self.columns + column))
            .collect();
        let entries = points.iter().map(|&at| StripEntry {
            index: first + at as u16,
            uv: self.points[at].uv.map(|c| (c * units).round() as i16),
            ..StripEntry::default()
        });
        StripSource {
            reversed: self.winds_inward(&points),
            entries: entries.collect(),
        }
    }

    /// Returns whether the triangles (0, 1, 2), (2, 1, 3) .. of a strip are clockwise seen from outside.
    fn winds_inward(&self, strip: &[usize]) -> bool {
        let mut sum = 0.0;
        for (i, window) in strip.windows(3).enumerate() {
            let [a, b, c] = [0, 1, 2].map(|k| self.points[window[k]]);
            let face = cross(sub(b.position, a.position), sub(c.position, a.position));
            let facing = dot(
                face,
                normalised([0, 1, 2].map(|k| a.normal[k] + b.normal[k] + c.normal[k])),
            );
            sum += if i % 2 == 0 { facing } else { -facing };
        }
        sum < 0.0
    }
}
