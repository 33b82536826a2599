//! Cameras that show a whole model.

use crate::options::bams;
use ninja::Bams;
use scene::{BoundTexture, Camera, Lights, Settings, Textures, View, Viewport};

/// Vertical angle of view, radians: 45 degrees.
pub const FIELD_OF_VIEW: f32 = std::f32::consts::FRAC_PI_4;

/// Share of the picture's width or height that the model fills, whichever it reaches first.
const FILL: f64 = 0.8;

/// Minimum distance between the camera and the nearest point, as a share of the model's size. It keeps the
/// camera away from flat models seen along their surface.
const CLEARANCE: f64 = 0.05;

/// Returns a camera that shows all `points` in a picture of `size`, seen from `yaw` and `pitch` degrees.
/// `points` is not empty.
pub(crate) fn fit(points: &[[f32; 3]], size: [u32; 2], angles: [f32; 2]) -> Camera {
    let angles = angles.map(bams);
    let axes = Axes::new(angles);
    let in_view: Vec<[f64; 3]> = points.iter().map(|point| axes.to_view(*point)).collect();
    let extent = [0, 1, 2].map(|axis| {
        let low = in_view.iter().map(|p| p[axis]).fold(f64::INFINITY, f64::min);
        let high = in_view.iter().map(|p| p[axis]).fold(f64::NEG_INFINITY, f64::max);
        [low, high]
    });
    let largest = extent.iter().map(|[low, high]| high - low).fold(0.0, f64::max);
    let [furthest, nearest] = extent[2];
    let smaller = f64::from(size[0].min(size[1]));
    let tangent = f64::from(FIELD_OF_VIEW / 2.0).tan();
    let slopes = size.map(|side| FILL * tangent * f64::from(side) / smaller);
    // A single point has no size, so its distance from the origin sets the scale.
    let least = (1e-6 * nearest.abs()).max(f64::from(f32::MIN_POSITIVE));
    let clearance = (CLEARANCE * largest).max(least);
    let depth = (0..2)
        .map(|axis| Wedge::new(&in_view, axis, slopes[axis]).depth())
        .fold(nearest + clearance, f64::max);
    // Sets the target in the middle of the depths, so that the camera orbits the model.
    let middle = (furthest + nearest) / 2.0;
    let [x, y] = [0, 1].map(|axis| centre(&in_view, axis, depth, slopes[axis]));
    camera(axes.to_world([x, y, middle]), angles, (depth - middle) as f32)
}

/// Returns a camera at a given distance from the centre of the points' bounding box.
pub(crate) fn at_distance(points: &[[f32; 3]], distance: f32, angles: [f32; 2]) -> Camera {
    let target = [0, 1, 2].map(|axis| {
        let low = points.iter().map(|p| p[axis]).fold(f32::INFINITY, f32::min);
        let high = points.iter().map(|p| p[axis]).fold(f32::NEG_INFINITY, f32::max);
        (low + high) / 2.0
    });
    camera(target, angles.map(bams), distance)
}

/// Returns a camera without roll.
pub(crate) fn camera(target: [f32; 3], [yaw, pitch]: [Bams; 2], distance: f32) -> Camera {
    Camera {
        target,
        yaw,
        pitch,
        distance,
        roll: Bams(0),
    }
}

/// A view with the default lights, without textures and camera position.
pub(crate) fn empty_view([width, height]: [u32; 2]) -> View {
    let checker = BoundTexture {
        word: pvr::TextureWord(0),
        width: 8,
        height: 8,
    };
    View {
        camera: camera([0.0; 3], [Bams(0); 2], 0.0),
        viewport: Viewport::new(width, height, FIELD_OF_VIEW, f32::NEG_INFINITY),
        lights: Lights::default(),
        settings: Settings::default(),
        textures: Textures {
            bound: Vec::new(),
            checker,
        },
    }
}

/// Returns a near plane in front of all points, or close to the camera if the camera is among them.
pub(crate) fn near(camera: &Camera, points: &[[f32; 3]]) -> f32 {
    let square = |point: &[f32; 3]| (0..3).map(|k| (point[k] - camera.target[k]).powi(2)).sum::<f32>();
    let radius = points.iter().map(square).fold(0.0, f32::max).sqrt();
    (camera.distance - radius).max(camera.distance * 0.01) * 0.5
}

/// The axes of a camera in the model's space: right, up, and from the model to the camera.
struct Axes([[f64; 3]; 3]);

impl Axes {
    fn new(angles: [Bams; 2]) -> Self {
        let [(sin_yaw, cos_yaw), (sin_pitch, cos_pitch)] =
            angles.map(|angle| (f64::from(angle.0) * std::f64::consts::PI / 32768.0).sin_cos());
        Self([
            [cos_yaw, 0.0, -sin_yaw],
            [-sin_yaw * sin_pitch, cos_pitch, -cos_yaw * sin_pitch],
            [sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch],
        ])
    }

    fn to_view(&self, point: [f32; 3]) -> [f64; 3] {
        self.0
            .map(|axis| (0..3).map(|k| axis[k] * f64::from(point[k])).sum())
    }

    fn to_world(&self, view: [f64; 3]) -> [f32; 3] {
        [0, 1, 2].map(|k| (0..3).map(|axis| self.0[axis][k] * view[axis]).sum::<f64>() as f32)
    }
}

