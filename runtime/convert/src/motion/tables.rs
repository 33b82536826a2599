//! Builds the key tables of one node. A table is `None` if the node keeps its rest value in all frames.

use ninja::{Key, Keys, Object};

use super::reduced;
use crate::error::{Warnings, plural};
use crate::math::{Quat, RotationMatrix, Trs, Vec3, euler_near, length, rotation_of_angles, sub};
use crate::options::AngleBits;

/// Permitted error of reduced keys.
pub(super) struct Tolerance {
    pub(super) position: f64,
    pub(super) degrees: f64,
    pub(super) scale: f64,
}

const BAMS_PER_DEGREE: f64 = 65_536.0 / 360.0;

pub(super) fn positions(locals: &[Trs], object: &Object, tolerance: &Tolerance) -> Option<Keys> {
    let values: Vec<Vec3> = locals.iter().map(|t| t.translation).collect();
    vectors(&values, object.pos.map(f64::from), tolerance.position)
}

pub(super) fn scales(locals: &[Trs], object: &Object, tolerance: &Tolerance) -> Option<Keys> {
    let values: Vec<Vec3> = locals.iter().map(|t| t.scale).collect();
    vectors(&values, object.scl.map(f64::from), tolerance.scale)
}

fn vectors(values: &[Vec3], rest: Vec3, tolerance: f64) -> Option<Keys> {
    let near = |a: Vec3, b: Vec3| length(sub(a, b)) <= tolerance;
    if values.iter().all(|v| near(*v, rest)) {
        return None;
    }
    let key = |k: usize| Key {
        frame: k as u32,
        value: values[k].map(|c| c as f32),
    };
    if values.iter().all(|v| near(*v, values[0])) {
        return Some(Keys::F(vec![key(0)]));
    }
    let kept = reduced(values.len(), |a, b, k| {
        near(between(values[a], values[b], share(a, b, k)), values[k])
    });
    Some(Keys::F(kept.into_iter().map(key).collect()))
}

fn share(a: usize, b: usize, k: usize) -> f64 {
    (k - a) as f64 / (b - a) as f64
}

fn between(a: Vec3, b: Vec3, t: f64) -> Vec3 {
    [0, 1, 2].map(|k| a[k] + (b[k] - a[k]) * t)
}

/// Returns angles in BAMS without jumps between frames, and the rotations that they make.
pub(super) fn angles(
    wanted: &[RotationMatrix],
    object: &Object,
    tolerance: &Tolerance,
    bits: AngleBits,
    name: &str,
    warnings: &mut Warnings,
) -> (Option<Keys>, Vec<RotationMatrix>) {
    let rest = object.ang.map(|a| a.0);
    let mut near = object.ang.map(|a| a.radians());
    let values: Vec<[i32; 3]> = wanted
        .iter()
        .map(|turn| {
            near = euler_near(turn, near);
            near.map(|r| (r.to_degrees() * BAMS_PER_DEGREE).round() as i32)
        })
        .collect();
    let most = tolerance.degrees * BAMS_PER_DEGREE;
    let same = |a: [i32; 3], b: [i32; 3]| (0..3).all(|k| f64::from((a[k] - b[k]).abs()) <= most);
    if values.iter().all(|v| same(*v, rest)) {
        return (None, vec![turn(rest); values.len()]);
    }
    warn_of_steps(&values, name, warnings);
    let kept = if values.iter().all(|v| same(*v, values[0])) {
        vec![0]
    } else {
        reduced(values.len(), |a, b, k| {
            // The runtime interpolates 16-bit keys along the shorter way (docs/formats/ninja.md, 2.5). The
            // difference of two keys must therefore be below half a turn.
            let short =
                bits == AngleBits::Long || (0..3).all(|i| (values[b][i] - values[a][i]).abs() < 0x8000);
            short && same(on_line(values[a], values[b], share(a, b, k)), values[k])
        })
    };
    let made = made(&values, &kept);
    let keys = match bits {
        AngleBits::Short => Keys::Sa(keys(&kept, |k| values[k].map(|a| a as i16))),
        AngleBits::Long => Keys::A(keys(&kept, |k| values[k].map(ninja::Bams))),
    };
    (Some(keys), made)
}

