//! Where the drawn vertices of a scene are over the frames of its motions.

use anyhow::Result;
use scene::{Geometry, Object, Reference, Scene, SceneError};

/// Points that are kept. Of longer motions of larger models, frames at equal distances are looked at.
const MAX_POINTS: usize = 4_000_000;

/// The drawn vertices of a scene.
pub(super) struct SceneExtent {
    /// Of all frames.
    pub(super) points: Vec<[f32; 3]>,
}

impl SceneExtent {
    /// Walks down each tree once, and moves the vertices that it draws through the motions. The clock is at
    /// 0 afterwards.
    ///
    /// # Errors
    /// If a tree cannot be drawn.
    pub(super) fn of(scene: &mut Scene) -> Result<Self> {
        scene.seek(0.0);
        let mut gathered = Vec::new();
        for (index, object) in scene.objects.iter().enumerate() {
            gathered.push(gather(object).map_err(|error| in_model(scene, index, error))?);
        }
        let mut points = Vec::new();
        for frame in frames(scene.length(), gathered.iter().map(Geometry::len).sum()) {
            scene.seek(frame as f32);
            for (index, (object, geometry)) in scene.objects.iter().zip(&gathered).enumerate() {
                let placed = place(object, geometry).map_err(|error| in_model(scene, index, error))?;
                points.extend(placed);
            }
        }
        scene.seek(0.0);
        Ok(Self { points })
    }
}

/// An error with the model that it is about.
pub(super) fn in_model(scene: &Scene, index: usize, error: SceneError) -> anyhow::Error {
    let chunk = scene.objects[index].tree().kind.chunk_id();
    anyhow::Error::new(error).context(format!("{chunk}, model {index}"))
}

fn gather(object: &Object) -> Result<Geometry, SceneError> {
    match object.evaluate(&mut Reference)? {
        Some((pose, shapes)) => Geometry::gather(object.tree(), &pose, &shapes, &mut Reference),
        None => Ok(Geometry::default()),
    }
}

fn place(object: &Object, geometry: &Geometry) -> Result<Vec<[f32; 3]>, SceneError> {
    match object.evaluate(&mut Reference)? {
        Some((pose, shapes)) => geometry.place(object.tree(), &pose, &shapes, &mut Reference),
        None => Ok(Vec::new()),
    }
}

/// The frames to look at, the first and the last one among them.
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

    #[test]
    fn every_frame_is_looked_at_as_long_as_there_is_room() {
        assert_eq!(frames(0, 100).collect::<Vec<_>>(), [0]);
        assert_eq!(frames(4, 100).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(frames(101, MAX_POINTS / 5).collect::<Vec<_>>(), [0, 25, 50, 75, 100]);
        assert_eq!(frames(9, MAX_POINTS * 2).collect::<Vec<_>>(), [0, 8]);
    }
}