/// Two planes that intersect at the camera's position and enclose all points. With slope s, a camera at x and
/// depth d sees a point if |point.x - x| <= s (d - point.z).
struct Wedge {
    slope: f64,
    /// Largest x + slope * z, and smallest x - slope * z.
    right: f64,
    left: f64,
}

impl Wedge {
    fn new(in_view: &[[f64; 3]], axis: usize, slope: f64) -> Self {
        let sides = in_view
            .iter()
            .map(|p| (p[axis] + slope * p[2], p[axis] - slope * p[2]));
        let start = (f64::NEG_INFINITY, f64::INFINITY);
        let (right, left) = sides.fold(start, |(right, left), (r, l)| (right.max(r), left.min(l)));
        Self { slope, right, left }
    }

    /// Depth at which the planes intersect.
    fn depth(&self) -> f64 {
        (self.right - self.left) / (2.0 * self.slope)
    }

    /// Position along the axis at which the planes intersect.
    fn centre(&self) -> f64 {
        (self.right + self.left) / 2.0
    }
}

/// Returns the position on an axis that centres the points for a camera at `depth`. Searches slopes up to
/// `slope` for the wedge whose planes intersect at `depth`.
fn centre(in_view: &[[f64; 3]], axis: usize, depth: f64, slope: f64) -> f64 {
    let (mut low, mut high) = (0.0, slope);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        // Steeper planes intersect closer to the points.
        if middle > 0.0 && Wedge::new(in_view, axis, middle).depth() <= depth {
            high = middle;
        } else {
            low = middle;
        }
    }
    Wedge::new(in_view, axis, high).centre()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sh4_kernels::Reference;
    use sh4_kernels::project_points::project_points;
    use sh4_kernels::transform_points::transform_points;

    /// Left, right, top and bottom edge of the points in the picture, and the distance of the nearest point.
    /// Computed by the kernels that draw the points.
    fn seen(points: &[[f32; 3]], camera: &Camera, [width, height]: [u32; 2]) -> [f32; 5] {
        let near = near(camera, points);
        let matrix = camera.view(&mut Reference).unwrap();
        let words: Vec<u32> = points.iter().flatten().map(|c| c.to_bits()).collect();
        let (mut view, mut screen) = (vec![[0.0; 4]; points.len()], vec![[0.0; 4]; points.len()]);
        transform_points(&mut Reference, &matrix, &words, 3, 1.0, &mut view).unwrap();
        let viewport = scene::Viewport::new(width, height, FIELD_OF_VIEW, near);
        project_points(&mut Reference, &viewport.words, &view, &mut screen).unwrap();
        let pick = |axis: usize, start: f32, pick: fn(f32, f32) -> f32| {
            screen.iter().map(|p| p[axis]).fold(start, pick)
        };
        assert!(view.iter().all(|p| -p[2] > near), "cut by the near plane");
        [
            pick(0, f32::INFINITY, f32::min),
            pick(0, f32::NEG_INFINITY, f32::max),
            pick(1, f32::INFINITY, f32::min),
            pick(1, f32::NEG_INFINITY, f32::max),
            view.iter().map(|p| -p[2]).fold(f32::INFINITY, f32::min),
        ]
    }

    #[test]
    fn points_fill_four_fifths_of_the_picture_and_are_centred() {
        let tetrahedron = [
            [0.0, 0.0, 0.0],
            [8.0, 1.0, 0.0],
            [2.0, 3.0, 9.0],
            [1.0, -4.0, 2.0],
        ];
        let needle = [[0.0, 0.0, -100.0], [0.0, 0.1, 100.0]];
        let far = [
            [1000.0, 1000.0, 1000.0],
            [1000.5, 1001.0, 1000.0],
            [999.0, 1000.0, 1001.0],
        ];
        for points in [&tetrahedron[..], &needle, &far] {
            for (width, height) in [(640, 480), (480, 640), (128, 96), (900, 100)] {
                for angles in [[30.0, 15.0], [0.0, 0.0], [200.0, -70.0], [90.0, 0.0]] {
                    let size = [width, height];
                    let fit = fit(points, size, angles);
                    let [left, right, top, bottom, nearest] = seen(points, &fit, size);
                    let fill = ((right - left) / width as f32).max((bottom - top) / height as f32);
                    let aside = (left + right - width as f32)
                        .abs()
                        .max((top + bottom - height as f32).abs());
                    let name = format!("{points:?} {width}x{height} {angles:?}: {fill} {aside}");
                    // Seen along its axis, the needle has its largest extent in depth. The clearance then
                    // limits the camera, and the needle fills less.
                    let short = points.len() == 2 && nearest < 1.01 * CLEARANCE as f32 * 200.0;
                    assert!((fill - 0.8).abs() < 0.003 || short && fill < 0.8, "{name}");
                    assert!(aside < 0.6, "{name}");
                }
            }
        }
    }

    #[test]
    fn the_camera_is_in_front_of_a_single_point() {
        let camera = fit(&[[1.0, 2.0, 3.0]], [640, 480], [30.0, 15.0]);
        assert!(camera.distance > 0.0 && camera.distance.is_finite());
    }
}
