//! Extent of a scene over the frames of its motions, and the direction that shows most of its faces.

use crate::error::{At, Result};
use crate::options::direction;
use scene::{Geometry, Object, Reference, Scene, SceneError};

/// Maximum number of points to collect. Large models with long motions are sampled at evenly spaced frames.
const MAX_POINTS: usize = 4_000_000;

/// Minimum visible area of faces, as a share of the area visible from the best direction. With less, most
/// faces are culled or seen edge-on. Flat ground seen from the default pitch has 0.27.
const ENOUGH: f32 = 0.2;

/// The drawn vertices of a scene.
pub(crate) struct SceneExtent {
    /// Vertex positions in all sampled frames.
    pub(crate) points: Vec<[f32; 3]>,
    /// Triangles of the first frame.
    faces: Vec<Face>,
}

/// A triangle. The length of its normal is twice its area.
struct Face {
    normal: [f32; 3],
    double_sided: bool,
}

impl SceneExtent {
    /// Walks each tree once to collect its vertices, then moves them to each sampled frame. Resets the
    /// scene's time to 0.
    ///
    /// # Errors
    /// If a tree cannot be drawn.
    pub(crate) fn of(scene: &mut Scene) -> Result<Self> {
        scene.seek(0.0);
        let mut gathered = Vec::new();
        for (index, object) in scene.objects.iter().enumerate() {
            gathered.push(in_model(scene, index, gather(object))?);
        }
        let (mut points, mut faces) = (Vec::new(), Vec::new());
        for frame in frames(scene.length(), gathered.iter().map(Geometry::len).sum()) {
            scene.seek(frame as f32);
            for (index, (object, geometry)) in scene.objects.iter().zip(&gathered).enumerate() {
                let placed = in_model(scene, index, place(object, geometry))?;
                if frame == 0 && !placed.is_empty() {
                    faces.extend(geometry.triangles().iter().map(|triangle| Face {
                        normal: normal(triangle.corners.map(|k| placed[k])),
                        double_sided: triangle.double_sided,
                    }));
                }
                points.extend(placed);
            }
        }
        scene.seek(0.0);
        Ok(Self { points, faces })
    }

    /// Returns the yaw and pitch, in degrees, with the largest visible area, if `angles` show too little of
    /// it.
    pub(crate) fn better_view(&self, angles: [f32; 2]) -> Option<[f32; 2]> {
        let mut best = (self.seen_from(angles), angles);
        let requested = best.0;
        for pitch in [angles[1], -angles[1], 45.0, -45.0, 75.0, -75.0] {
            for yaw in (0..12).map(|step| angles[0] + 30.0 * step as f32) {
                let seen = self.seen_from([yaw, pitch]);
                // Without the margin of 1 %, rounding differences between hosts could decide between equal
                // directions.
                if seen > best.0 * 1.01 {
                    best = (seen, [yaw.rem_euclid(360.0), pitch]);
                }
            }
        }
        (requested < ENOUGH * best.0).then_some(best.1)
    }

    /// Total projected area of all faces seen from a direction, ignoring occlusion.
    fn seen_from(&self, angles: [f32; 2]) -> f32 {
        let to_camera = direction(angles);
        let areas = self.faces.iter().map(|face| {
            let area: f32 = (0..3).map(|k| face.normal[k] * to_camera[k]).sum();
            if face.double_sided {
                area.abs()
            } else {
                area.max(0.0)
            }
        });
        areas.sum()
    }
}

/// Adds the model's chunk and number to an error.
pub(crate) fn in_model<T, E: Into<crate::Error>>(
    scene: &Scene,
    index: usize,
    result: std::result::Result<T, E>,
) -> Result<T> {
    let chunk = scene.objects[index].tree().kind.chunk_id();
    result.at(format_args!("{chunk}, model {index}"))
}

fn normal([a, b, c]: [[f32; 3]; 3]) -> [f32; 3] {
    let (u, v) = ([0, 1, 2].map(|k| b[k] - a[k]), [0, 1, 2].map(|k| c[k] - a[k]));
    [1, 2, 0].map(|k| u[k] * v[(k + 1) % 3] - u[(k + 1) % 3] * v[k])
}

fn gather(object: &Object) -> std::result::Result<Geometry, SceneError> {
    match object.evaluate(&mut Reference)? {
        Some((pose, shapes)) => Geometry::gather(object.tree(), &pose, &shapes, &mut Reference),
        None => Ok(Geometry::default()),
    }
}

fn place(object: &Object, geometry: &Geometry) -> std::result::Result<Vec<[f32; 3]>, SceneError> {
    match object.evaluate(&mut Reference)? {
        Some((pose, shapes)) => geometry.place(object.tree(), &pose, &shapes, &mut Reference),
        None => Ok(Vec::new()),
    }
}

/// Frames to sample for a motion of `length` frames and `points` vertices. They include the first and the
/// last frame.
fn frames(length: u32, points: usize) -> impl Iterator<Item = u32> {
    let most = (MAX_POINTS / points.max(1)).max(2) as u32;
    let count = length.clamp(1, most);
    let last = length.saturating_sub(1);
    (0..count).map(move |i| match count {
        1 => 0,
        _ => (u64::from(last) * u64::from(i) / u64::from(count - 1)) as u32,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_face(normal: [f32; 3], double_sided: bool) -> SceneExtent {
        SceneExtent {
            points: Vec::new(),
            faces: vec![Face { normal, double_sided }],
        }
    }

    #[test]
    fn the_camera_moves_in_front_of_faces_that_look_away() {
        let default = [30.0, 15.0];
        assert_eq!(of_face([0.0, 0.0, 2.0], false).better_view(default), None);
        assert_eq!(
            of_face([0.0, 2.0, 0.0], false).better_view(default),
            None,
            "ground"
        );
        let behind = of_face([0.0, 0.0, -2.0], false);
        let [yaw, pitch] = behind.better_view(default).unwrap();
        assert!(behind.seen_from([yaw, pitch]) > 1.9, "{yaw} {pitch}");
        assert_eq!(of_face([0.0, 0.0, -2.0], true).better_view(default), None);
        let [_, pitch] = of_face([0.0, -2.0, 0.0], false).better_view(default).unwrap();
        assert_eq!(pitch, -75.0);
        // Both sides are drawn, but the default camera sees the triangle edge-on.
        let edge = of_face([-0.866, 0.0, 0.5], true);
        assert!(edge.better_view(default).is_some());
        assert_eq!(
            SceneExtent {
                points: Vec::new(),
                faces: Vec::new()
            }
            .better_view(default),
            None
        );
    }

    #[test]
    fn normals_point_to_where_triangles_wind_counter_clockwise() {
        assert_eq!(
            normal([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
            [0.0, 0.0, 1.0]
        );
        assert_eq!(
            normal([[0.0; 3], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
            [0.0, 1.0, 0.0]
        );
    }

    #[test]
    fn frames_are_sampled_within_the_limit_of_points() {
        assert_eq!(frames(0, 100).collect::<Vec<_>>(), [0]);
        assert_eq!(frames(4, 100).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(
            frames(101, MAX_POINTS / 5).collect::<Vec<_>>(),
            [0, 25, 50, 75, 100]
        );
        assert_eq!(frames(9, MAX_POINTS * 2).collect::<Vec<_>>(), [0, 8]);
    }
}
