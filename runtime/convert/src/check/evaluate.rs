//! A plain evaluator of Ninja files in `f64`, written from facts 2.1, 2.2, 2.5 and 2.6 and from nothing else here:
//! what it agrees with was not computed by the same code.

use ninja::{
    Bams, CShapeList, CShapeMotion, Chunk, Element, EvalFlags, File, Key, Keys, Motion, Object, ObjectTree,
    ShapeChunk, VertexChunk, Weight, WeightScale,
};

use crate::convert::Drawn;
use crate::error::Error;
use crate::math::{Affine, Quat, Vec3, add, quat_columns, scaled};

/// The chunks of the written files.
pub(super) struct Files {
    tree: ObjectTree,
    motion: Option<Motion>,
    shape_motion: Option<CShapeMotion>,
    shapes: Option<CShapeList>,
}

/// Position and normal of a slot.
type Slot = Option<(Vec3, Vec3)>;

impl Files {
    pub(super) fn read(model: &[u8], motion: Option<&[u8]>, shapes: Option<&[u8]>) -> Result<Self, Error> {
        let mut files = Files {
            tree: ObjectTree::new(),
            motion: None,
            shape_motion: None,
            shapes: None,
        };
        for bytes in [Some(model), motion, shapes].into_iter().flatten() {
            files.take(ninja::read(bytes)?);
        }
        Ok(files)
    }

    fn take(&mut self, file: File) {
        for chunk in file.chunks {
            match chunk {
                Chunk::Model(tree) => self.tree = tree,
                Chunk::Motion(motion) => self.motion = Some(motion),
                Chunk::ShapeMotion(motion) => self.shape_motion = Some(motion),
                Chunk::ShapeList(list) => self.shapes = Some(list),
                _ => {}
            }
        }
    }

    /// What the slots of each part hold when it is drawn.
    pub(super) fn evaluate(&self, frame: Option<u32>, drawn: &[Drawn]) -> Vec<Vec<Slot>> {
        let factor = f64::from(self.tree.weight_factor(WeightScale::Auto));
        let mut buffer: Vec<Slot> = vec![None; 1 << 16];
        let mut result = vec![Vec::new(); drawn.len()];
        let mut worlds: Vec<Affine> = Vec::new();
        // Motions count nodes without SKIP.
        let (mut entry, mut shape_entry) = (0, 0);
        for (order, (_, depth, object)) in self.tree.walk().enumerate() {
            worlds.truncate(depth);
            let parent = worlds.last().copied().unwrap_or(Affine::IDENTITY);
            let moved = frame.filter(|_| !object.evalflags.contains(EvalFlags::SKIP));
            let world = parent.times(&self.local(object, moved, entry));
            worlds.push(world);
            self.fill(object, &world, frame, shape_entry, factor, &mut buffer);
            for (drawn, result) in drawn.iter().zip(&mut result).filter(|(d, _)| d.node == order) {
                *result = drawn
                    .slots
                    .iter()
                    .map(|(slot, _)| buffer[usize::from(*slot)])
                    .collect();
            }
            entry += usize::from(!object.evalflags.contains(EvalFlags::SKIP));
            shape_entry += usize::from(!object.evalflags.contains(EvalFlags::SHAPE_SKIP));
        }
        result
    }

    fn local(&self, object: &Object, frame: Option<u32>, entry: usize) -> Affine {
        let playing = frame.and_then(|f| Some((self.motion.as_ref()?, f)));
        let keys = |element| playing.and_then(|(m, f)| Some((m.keys(entry, element)?, f)));
        // UNIT flags are ignored while a motion plays (facts 2.5).
        let unit = |flag| playing.is_none() && object.evalflags.contains(flag);
        let vector = |element, rest: [f32; 3]| match keys(element) {
            Some((Keys::F(keys), f)) => mixed(keys, f, |a, b, t| lerp(a.map(f64::from), b.map(f64::from), t)),
            _ => Some(rest.map(f64::from)),
        };
        let pos = vector(Element::Pos, object.pos).filter(|_| !unit(EvalFlags::UNIT_POS));
        let scl = vector(Element::Scl, object.scl).filter(|_| !unit(EvalFlags::UNIT_SCL));
        let angles = match (keys(Element::Sang), keys(Element::Ang)) {
            (Some((Keys::Sa(keys), f)), _) => mixed(keys, f, short_way),
            (_, Some((Keys::A(keys), f))) => mixed(keys, f, long_way),
            _ => Some(object.ang.map(|a| a.0)),
        };
        let quaternion = match keys(Element::Quat) {
            Some((Keys::Quat(keys), f)) => mixed(keys, f, nlerp),
            _ => object.quaternion().map(|q| q.map(f64::from)),
        };
        let columns = match (quaternion, angles) {
            _ if unit(EvalFlags::UNIT_ANG) => Affine::IDENTITY.columns,
            (Some(q), _) => quat_columns(q),
            (None, angles) => turned(angles.unwrap_or_default()),
        };
        let scl = scl.unwrap_or([1.0; 3]);
        Affine {
            columns: [0, 1, 2].map(|k| scaled(columns[k], scl[k])),
            origin: pos.unwrap_or_default(),
        }
    }

