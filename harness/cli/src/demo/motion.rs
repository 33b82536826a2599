//! The motion of the demo's shark: a swimming stroke, and a mouth that opens by shapes.

use super::shape::{Vector, normalised};
use super::shark::{HEAD, MIDDLE, SHARK, TAIL};
use ninja::{
    CShapeData, CShapeKeyGroup, CShapeList, CShapeMotion, Chunk, CvlistId, Element, FV_SHAPE, File, Key,
    Keys, MotionKind, MotionType, ObjectId, ObjectTree, ShapeChunk, ShapeKind, ShapeTrackId, ShapeVlist,
    ShapeVlistId, TrackId,
};
use std::f32::consts::TAU;

/// Number of frames of the stroke. The last frame equals the first.
pub(super) const LENGTH: u32 = 61;
/// Frames between keys.
const STEP: usize = 5;

/// Returns the motions of nodes and shapes as the content of a `.njm` file.
pub(super) fn motions(tree: &ObjectTree) -> File {
    File::new(vec![Chunk::Motion(stroke(tree)), Chunk::ShapeMotion(mouth(tree))])
}

/// Returns the shapes of the mouth, closed and open, as the content of a `.njs` file.
pub(super) fn shapes(tree: &ObjectTree) -> File {
    let words = |open: f32| -> Vec<u32> {
        let chunk = face(tree);
        let count = chunk.map_or(0, |chunk| usize::from(chunk.count));
        let vertices = (0..count).filter_map(|i| Some((chunk?.position(i), chunk?.normal(i)?)));
        vertices
            .flat_map(|(position, normal)| opened(position, normal, open))
            .flat_map(|vector| vector.map(f32::to_bits))
            .collect()
    };
    let mut list = CShapeList::new();
    for (number, open) in [0.0, 1.0].into_iter().enumerate() {
        let chunk = ShapeChunk {
            kind: ShapeKind::CvVn,
            headbits: FV_SHAPE,
            words: words(open),
        };
        list.vlists.push(ShapeVlist { chunks: vec![chunk] });
        list.cvlists.push(vec![Some(ShapeVlistId(number as u32))]);
        list.shapes.push(CShapeKeyGroup {
            cvlist: Some(CvlistId(number as u32)),
            ..CShapeKeyGroup::default()
        });
    }
    File::new(vec![Chunk::ShapeList(list)])
}

/// Returns the head's vertices that belong to no other node: its first chunk, as shapes require.
fn face(tree: &ObjectTree) -> Option<&ninja::VertexChunk> {
    let model = tree.model(tree.object(HEAD)?.model?)?;
    tree.vlist(model.vlist?)?.chunks.first()
}

/// Returns a vertex of the face with the mouth opened by a share: the lower jaw rotates down about a hinge.
fn opened(position: Vector, normal: Vector, open: f32) -> [Vector; 2] {
    let [x, y, z] = position;
    let hinge = 4.6;
    let below = ((-0.1 - y) * 1.6).clamp(0.0, 1.0);
    let share = open * below * below * (3.0 - 2.0 * below);
    let lever = (z - hinge).max(0.0) * share;
    let moved = [x * (1.0 + 0.04 * lever), y - 0.34 * lever, z - 0.12 * lever];
    let turned = [normal[0], normal[1], normal[2] + 0.3 * lever.min(1.0)];
    [moved, normalised(turned)]
}

/// Returns the stroke: the tail swings, the body counters, the shark rises and sinks.
fn stroke(tree: &ObjectTree) -> ninja::Motion {
    let kind = MotionType(0) | Element::Pos | Element::Sang;
    let mut motion = ninja::Motion::new(MotionKind::Model, kind, LENGTH);
    let swing = |motion: &mut ninja::Motion, pitch: f32, yaw: [f32; 2], roll: f32| {
        let angles = |turn: f32| {
            let swung = yaw[0] * (turn - yaw[1]).sin();
            [pitch, swung, roll * turn.cos()].map(bams)
        };
        Some(motion.push_track(Keys::Sa(keys(angles))))
    };
    let level = motion.push_track(Keys::F(keys(|turn| {
        [0.15 * turn.sin(), 0.2 + 0.3 * turn.cos(), 0.0]
    })));
    for (id, _, _) in tree.walk() {
        let tables: [Option<TrackId>; 2] = match id {
            SHARK => [Some(level), swing(&mut motion, -4.0, [6.0, 0.3], 9.0)],
            HEAD => [None, swing(&mut motion, 0.0, [8.0, 0.0], 0.0)],
            MIDDLE => [None, swing(&mut motion, 0.0, [20.0, 0.8], 0.0)],
            TAIL => [None, swing(&mut motion, 0.0, [34.0, 1.6], 0.0)],
            _ => [None, None],
        };
        motion.push_node(&tables);
    }
    motion
}

/// Returns one key every few frames of a full period.
fn keys<T>(value: impl Fn(f32) -> T) -> Vec<Key<T>> {
    let last = LENGTH - 1;
    (0..LENGTH)
        .step_by(STEP)
        .map(|frame| Key {
            frame,
            value: value(frame as f32 / last as f32 * TAU),
        })
        .collect()
}

fn bams(degrees: f32) -> i16 {
    (degrees * 65536.0 / 360.0).round() as i16
}

/// Opens the mouth in the first half of the stroke, and closes it in the second.
fn mouth(tree: &ObjectTree) -> CShapeMotion {
    let mut motion = CShapeMotion::new(LENGTH);
    let key = |frame, value| Key { frame, value };
    motion.tracks.push(vec![
        key(0, 0),
        key(12, 1),
        key(34, 1),
        key(46, 0),
        key(LENGTH - 1, 0),
    ]);
    let data = CShapeData {
        keys: Some(ShapeTrackId(0)),
        entry_id: 0,
    };
    let of_head = |id: ObjectId| if id == HEAD { vec![data] } else { Vec::new() };
    motion.nodes = tree.walk().map(|(id, _, _)| of_head(id)).collect();
    motion
}
