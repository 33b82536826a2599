//! Values of keys as stored in files.

use crate::bytes::{ByteOrder, Out};
use crate::tree::Bams;

/// Value of an NJS_MKEY_SPOT: range and cone of a spot light.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spot {
    /// Distance at which the light begins to fade.
    pub near: f32,
    /// Distance at which the light has faded completely.
    pub far: f32,
    /// Angle of the cone with full light.
    pub inner: Bams,
    /// Angle of the cone at which the light has faded completely.
    pub outer: Bams,
}

/// Value of an NJS_MKEY_AX: a rotation about an axis. No motion type refers to such keys: they occur only in
/// ASCII files, never in a binary motion.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct AxisAngle {
    /// Axis.
    pub axis: [f32; 3],
    /// Angle.
    pub angle: Bams,
}

/// Index of a point array of a simple shape motion, see [`Motion::points`](crate::Motion::points).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PointsId(pub u32);

/// Value of a key, stored after its frame.
pub(super) trait KeyValue: Copy {
    /// Size in the file in bytes.
    const BYTES: usize;
    /// Size of the frame number: 2 bytes for values of 16-bit components, otherwise 4.
    const FRAME: usize;

    /// Decodes the first `BYTES` of `bytes`.
    fn get(order: ByteOrder, bytes: &[u8]) -> Self;
    fn put(self, out: &mut Out);
}

macro_rules! words {
    ($($t:ty: |$bits:ident| $get:expr, |$value:ident| $put:expr;)*) => {$(
        impl KeyValue for $t {
            const BYTES: usize = 4;
            const FRAME: usize = 4;

            fn get(order: ByteOrder, bytes: &[u8]) -> Self {
                let $bits = order.u32(bytes.first_chunk().copied().unwrap_or_default());
                $get
            }

            fn put(self, out: &mut Out) {
                let $value = self;
                out.u32($put);
            }
        }
    )*};
}

words! {
    u32: |bits| bits, |v| v;
    i32: |bits| bits as i32, |v| v as u32;
    f32: |bits| f32::from_bits(bits), |v| v.to_bits();
    Bams: |bits| Bams(bits as i32), |v| v.0 as u32;
}

macro_rules! halves {
    ($($t:ty),*) => {$(
        impl KeyValue for $t {
            const BYTES: usize = 2;
            const FRAME: usize = 2;

            fn get(order: ByteOrder, bytes: &[u8]) -> Self {
                order.u16(bytes.first_chunk().copied().unwrap_or_default()) as $t
            }

            fn put(self, out: &mut Out) {
                out.u16(self as u16);
            }
        }
    )*};
}

halves!(u16, i16);

impl<T: KeyValue, const N: usize> KeyValue for [T; N] {
    const BYTES: usize = N * T::BYTES;
    const FRAME: usize = T::FRAME;

    fn get(order: ByteOrder, bytes: &[u8]) -> Self {
        std::array::from_fn(|i| T::get(order, bytes.get(i * T::BYTES..).unwrap_or_default()))
    }

    fn put(self, out: &mut Out) {
        self.into_iter().for_each(|part| part.put(out));
    }
}

impl KeyValue for Spot {
    const BYTES: usize = 16;
    const FRAME: usize = 4;

    fn get(order: ByteOrder, bytes: &[u8]) -> Self {
        let [near, far, inner, outer] = <[u32; 4]>::get(order, bytes);
        Spot {
            near: f32::from_bits(near),
            far: f32::from_bits(far),
            inner: Bams(inner as i32),
            outer: Bams(outer as i32),
        }
    }

    fn put(self, out: &mut Out) {
        [self.near, self.far].put(out);
        [self.inner, self.outer].put(out);
    }
}

impl KeyValue for AxisAngle {
    const BYTES: usize = 16;
    const FRAME: usize = 4;

    fn get(order: ByteOrder, bytes: &[u8]) -> Self {
        let [x, y, z, angle] = <[u32; 4]>::get(order, bytes);
        AxisAngle {
            axis: [x, y, z].map(f32::from_bits),
            angle: Bams(angle as i32),
        }
    }

    fn put(self, out: &mut Out) {
        self.axis.put(out);
        self.angle.put(out);
    }
}

/// A pointer in the file; reader and writer of motions translate it.
impl KeyValue for Option<PointsId> {
    const BYTES: usize = 4;
    const FRAME: usize = 4;

    fn get(_: ByteOrder, _: &[u8]) -> Self {
        None
    }

    fn put(self, out: &mut Out) {
        out.u32(0);
    }
}
