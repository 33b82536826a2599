//! Animations: channels and their values at a time (glTF 2.0, section 3.11 and appendix C).

use gltf::accessor::Dimensions;
use gltf::animation::{Interpolation, Property};

use super::buffers::{Buffers, Numbers};
use super::wrong;
use crate::error::Error;
use crate::math::Quat;
use crate::source::Stack;

/// Tolerance for key times in seconds, because files store them as 32-bit floats.
const AT: f64 = 1e-5;

/// Target and keys of one channel.
#[derive(Debug)]
pub(super) struct Channel {
    /// Index of the node in the scene.
    pub(super) node: usize,
    pub(super) property: Property,
    interpolation: Interpolation,
    times: Vec<f64>,
    /// Values by key. Keys of cubic curves include the tangents before and after.
    values: Numbers,
}

/// Reads all channels of an animation as a stack.
pub(super) fn animation(
    source: &gltf::Animation<'_>,
    buffers: &Buffers,
    targets: impl Fn(usize) -> usize,
) -> Result<(Stack, Vec<Channel>), Error> {
    let mut channels = Vec::new();
    for (number, channel) in source.channels().enumerate() {
        let place = format!("animation {}, channel {number}", source.index());
        let sampler = channel.sampler();
        let times = buffers.numbers(&sampler.input(), &[Dimensions::Scalar])?.values;
        if times.is_empty() {
            return Err(wrong(&place, "no keys", "at least one"));
        }
        let order = |pair: &[f64]| pair[0] < pair[1];
        if !times.iter().all(|t| t.is_finite()) || !times.windows(2).all(order) {
            return Err(wrong(&place, "times that do not rise", "finite and rising times"));
        }
        let node = channel.target().node().index() + 1;
        let property = channel.target().property();
        let (shape, width) = match property {
            Property::Translation | Property::Scale => (Dimensions::Vec3, 3),
            Property::Rotation => (Dimensions::Vec4, 4),
            Property::MorphTargetWeights => (Dimensions::Scalar, targets(node)),
        };
        let interpolation = sampler.interpolation();
        let parts = if interpolation == Interpolation::CubicSpline {
            3
        } else {
            1
        };
        let mut values = buffers.numbers(&sampler.output(), &[shape])?;
        values.width = width;
        let wanted = times.len().saturating_mul(width * parts);
        if values.values.len() != wanted {
            let found = format!("{} numbers", values.values.len());
            return Err(wrong(
                &place,
                found,
                format!("{wanted} for its {} keys", times.len()),
            ));
        }
        channels.push(Channel {
            node,
            property,
            interpolation,
            times,
            values,
        });
    }
    Ok((stack(source, &channels), channels))
}

fn stack(source: &gltf::Animation<'_>, channels: &[Channel]) -> Stack {
    let times = || {
        channels
            .iter()
            .flat_map(|c| c.times.first().into_iter().chain(c.times.last()))
    };
    let mut moved: Vec<usize> = channels
        .iter()
        .filter(|c| c.property != Property::MorphTargetWeights)
        .map(|c| c.node)
        .collect();
    moved.sort_unstable();
    moved.dedup();
    let unnamed = || format!("animation{}", source.index());
    Stack {
        name: source.name().map_or_else(unnamed, str::to_owned),
        begin: times().copied().reduce(f64::min).unwrap_or(0.0),
        end: times().copied().reduce(f64::max).unwrap_or(0.0),
        moved,
        shapes: channels
            .iter()
            .any(|c| c.property == Property::MorphTargetWeights),
    }
}

