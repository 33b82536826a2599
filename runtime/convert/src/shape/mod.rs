//! Blend shapes become CompactShape (docs/formats/ninja.md, 1.10 and 2.6).
//!
//! A CompactShape group blends between whole shapes in sequence, while a scene adds any number of channels.
//! The combined effect of the channels is sampled frame by frame, in the space of the node that holds the
//! vertices. Bones of these vertices are included. The samples are reduced to key shapes, and equal key
//! shapes are stored once. Each part is a separate group. Vertices moved by shapes are in the first chunks of
//! their nodes.

mod pose;

use crate::limits::{SHAPE_KEYS, SHAPE_SAMPLES};
use ninja::{
    Argb, CShapeData, CShapeKeyGroup, CShapeList, CShapeMotion, CvlistId, FV_SHAPE, Key, ShapeChunk,
    ShapeKind, ShapeTrackId, ShapeVlist, ShapeVlistId,
};

use crate::emit::{Placed, most_vertices, vertex_kind};
use crate::error::{Error, Warnings};
use crate::math::{Vec3, dot, finite, length, sub};
use crate::motion::{Take, reduced};
use crate::nodes::Plan;
use crate::skin::Class;
use crate::source::Scene;
use pose::{Pose, SourceMesh, near, pose, rest_pose};

/// Vertices times frames that are sampled at once; each takes 48 bytes.
const WINDOW_SAMPLES: usize = 2_000_000;

/// Cosine of 2 degrees. Normals that rotate less are not stored with shapes.
const STEADY: f64 = 0.999_39;

/// Shapes of all parts and stacks added until now.
#[derive(Default)]
pub(crate) struct Shapes {
    groups: Vec<Group>,
}

/// Shapes of one part.
struct Group {
    part: usize,
    chunks: Vec<ChunkPlace>,
    /// Distinct key shapes.
    poses: Vec<Pose>,
    normals: bool,
}

/// A chunk of shape vertices: its node, its index in the node, its vertices.
struct ChunkPlace {
    node: usize,
    place: usize,
    vertices: std::ops::Range<usize>,
}

/// Key shapes of one stack. For each group, pairs of frame and pose of the group.
pub(crate) struct Track {
    keys: Vec<Vec<(usize, usize)>>,
    frames: usize,
}

/// Keys of one group and stack until a frame.
#[derive(Default)]
struct GroupKeys {
    /// Pairs of frame and pose number; empty until the part leaves its shape at rest.
    list: Vec<(usize, usize)>,
    /// Pose at frame 0, while `list` is empty.
    first: Option<Pose>,
}

impl Shapes {
    /// Lays out the chunks of all parts with shape vertices.
    pub(crate) fn new(placed: &[Placed], nodes: usize) -> Self {
        let mut count = vec![0; nodes];
        let mut groups = Vec::new();
        for (part, p) in placed.iter().enumerate() {
            let mut group = Group {
                part,
                chunks: Vec::new(),
                poses: Vec::new(),
                normals: false,
            };
            let most = most_vertices(vertex_kind(&p.part, Class::Shape));
            let mut first = 0;
            for contribution in p
                .placement
                .contributions
                .iter()
                .filter(|c| c.class == Class::Shape)
            {
                for piece in contribution.vertices.chunks(most) {
                    let node = contribution.node;
                    let vertices = first..first + piece.len();
                    first = vertices.end;
                    group.chunks.push(ChunkPlace {
                        node,
                        place: count[node],
                        vertices,
                    });
                    count[node] += 1;
                }
            }
            if first > 0 {
                groups.push(group);
            }
        }
        Shapes { groups }
    }

