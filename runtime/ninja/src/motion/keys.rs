//! Key tables (docs/formats/ninja.md 1.4, "Keys"): one row for every NJS_MKEY_ struct.

use super::value::{AxisAngle, KeyValue, PointsId, Spot};
use crate::bytes::{Body, ByteOrder, Out};
use crate::error::Error;
use crate::tree::Bams;

/// One key: a frame and its value. In the file the frame comes first. It has 16 bits for values of 16-bit
/// components, otherwise 32.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Key<T> {
    /// Frame number; at most 65,535 for values of 16-bit components.
    pub frame: u32,
    /// Value at this frame.
    pub value: T,
}

macro_rules! forms {
    ($($form:ident($value:ty) $name:literal, $doc:literal;)*) => {
        /// Key layouts, named after their NJS_MKEY_ structs.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum KeyForm {
            $(#[doc = $doc] $form,)*
        }

        /// Keys of one table.
        #[derive(Debug, Clone)]
        pub enum Keys {
            $(#[doc = $doc] $form(Vec<Key<$value>>),)*
        }

        impl KeyForm {
            /// All layouts.
            pub const ALL: &[KeyForm] = &[$(KeyForm::$form),*];

            /// Name of the struct without its `NJS_MKEY_`.
            pub fn name(self) -> &'static str {
                match self {
                    $(KeyForm::$form => $name,)*
                }
            }

            /// Bytes per key, including the frame.
            pub fn bytes(self) -> usize {
                match self {
                    $(KeyForm::$form => <$value>::FRAME + <$value>::BYTES,)*
                }
            }

            /// Size of the frame number: 2 or 4 bytes.
            pub(crate) fn frame_bytes(self) -> usize {
                match self {
                    $(KeyForm::$form => <$value>::FRAME,)*
                }
            }
        }

        impl Keys {
            /// Returns frame and value of each key as text, for tools.
            pub fn texts(&self) -> Vec<String> {
                match self {
                    $(Keys::$form(keys) => {
                        keys.iter().map(|key| format!("{}: {:?}", key.frame, key.value)).collect()
                    })*
                }
            }

            /// Layout of the keys.
            pub fn form(&self) -> KeyForm {
                match self {
                    $(Keys::$form(_) => KeyForm::$form,)*
                }
            }

            /// Number of keys.
            pub fn len(&self) -> usize {
                match self {
                    $(Keys::$form(keys) => keys.len(),)*
                }
            }

            /// Returns the frame number of key `i`, if it exists.
            pub fn frame(&self, i: usize) -> Option<u32> {
                match self {
                    $(Keys::$form(keys) => keys.get(i).map(|key| key.frame),)*
                }
            }

            /// Reads `count` keys at `at`.
            pub(crate) fn read(body: &Body<'_>, at: u32, count: u32, form: KeyForm) -> Result<Self, Error> {
                match form {
                    $(KeyForm::$form => read_keys(body, at, count).map(Keys::$form),)*
                }
            }

            /// Writes all keys; pointers as 0.
            pub(crate) fn put(&self, out: &mut Out) {
                match self {
                    $(Keys::$form(keys) => keys.iter().for_each(|key| put_key(*key, out)),)*
                }
            }
        }
    };
}

forms! {
    F([f32; 3]) "F", "Three floats.";
    A([Bams; 3]) "A", "Three angles of 32 bits, about x, y and z.";
    Sa([i16; 3]) "SA", "Three angles of 16 bits (BAMS), about x, y and z.";
    Quat([f32; 4]) "QUAT", "A quaternion, real part first.";
    Ax(AxisAngle) "AX", "Axis and angle; see [`AxisAngle`].";
    F1(f32) "F1", "One float.";
    F2([f32; 2]) "F2", "Two floats.";
    A1(Bams) "A1", "One angle of 32 bits.";
    Sa1(i16) "SA1", "One angle of 16 bits (BAMS).";
    Spot(Spot) "SPOT", "Reach and cone of a spot light.";
    Ui32(u32) "UI32", "An unsigned number; for colours ARGB8888.";
    Si32(i32) "SI32", "A signed number.";
    Ui16(u16) "UI16", "An unsigned number of 16 bits.";
    P(Option<PointsId>) "P", "A point array (simple shape motion).";
    ShapeId(u32) "SHAPEID", "A shape of a CompactShape list.";
}

impl PartialEq for Keys {
    /// Compares bits, so that a NaN equals itself.
    fn eq(&self, other: &Self) -> bool {
        if let (Keys::P(a), Keys::P(b)) = (self, other) {
            return a == b;
        }
        let bytes = |keys: &Keys| {
            let mut out = Out::new(ByteOrder::Little, keys.len() * keys.form().bytes());
            keys.put(&mut out);
            out.bytes
        };
        self.form() == other.form() && self.len() == other.len() && bytes(self) == bytes(other)
    }
}

impl Keys {
    /// True if the table is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Iterates over the frame numbers in order.
    pub fn frames(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.len()).map_while(|i| self.frame(i))
    }

    /// Returns the last key's frame if the motion of `nb_frame` frames continues after it. A single key
    /// applies to the whole motion, so it returns `None`.
    pub fn ends_early(&self, nb_frame: u32) -> Option<u32> {
        let last = self.frame(self.len().checked_sub(1)?)?;
        (self.len() > 1 && last.saturating_add(1) < nb_frame).then_some(last)
    }

    /// Returns the index of the first key with a frame not above the frame before it.
    pub fn first_descent(&self) -> Option<usize> {
        (1..self.len()).find(|i| self.frame(*i) <= self.frame(*i - 1))
    }
}

fn read_keys<T: KeyValue>(body: &Body<'_>, at: u32, count: u32) -> Result<Vec<Key<T>>, Error> {
    let stride = T::FRAME + T::BYTES;
    let bytes = body.slice(at, (count as usize).saturating_mul(stride), "keys")?;
    let key = |bytes: &[u8]| Key {
        frame: match T::FRAME {
            2 => u32::from(u16::get(body.order, bytes)),
            _ => u32::get(body.order, bytes),
        },
        value: T::get(body.order, bytes.get(T::FRAME..).unwrap_or_default()),
    };
    Ok(bytes.chunks_exact(stride).map(key).collect())
}

fn put_key<T: KeyValue>(key: Key<T>, out: &mut Out) {
    match T::FRAME {
        2 => out.u16(key.frame as u16),
        _ => out.u32(key.frame),
    }
    key.value.put(out);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Copied by hand from docs/formats/ninja.md 1.4.
    #[test]
    fn bytes_per_key() {
        use KeyForm::*;
        let expected = [
            (F, 16),
            (A, 16),
            (Sa, 8),
            (Quat, 20),
            (Ax, 20),
            (F1, 8),
            (F2, 12),
            (A1, 8),
            (Sa1, 4),
            (Spot, 20),
            (Ui32, 8),
            (Si32, 8),
            (Ui16, 4),
            (P, 8),
            (ShapeId, 8),
        ];
        assert_eq!(expected.len(), KeyForm::ALL.len());
        for (form, bytes) in expected {
            assert_eq!(form.bytes(), bytes, "{}", form.name());
        }
    }
}