/// Interpolates between two keys like the runtime: truncates towards zero (docs/formats/ninja.md, 2.5).
fn on_line(a: [i32; 3], b: [i32; 3], t: f64) -> [i32; 3] {
    [0, 1, 2].map(|i| a[i] + (f64::from(b[i] - a[i]) * t) as i32)
}

/// Returns the rotation at every frame.
fn made(values: &[[i32; 3]], kept: &[usize]) -> Vec<RotationMatrix> {
    let mut segment = 0;
    let at = |k: usize| {
        while kept.get(segment + 1).is_some_and(|next| *next <= k) {
            segment += 1;
        }
        let a = kept[segment];
        let angles = match kept.get(segment + 1) {
            Some(b) => on_line(values[a], values[*b], share(a, *b, k)),
            None => values[a],
        };
        turn(angles)
    };
    (0..values.len()).map(at).collect()
}

fn turn(angles: [i32; 3]) -> RotationMatrix {
    rotation_of_angles(angles.map(|a| ninja::Bams(a).radians()))
}

/// Warns of large steps. Near the poles of Euler angles, a small rotation can need large angle changes, and
/// the interpolation between two frames overshoots.
fn warn_of_steps(values: &[[i32; 3]], name: &str, warnings: &mut Warnings) {
    let far = |pair: &[[i32; 3]]| (0..3).any(|k| (pair[1][k] - pair[0][k]).abs() > 0x4000);
    let count = values.windows(2).filter(|pair| far(pair)).count();
    if count > 0 {
        let times = plural(count, "time", "times");
        let message = format!(
            "{times} Euler angles change by more than 90 degrees in one frame: quaternions \
            (--quaternions) would be smooth"
        );
        warnings.add(format!("node {name:?}"), message);
    }
}

fn keys<T>(kept: &[usize], value: impl Fn(usize) -> T) -> Vec<Key<T>> {
    let key = |k: &usize| Key {
        frame: *k as u32,
        value: value(*k),
    };
    kept.iter().map(key).collect()
}

/// Returns quaternions, each on the same half of the sphere as the previous one, so that interpolation takes
/// the shorter arc.
pub(super) fn quaternions(locals: &[Trs], object: &Object, tolerance: &Tolerance) -> Option<Keys> {
    let rest = object
        .quaternion()
        .map_or([1.0, 0.0, 0.0, 0.0], |q| q.map(f64::from));
    let mut before = rest;
    let values: Vec<Quat> = locals
        .iter()
        .map(|t| {
            let q = t.rotation;
            before = if dot(q, before) < 0.0 { q.map(|c| -c) } else { q };
            before
        })
        .collect();
    let near = |a: Quat, b: Quat| angle(a, b) <= tolerance.degrees.to_radians();
    if values.iter().all(|q| near(*q, rest)) {
        return None;
    }
    let kept = if values.iter().all(|q| near(*q, values[0])) {
        vec![0]
    } else {
        reduced(values.len(), |a, b, k| {
            near(blend(values[a], values[b], share(a, b, k)), values[k])
        })
    };
    Some(Keys::Quat(keys(&kept, |k| values[k].map(|c| c as f32))))
}

fn dot(a: Quat, b: Quat) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Returns the angle of the rotation from one to the other, in radians.
fn angle(a: Quat, b: Quat) -> f64 {
    let difference = [0, 1, 2, 3].map(|k| a[k] - b[k]);
    let sum = [0, 1, 2, 3].map(|k| a[k] + b[k]);
    let chord = dot(difference, difference).min(dot(sum, sum)).sqrt();
    4.0 * (chord / 2.0).min(1.0).asin()
}

/// Normalised lerp along the shorter arc, like the runtime (docs/formats/ninja.md, 2.5).
fn blend(a: Quat, b: Quat, t: f64) -> Quat {
    let sign = if dot(a, b) < 0.0 { -1.0 } else { 1.0 };
    let q = [0, 1, 2, 3].map(|k| a[k] * (1.0 - t) + b[k] * t * sign);
    let l = dot(q, q).sqrt();
    q.map(|c| c / l)
}