    /// Samples one stack, adds its shapes, and returns its keys; `None` if no shape changes.
    ///
    /// Samples and reduces a window of frames at a time, to limit the memory. Windows share a frame, so the
    /// lines between keys meet.
    pub(crate) fn sample(
        &mut self,
        scene: &Scene,
        take: &Take,
        placed: &[Placed],
        plan: &Plan,
        tolerance: f64,
    ) -> Result<Option<Track>, Error> {
        if self.groups.is_empty() {
            return Ok(None);
        }
        let frames = take.times.len();
        let vertices: usize = self.groups.iter().map(Group::vertices).sum();
        let place = || format!("animation stack {:?}", scene.stacks[take.stack].name);
        if vertices.saturating_mul(frames) > SHAPE_SAMPLES {
            let found = format!("{frames} frames of {vertices} vertices in shapes");
            let expected = format!("at most {SHAPE_SAMPLES} together: lower the rate");
            return Err(Error::scene(place(), found, expected));
        }
        let window = (WINDOW_SAMPLES / vertices.max(1)).max(2);
        let mut keys: Vec<GroupKeys> = self.groups.iter().map(|_| GroupKeys::default()).collect();
        let mut poses: Vec<Vec<Pose>> = vec![Vec::new(); self.groups.len()];
        for frame in 0..frames {
            self.add_poses(scene, take, frame, placed, plan, &mut poses)?;
            let count = poses[0].len();
            if count < window && frame + 1 < frames {
                continue;
            }
            for ((group, keys), poses) in self.groups.iter_mut().zip(&mut keys).zip(&mut poses) {
                group.add_keys(keys, frame + 1 - count, poses, &placed[group.part], tolerance);
                poses.drain(..count - 1);
            }
            let stored: usize = self.groups.iter().map(|g| g.poses.len() * g.vertices()).sum();
            if stored > SHAPE_KEYS {
                let found = format!("key shapes of {stored} vertices up to frame {frame}");
                let expected = format!("at most {SHAPE_KEYS}: lower the rate or raise the tolerance");
                return Err(Error::scene(place(), found, expected));
            }
        }
        let keys: Vec<_> = keys.into_iter().map(|keys| keys.list).collect();
        let moved = keys.iter().any(|k| !k.is_empty());
        Ok(moved.then_some(Track { keys, frames }))
    }

    /// Adds the poses of all groups at a frame.
    fn add_poses(
        &self,
        scene: &Scene,
        take: &Take,
        frame: usize,
        placed: &[Placed],
        plan: &Plan,
        poses: &mut [Vec<Pose>],
    ) -> Result<(), Error> {
        let time = take.times[frame];
        let state = scene.frame(Some(take.stack), time)?;
        let worlds = take.samples.worlds(plan, frame);
        // Parts of a split mesh follow each other, so this keeps the vertices of the last mesh.
        let mut source: Option<SourceMesh> = None;
        for (group, poses) in self.groups.iter().zip(poses) {
            let part = &placed[group.part];
            let source = match source.take() {
                Some(known) if known.in_file == part.in_file => source.insert(known),
                _ => source.insert(SourceMesh::new(part.in_file, &state)),
            };
            let pose = pose(part, source, &worlds);
            if !pose.positions.iter().all(|p| finite(*p)) {
                let place = format!("animation stack {:?}", scene.stacks[take.stack].name);
                let found = format!("shapes with NaN values at {time} s");
                return Err(Error::scene(place, found, "finite numbers"));
            }
            poses.push(pose);
        }
        Ok(())
    }

    /// Returns the list of all shapes, and the first shape number of each group.
    fn list(&self, placed: &[Placed]) -> (CShapeList, Vec<u32>) {
        let mut list = CShapeList::new();
        let mut first = Vec::new();
        for (number, group) in (0..).zip(&self.groups) {
            first.push(list.shapes.len() as u32);
            let kind = group.kind(&placed[group.part]);
            for pose in &group.poses {
                let mut cvlist = Vec::new();
                for chunk in &group.chunks {
                    let chunks = vec![shape_chunk(kind, pose, chunk)];
                    list.vlists.push(ShapeVlist { chunks });
                    cvlist.push(Some(ShapeVlistId(list.vlists.len() as u32 - 1)));
                }
                list.cvlists.push(cvlist);
                list.shapes.push(CShapeKeyGroup {
                    cvlist: Some(CvlistId(list.cvlists.len() as u32 - 1)),
                    group_id: number,
                    reserved: 0,
                });
            }
        }
        (list, first)
    }

    /// Returns the shape list, and the motions of the tracks.
    pub(crate) fn finish(
        &self,
        tracks: &[Option<Track>],
        placed: &[Placed],
        plan: &Plan,
        warnings: &mut Warnings,
    ) -> (Option<CShapeList>, Vec<Option<CShapeMotion>>) {
        let (list, first) = self.list(placed);
        if list.shapes.is_empty() {
            return (None, tracks.iter().map(|_| None).collect());
        }
        for group in self.groups.iter().filter(|g| !g.poses.is_empty()) {
            let bones = group
                .chunks
                .iter()
                .map(|c| c.node)
                .filter(|n| *n != placed[group.part].node)
                .count();
            if bones > 0 {
                let message = "each vertex that a shape moves belongs to one bone; its shapes include the \
                    motion of the other bones";
                let name = &plan.nodes[placed[group.part].node].name;
                warnings.add(format!("node {name:?}"), message);
            }
        }
        let motion = |t: &Option<Track>| t.as_ref().map(|t| self.motion(t, &first, plan.nodes.len()));
        (Some(list), tracks.iter().map(motion).collect())
    }

