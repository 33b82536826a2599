//! Lines of OBJ files: vertices, faces, objects, groups, smoothing, materials.

use super::wrong;
use crate::error::Error;
use crate::math::Vec3;
use std::borrow::Cow;

/// Contents of a file.
#[derive(Default)]
pub(super) struct Text {
    pub(super) positions: Vec<Vec3>,
    /// Colours by position; empty if the file has none.
    pub(super) colors: Vec<[f64; 4]>,
    pub(super) uvs: Vec<[f64; 2]>,
    pub(super) normals: Vec<Vec3>,
    pub(super) shapes: Vec<Shape>,
    /// Names of the used materials, in the order of their first use.
    pub(super) materials: Vec<String>,
}

/// Faces of an object, or of a group outside objects.
#[derive(Default)]
pub(super) struct Shape {
    pub(super) name: String,
    pub(super) faces: Vec<Face>,
    /// Position, texture coordinates and normal by corner.
    pub(super) corners: Vec<[Option<usize>; 3]>,
    /// Index in [`Text::materials`], by material number of the faces.
    pub(super) materials: Vec<usize>,
}

/// A face: corners `first` to `first + count`.
pub(super) struct Face {
    pub(super) first: usize,
    pub(super) count: usize,
    pub(super) material: u32,
    pub(super) smooth: bool,
    /// Line of the file.
    pub(super) line: usize,
}

/// State that applies to the following faces.
#[derive(Default)]
struct Current {
    object: String,
    group: String,
    /// Set if the next face begins a shape.
    begins: bool,
    smooth: bool,
    material: Option<usize>,
}

/// Returns the lines with their numbers. A backslash at the end of a line continues it.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, String)> {
    let mut lines = (1..).zip(bytes.split(|byte| *byte == b'\n'));
    std::iter::from_fn(move || {
        let (number, first) = lines.next()?;
        let mut line = Cow::Borrowed(first.trim_ascii_end());
        while let Some(part) = line.strip_suffix(b"\\") {
            let mut joined = part.to_vec();
            let Some((_, more)) = lines.next() else {
                line = joined.into();
                break;
            };
            joined.push(b' ');
            joined.extend(more.trim_ascii_end());
            line = joined.into();
        }
        Some((number, String::from_utf8_lossy(&line).into_owned()))
    })
}

pub(super) fn read(bytes: &[u8]) -> Result<Text, Error> {
    let mut text = Text::default();
    let mut current = Current::default();
    for (number, line) in lines(bytes) {
        let mut words = line.split_whitespace();
        let Some(command) = words.next() else { continue };
        let words: Vec<&str> = words.collect();
        let name = || words.join(" ");
        match command {
            "v" => {
                text.positions.push(numbers(number, &words)?);
                if words.len() >= 6 {
                    let [red, green, blue] = numbers(number, &words[3..])?;
                    // Positions before the first colour are white.
                    text.colors.resize(text.positions.len() - 1, [1.0; 4]);
                    text.colors.push([red, green, blue, 1.0]);
                }
            }
            "vt" => text.uvs.push(numbers(number, &words)?),
            "vn" => text.normals.push(numbers(number, &words)?),
            "f" if words.len() > 2 => text.face(number, &words, &mut current)?,
            "s" => current.smooth = !words.is_empty() && !["off", "0"].contains(&words[0]),
            "o" if !words.is_empty() => {
                current.object = name();
                current.begins = true;
            }
            "g" => {
                current.group = name();
                current.begins |= current.object.is_empty();
            }
            "usemtl" if words.is_empty() => current.material = None,
            "usemtl" => {
                let name = name();
                let known = text.materials.iter().position(|known| *known == name);
                current.material = known.or(Some(text.materials.len()));
                if known.is_none() {
                    text.materials.push(name);
                }
            }
            // Ignores points, lines, curves, comments and material libraries.
            _ => {}
        }
    }
    if !text.colors.is_empty() {
        text.colors.resize(text.positions.len(), [1.0; 4]);
    }
    Ok(text)
}

fn numbers<const N: usize>(line: usize, words: &[&str]) -> Result<[f64; N], Error> {
    let Some(words) = words.first_chunk::<N>() else {
        return Err(wrong(line, format!("{} values", words.len()), &N.to_string()));
    };
    let mut numbers = [0.0; N];
    for (number, word) in numbers.iter_mut().zip(words) {
        *number = word
            .parse()
            .map_err(|_| wrong(line, format!("{word:?}"), "a number"))?;
    }
    Ok(numbers)
}

impl Text {
    fn face(&mut self, line: usize, words: &[&str], current: &mut Current) -> Result<(), Error> {
        if self.shapes.is_empty() || current.begins {
            let name = match current.object.is_empty() {
                true => &current.group,
                false => &current.object,
            };
            self.shapes.push(Shape {
                name: name.clone(),
                ..Shape::default()
            });
            current.begins = false;
        }
        let counts = [self.positions.len(), self.uvs.len(), self.normals.len()];
        let Some(shape) = self.shapes.last_mut() else {
            return Ok(());
        };
        let material = current.material.map_or(0, |material| {
            let known = shape.materials.iter().position(|known| *known == material);
            known.unwrap_or_else(|| {
                shape.materials.push(material);
                shape.materials.len() - 1
            })
        });
        let first = shape.corners.len();
        for word in words {
            let mut corner = [None; 3];
            for ((index, part), count) in corner.iter_mut().zip(word.split('/')).zip(counts) {
                *index = place(line, part, count)?;
            }
            if corner[0].is_none() {
                return Err(wrong(line, format!("{word:?}"), "the number of a vertex"));
            }
            shape.corners.push(corner);
        }
        shape.faces.push(Face {
            first,
            count: words.len(),
            material: material as u32,
            smooth: current.smooth,
            line,
        });
        Ok(())
    }
}

/// Returns the index that a number denotes: from 1, or backwards from the last with a minus sign.
fn place(line: usize, part: &str, count: usize) -> Result<Option<usize>, Error> {
    if part.is_empty() {
        return Ok(None);
    }
    let number: i64 = part
        .parse()
        .map_err(|_| wrong(line, format!("{part:?}"), "the number of a vertex"))?;
    let index = match number {
        ..0 => number.checked_add(count as i64),
        _ => Some(number - 1),
    };
    let inside = index.filter(|index| (0..count as i64).contains(index));
    let found = match number {
        ..0 => format!("{part:?}"),
        _ => format!("vertex {number}"),
    };
    match inside {
        Some(index) => Ok(Some(index as usize)),
        None => Err(wrong(line, found, &format!("1 to {count}"))),
    }
}
