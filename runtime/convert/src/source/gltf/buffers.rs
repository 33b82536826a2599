//! Reads buffers and accessors (glTF 2.0, sections 3.6 and 5.1). Checks every read against the available
//! bytes, because a file's counts and offsets can have any value.

use std::cell::Cell;

use gltf::accessor::{DataType, Dimensions};
use gltf::{Accessor, buffer};

use super::{Files, wrong};
use crate::error::Error;

/// Bytes of all buffers.
pub(super) struct Buffers {
    data: Vec<Vec<u8>>,
    limit: usize,
    /// Remaining bytes of the memory limit.
    left: Cell<usize>,
}

/// Values of an accessor; each element has `width` numbers.
#[derive(Debug, Clone, Default)]
pub(super) struct Numbers {
    pub(super) values: Vec<f64>,
    pub(super) width: usize,
}

impl Numbers {
    pub(super) fn len(&self) -> usize {
        self.values.len() / self.width.max(1)
    }

    /// Returns the numbers of an element.
    pub(super) fn of(&self, element: usize) -> &[f64] {
        self.values
            .get(element * self.width..(element + 1) * self.width)
            .unwrap_or_default()
    }

    /// Returns the first three numbers of an element, with zeros for missing ones.
    pub(super) fn vec3(&self, element: usize) -> [f64; 3] {
        let own = self.of(element);
        [0, 1, 2].map(|k| own.get(k).copied().unwrap_or(0.0))
    }
}

impl Buffers {
    pub(super) fn load(
        document: &gltf::Document,
        blob: Option<Vec<u8>>,
        limit: usize,
        files: Files<'_>,
    ) -> Result<Self, Error> {
        let mut blob = blob;
        let mut buffers = Buffers {
            data: Vec::new(),
            limit,
            left: Cell::new(limit),
        };
        for buffer in document.buffers() {
            let place = format!("buffer {}", buffer.index());
            let bytes = match buffer.source() {
                buffer::Source::Bin => blob
                    .take()
                    .ok_or_else(|| wrong(&place, "no binary chunk", "one after the JSON"))?,
                buffer::Source::Uri(uri) => bytes_of(uri, files).ok_or_else(|| {
                    let found = format!("{:?}, which is not there", short(uri));
                    wrong(
                        &place,
                        found,
                        "a file in the scene's folder or a data URI in base64",
                    )
                })?,
            };
            if bytes.len() < buffer.length() {
                let expected = format!("at least {}", buffer.length());
                return Err(wrong(&place, format!("{} bytes", bytes.len()), expected));
            }
            // The sum has a limit, because many buffers can name one large file.
            buffers.charge(bytes.len(), &place)?;
            buffers.data.push(bytes);
        }
        Ok(buffers)
    }

    /// Takes bytes from the memory limit. Each use is charged, because a scene can name the same accessor or
    /// file any number of times.
    pub(super) fn charge(&self, bytes: usize, place: &str) -> Result<(), Error> {
        let left = self.left.get().checked_sub(bytes).ok_or_else(|| {
            let expected = format!("a scene within the memory limit of {} bytes", self.limit);
            wrong(place, format!("{bytes} more bytes to read"), expected)
        })?;
        self.left.set(left);
        Ok(())
    }

    /// Copies the bytes within the memory limit.
    pub(super) fn copy(&self, bytes: &[u8], place: &str) -> Result<Vec<u8>, Error> {
        self.charge(bytes.len(), place)?;
        Ok(bytes.to_vec())
    }

    /// Returns the bytes of a view.
    pub(super) fn view(&self, view: &buffer::View<'_>) -> Result<&[u8], Error> {
        let data = self
            .data
            .get(view.buffer().index())
            .map_or(&[][..], Vec::as_slice);
        let end = view.offset().checked_add(view.length());
        end.and_then(|end| data.get(view.offset()..end)).ok_or_else(|| {
            let found = format!("{} bytes at {}", view.length(), view.offset());
            let expected = format!("a place in the {} bytes of its buffer", data.len());
            wrong(&format!("buffer view {}", view.index()), found, expected)
        })
    }

    /// Returns the numbers of an accessor. Integers marked as normalized become 0 to 1 or -1 to 1.
    pub(super) fn numbers(&self, accessor: &Accessor<'_>, expected: &[Dimensions]) -> Result<Numbers, Error> {
        let place = format!("accessor {}", accessor.index());
        if !expected.contains(&accessor.dimensions()) {
            let found = format!("{:?}", accessor.dimensions());
            return Err(wrong(&place, found, format!("one of {expected:?}")));
        }
        let width = accessor.dimensions().multiplicity();
        let total = accessor.count().saturating_mul(width);
        self.charge(total.saturating_mul(size_of::<f64>()), &place)?;
        let kind = Kind {
            data: accessor.data_type(),
            normalized: accessor.normalized(),
            width,
        };
        let mut values = vec![0.0; total];
        if let Some(view) = accessor.view() {
            let bytes = self.view(&view)?;
            let stride = view.stride().unwrap_or(kind.size());
            kind.read(bytes, accessor.offset(), stride, &mut values, &place)?;
        }
        if let Some(sparse) = accessor.sparse() {
            self.replace(&sparse, &kind, &mut values, &place)?;
        }
        Ok(Numbers { values, width })
    }

    /// Returns the numbers of a scalar accessor as indices.
    pub(super) fn indices(&self, accessor: &Accessor<'_>) -> Result<Vec<u32>, Error> {
        let numbers = self.numbers(accessor, &[Dimensions::Scalar])?;
        Ok(numbers.values.iter().map(|v| *v as u32).collect())
    }

