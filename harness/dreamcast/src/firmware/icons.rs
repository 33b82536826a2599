//! Pictures of the ROM font from `icons.txt`: 22 symbols for text, and 129 icons of the VMU.

use super::glyphs::latin;

const PICTURES: &str = include_str!("icons.txt");

/// Picture made of drawn (true) and erased (false) shapes; later shapes cover earlier ones.
pub(super) struct Picture {
    /// Period in points at which the picture repeats.
    tile: f32,
    shapes: Vec<(Shape, bool)>,
}

enum Shape {
    Ellipse([f32; 4]),
    Ring([f32; 5]),
    Rectangle([f32; 4]),
    Frame([f32; 5]),
    Line([f32; 5]),
    Polygon(Vec<f32>),
    Letter([f32; 5]),
}

/// Returns the icons with their numbers.
pub(super) fn icons() -> impl Iterator<Item = (usize, Picture)> {
    lines().filter_map(|line| picture(line, ""))
}

/// Returns the symbols with their numbers.
pub(super) fn symbols() -> impl Iterator<Item = (usize, Picture)> {
    lines().filter_map(|line| picture(line, "s"))
}

fn lines() -> impl Iterator<Item = &'static str> {
    PICTURES.lines().filter(|line| !line.starts_with('#'))
}

/// Parses a line that starts with `prefix` and a number.
fn picture(line: &str, prefix: &str) -> Option<(usize, Picture)> {
    let (number, rest) = line.strip_prefix(prefix)?.split_once(' ')?;
    let number = usize::from_str_radix(number, 16).ok()?;
    let (name, shapes) = rest.split_once(": ")?;
    let tile = name.split_once('/').and_then(|(_, tile)| tile.parse().ok());
    let picture = Picture {
        tile: tile.unwrap_or(32.0),
        shapes: parse(shapes)?,
    };
    Some((number, picture))
}

fn parse(text: &str) -> Option<Vec<(Shape, bool)>> {
    let mut words = text.split_whitespace().peekable();
    let mut shapes = Vec::new();
    while let Some(word) = words.next() {
        let mut numbers = Vec::new();
        while let Some(number) = words.next_if(|word| word.parse::<f32>().is_ok()) {
            numbers.extend(number.parse::<f32>());
        }
        let kind = word.strip_prefix('-').unwrap_or(word);
        shapes.push((shape(kind, numbers)?, kind == word));
    }
    Some(shapes)
}

fn shape(kind: &str, numbers: Vec<f32>) -> Option<Shape> {
    Some(match kind {
        "o" => Shape::Ellipse(numbers.try_into().ok()?),
        "O" => Shape::Ring(numbers.try_into().ok()?),
        "r" => Shape::Rectangle(numbers.try_into().ok()?),
        "R" => Shape::Frame(numbers.try_into().ok()?),
        "l" => Shape::Line(numbers.try_into().ok()?),
        "g" => Shape::Letter(numbers.try_into().ok()?),
        "p" if numbers.len() >= 6 && numbers.len().is_multiple_of(2) => Shape::Polygon(numbers),
        _ => return None,
    })
}

impl Picture {
    /// Returns whether a point is drawn.
    pub(super) fn point(&self, x: usize, y: usize) -> bool {
        let centre = [x, y].map(|at| (at as f32 + 0.5) % self.tile);
        let mut shapes = self.shapes.iter().rev();
        shapes
            .find(|(shape, _)| shape.contains(centre))
            .is_some_and(|(_, ink)| *ink)
    }
}

impl Shape {
    fn contains(&self, [x, y]: [f32; 2]) -> bool {
        match self {
            Shape::Ellipse(ellipse) => is_in_ellipse(*ellipse, x, y),
            Shape::Ring([a, b, width, height, thick]) => {
                is_in_ellipse([*a, *b, *width, *height], x, y)
                    && !is_in_ellipse([*a, *b, width - thick, height - thick], x, y)
            }
            Shape::Rectangle(rectangle) => is_in_rectangle(*rectangle, x, y),
            Shape::Frame([a, b, width, height, thick]) => {
                let inner = [a + thick, b + thick, width - 2.0 * thick, height - 2.0 * thick];
                is_in_rectangle([*a, *b, *width, *height], x, y) && !is_in_rectangle(inner, x, y)
            }
            Shape::Line(line) => is_on_line(*line, x, y),
            Shape::Polygon(corners) => is_in_polygon(corners, x, y),
            Shape::Letter([code, a, b, width, height]) => {
                let (column, row) = ((x - a) / width, (y - b) / height);
                let rows = latin(*code as u8).unwrap_or_default();
                let bits = rows.get(TOP + row as usize).copied().unwrap_or(0);
                column >= 0.0 && row >= 0.0 && column < 5.0 && bits >> (4 - column as usize) & 1 != 0
            }
        }
    }
}

/// Empty rows above a capital letter in its cell.
const TOP: usize = 2;

fn is_in_ellipse([a, b, width, height]: [f32; 4], x: f32, y: f32) -> bool {
    let (right, down) = ((x - a) / width, (y - b) / height);
    right * right + down * down <= 1.0
}

fn is_in_rectangle([a, b, width, height]: [f32; 4], x: f32, y: f32) -> bool {
    (a..a + width).contains(&x) && (b..b + height).contains(&y)
}

fn is_on_line([a, b, c, d, thick]: [f32; 5], x: f32, y: f32) -> bool {
    let (right, down) = (c - a, d - b);
    let along = ((x - a) * right + (y - b) * down) / (right * right + down * down);
    let along = along.clamp(0.0, 1.0);
    let (right, down) = (x - a - along * right, y - b - along * down);
    right * right + down * down <= thick * thick / 4.0
}

fn is_in_polygon(corners: &[f32], x: f32, y: f32) -> bool {
    let corners = corners.as_chunks::<2>().0;
    let ends = corners.iter().cycle().skip(1);
    let crossed = corners
        .iter()
        .zip(ends)
        .filter(|([a, b], [c, d])| (*b > y) != (*d > y) && x < (c - a) * (y - b) / (d - b) + a);
    crossed.count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_picture_and_every_number_has_one() {
        let icons: Vec<usize> = icons().map(|(number, _)| number).collect();
        assert_eq!(icons, (0..129).collect::<Vec<_>>());
        let symbols: Vec<usize> = symbols().map(|(number, _)| number).collect();
        assert_eq!(symbols, (0..22).collect::<Vec<_>>());
        assert_eq!(lines().count(), 129 + 22);
    }

    #[test]
    fn shapes_have_their_points() {
        let (_, picture) = picture("00 test: r 2 2 4 4 -o 4 4 1 1", "").expect("a line");
        let ink = (0..8)
            .flat_map(|y| (0..8).map(move |x| (x, y)))
            .filter(|(x, y)| picture.point(*x, *y));
        assert_eq!(ink.count(), 16 - 4);
        assert!(super::picture("00 test: q 1 2", "").is_none());
        assert!(super::picture("00 test: o 1 2 3", "").is_none());
    }
}
