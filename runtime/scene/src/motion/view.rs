//! Motions of cameras (NCAM) and lights (NLIM). Such a motion has one set of key tables, as for one node.

use super::error::{MotionError, MotionWarning};
use super::pairing;
use super::track::{LastKey, Track};
use super::tracks::{Axis3, EvaluatedFrame, Tracks, angles, vectors};
use crate::{Kernels, SplineAngles};
use ninja::{Element, Key, Keys, MotionKind};
use sh4_kernels::KernelError;

/// Key tables of a camera or a light. Values of fewer than three components are extended with zeros.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ViewMotion {
    length: u32,
    spline: bool,
    spline_angles: SplineAngles,
    last_key: LastKey,
    vectors: Tracks<Axis3<f32>, Element>,
    /// Angles with keys of 32 bits.
    angles: Tracks<Axis3<i32>, Element>,
    /// Angles with keys of 16 bits.
    short_angles: Tracks<Axis3<i32>, Element>,
    pub(crate) warnings: Vec<MotionWarning>,
}

/// Values of the tables at one frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values {
    vectors: Vec<(Element, Axis3<f32>)>,
    angles: Vec<(Element, Axis3<i32>)>,
}

impl Values {
    pub(crate) fn vector(&self, element: Element) -> Option<Axis3<f32>> {
        find(&self.vectors, element)
    }

    pub(crate) fn angles(&self, element: Element) -> Option<Axis3<i32>> {
        find(&self.angles, element)
    }
}

fn find<T: Copy>(values: &[(Element, T)], element: Element) -> Option<T> {
    let found = values.iter().find(|(known, _)| *known == element);
    found.map(|(_, value)| *value)
}

impl ViewMotion {
    /// Binds the first entry; elements other than `moved` have no effect.
    pub(crate) fn bind(
        source: &ninja::Motion,
        kind: MotionKind,
        moved: &[Element],
    ) -> Result<Self, MotionError> {
        let elements = pairing::elements(source, kind)?;
        let entry = source.nodes.first().ok_or(MotionError::Empty)?;
        let mut warnings = Vec::new();
        if source.nodes.len() > 1 {
            warnings.push(MotionWarning::SpareEntries {
                entries: source.nodes.len(),
                needed: 1,
            });
        }
        let mut motion = Self {
            length: source.nb_frame,
            spline: pairing::is_spline(source.inp_fn.method(), &mut warnings),
            spline_angles: SplineAngles::default(),
            last_key: LastKey::default(),
            vectors: Tracks::default(),
            angles: Tracks::default(),
            short_angles: Tracks::default(),
            warnings,
        };
        for (element, table) in elements.iter().zip(&entry.tables) {
            let keys = table.and_then(|table| source.track(table));
            match keys.filter(|keys| !keys.is_empty()) {
                Some(keys) if moved.contains(element) => motion.add_table(*element, keys)?,
                Some(_) => motion.warnings.push(MotionWarning::Element(element.name())),
                None => {}
            }
        }
        Ok(motion)
    }

    pub(crate) fn with_last_key(self, last_key: LastKey) -> Self {
        Self { last_key, ..self }
    }

    pub(crate) fn with_spline_angles(self, spline_angles: SplineAngles) -> Self {
        Self {
            spline_angles,
            ..self
        }
    }

    pub(crate) fn spline_angles(&self) -> Option<SplineAngles> {
        let has_angles = !self.angles.is_empty() || !self.short_angles.is_empty();
        (self.spline && has_angles).then_some(self.spline_angles)
    }

    pub(crate) fn length(&self) -> u32 {
        self.length
    }

    fn add_table(&mut self, element: Element, keys: &Keys) -> Result<(), MotionError> {
        use Element::{Angle, Intensity, Point, Pos, Rgb, Roll, Spot, Target, Vec0, Vec3};
        let descent = match (element, keys) {
            (Pos | Vec3 | Vec0 | Target | Rgb, Keys::F(keys)) => self.push(element, keys, |v| v),
            (Rgb, Keys::Ui32(keys)) => self.push(element, keys, colour),
            (Intensity, Keys::F1(keys)) => self.push(element, keys, |v| [v, 0.0, 0.0]),
            (Intensity | Point, Keys::F2(keys)) => self.push(element, keys, |[a, b]| [a, b, 0.0]),
            (Spot, Keys::Spot(keys)) => {
                let cone = Track::new(keys, |v| [v.inner.0, v.outer.0, 0]);
                self.angles.push(element, cone);
                self.push(element, keys, |v| [v.near, v.far, 0.0])
            }
            (Roll | Angle, Keys::Sa1(keys)) => {
                let track = Track::new(keys, |v| [i32::from(v), 0, 0]);
                self.short_angles.push(element, track)
            }
            (Roll | Angle, Keys::A1(keys)) => {
                let track = Track::new(keys, |v| [v.0, 0, 0]);
                self.angles.push(element, track)
            }
            _ => {
                return Err(MotionError::Form {
                    node: 0,
                    element: element.name(),
                    form: keys.form(),
                });
            }
        };
        if let Some(key) = descent {
            self.warnings.push(MotionWarning::Descent {
                node: 0,
                element: element.name(),
                key,
            });
        }
        Ok(())
    }

    fn push<T: Copy>(
        &mut self,
        element: Element,
        keys: &[Key<T>],
        value: impl Fn(T) -> Axis3<f32>,
    ) -> Option<usize> {
        self.vectors.push(element, Track::new(keys, value))
    }

    /// Returns all values at `frame`; `None` before the first frame and from `length` on.
    pub(crate) fn values(
        &self,
        frame: f32,
        kernels: &mut dyn Kernels,
    ) -> Result<Option<Values>, KernelError> {
        if !(frame >= 0.0 && f64::from(frame) < f64::from(self.length)) {
            return Ok(None);
        }
        let at = EvaluatedFrame {
            frame,
            length: self.length,
            last_key: self.last_key,
        };
        let spline = self.spline && self.spline_angles == SplineAngles::Spline;
        let mut angle_values = angles(&self.angles, spline, at, false, kernels)?;
        angle_values.extend(angles(&self.short_angles, spline, at, true, kernels)?);
        Ok(Some(Values {
            vectors: vectors(&self.vectors, self.spline, at, kernels)?,
            angles: angle_values,
        }))
    }
}

/// Returns red, green and blue of an ARGB8888 colour; 1.0 is full.
fn colour(argb: u32) -> Axis3<f32> {
    [16, 8, 0].map(|shift| f32::from((argb >> shift) as u8) / 255.0)
}
