//! Comparison of two pictures.

use crate::output;
use anyhow::Result;
use pvr::Image;
use std::fmt;
use std::path::Path;

/// Difference between two pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Difference {
    /// Expected and found size.
    Size([u32; 4]),
    /// Number of differing pixels and of all pixels, position of the first, and largest difference of a
    /// channel.
    Pixels {
        count: u64,
        of: u64,
        first: (u32, u32),
        step: u8,
    },
}

/// Compares two pictures. Returns `None` if at most `allowed` pixels differ.
pub(super) fn compare(expected: &Image, found: &Image, allowed: u64) -> Option<Difference> {
    if (expected.width, expected.height) != (found.width, found.height) {
        return Some(Difference::Size([
            expected.width,
            expected.height,
            found.width,
            found.height,
        ]));
    }
    let pixels = expected
        .rgba
        .as_chunks::<4>()
        .0
        .iter()
        .zip(found.rgba.as_chunks::<4>().0);
    let (mut count, mut of, mut first, mut step) = (0, 0, None, 0);
    for (n, (a, b)) in pixels.enumerate() {
        of += 1;
        if a != b {
            count += 1;
            first = first.or(Some(n as u32));
            step = a
                .iter()
                .zip(b)
                .map(|(a, b)| a.abs_diff(*b))
                .max()
                .unwrap_or(0)
                .max(step);
        }
    }
    let first = first.map(|n| (n % expected.width, n / expected.width))?;
    (count > allowed).then_some(Difference::Pixels {
        count,
        of,
        first,
        step,
    })
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size([w, h, found_w, found_h]) => write!(f, "{found_w}x{found_h} pixels, expected {w}x{h}"),
            Self::Pixels {
                count,
                of,
                first: (x, y),
                step,
            } => write!(
                f,
                "{count} of {of} pixels differ, the first at ({x}, {y}), by at most {step} of 255"
            ),
        }
    }
}

/// Writes `NAME.expected.png` and `NAME.actual.png`. For equal sizes also writes `NAME.difference.png` (white
/// where pixels differ), and all three in `NAME.side-by-side.png`.
pub(super) fn write_pictures(
    folder: &Path,
    name: &Path,
    expected: Option<&Image>,
    found: &Image,
) -> Result<()> {
    let stem = name.file_stem().unwrap_or_default().to_string_lossy();
    let write =
        |what: &str, image: &Image| output::write_png(&folder.join(format!("{stem}.{what}.png")), image);
    write("actual", found)?;
    let Some(expected) = expected else {
        return Ok(());
    };
    write("expected", expected)?;
    if let Some(marks) = marks(expected, found) {
        write("difference", &marks)?;
        write("side-by-side", &side_by_side(&[expected, found, &marks]))?;
    }
    Ok(())
}

/// Joins pictures of the same size in a row.
fn side_by_side(pictures: &[&Image]) -> Image {
    let (width, height) = pictures
        .first()
        .map_or((0, 0), |picture| (picture.width, picture.height));
    let row = 4 * width as usize;
    let rows = (0..height as usize).flat_map(|y| {
        pictures
            .iter()
            .map(move |picture| &picture.rgba[y * row..][..row])
    });
    Image {
        width: width * pictures.len() as u32,
        height,
        rgba: rows.flatten().copied().collect(),
    }
}

/// Returns a picture that is white where pixels differ, else black; `None` if the sizes differ.
pub(super) fn marks(expected: &Image, found: &Image) -> Option<Image> {
    if (expected.width, expected.height) != (found.width, found.height) {
        return None;
    }
    let pixels = expected
        .rgba
        .as_chunks::<4>()
        .0
        .iter()
        .zip(found.rgba.as_chunks::<4>().0);
    let marks = pixels.flat_map(|(a, b)| if a == b { [0, 0, 0, 255] } else { [255; 4] });
    Some(Image {
        rgba: marks.collect(),
        ..expected.clone()
    })
}

/// Describes the difference between two files; `None` if they are equal.
pub(super) fn bytes(expected: &[u8], found: &[u8]) -> Option<String> {
    if expected == found {
        return None;
    }
    let size = match (expected.len(), found.len()) {
        (a, b) if a == b => String::new(),
        (a, b) => format!("{b} bytes, expected {a}; "),
    };
    if let Some(line) = first_line(expected, found) {
        return Some(line);
    }
    let first = expected.iter().zip(found).position(|(a, b)| a != b);
    Some(match first {
        Some(at) => format!(
            "{size}the first difference at {at:#x}: {:02x}, expected {:02x}",
            found[at], expected[at]
        ),
        None => format!("{size}the shorter file is equal to the start of the longer one"),
    })
}

/// Describes the first different line of two texts; `None` if one is not a text.
fn first_line(expected: &[u8], found: &[u8]) -> Option<String> {
    let text = |bytes| {
        std::str::from_utf8(bytes)
            .ok()
            .filter(|text| !text.contains('\0'))
    };
    let (expected, found) = (text(expected)?, text(found)?);
    let mut expected = expected.split_inclusive('\n');
    let mut found = found.split_inclusive('\n');
    let show = |line: Option<&str>| line.map_or("the end".to_owned(), |line| format!("{:?}", shorten(line)));
    (1..).find_map(|number| {
        let (a, b) = (expected.next(), found.next());
        if a == b {
            // Both lines exist: two texts that differ cannot end here together.
            return None;
        }
        Some(format!("line {number}: found {}, expected {}", show(b), show(a)))
    })
}

/// Cuts a line to 80 characters.
fn shorten(line: &str) -> &str {
    line.char_indices().nth(80).map_or(line, |(end, _)| &line[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_differ_by_lines() {
        assert_eq!(
            bytes(b"one\nsum 3\n", b"one\nsum 4\n").unwrap(),
            "line 2: found \"sum 4\\n\", expected \"sum 3\\n\""
        );
        assert_eq!(
            bytes(b"one\n", b"").unwrap(),
            "line 1: found the end, expected \"one\\n\""
        );
        assert_eq!(
            bytes(b"one\n", b"one").unwrap(),
            "line 1: found \"one\", expected \"one\\n\""
        );
    }

    #[test]
    fn files_differ_by_bytes() {
        assert_eq!(bytes(b"ab\0", b"ab\0"), None);
        assert_eq!(
            bytes(b"a\0c", b"a\0d").unwrap(),
            "the first difference at 0x2: 64, expected 63"
        );
        assert_eq!(
            bytes(b"a\0c", b"a\0").unwrap(),
            "2 bytes, expected 3; the shorter file is equal to the start of the longer one"
        );
    }

    #[test]
    fn pictures_differ_by_pixels() {
        let image = |rgba: Vec<u8>| Image {
            width: 2,
            height: 2,
            rgba,
        };
        let (one, mut other) = (image(vec![7; 16]), vec![7; 16]);
        assert_eq!(compare(&one, &one, 0), None);
        other[9] = 4;
        let difference = compare(&one, &image(other.clone()), 0);
        let expected = Difference::Pixels {
            count: 1,
            of: 4,
            first: (0, 1),
            step: 3,
        };
        assert_eq!(difference, Some(expected));
        assert_eq!(compare(&one, &image(other), 1), None);
        let wide = Image {
            width: 4,
            height: 1,
            rgba: vec![7; 16],
        };
        assert_eq!(compare(&one, &wide, 9), Some(Difference::Size([2, 2, 4, 1])));
    }
}