    fn motion(&self, track: &Track, first: &[u32], nodes: usize) -> CShapeMotion {
        let mut motion = CShapeMotion::new(track.frames as u32);
        motion.nodes = vec![Vec::new(); nodes];
        for ((group, keys), first) in self.groups.iter().zip(&track.keys).zip(first) {
            let id = (!keys.is_empty()).then(|| {
                let key = |(frame, pose): &(usize, usize)| Key {
                    frame: *frame as u32,
                    value: first + *pose as u32,
                };
                motion.tracks.push(keys.iter().map(key).collect());
                ShapeTrackId(motion.tracks.len() as u32 - 1)
            });
            for (entry, chunk) in (0..).zip(&group.chunks) {
                let rows = &mut motion.nodes[chunk.node];
                rows.resize(rows.len().max(chunk.place + 1), CShapeData::default());
                rows[chunk.place] = CShapeData {
                    keys: id,
                    entry_id: entry,
                };
            }
        }
        // Trailing rows without keys can be omitted.
        for rows in &mut motion.nodes {
            let used = rows.iter().rposition(|r| r.keys.is_some()).map_or(0, |i| i + 1);
            rows.truncate(used);
        }
        motion
    }
}

impl Track {
    /// Number of keys of all groups.
    pub(crate) fn key_count(&self) -> usize {
        self.keys.iter().map(Vec::len).sum()
    }
}

impl Group {
    /// Number of vertices of a pose.
    fn vertices(&self) -> usize {
        self.chunks.last().map_or(0, |chunk| chunk.vertices.end)
    }

    /// Adds the keys of a window of frames, of which frame `start` is the first.
    fn add_keys(
        &mut self,
        keys: &mut GroupKeys,
        start: usize,
        poses: &[Pose],
        placed: &Placed,
        tolerance: f64,
    ) {
        let rest = rest_pose(placed);
        if keys.list.is_empty() {
            let is_rest = |p: &Pose| near(&p.positions, &rest.positions, tolerance);
            if poses.iter().all(is_rest) {
                keys.first.get_or_insert_with(|| poses[0].clone());
                return;
            }
            if let Some(first) = keys.first.take() {
                keys.list.push((0, self.number(&first, tolerance)));
            }
        }
        let turns = |p: &Pose| {
            p.normals
                .iter()
                .zip(&rest.normals)
                .any(|(a, b)| dot(*a, *b) < STEADY)
        };
        self.normals |= placed.part.has_normals && poses.iter().any(turns);
        let kept = reduced(poses.len(), |a, b, k| {
            let t = (k - a) as f64 / (b - a) as f64;
            let pairs = poses[a].positions.iter().zip(&poses[b].positions);
            pairs.zip(&poses[k].positions).all(|((a, b), wanted)| {
                let made = [0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * t);
                length(sub(made, *wanted)) <= tolerance
            })
        });
        for k in kept {
            if keys.list.last().is_none_or(|(frame, _)| *frame < start + k) {
                keys.list.push((start + k, self.number(&poses[k], tolerance)));
            }
        }
    }

    /// Returns the number of a pose. Adds the pose if no existing one is equal within the tolerance.
    fn number(&mut self, pose: &Pose, tolerance: f64) -> usize {
        let same = |p: &Pose| near(&p.positions, &pose.positions, tolerance / 2.0);
        self.poses.iter().position(same).unwrap_or_else(|| {
            self.poses.push(pose.clone());
            self.poses.len() - 1
        })
    }

    /// Returns the smallest kind that stores all changes. Colours never change.
    fn kind(&self, placed: &Placed) -> ShapeKind {
        match self.normals && placed.part.has_normals {
            true => ShapeKind::CvVn,
            false => ShapeKind::Cv,
        }
    }
}

fn shape_chunk(kind: ShapeKind, pose: &Pose, chunk: &ChunkPlace) -> ShapeChunk {
    let mut words = Vec::with_capacity(chunk.vertices.len() * kind.stride());
    for i in chunk.vertices.clone() {
        let bits = |v: Vec3| v.map(|c| (c as f32).to_bits());
        if kind.position().is_some() {
            words.extend(bits(pose.positions[i]));
        }
        if kind.normal().is_some() {
            words.extend(bits(pose.normals[i]));
        }
        if kind.diffuse().is_some() {
            words.push(Argb(u32::MAX).0);
        }
    }
    ShapeChunk {
        kind,
        headbits: FV_SHAPE,
        words,
    }
}
