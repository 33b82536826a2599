//! Plane equations and edges of a triangle.
//!
//! Planes are computed in `f64` from the `f32` parameters, so that neither the order of vertices nor the
//! distance to the origin reduces precision. They are evaluated along a row of a tile in `f32`: the value at
//! the tile's left pixel, rounded, plus the step times the pixel's index in the row. These two operations
//! define every interpolated value.

use crate::settings::FpModel;

/// Number of pixels along a side of a tile.
pub(super) const TILE: usize = 32;

/// `c + dx * x + dy * y`
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Plane {
    c: f64,
    dx: f64,
    dy: f64,
}

/// A plane along one row of a tile: `start + step * n`, where n counts from the tile's left pixel.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Row {
    pub(super) start: f32,
    pub(super) step: f32,
}

/// A plane down a column: `start + dy * y`, with the step along the rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    start: f64,
    dy: f64,
    step: f32,
}

impl Column {
    #[inline]
    pub(super) fn row(&self, y: f64) -> Row {
        Row {
            start: (self.start + self.dy * y) as f32,
            step: self.step,
        }
    }
}

/// Rounds the result of a float operation to single precision, as `model` specifies. `exact` is the exact
/// result or has 53 significant bits.
pub(super) fn round(model: FpModel, exact: f64) -> f32 {
    let nearest = exact as f32;
    match model {
        FpModel::IeeeF32 => nearest,
        FpModel::Truncating if !nearest.is_normal() => {
            if nearest.is_nan() || nearest.is_infinite() {
                nearest
            } else {
                0.0
            }
        }
        FpModel::Truncating if f64::from(nearest.abs()) > exact.abs() => {
            f32::from_bits(nearest.to_bits() - 1)
        }
        FpModel::Truncating => nearest,
    }
}

/// Indices of a row's pixels as floats, and [`LANES`] more, so that the last group of a run may begin at any
/// pixel.
pub(super) const PLACES: [f32; TILE + LANES] = {
    let mut places = [0.0; TILE + LANES];
    let mut n = 0;
    while n < places.len() {
        places[n] = n as f32;
        n += 1;
    }
    places
};

/// Number of pixels computed together. Runs are processed in complete groups, so that loops have a fixed
/// length; results beyond the end are unused.
pub(super) const LANES: usize = 8;

impl Plane {
    /// Zero everywhere.
    pub(super) const ZERO: Self = Self {
        c: 0.0,
        dx: 0.0,
        dy: 0.0,
    };

    #[inline]
    pub(super) fn row(&self, x: f64, y: f64) -> Row {
        self.column(x).row(y)
    }

    /// Returns the plane down a column of pixels.
    #[inline]
    pub(super) fn column(&self, x: f64) -> Column {
        Column {
            start: self.c + self.dx * x,
            dy: self.dy,
            step: self.dx as f32,
        }
    }

    /// Returns the interpolated value at a position of the row at (`x`, `y`). The reference renderer uses
    /// only this function. With IEEE arithmetic it equals [`Self::row`] with [`Row::at_place`].
    pub(super) fn value(&self, x: f64, y: f64, place: f32, model: FpModel) -> f32 {
        let start = round(model, self.c + self.dx * x + self.dy * y);
        let step = round(model, self.dx);
        let along = round(model, f64::from(step) * f64::from(place));
        round(model, f64::from(start) + f64::from(along))
    }

    /// `c`, `dx` and `dy`.
    #[inline]
    pub(super) fn terms(&self) -> (f64, f64, f64) {
        (self.c, self.dx, self.dy)
    }

    /// Returns the steps along x and y.
    pub(super) fn gradient(&self) -> [f64; 2] {
        [self.dx, self.dy]
    }
}

/// Eight planes in arrays, so that vector instructions process them together: z, u, v, an unused one, and A,
/// R, G, B of a colour.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Planes {
    pub(super) c: [f64; 8],
    pub(super) dx: [f64; 8],
    pub(super) dy: [f64; 8],
    /// `dx` in single precision.
    pub(super) step: [f32; 8],
}

/// Indices in [`Planes`]; a colour has four.
pub(super) const Z: usize = 0;
pub(super) const U: usize = 1;
pub(super) const V: usize = 2;
pub(super) const COLOUR: usize = 4;

impl Planes {
    /// Returns one of the planes.
    pub(super) fn plane(&self, n: usize) -> Plane {
        Plane {
            c: self.c[n],
            dx: self.dx[n],
            dy: self.dy[n],
        }
    }
}

/// Three corners, prepared for computing planes through values at them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corners {
    x: [f64; 3],
    y: [f64; 3],
    /// `(x1-x3)(y2-y3) - (y1-y3)(x2-x3)`
    pub(super) area: f64,
    /// 1 / area; 0 if the area is 0.
    scale: f64,
}

impl Corners {
    #[inline(always)]
    pub(super) fn new(xy: [[f32; 2]; 3]) -> Self {
        let x = xy.map(|p| f64::from(p[0]));
        let y = xy.map(|p| f64::from(p[1]));
        let area = (x[0] - x[2]) * (y[1] - y[2]) - (y[0] - y[2]) * (x[1] - x[2]);
        let scale = if area == 0.0 { 0.0 } else { 1.0 / area };
        Self { x, y, area, scale }
    }

    /// Returns the plane through three values. If the area is 0, it is constant with the third value.
    #[inline(always)]
    pub(super) fn plane(&self, f: [f64; 3]) -> Plane {
        let (a, b) = (f[0] - f[2], f[1] - f[2]);
        let dx = (a * (self.y[1] - self.y[2]) - b * (self.y[0] - self.y[2])) * self.scale;
        let dy = (b * (self.x[0] - self.x[2]) - a * (self.x[1] - self.x[2])) * self.scale;
        Plane {
            c: f[2] - dx * self.x[2] - dy * self.y[2],
            dx,
            dy,
        }
    }

    /// Returns the planes through the values at each corner.
    #[inline(always)]
    pub(super) fn planes(&self, f: &[[f64; 8]; 3]) -> Planes {
        let mut planes = Planes::default();
        let [first, second, third] = f;
        for (n, ((&a, &b), &c)) in first.iter().zip(second).zip(third).enumerate() {
            let Plane { c, dx, dy } = self.plane([a, b, c]);
            (planes.c[n], planes.dx[n], planes.dy[n]) = (c, dx, dy);
            planes.step[n] = dx as f32;
        }
        planes
    }
}
