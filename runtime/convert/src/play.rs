//! A simple player of Ninja files in `f64`, written from docs/formats/ninja.md, 2.1, 2.5 and 2.6. It shares
//! no code with the converter. If the player and the converter agree, a common bug is therefore unlikely.

use ninja::{
    Bams, CShapeData, CShapeList, CShapeMotion, Element, EvalFlags, Interpolation, Key, Keys, Motion, Object,
    ObjectTree, ShapeChunk,
};

use crate::math::{Affine, Quat, Vec3, add, finite, quat_columns, scaled};

/// A tree with its motion and shapes.
pub(crate) struct Player<'a> {
    pub(crate) tree: &'a ObjectTree,
    pub(crate) motion: Option<&'a Motion>,
    pub(crate) shape_motion: Option<&'a CShapeMotion>,
    pub(crate) shapes: Option<&'a CShapeList>,
    /// Lets the angles of a spline motion follow the spline.
    pub(crate) spline_angles: bool,
}

/// A node in the order of the walk.
pub(crate) struct Step<'a> {
    pub(crate) depth: usize,
    pub(crate) object: &'a Object,
    /// Index of its entry in the motions; `None` for nodes with SKIP.
    pub(crate) entry: Option<usize>,
    pub(crate) shape_entry: Option<usize>,
}

/// Two key shapes of a chunk with their numbers in the list, and the weight of the second.
pub(crate) type Blended<'a> = ([(u32, &'a ShapeChunk); 2], f64);

impl<'a> Player<'a> {
    /// Returns the nodes in drawing order.
    pub(crate) fn steps(&self) -> impl Iterator<Item = Step<'a>> + use<'a> {
        let (mut entries, mut shape_entries) = (0, 0);
        self.tree.walk().map(move |(_, depth, object)| {
            let next = |count: &mut usize, skip| {
                let entry = (!object.evalflags.contains(skip)).then_some(*count);
                *count += usize::from(entry.is_some());
                entry
            };
            Step {
                depth,
                object,
                entry: next(&mut entries, EvalFlags::SKIP),
                shape_entry: next(&mut shape_entries, EvalFlags::SHAPE_SKIP),
            }
        })
    }

    /// Returns the local transform at a frame of the motion, or at rest.
    pub(crate) fn local(&self, step: &Step<'_>, frame: Option<u32>) -> Local {
        let object = step.object;
        let frame = frame.filter(|_| step.entry.is_some());
        let playing = frame.and_then(|f| Some((self.motion?, step.entry?, f)));
        let keys = |element| playing.and_then(|(m, entry, f)| Some((m.keys(entry, element)?, f)));
        // A playing motion ignores UNIT flags (docs/formats/ninja.md, 2.5).
        let unit = |flag| playing.is_none() && object.evalflags.contains(flag);
        let spline = self
            .motion
            .is_some_and(|m| m.inp_fn.method() != Interpolation::Linear);
        let vector = |element, rest: [f32; 3]| match keys(element) {
            Some((Keys::F(keys), f)) if spline => catmull_rom(keys, f),
            Some((Keys::F(keys), f)) => mixed(keys, f, |a, b, t| lerp(a.map(f64::from), b.map(f64::from), t)),
            _ => Some(rest.map(f64::from)),
        };
        let pos = vector(Element::Pos, object.pos).filter(|_| !unit(EvalFlags::UNIT_POS));
        let scl = vector(Element::Scl, object.scl).filter(|_| !unit(EvalFlags::UNIT_SCL));
        let curved = spline && self.spline_angles;
        let keyed = match (keys(Element::Sang), keys(Element::Ang)) {
            (Some((Keys::Sa(keys), f)), _) | (_, Some((Keys::Sa(keys), f))) => match curved {
                true => curved_angles(keys, f, |a| a.map(i32::from), |d| i32::from(d as i16)),
                false => mixed(keys, f, short_way),
            },
            (_, Some((Keys::A(keys), f))) => match curved {
                true => curved_angles(keys, f, |a| a.map(|Bams(a)| a), |d| d),
                false => mixed(keys, f, long_way),
            },
            _ => None,
        };
        let quaternion = match keys(Element::Quat) {
            Some((Keys::Quat(keys), f)) => mixed(keys, f, nlerp),
            _ => object.quaternion().map(|q| q.map(f64::from)),
        };
        // Keyed nodes use the root's rotation order (docs/formats/ninja.md, 2.5).
        let root = self.tree.objects.first().unwrap_or(object);
        let order = if playing.is_some() { root } else { object };
        let columns = match (quaternion, keyed) {
            _ if unit(EvalFlags::UNIT_ANG) => Affine::IDENTITY.columns,
            (Some(q), None) => quat_columns(q),
            (_, angles) => rotation_of(
                angles.unwrap_or_else(|| object.ang.map(|a| a.0)),
                order.evalflags.contains(EvalFlags::ZXY_ANG),
            ),
        };
        Local {
            position: pos.unwrap_or_default(),
            turn: columns,
            scale: scl.unwrap_or([1.0; 3]),
        }
    }

