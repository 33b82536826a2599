//! Conversion between bytes and numbers; no other module does it.

/// Byte order of every number in a file. Byte 22 of the header selects it (docs/formats/fbx.md, 1.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ByteOrder {
    /// Least significant byte first: every exporter's output.
    #[default]
    Little,
    /// Most significant byte first. Exporters do not write it; the known files were converted.
    Big,
}

impl ByteOrder {
    /// Byte order of the host.
    pub(crate) const NATIVE: Self = if cfg!(target_endian = "big") {
        ByteOrder::Big
    } else {
        ByteOrder::Little
    };
}

/// Fixed-size numbers in either byte order.
pub(crate) trait Number: Sized + Copy {
    /// Size in bytes.
    const SIZE: usize;
    /// Decodes exactly `SIZE` bytes; missing bytes at the end count as zeros.
    fn get(order: ByteOrder, bytes: &[u8]) -> Self;
    fn put(self, order: ByteOrder, out: &mut Vec<u8>);
}

macro_rules! number {
    ($($t:ty),*) => {$(
        impl Number for $t {
            const SIZE: usize = size_of::<$t>();

            fn get(order: ByteOrder, bytes: &[u8]) -> Self {
                let mut raw = [0; size_of::<$t>()];
                let n = bytes.len().min(raw.len());
                raw[..n].copy_from_slice(&bytes[..n]);
                match order {
                    ByteOrder::Little => <$t>::from_le_bytes(raw),
                    ByteOrder::Big => <$t>::from_be_bytes(raw),
                }
            }

            fn put(self, order: ByteOrder, out: &mut Vec<u8>) {
                match order {
                    ByteOrder::Little => out.extend_from_slice(&self.to_le_bytes()),
                    ByteOrder::Big => out.extend_from_slice(&self.to_be_bytes()),
                }
            }
        }
    )*};
}
number!(u8, i8, i16, i32, i64, u32, u64, f32, f64);

/// Iterates over the numbers in `bytes`; an incomplete number at the end is dropped.
pub(crate) fn numbers<T: Number>(order: ByteOrder, bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(T::SIZE).map(|b| T::get(order, b)).collect()
}

/// Reads forward through a slice. A read past the end returns `None` and keeps the position.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    order: ByteOrder,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8], at: usize, order: ByteOrder) -> Self {
        Cursor { bytes, at, order }
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(count)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    pub(crate) fn number<T: Number>(&mut self) -> Option<T> {
        self.take(T::SIZE).map(|b| T::get(self.order, b))
    }
}
