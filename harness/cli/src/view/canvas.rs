//! Draws lines and text over the picture in the window.

use crate::font;
use pvr::Image;

/// Pixels in the window's format: 0RGB words.
pub(super) struct Canvas {
    pub(super) width: usize,
    height: usize,
    pub(super) pixels: Vec<u32>,
    grid: Grid,
}

/// Minimum size of a picture with large letters. In smaller pictures, only small letters let the list of keys
/// fit.
const LARGE: (u32, u32) = (640, 480);

/// Layout of letters in a picture of some size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    /// Scale of the letters.
    letter: usize,
}

impl Grid {
    pub(super) fn new(width: u32, height: u32) -> Self {
        let small = width < LARGE.0 || height < LARGE.1;
        Self {
            letter: if small { 1 } else { 2 },
        }
    }

    /// Returns the scaled length in pixels.
    fn letters(self, length: usize) -> usize {
        length * self.letter
    }

    /// Distance from letter to letter.
    fn step(self) -> usize {
        self.letters(font::WIDTH as usize + 1)
    }

    /// Distance from line to line.
    fn leading(self) -> usize {
        self.letters(font::HEIGHT as usize + 3)
    }

    /// Distance of the list of keys from the picture's edges.
    fn margin(self) -> usize {
        self.letters(20)
    }

    /// Returns column and row of the list of keys at a position in the picture.
    pub(super) fn cell(self, [x, y]: [f32; 2]) -> Option<[usize; 2]> {
        let column = (x - (self.margin() + self.letter) as f32) / self.step() as f32;
        let row = (y - self.margin() as f32) / self.leading() as f32;
        (column >= 0.0 && row >= 0.0).then_some([column as usize, row as usize])
    }

    /// Returns the centre of a letter in the list of keys.
    #[cfg(test)]
    pub(super) fn middle(self, column: usize, row: usize) -> [f32; 2] {
        let x = self.margin() + self.letter + column * self.step() + self.step() / 2;
        let y = self.margin() + row * self.leading() + self.leading() / 2;
        [x as f32, y as f32]
    }
}

impl Canvas {
    pub(super) fn new(image: &Image) -> Self {
        let pixels = image.rgba.as_chunks::<4>().0;
        Self {
            width: image.width as usize,
            height: image.height as usize,
            pixels: pixels
                .iter()
                .map(|[r, g, b, _]| u32::from_be_bytes([0, *r, *g, *b]))
                .collect(),
            grid: Grid::new(image.width, image.height),
        }
    }

    /// Returns the scaled length in pixels.
    pub(super) fn letters(&self, length: usize) -> usize {
        self.grid.letters(length)
    }

    /// Number of letters per line.
    pub(super) fn columns(&self) -> usize {
        self.width / self.grid.step()
    }

    /// Distance from line to line.
    pub(super) fn leading(&self) -> usize {
        self.grid.leading()
    }

    /// Returns the picture with everything drawn over it.
    pub(super) fn image(&self) -> Image {
        let rgba = self.pixels.iter().flat_map(|pixel| {
            let [_, r, g, b] = pixel.to_be_bytes();
            [r, g, b, 255]
        });
        Image {
            width: self.width as u32,
            height: self.height as u32,
            rgba: rgba.collect(),
        }
    }

    fn dot(&mut self, x: i64, y: i64, colour: u32) {
        if (0..self.width as i64).contains(&x) && (0..self.height as i64).contains(&y) {
            self.pixels[y as usize * self.width + x as usize] = colour;
        }
    }

    /// Draws a line between two points, unless one is far outside.
    pub(super) fn line(&mut self, from: [f32; 2], to: [f32; 2], colour: u32) {
        let near = |[x, y]: [f32; 2]| x.abs() < 16384.0 && y.abs() < 16384.0;
        if !near(from) || !near(to) {
            return;
        }
        let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
        let steps = dx.abs().max(dy.abs()).ceil().max(1.0);
        for step in 0..=steps as u32 {
            let t = step as f32 / steps;
            self.dot((from[0] + dx * t) as i64, (from[1] + dy * t) as i64, colour);
        }
    }

