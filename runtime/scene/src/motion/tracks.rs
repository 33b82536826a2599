//! Evaluation of key tables at one frame. A kernel computes all values between keys in one batch.

use super::track::{KeyInterval, LastKey, Track};
use crate::Kernels;
use ninja::ObjectId;
use sh4_kernels::KernelError;
use sh4_kernels::keys::Span;
use sh4_kernels::keys_angles::{self, keys_angles};
use sh4_kernels::keys_linear::{self, keys_linear};
use sh4_kernels::keys_quaternion::{self, keys_quaternion};
use sh4_kernels::keys_spline::{self, keys_spline};

/// x, y and z.
pub(super) type Axis3<T> = [T; 3];

/// Key tables of one type of values, each with its target.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tracks<T, I = ObjectId>(Vec<(I, Track<T>)>);

impl<T, I> Default for Tracks<T, I> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T, I> Tracks<T, I> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T: Copy, I: Copy> Tracks<T, I> {
    /// Adds a table; returns the index of its first key that does not ascend.
    pub(super) fn push(&mut self, id: I, track: Track<T>) -> Option<usize> {
        let descent = track.descent();
        self.0.push((id, track));
        descent
    }

    /// Finds the position of a frame in each table. Separates the tables with the value of one key from those
    /// that must be interpolated between two keys.
    fn at(&self, at: EvaluatedFrame) -> TrackValues<'_, T, I> {
        let mut values = TrackValues {
            constant: Vec::new(),
            moving: Vec::new(),
        };
        for (id, track) in &self.0 {
            match track.place(at.frame, at.length, at.last_key) {
                None => {}
                Some(KeyInterval::At(key)) => values.constant.push((*id, track.values[key])),
                Some(KeyInterval::Between { before, after, span }) => values.moving.push(MovingTrack {
                    id: *id,
                    track,
                    before,
                    after,
                    span,
                }),
            }
        }
        values
    }
}

/// Tables at one frame: values of single keys, and tables to interpolate.
struct TrackValues<'a, T, I> {
    constant: Vec<(I, T)>,
    moving: Vec<MovingTrack<'a, T, I>>,
}

/// A table at one frame between two of its keys.
struct MovingTrack<'a, T, I> {
    id: I,
    track: &'a Track<T>,
    before: usize,
    after: usize,
    span: Span,
}

impl<T: Copy, I> MovingTrack<'_, T, I> {
    fn ends(&self) -> [T; 2] {
        [self.before, self.after].map(|key| self.track.values[key])
    }
}

impl<T: Copy, I: Copy> TrackValues<'_, T, I> {
    /// Returns the value of every table. `batch` interpolates the values between keys.
    fn values(
        self,
        batch: impl FnOnce(&[MovingTrack<'_, T, I>]) -> Result<Vec<T>, KernelError>,
    ) -> Result<Vec<(I, T)>, KernelError> {
        let mut values = self.constant;
        if !self.moving.is_empty() {
            let moved = batch(&self.moving)?;
            values.extend(self.moving.iter().map(|moving| moving.id).zip(moved));
        }
        Ok(values)
    }
}

/// Frame of an evaluation, and its rules.
#[derive(Clone, Copy)]
pub(super) struct EvaluatedFrame {
    pub(super) frame: f32,
    /// Length of the motion.
    pub(super) length: u32,
    pub(super) last_key: LastKey,
}

/// Returns vectors at one frame, interpolated linearly or on splines.
pub(super) fn vectors<I: Copy>(
    tracks: &Tracks<Axis3<f32>, I>,
    spline: bool,
    at: EvaluatedFrame,
    kernels: &mut dyn Kernels,
) -> Result<Vec<(I, Axis3<f32>)>, KernelError> {
    tracks.at(at).values(|moving| {
        if spline {
            let of = |m: &MovingTrack<'_, _, _>| keys_spline::Keys {
                span: m.span,
                values: m.track.around(m.before),
            };
            keys_spline(kernels, at.frame, &moving.iter().map(of).collect::<Vec<_>>())
        } else {
            let of = |m: &MovingTrack<'_, _, _>| keys_linear::Keys {
                span: m.span,
                values: m.ends(),
            };
            keys_linear(kernels, at.frame, &moving.iter().map(of).collect::<Vec<_>>())
        }
    })
}

/// Returns angles at one frame, interpolated linearly or on splines.
pub(super) fn angles<I: Copy>(
    tracks: &Tracks<Axis3<i32>, I>,
    spline: bool,
    at: EvaluatedFrame,
    short_way: bool,
    kernels: &mut dyn Kernels,
) -> Result<Vec<(I, Axis3<i32>)>, KernelError> {
    tracks.at(at).values(|moving| {
        if spline {
            return spline_angles(moving, at.frame, short_way, kernels);
        }
        let of = |m: &MovingTrack<'_, _, _>| keys_angles::Keys {
            span: m.span,
            values: m.ends(),
        };
        let keys: Vec<_> = moving.iter().map(of).collect();
        keys_angles(kernels, at.frame, &keys, short_way)
    })
}

/// Interpolates angles on splines through four keys. Passes the kernel angles relative to the key before the
/// frame, and adds this key to the results.
fn spline_angles<I>(
    moving: &[MovingTrack<'_, Axis3<i32>, I>],
    frame: f32,
    short_way: bool,
    kernels: &mut dyn Kernels,
) -> Result<Vec<Axis3<i32>>, KernelError> {
    let keys: Vec<_> = moving
        .iter()
        .map(|m| keys_spline::Keys {
            span: m.span,
            values: relative_angles(m.track.around(m.before), short_way),
        })
        .collect();
    let found = keys_spline(kernels, frame, &keys)?;
    let sum = |(m, found): (&MovingTrack<'_, Axis3<i32>, I>, [f32; 3])| {
        let before = m.track.values[m.before];
        [0, 1, 2].map(|axis| before[axis].wrapping_add(found[axis] as i32))
    };
    Ok(moving.iter().zip(found).map(sum).collect())
}

/// Returns four keys of angles, relative to the second. With `short_way` no step between keys exceeds half a
/// turn.
pub(crate) fn relative_angles(keys: [Axis3<i32>; 4], short_way: bool) -> [Axis3<f32>; 4] {
    let step = |from: usize, to: usize, axis: usize| {
        let difference = keys[to][axis].wrapping_sub(keys[from][axis]);
        if short_way {
            i32::from(difference as i16)
        } else {
            difference
        }
    };
    let axes = [0, 1, 2];
    [
        axes.map(|axis| -(step(0, 1, axis) as f32)),
        [0.0; 3],
        axes.map(|axis| step(1, 2, axis) as f32),
        axes.map(|axis| step(1, 2, axis) as f32 + step(2, 3, axis) as f32),
    ]
}

/// Returns quaternions at one frame.
pub(super) fn quaternions(
    tracks: &Tracks<[f32; 4]>,
    at: EvaluatedFrame,
    kernels: &mut dyn Kernels,
) -> Result<Vec<(ObjectId, [f32; 4])>, KernelError> {
    tracks.at(at).values(|moving| {
        let of = |m: &MovingTrack<'_, _, _>| keys_quaternion::Keys {
            span: m.span,
            values: m.ends(),
        };
        keys_quaternion(kernels, at.frame, &moving.iter().map(of).collect::<Vec<_>>())
    })
}