impl Channel {
    /// Returns the values at a time. Before the first and after the last key, the values of that key hold.
    pub(super) fn at(&self, time: f64) -> Vec<f64> {
        let after = self.times.partition_point(|t| *t <= time + AT);
        let last = self.times.len() - 1;
        let key = after.saturating_sub(1);
        if after == 0 || key == last || time <= self.times[key] + AT {
            return self.key(key, 1).to_vec();
        }
        let (begin, end) = (self.times[key], self.times[key + 1]);
        let span = end - begin;
        let t = ((time - begin) / span).clamp(0.0, 1.0);
        let (a, b) = (self.key(key, 1), self.key(key + 1, 1));
        match self.interpolation {
            Interpolation::Step => a.to_vec(),
            Interpolation::Linear if self.property == Property::Rotation => slerp(a, b, t),
            Interpolation::Linear => a.iter().zip(b).map(|(a, b)| a + (b - a) * t).collect(),
            Interpolation::CubicSpline => {
                let (out, into) = (self.key(key, 2), self.key(key + 1, 0));
                let tangents = out.iter().zip(into);
                let pairs = a.iter().zip(b).zip(tangents);
                pairs
                    .map(|((a, b), (out, into))| hermite([*a, out * span, *b, into * span], t))
                    .collect()
            }
        }
    }

    /// Returns the value of a key. Parts 0 and 2 are the tangents before and after a cubic key.
    fn key(&self, key: usize, part: usize) -> &[f64] {
        match self.interpolation {
            Interpolation::CubicSpline => self.values.of(key * 3 + part),
            _ => self.values.of(key),
        }
    }
}

/// Hermite interpolation from a value and its tangent to the next value and its tangent.
fn hermite([a, out, b, into]: [f64; 4], t: f64) -> f64 {
    let (t2, t3) = (t * t, t * t * t);
    (2.0 * t3 - 3.0 * t2 + 1.0) * a + (t3 - 2.0 * t2 + t) * out + (3.0 * t2 - 2.0 * t3) * b + (t3 - t2) * into
}

/// Spherical interpolation along the shorter arc.
fn slerp(a: &[f64], b: &[f64], t: f64) -> Vec<f64> {
    let cosine: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    let sign = if cosine < 0.0 { -1.0 } else { 1.0 };
    let angle = (cosine * sign).min(1.0).acos();
    let (wa, wb) = match angle.sin() {
        sine if sine < 1e-9 => (1.0 - t, t),
        sine => (((1.0 - t) * angle).sin() / sine, (t * angle).sin() / sine),
    };
    a.iter().zip(b).map(|(a, b)| wa * a + sign * wb * b).collect()
}

/// Converts a rotation x, y, z, w to a unit quaternion; the identity if it has no direction.
pub(super) fn rotation(xyzw: &[f64]) -> Quat {
    let [x, y, z, w] = [0, 1, 2, 3].map(|k| xyzw.get(k).copied().unwrap_or(0.0));
    let length = (x * x + y * y + z * z + w * w).sqrt();
    match length.is_finite() && length > 1e-12 {
        true => [w, x, y, z].map(|c| c / length),
        false => [1.0, 0.0, 0.0, 0.0],
    }
}

#[cfg(test)]
mod tests {
    use super::{hermite, slerp};

    #[test]
    fn curves_go_through_their_keys_and_along_their_tangents() {
        assert_eq!(hermite([2.0, 5.0, 3.0, -1.0], 0.0), 2.0);
        assert_eq!(hermite([2.0, 5.0, 3.0, -1.0], 1.0), 3.0);
        // Both tangents of a straight line equal its slope.
        assert!((hermite([2.0, 4.0, 6.0, 4.0], 0.25) - 3.0).abs() < 1e-12);
    }

    #[test]
    fn turns_go_the_shorter_way_at_even_speed() {
        let half = 0.5_f64.sqrt();
        // A quarter turn about z, written with the opposite sign.
        let made = slerp(&[0.0, 0.0, 0.0, 1.0], &[0.0, 0.0, -half, -half], 0.5);
        let wanted = 22.5_f64.to_radians();
        assert!(
            (made[2] - wanted.sin()).abs() < 1e-12 && (made[3] - wanted.cos()).abs() < 1e-12,
            "{made:?}"
        );
    }
}