    /// Returns the shapes of a chunk at a frame of the shape motion.
    pub(crate) fn shape(&self, step: &Step<'_>, chunk: usize, frame: u32) -> Option<Blended<'a>> {
        let data = self.shape_data(step, chunk)?;
        let keys = self.shape_motion?.tracks.get(data.keys?.0 as usize)?;
        let (a, b, t) = mixed(keys, frame, |a, b, t| (a, b, t))?;
        let of = |id: u32| Some((id, self.shape_chunk(data, id)?));
        Some(([of(a)?, of(b)?], t))
    }

    /// Returns the shape motion's data for a chunk.
    pub(crate) fn shape_data(&self, step: &Step<'_>, chunk: usize) -> Option<&'a CShapeData> {
        self.shape_motion?.nodes.get(step.shape_entry?)?.get(chunk)
    }

    /// Returns the vertices of shape number `id` for a chunk.
    pub(crate) fn shape_chunk(&self, data: &CShapeData, id: u32) -> Option<&'a ShapeChunk> {
        let list = self.shapes?;
        let group = list.shapes.get(id as usize)?;
        let cvlist = list.cvlists.get(group.cvlist?.0 as usize)?;
        let vlist = (*cvlist.get(usize::from(data.entry_id))?)?;
        list.vlists.get(vlist.0 as usize)?.chunks.first()
    }
}

/// A node's transform: scale, then rotation, then translation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Local {
    pub(crate) position: Vec3,
    pub(crate) turn: [Vec3; 3],
    pub(crate) scale: Vec3,
}

impl Local {
    pub(crate) fn finite(&self) -> bool {
        finite(self.position) && finite(self.scale) && self.turn.iter().all(|row| finite(*row))
    }

    pub(crate) fn affine(&self) -> Affine {
        Affine {
            columns: [0, 1, 2].map(|k| scaled(self.turn[k], self.scale[k])),
            origin: self.position,
        }
    }
}

/// Interpolates at a frame between two keys: the last key at or before the frame, and the following key. The
/// first key follows the last one. A key distance of 0 or less counts as 1 (docs/formats/ninja.md, 2.5).
fn mixed<T: Copy, R>(keys: &[Key<T>], frame: u32, mix: impl Fn(T, T, f64) -> R) -> Option<R> {
    let (at, t) = at(keys, frame)?;
    let (a, b) = (keys.get(at)?, keys.get((at + 1) % keys.len())?);
    Some(mix(a.value, b.value, t))
}

/// Returns the index of the key before a frame, and the fraction of the distance to the next key.
fn at<T: Copy>(keys: &[Key<T>], frame: u32) -> Option<(usize, f64)> {
    let at = keys.iter().rposition(|k| k.frame <= frame).unwrap_or(0);
    let (a, b) = (keys.get(at)?, keys.get((at + 1) % keys.len())?);
    let distance = if b.frame > a.frame { b.frame - a.frame } else { 1 };
    Some((at, f64::from(frame.saturating_sub(a.frame)) / f64::from(distance)))
}

/// Returns the weight of shape `id` at a frame of a track.
pub(crate) fn share_of(keys: &[Key<u32>], frame: u32, id: u32) -> f64 {
    let part = |value, share| if value == id { share } else { 0.0 };
    mixed(keys, frame, |a, b, t| part(a, 1.0 - t) + part(b, t)).unwrap_or(0.0)
}

/// Uniform Catmull-Rom spline over four keys: before, at, after, and one further, with wrap-around
/// (docs/formats/ninja.md, 2.5).
fn catmull_rom(keys: &[Key<[f32; 3]>], frame: u32) -> Option<Vec3> {
    let (at, t) = at(keys, frame)?;
    let (n, weights) = (keys.len(), spline_weights(t));
    let of = |k: usize| keys[(at + n + k - 1) % n].value.map(f64::from);
    Some((0..4).fold([0.0; 3], |sum, k| add(sum, scaled(of(k), weights[k]))))
}

fn spline_weights(t: f64) -> [f64; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [
        (2.0 * t2 - t - t3) / 2.0,
        (2.0 - 5.0 * t2 + 3.0 * t3) / 2.0,
        (t + 4.0 * t2 - 3.0 * t3) / 2.0,
        (t3 - t2) / 2.0,
    ]
}

