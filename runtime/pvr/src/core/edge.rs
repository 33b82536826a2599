//! Edges of a triangle or sprite, and the pixels that they enclose.

use crate::settings::FillRule;

/// One edge. A point is inside if `side * (ex * (y - y0) - ey * (x - x0))` is positive, or if it is zero and
/// points on the edge are drawn.
///
/// The endpoints are first put into a fixed order. Two triangles that share an edge then get exactly opposite
/// values and leave no gap.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    x0: f64,
    y0: f64,
    ex: f64,
    ey: f64,
    side: f64,
    inclusive: bool,
}

impl Edge {
    /// A placeholder without effect.
    pub(super) const NONE: Self = Self {
        x0: 0.0,
        y0: 0.0,
        ex: 0.0,
        ey: 0.0,
        side: 0.0,
        inclusive: false,
    };

    /// Creates the edge from `a` to `b` of a primitive; `area` is the signed area of its first three corners.
    pub(super) fn new(a: [f32; 2], b: [f32; 2], area: f64, rule: FillRule) -> Self {
        // Direction from the second to the first endpoint. `TopLeft` reverses it if the area is positive. In
        // this direction, a top edge has dy = 0 and dx > 0, and a left edge has dy < 0.
        let (dx, dy) = if area > 0.0 && rule == FillRule::TopLeft {
            (b[0] - a[0], b[1] - a[1])
        } else {
            (a[0] - b[0], a[1] - b[1])
        };
        let top_left = dy < 0.0 || dy == 0.0 && dx > 0.0;
        let swap = b[1] < a[1] || b[1] == a[1] && b[0] < a[0];
        let (from, to) = if swap { (b, a) } else { (a, b) };
        let [x0, y0] = from.map(f64::from);
        let (ex, ey) = (f64::from(to[0]) - x0, f64::from(to[1]) - y0);
        // For the direction from `b` to `a`, the expression in the type's documentation is positive inside a
        // primitive with a negative area. The fixed order has this direction if the endpoints were swapped.
        let side = if (area < 0.0) == swap { 1.0 } else { -1.0 };
        Self {
            x0,
            y0,
            ex,
            ey,
            side,
            inclusive: rule == FillRule::Inclusive || top_left,
        }
    }

    /// True if a point is on the drawn side.
    #[inline]
    pub(super) fn inside(&self, x: f64, y: f64) -> bool {
        let e = self.side * (self.ex * (y - self.y0) - self.ey * (x - self.x0));
        e > 0.0 || e == 0.0 && self.inclusive
    }

    /// True if the edge is parallel to the rows of pixels.
    pub(super) fn is_horizontal(&self) -> bool {
        self.ey == 0.0
    }
}
