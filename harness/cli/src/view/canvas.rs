//! Lines and letters over the picture in the window.

use crate::font;
use pvr::Image;

/// Pixels as the window takes them: 0RGB words.
pub(super) struct Canvas {
    pub(super) width: usize,
    height: usize,
    pub(super) pixels: Vec<u32>,
}

/// Pixels of the window for one of a letter.
const SIZE: usize = 2;
/// From line to line.
pub(super) const LINE: usize = (font::HEIGHT as usize + 3) * SIZE;

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
        }
    }

    /// The picture with everything that was drawn over it.
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

    /// A line between two points; nothing if either is far outside.
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

    /// A line of text on a dark ground.
    pub(super) fn text(&mut self, x: usize, y: usize, text: &str, colour: u32) {
        let step = (font::WIDTH as usize + 1) * SIZE;
        let (wide, high) = (text.chars().count() * step + 2 * SIZE, LINE);
        for (row, column) in (0..high).flat_map(|row| (0..wide).map(move |column| (row, column))) {
            self.shade(x + column, y + row);
        }
        for (i, c) in text.chars().enumerate() {
            for (row, column) in pixels_of(c) {
                let (left, top) = (x + SIZE + i * step + column * SIZE, y + SIZE + row * SIZE);
                for k in 0..SIZE * SIZE {
                    self.dot((left + k % SIZE) as i64, (top + k / SIZE) as i64, colour);
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

    /// Lines of text from the top.
    pub(super) fn lines<T: AsRef<str>>(&mut self, x: usize, y: usize, lines: impl IntoIterator<Item = T>) {
        for (i, line) in lines.into_iter().enumerate() {
            self.text(x, y + i * LINE, line.as_ref(), 0x00FF_FFFF);
        }
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