/// Catmull-Rom spline for angles, over the differences between keys. `way` maps a difference to the short or
/// the long way around the circle.
fn curved_angles<T: Copy>(
    keys: &[Key<T>],
    frame: u32,
    value: impl Fn(T) -> [i32; 3],
    way: impl Fn(i32) -> i32,
) -> Option<[i32; 3]> {
    let (at, t) = at(keys, frame)?;
    let (n, weights) = (keys.len(), spline_weights(t));
    let of = |k: usize| value(keys[(at + n + k - 1) % n].value);
    let step = |from: usize, axis: usize| f64::from(way(of(from + 1)[axis].wrapping_sub(of(from)[axis])));
    let axis = |axis| {
        let (ahead, behind) = (step(1, axis), -step(0, axis));
        let curve = behind * weights[0] + ahead * weights[2] + (ahead + step(2, axis)) * weights[3];
        of(1)[axis].wrapping_add(curve as i32)
    };
    Some([0, 1, 2].map(axis))
}

pub(crate) fn lerp(a: Vec3, b: Vec3, t: f64) -> Vec3 {
    [0, 1, 2].map(|k| a[k] * (1.0 - t) + b[k] * t)
}

fn short_way(a: [i16; 3], b: [i16; 3], t: f64) -> [i32; 3] {
    [0, 1, 2].map(|k| i32::from(a[k]) + (f64::from(b[k].wrapping_sub(a[k])) * t) as i32)
}

fn long_way(a: [Bams; 3], b: [Bams; 3], t: f64) -> [i32; 3] {
    [0, 1, 2].map(|k| {
        a[k].0
            .wrapping_add((f64::from(b[k].0.wrapping_sub(a[k].0)) * t) as i32)
    })
}

fn nlerp(a: [f32; 4], b: [f32; 4], t: f64) -> Quat {
    let (a, b) = (a.map(f64::from), b.map(f64::from));
    let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    let second = if dot < 0.0 { -t } else { t };
    let q = [0, 1, 2, 3].map(|k| a[k] * (1.0 - t) + b[k] * second);
    let length = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    q.map(|c| c / length)
}

/// Returns Rz * Ry * Rx, or Ry * Rx * Rz (docs/formats/ninja.md, 2.1).
fn rotation_of(angles: [i32; 3], zxy: bool) -> [Vec3; 3] {
    let about = |axis: usize| {
        let (sin, cos) = (f64::from(angles[axis] as i16) * std::f64::consts::TAU / 65_536.0).sin_cos();
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut m = Affine::IDENTITY;
        (m.columns[i][i], m.columns[i][j]) = (cos, sin);
        (m.columns[j][i], m.columns[j][j]) = (-sin, cos);
        m
    };
    let order = if zxy { [1, 0, 2] } else { [2, 1, 0] };
    order
        .map(about)
        .iter()
        .fold(Affine::IDENTITY, |all, turn| all.times(turn))
        .columns
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A quarter turn about x, then z, takes y to z and keeps it there. In the order z, x, it takes y to -x.
    #[test]
    fn the_flag_selects_the_order_of_angles() {
        let angles = [0x4000, 0, 0x4000];
        let y = |zxy| rotation_of(angles, zxy)[1].map(|c| c.round());
        assert_eq!(y(false), [0.0, 0.0, 1.0]);
        assert_eq!(y(true), [-1.0, 0.0, 0.0]);
    }

    /// At 0.5, the weights of the four keys are -1/16, 9/16, 9/16 and -1/16. Values 0, 0, 1, 1 give 1/2, and
    /// 0, 1, 0, 0 give 9/16.
    #[test]
    fn a_spline_uses_four_keys() {
        let keys = |values: [f32; 4]| -> Vec<Key<[f32; 3]>> {
            let key = |(i, v): (usize, &f32)| Key {
                frame: 2 * i as u32,
                value: [*v; 3],
            };
            values.iter().enumerate().map(key).collect()
        };
        assert_eq!(catmull_rom(&keys([0.0, 0.0, 1.0, 1.0]), 3), Some([0.5; 3]));
        assert_eq!(catmull_rom(&keys([0.0, 1.0, 0.0, 0.0]), 3), Some([0.5625; 3]));
    }

    /// In the middle of the second span, the result is 9/16 - 1/16 = 1/2 of a quarter turn.
    #[test]
    fn a_spline_of_angles_uses_their_differences() {
        let keys: Vec<Key<[i16; 3]>> = [0, 0, 0x4000, 0x4000]
            .iter()
            .zip(0..)
            .map(|(value, i)| Key {
                frame: 2 * i,
                value: [*value; 3],
            })
            .collect();
        let at = |frame| curved_angles(&keys, frame, |a| a.map(i32::from), |d| i32::from(d as i16));
        assert_eq!(at(3), Some([0x2000; 3]));
        // Between the first two keys, which are equal: -1/16 of the last key, which is a quarter turn ahead,
        // and -1/16 of the third.
        assert_eq!(at(1), Some([-0x800; 3]));
    }
}