    /// Overwrites elements by those of a sparse accessor.
    fn replace(
        &self,
        sparse: &gltf::accessor::sparse::Sparse<'_>,
        kind: &Kind,
        values: &mut [f64],
        place: &str,
    ) -> Result<(), Error> {
        use gltf::accessor::sparse::IndexType;
        let count = sparse.count();
        if count > values.len() / kind.width {
            let found = format!("{count} sparse elements");
            return Err(wrong(
                place,
                found,
                format!("at most {}", values.len() / kind.width),
            ));
        }
        let of_index = Kind {
            data: match sparse.indices().index_type() {
                IndexType::U8 => DataType::U8,
                IndexType::U16 => DataType::U16,
                IndexType::U32 => DataType::U32,
            },
            normalized: false,
            width: 1,
        };
        let mut at = vec![0.0; count];
        let bytes = self.view(&sparse.indices().view())?;
        of_index.read(bytes, sparse.indices().offset(), of_index.size(), &mut at, place)?;
        let mut new = vec![0.0; count * kind.width];
        let bytes = self.view(&sparse.values().view())?;
        kind.read(bytes, sparse.values().offset(), kind.size(), &mut new, place)?;
        for (at, new) in at.iter().zip(new.chunks(kind.width)) {
            let begin = *at as usize * kind.width;
            let old = values.get_mut(begin..begin + kind.width);
            old.ok_or_else(|| wrong(place, format!("the sparse index {at}"), "an element"))?
                .copy_from_slice(new);
        }
        Ok(())
    }
}

/// Element layout of an accessor.
struct Kind {
    data: DataType,
    normalized: bool,
    width: usize,
}

impl Kind {
    fn size(&self) -> usize {
        self.data.size() * self.width
    }

    fn read(
        &self,
        bytes: &[u8],
        offset: usize,
        stride: usize,
        values: &mut [f64],
        place: &str,
    ) -> Result<(), Error> {
        for (i, element) in values.chunks_mut(self.width).enumerate() {
            let begin = i.checked_mul(stride).and_then(|b| b.checked_add(offset));
            let own = begin.and_then(|b| bytes.get(b..b.checked_add(self.size())?));
            let own = own.ok_or_else(|| {
                let expected = format!("one in the {} bytes of its buffer view", bytes.len());
                wrong(
                    place,
                    format!("element {i} at byte {offset} + {i} x {stride}"),
                    expected,
                )
            })?;
            for (value, own) in element.iter_mut().zip(own.chunks(self.data.size())) {
                *value = self.value(own);
            }
        }
        Ok(())
    }

    fn value(&self, bytes: &[u8]) -> f64 {
        let (value, most) = match (self.data, bytes) {
            (DataType::I8, [a]) => (f64::from(*a as i8), 127.0),
            (DataType::U8, [a]) => (f64::from(*a), 255.0),
            (DataType::I16, [a, b]) => (f64::from(i16::from_le_bytes([*a, *b])), 32767.0),
            (DataType::U16, [a, b]) => (f64::from(u16::from_le_bytes([*a, *b])), 65535.0),
            (DataType::U32, [a, b, c, d]) => (f64::from(u32::from_le_bytes([*a, *b, *c, *d])), 1.0),
            (DataType::F32, [a, b, c, d]) => (f64::from(f32::from_le_bytes([*a, *b, *c, *d])), 1.0),
            _ => (0.0, 1.0),
        };
        match self.normalized {
            true => (value / most).max(-1.0),
            false => value,
        }
    }
}

/// Returns the bytes of a data URI, or of a file.
pub(super) fn bytes_of(uri: &str, files: Files<'_>) -> Option<Vec<u8>> {
    match uri.strip_prefix("data:") {
        Some(data) => base64(data.split_once(";base64,")?.1),
        None => files(&decoded(uri)),
    }
}

/// Decodes percent escapes of a URI.
pub(super) fn decoded(uri: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), uri.as_bytes());
    while let [first, tail @ ..] = rest {
        rest = tail;
        let hex = |b: &u8| char::from(*b).to_digit(16);
        match (first, tail) {
            (b'%', [a, b, after @ ..]) if hex(a).is_some() && hex(b).is_some() => {
                bytes.push((hex(a).unwrap_or(0) * 16 + hex(b).unwrap_or(0)) as u8);
                rest = after;
            }
            _ => bytes.push(*first),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Shortens a URI for messages, because data URIs are long.
fn short(uri: &str) -> String {
    uri.chars().take(60).collect()
}

/// Decodes base64 (RFC 4648, section 4).
fn base64(text: &str) -> Option<Vec<u8>> {
    let digit = |c: u8| {
        Some(match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        })
    };
    let digits = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 3);
    for group in digits.chunks(4) {
        let mut word = 0u32;
        for (k, c) in group.iter().enumerate() {
            word |= u32::from(digit(*c)?) << (18 - 6 * k);
        }
        let whole = word.to_be_bytes();
        bytes.extend(&whole[1..group.len().max(1)]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::{base64, decoded};

    #[test]
    fn data_uris_and_percent_signs_are_decoded() {
        assert_eq!(base64("TWFu").unwrap(), b"Man");
        assert_eq!(base64("TWE=").unwrap(), b"Ma");
        assert_eq!(base64("TQ==").unwrap(), b"M");
        assert_eq!(base64("").unwrap(), b"");
        assert_eq!(base64("T W"), None);
        assert_eq!(decoded("a%20b%2"), "a b%2");
    }
}
