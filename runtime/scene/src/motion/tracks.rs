//! Key tables at a moment: what one key gives alone, and what a kernel finds between keys, all tables in one batch.

use super::track::{LastKey, Place, Track};
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

/// Key tables of values of one kind, each with what it moves.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tracks<T, I = ObjectId>(Vec<(I, Track<T>)>);

impl<T, I> Default for Tracks<T, I> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Copy, I: Copy> Tracks<T, I> {
    /// Adds a table; gives the index of its first key that does not ascend.
    pub(super) fn push(&mut self, id: I, track: Track<T>) -> Option<usize> {
        let descent = track.descent();
        self.0.push((id, track));
        descent
    }

    /// Splits the tables at a moment: what one key gives, and what lies between two.
    fn at(&self, moment: Moment) -> Held<'_, T, I> {
        let mut held = Held {
            constant: Vec::new(),
            moving: Vec::new(),
        };
        for (id, track) in &self.0 {
            match track.place(moment.frame, moment.length, moment.last_key) {
                None => {}
                Some(Place::At(key)) => held.constant.push((*id, track.values[key])),
                Some(Place::Between { before, after, span }) => held.moving.push(Moving {
                    id: *id,
                    track,
                    before,
                    after,
                    span,
                }),
            }
        }
        held
    }
}

/// Tables at a moment.
struct Held<'a, T, I> {
    constant: Vec<(I, T)>,
    moving: Vec<Moving<'a, T, I>>,
}

/// A table at a moment between two of its keys.
struct Moving<'a, T, I> {
    id: I,
    track: &'a Track<T>,
    before: usize,
    after: usize,
    span: Span,
}

impl<T: Copy, I> Moving<'_, T, I> {
    fn ends(&self) -> [T; 2] {
        [self.before, self.after].map(|key| self.track.values[key])
    }
}

impl<T: Copy, I: Copy> Held<'_, T, I> {
    /// The value of every table: `batch` computes those that move.
    fn values(
        self,
        batch: impl FnOnce(&[Moving<'_, T, I>]) -> Result<Vec<T>, KernelError>,
    ) -> Result<Vec<(I, T)>, KernelError> {
        let mut values = self.constant;
        if !self.moving.is_empty() {
            let moved = batch(&self.moving)?;
            values.extend(self.moving.iter().map(|moving| moving.id).zip(moved));
        }
        Ok(values)
    }
}

/// When a motion is asked, and by which rule.
#[derive(Clone, Copy)]
pub(super) struct Moment {
    pub(super) frame: f32,
    /// Of the motion.
    pub(super) length: u32,
    pub(super) last_key: LastKey,
}

/// Vectors at a moment, straight from key to key or on splines.
pub(super) fn vectors<I: Copy>(
    tracks: &Tracks<Axis3<f32>, I>,
    spline: bool,
    moment: Moment,
    kernels: &mut dyn Kernels,
) -> Result<Vec<(I, Axis3<f32>)>, KernelError> {
    tracks.at(moment).values(|moving| {
        if spline {
            let of = |m: &Moving<'_, _, _>| keys_spline::Keys {
                span: m.span,
                values: m.track.around(m.before),
            };
            keys_spline(kernels, moment.frame, &moving.iter().map(of).collect::<Vec<_>>())
        } else {
            let of = |m: &Moving<'_, _, _>| keys_linear::Keys {
                span: m.span,
                values: m.ends(),
            };
            keys_linear(kernels, moment.frame, &moving.iter().map(of).collect::<Vec<_>>())
        }
    })
}

/// Angles go straight from key to key on splines too: the original asks a control word first, which nothing sets.
pub(super) fn angles<I: Copy>(
    tracks: &Tracks<Axis3<i32>, I>,
    moment: Moment,
    short_way: bool,
    kernels: &mut dyn Kernels,
) -> Result<Vec<(I, Axis3<i32>)>, KernelError> {
    tracks.at(moment).values(|moving| {
        let of = |m: &Moving<'_, _, _>| keys_angles::Keys {
            span: m.span,
            values: m.ends(),
        };
        let keys: Vec<_> = moving.iter().map(of).collect();
        keys_angles(kernels, moment.frame, &keys, short_way)
    })
}

/// Quaternions at a moment.
pub(super) fn quaternions(
    tracks: &Tracks<[f32; 4]>,
    moment: Moment,
    kernels: &mut dyn Kernels,
) -> Result<Vec<(ObjectId, [f32; 4])>, KernelError> {
    tracks.at(moment).values(|moving| {
        let of = |m: &Moving<'_, _, _>| keys_quaternion::Keys {
            span: m.span,
            values: m.ends(),
        };
        keys_quaternion(kernels, moment.frame, &moving.iter().map(of).collect::<Vec<_>>())
    })
}