    pub(super) fn circle(&mut self, [x, y]: [f32; 2], radius: f32, colour: u32) {
        let at = |i: u16| {
            let (sin, cos) = (f32::from(i) / 48.0 * std::f32::consts::TAU).sin_cos();
            [x + radius * cos, y + radius * sin]
        };
        for i in 0..48 {
            self.line(at(i), at(i + 1), colour);
        }
    }

    /// Draws a line of text on a dark background.
    pub(super) fn text(&mut self, x: usize, y: usize, text: &str, colour: u32) {
        let (size, step) = (self.grid.letter, self.grid.step());
        let (wide, high) = (text.chars().count() * step + 2 * size, self.leading());
        for (row, column) in (0..high).flat_map(|row| (0..wide).map(move |column| (row, column))) {
            self.shade(x + column, y + row);
        }
        for (i, c) in text.chars().enumerate() {
            for (row, column) in pixels_of(c) {
                let (left, top) = (x + size + i * step + column * size, y + size + row * size);
                for k in 0..size * size {
                    self.dot((left + k % size) as i64, (top + k / size) as i64, colour);
                }
            }
        }
    }

    fn shade(&mut self, x: usize, y: usize) {
        if x < self.width && y < self.height {
            let pixel = &mut self.pixels[y * self.width + x];
            *pixel = *pixel >> 2 & 0x003F_3F3F;
        }
    }

    /// Draws lines of text downwards from `y`.
    pub(super) fn lines<T: AsRef<str>>(&mut self, x: usize, y: usize, lines: impl IntoIterator<Item = T>) {
        for (i, line) in lines.into_iter().enumerate() {
            self.text(x, y + i * self.leading(), line.as_ref(), 0x00FF_FFFF);
        }
    }

    /// Draws lines of text at the right edge, downwards from `y`.
    pub(super) fn right(&mut self, y: usize, lines: &[String]) {
        let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let wide = longest * self.grid.step() + self.letters(4);
        self.lines(self.width.saturating_sub(wide), y, lines);
    }

    /// Draws the list of keys.
    pub(super) fn keys<T: AsRef<str>>(&mut self, lines: impl IntoIterator<Item = T>) {
        let margin = self.grid.margin();
        self.lines(margin, margin, lines);
    }

    pub(super) fn height(&self) -> usize {
        self.height
    }
}

fn pixels_of(c: char) -> impl Iterator<Item = (usize, usize)> {
    let all = (0..font::HEIGHT).flat_map(|y| (0..font::WIDTH).map(move |x| (x, y)));
    all.filter(move |(x, y)| font::pixel(c, *x, *y))
        .map(|(x, y)| (y as usize, x as usize))
}

#[cfg(test)]
mod tests {
    use super::super::conditions::ALL;
    use super::super::help;
    use super::*;

    /// A white picture must stay white where no text is drawn.
    #[test]
    fn the_list_of_keys_fits_into_small_pictures() {
        for (width, height) in [(320, 240), (480, 360), (640, 480)] {
            let mut canvas = Canvas::new(&Image {
                width,
                height,
                rgba: vec![255; (width * height * 4) as usize],
            });
            canvas.keys(help::lines(ALL));
            let (width, height) = (width as usize, height as usize);
            let white = |x: usize, y: usize| canvas.pixels[y * width + x] == 0x00FF_FFFF;
            assert!(
                (0..height).all(|y| white(width - 1, y)),
                "{width}x{height}: too wide"
            );
            let above_foot = height - canvas.leading() - 4;
            assert!(
                (0..width).all(|x| white(x, above_foot)),
                "{width}x{height}: too high"
            );
            assert!(!canvas.pixels.iter().all(|pixel| *pixel == 0x00FF_FFFF));
        }
    }
}