    fn fill(
        &self,
        object: &Object,
        world: &Affine,
        frame: Option<u32>,
        shape_entry: usize,
        factor: f64,
        buffer: &mut [Slot],
    ) {
        let hidden = object.evalflags.contains(EvalFlags::HIDE);
        let model = object.model.filter(|_| !hidden).and_then(|m| self.tree.model(m));
        let Some(list) = model.and_then(|m| self.tree.vlist(m.vlist?)) else {
            return;
        };
        for (i, chunk) in list.chunks.iter().enumerate() {
            let shape = frame
                .filter(|_| !object.evalflags.contains(EvalFlags::SHAPE_SKIP))
                .and_then(|f| self.shape(shape_entry, i, f));
            fill(chunk, shape, world, factor, buffer);
        }
    }

    /// The two shapes of a chunk and the share of the second.
    fn shape(&self, entry: usize, chunk: usize, frame: u32) -> Option<(&ShapeChunk, &ShapeChunk, f64)> {
        let (motion, list) = (self.shape_motion.as_ref()?, self.shapes.as_ref()?);
        let data = motion.nodes.get(entry)?.get(chunk)?;
        let keys = motion.tracks.get(data.keys?.0 as usize)?;
        let (a, b, t) = mixed(keys, frame, |a, b, t| (a, b, t))?;
        let of = |id: u32| {
            let group = list.shapes.get(id as usize)?;
            let cvlist = list.cvlists.get(group.cvlist?.0 as usize)?;
            let vlist = (*cvlist.get(usize::from(data.entry_id))?)?;
            list.vlists.get(vlist.0 as usize)?.chunks.first()
        };
        Some((of(a)?, of(b)?, t))
    }
}

fn fill(
    chunk: &VertexChunk,
    shape: Option<(&ShapeChunk, &ShapeChunk, f64)>,
    world: &Affine,
    factor: f64,
    buffer: &mut [Slot],
) {
    for i in 0..usize::from(chunk.count) {
        let mut position = chunk.position(i).map(f64::from);
        let mut normal = chunk.normal(i).unwrap_or_default().map(f64::from);
        if let Some((a, b, t)) = shape.filter(|(a, b, _)| a.count().min(b.count()) > i) {
            if let (Some(a), Some(b)) = (a.position(i), b.position(i)) {
                position = lerp(a.map(f64::from), b.map(f64::from), t);
            }
            if let (Some(a), Some(b)) = (a.normal(i), b.normal(i)) {
                normal = lerp(a.map(f64::from), b.map(f64::from), t);
            }
        }
        let (p, n) = (world.point(position), world.vector(normal));
        let Some(slot) = usize::try_from(chunk.slot(i))
            .ok()
            .and_then(|s| buffer.get_mut(s))
        else {
            continue;
        };
        let share = chunk.ninja_flags(i).map(|f| f64::from(f.weight) * factor);
        *slot = match (chunk.weight_status(), share) {
            (Some(Weight::Start), Some(w)) => Some((scaled(p, w), scaled(n, w))),
            (Some(_), Some(w)) => slot.map(|(p0, n0)| (add(p0, scaled(p, w)), add(n0, scaled(n, w)))),
            _ => Some((p, n)),
        };
    }
}

/// What holds at a frame: the last key not above it and the next one, which after the last is the first; their
/// distance is 1 where it is not above 0 (facts 2.5).
fn mixed<T: Copy, R>(keys: &[Key<T>], frame: u32, mix: impl Fn(T, T, f64) -> R) -> Option<R> {
    let at = keys.iter().rposition(|k| k.frame <= frame).unwrap_or(0);
    let (a, b) = (keys.get(at)?, keys.get((at + 1) % keys.len())?);
    let distance = if b.frame > a.frame { b.frame - a.frame } else { 1 };
    let t = f64::from(frame.saturating_sub(a.frame)) / f64::from(distance);
    Some(mix(a.value, b.value, t))
}

fn lerp(a: Vec3, b: Vec3, t: f64) -> Vec3 {
    [0, 1, 2].map(|k| a[k] * (1.0 - t) + b[k] * t)
}

fn short_way(a: [i16; 3], b: [i16; 3], t: f64) -> [i32; 3] {
    [0, 1, 2].map(|k| i32::from(a[k]) + (f64::from(b[k].wrapping_sub(a[k])) * t) as i32)
}

fn long_way(a: [Bams; 3], b: [Bams; 3], t: f64) -> [i32; 3] {
    [0, 1, 2].map(|k| a[k].0 + (f64::from(b[k].0 - a[k].0) * t) as i32)
}

fn nlerp(a: [f32; 4], b: [f32; 4], t: f64) -> Quat {
    let (a, b) = (a.map(f64::from), b.map(f64::from));
    let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    let second = if dot < 0.0 { -t } else { t };
    let q = [0, 1, 2, 3].map(|k| a[k] * (1.0 - t) + b[k] * second);
    let length = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    q.map(|c| c / length)
}

/// Rz * Ry * Rx (facts 2.1).
fn turned(angles: [i32; 3]) -> [Vec3; 3] {
    let about = |axis: usize, angle: i32| {
        let (sin, cos) = (f64::from(angle as i16) * std::f64::consts::TAU / 65_536.0).sin_cos();
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut m = Affine::IDENTITY;
        (m.columns[i][i], m.columns[i][j]) = (cos, sin);
        (m.columns[j][i], m.columns[j][j]) = (-sin, cos);
        m
    };
    let [x, y, z] = angles;
    about(2, z).times(&about(1, y)).times(&about(0, x)).columns
}
