//! Sprite motions: position, rotation, scale and colour of a complete sprite by frame
//! (docs/formats/cell-sprite.md 5.3).

use super::SpriteValue;
use super::warning::{CellWarning, CellWarnings};
use crate::SplineAngles;
use crate::motion::{KeyInterval, LastKey, MotionError, Track, relative_angles};
use ninja::{Bams, Element, Interpolation, Keys, MotionKind};
use sh4_kernels::keys_angles::{self, keys_angles};
use sh4_kernels::keys_linear::{self, keys_linear};
use sh4_kernels::keys_spline::{self, keys_spline};
use sh4_kernels::shape_colours::shape_colours;
use sh4_kernels::{KernelError, Kernels};

/// A motion of file kind `NCSM`, prepared for playing.
///
/// ```
/// use ninja::{Element, Key, Keys, Motion, MotionKind, MotionType};
/// use scene::{LastKey, SpriteMotion, SpriteValue};
///
/// // From x = 0 to x = 40 in four frames.
/// let kind = MotionType(Element::Pos.bit());
/// let mut motion = Motion::new(MotionKind::CellSprite, kind, 5);
/// let key = |frame, x| Key { frame, value: [x, 0.0, -1.0] };
/// let track = motion.push_track(Keys::F(vec![key(0, 0.0), key(4, 40.0)]));
/// motion.push_node(&[Some(track)]);
///
/// let motion = SpriteMotion::new(&motion, LastKey::default())?;
/// let mut value = SpriteValue::default();
/// motion.apply(1.0, &mut value, &mut sh4_kernels::Reference)?;
/// assert_eq!(value.pos, [10.0, 0.0, -1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SpriteMotion {
    length: u32,
    rule: LastKey,
    spline: bool,
    spline_angles: SplineAngles,
    pos: Option<Track<[f32; 3]>>,
    zang: Option<Track<[i32; 3]>>,
    scale: Option<Track<[f32; 3]>>,
    diffuse: Option<Track<u32>>,
    warnings: CellWarnings,
}

impl SpriteMotion {
    /// Prepares the first node of `motion`; a sprite has no other.
    ///
    /// # Errors
    /// [`MotionError::Kind`] for a motion that is not a sprite's.
    pub fn new(motion: &ninja::Motion, rule: LastKey) -> Result<Self, MotionError> {
        if motion.kind != MotionKind::CellSprite {
            return Err(MotionError::Kind {
                found: motion.kind,
                expected: MotionKind::CellSprite,
            });
        }
        let mut made = Self {
            length: motion.nb_frame,
            rule,
            // Like in models, any method except linear is a spline.
            spline: motion.inp_fn.method() != Interpolation::Linear,
            spline_angles: SplineAngles::default(),
            pos: None,
            zang: None,
            scale: None,
            diffuse: None,
            warnings: CellWarnings::new(),
        };
        let mut unused = 0;
        for element in motion.elements() {
            let keys = motion.keys(0, element);
            match (element, keys) {
                (Element::Pos, Some(Keys::F(keys))) => made.pos = Some(Track::new(keys, |v| v)),
                (Element::Ang, Some(Keys::A1(keys))) => {
                    made.zang = Some(Track::new(keys, |v: Bams| [v.0, 0, 0]));
                }
                (Element::Scl, Some(Keys::F2(keys))) => {
                    made.scale = Some(Track::new(keys, |[x, y]: [f32; 2]| [x, y, 0.0]));
                }
                (Element::Rgb, Some(Keys::Ui32(keys))) => {
                    made.diffuse = Some(Track::new(keys, |v| v));
                }
                (_, Some(_)) => unused |= element.bit(),
                (_, None) => {}
            }
        }
        if unused != 0 {
            made.warnings
                .insert(CellWarning::MotionElements { bits: unused }, 1);
        }
        if made.spline && made.diffuse.is_some() {
            made.warnings.insert(CellWarning::SplineColours, 1);
        }
        Ok(made)
    }

    /// Returns the motion with another rule for the time after the last key.
    #[must_use]
    pub fn with_last_key(self, rule: LastKey) -> Self {
        Self { rule, ..self }
    }

    /// Returns the motion with another rule for the angle, if its method is a spline.
    #[must_use]
    pub fn with_spline_angles(self, spline_angles: SplineAngles) -> Self {
        Self {
            spline_angles,
            ..self
        }
    }

    /// Returns the rule for the angle, if the motion's method is a spline and it has an angle.
    pub fn spline_angles(&self) -> Option<SplineAngles> {
        (self.spline && self.zang.is_some()).then_some(self.spline_angles)
    }

    /// Length in frames.
    pub fn length(&self) -> u32 {
        self.length
    }

    /// Warnings about the motion.
    pub fn warnings(&self) -> &CellWarnings {
        &self.warnings
    }

    /// Sets the animated members of `value` to their state at `frame`. Other members do not change. Outside
    /// the motion's frames, `value` does not change.
    ///
    /// # Errors
    /// See [`KernelError`].
    pub fn apply(
        &self,
        frame: f32,
        value: &mut SpriteValue,
        kernels: &mut dyn Kernels,
    ) -> Result<(), KernelError> {
        if !(0.0..self.length as f32).contains(&frame) {
            return Ok(());
        }
        if let Some(pos) = self.floats(self.pos.as_ref(), frame, kernels)? {
            value.pos = pos;
        }
        if let Some([x, y, _]) = self.floats(self.scale.as_ref(), frame, kernels)? {
            value.scale = [x, y];
        }
        if let Some(zang) = self.angle(frame, kernels)? {
            value.zang = Bams(zang);
        }
        if let Some(argb) = self.colour(frame, kernels)? {
            value.diffuse = argb.to_be_bytes().map(|channel| f32::from(channel) / 255.0);
        }
        Ok(())
    }

    fn floats(
        &self,
        track: Option<&Track<[f32; 3]>>,
        frame: f32,
        kernels: &mut dyn Kernels,
    ) -> Result<Option<[f32; 3]>, KernelError> {
        let Some((track, place)) = self.place(track, frame) else {
            return Ok(None);
        };
        let (before, after, span) = match place {
            KeyInterval::At(key) => return Ok(Some(track.values[key])),
            KeyInterval::Between { before, after, span } => (before, after, span),
        };
        let values = if self.spline {
            let values = track.around(before);
            keys_spline(kernels, frame, &[keys_spline::Keys { span, values }])?
        } else {
            let values = [track.values[before], track.values[after]];
            keys_linear(kernels, frame, &[keys_linear::Keys { span, values }])?
        };
        Ok(values.first().copied())
    }

    fn angle(&self, frame: f32, kernels: &mut dyn Kernels) -> Result<Option<i32>, KernelError> {
        let Some((track, place)) = self.place(self.zang.as_ref(), frame) else {
            return Ok(None);
        };
        Ok(match place {
            KeyInterval::At(key) => Some(track.values[key][0]),
            KeyInterval::Between { before, after, span } => {
                if self.spline && self.spline_angles == SplineAngles::Spline {
                    let values = relative_angles(track.around(before), false);
                    let found = keys_spline(kernels, frame, &[keys_spline::Keys { span, values }])?;
                    let start = track.values[before][0];
                    return Ok(found.first().map(|value| start.wrapping_add(value[0] as i32)));
                }
                let values = [track.values[before], track.values[after]];
                let angles = keys_angles(kernels, frame, &[keys_angles::Keys { span, values }], false)?;
                angles.first().map(|angle| angle[0])
            }
        })
    }

    fn colour(&self, frame: f32, kernels: &mut dyn Kernels) -> Result<Option<u32>, KernelError> {
        let Some((track, place)) = self.place(self.diffuse.as_ref(), frame) else {
            return Ok(None);
        };
        Ok(match place {
            KeyInterval::At(key) => Some(track.values[key]),
            KeyInterval::Between { before, after, span } => {
                let (a, b) = ([track.values[before]], [track.values[after]]);
                shape_colours(kernels, frame, span, &a, &b)?.first().copied()
            }
        })
    }

    fn place<'a, T>(&self, track: Option<&'a Track<T>>, frame: f32) -> Option<(&'a Track<T>, KeyInterval)> {
        let track = track?;
        Some((track, track.place(frame, self.length, self.rule)?))
    }
}
