//! From a vertex parameter to the words that VRAM holds.

use super::colour;
use crate::param::{ColourType, Set, Shape, Uv, VertexForm};

/// Words of a vertex in VRAM at most: x, y, z and two sets of two coordinates and two colours.
const MAX_WORDS: usize = 11;
/// Vertices of an object at most: a strip of six triangles.
pub(super) const MAX_VERTICES: usize = 8;

/// The vertices of an object or of the beginning of one, as they will stand in VRAM: all of the same length.
#[derive(Debug, Clone)]
pub(super) struct Vertices {
    words: [u32; MAX_VERTICES * MAX_WORDS],
    /// Words of a vertex, the first three being x, y and z.
    each: usize,
    count: usize,
}

impl Vertices {
    pub(super) const fn new() -> Self {
        Self {
            words: [0; MAX_VERTICES * MAX_WORDS],
            each: 3,
            count: 0,
        }
    }

    /// Forgets all vertices; those to come have the length of `layout`.
    pub(super) fn start(&mut self, layout: &Layout) {
        (self.each, self.count) = (layout.len, 0);
    }

    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// All of them.
    pub(super) fn words(&self) -> &[u32] {
        self.words.get(..self.count * self.each).unwrap_or_default()
    }

    /// x and y of each.
    pub(super) fn places(&self) -> impl Iterator<Item = [f32; 2]> {
        // Not by chunks of an unknown size: that would divide.
        let words = |n: usize| self.words.get(n * self.each..n * self.each + 2);
        let vertices = (0..self.count).map_while(words);
        vertices.map(|vertex| [vertex[0], vertex[1]].map(f32::from_bits))
    }

    /// A new vertex; its words beyond its length are not used. More than an object has are not kept.
    fn next(&mut self) -> &mut [u32] {
        let at = self.count * self.each;
        self.count = (self.count + 1).min(MAX_VERTICES);
        let end = (at + MAX_WORDS).min(self.words.len());
        &mut self.words[at.min(end)..end]
    }

    fn push(&mut self, words: &[u32]) {
        for (slot, word) in self.next().iter_mut().zip(words) {
            *slot = *word;
        }
    }

    /// A vertex once more.
    pub(super) fn repeat(&mut self, n: usize) {
        let at = n * self.each;
        let to = self.count * self.each;
        if to + self.each <= self.words.len() && at + self.each <= to {
            self.words.copy_within(at..at + self.each, to);
            self.count += 1;
        }
    }

    /// Two of them are the first of the next object.
    pub(super) fn carry(&mut self, places: [usize; 2]) {
        let kept = places.map(|n| {
            let mut vertex = [0; MAX_WORDS];
            for (slot, word) in vertex.iter_mut().zip(self.words.iter().skip(n * self.each)) {
                *slot = *word;
            }
            vertex
        });
        self.count = 0;
        kept.iter().for_each(|vertex| self.push(vertex));
    }

    /// Adds a vertex of a strip. `input` is the parameter, 8 or 16 words in the first part of the array; `faces` the two face
    /// colours.
    pub(super) fn push_converted(&mut self, layout: &Layout, faces: [u32; 2], input: &[u32; 16]) {
        let vertex = self.next();
        for (slot, from) in vertex.iter_mut().zip(&layout.from[..layout.len]) {
            *slot = input[usize::from(*from) % 16];
        }
        for colour in layout.converted.iter().flatten() {
            let Some(slot) = vertex.get_mut(colour.slot) else {
                continue;
            };
            *slot = convert(layout.colour, faces[colour.face], input, colour.from);
        }
    }

    /// The four corners of a sprite. Only the third carries colours, base and offset; the depth and coordinates of the fourth
    /// are stored as 0 and derived by the core.
    pub(super) fn push_sprite(&mut self, form: &VertexForm, colours: [u32; 2], input: &[u32; 16]) {
        let places = [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 16]];
        for (n, place) in places.iter().enumerate() {
            let word = |at: usize| input.get(at).copied().unwrap_or(0);
            let [base, offset] = if n == 2 { colours } else { [0, 0] };
            let [x, y, z] = place.map(word);
            match (form.uv, form.sets[0]) {
                (Uv::Packed, Some(Set { uv, .. })) => {
                    let uv = if n < 3 { word(uv + n) } else { 0 };
                    self.push(&[x, y, z, uv, base, offset]);
                }
                _ => self.push(&[x, y, z, base, offset]),
            }
        }
    }

    /// The three corners of a modifier volume triangle.
    pub(super) fn push_modifier(&mut self, input: &[u32; 16]) {
        for first in [1, 4, 7] {
            self.push(&input[first..first + 3]);
        }
    }
}

/// A colour that is not simply copied.
#[derive(Debug, Clone, Copy)]
struct Converted {
    /// Place in the stored vertex.
    slot: usize,
    /// First word in the parameter.
    from: usize,
    /// Number of the face colour that it scales.
    face: usize,
}

/// Where the words of a stored vertex come from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    /// Words of a vertex.
    len: usize,
    /// For each the word of the parameter.
    from: [u8; MAX_WORDS],
    colour: ColourType,
    /// Colours unless they are packed.
    converted: [Option<Converted>; 4],
}

impl Layout {
    /// The layout of a form's vertices, of polygons with or without offset colour.
    pub(super) fn new(form: &VertexForm, offset: bool) -> Self {
        let mut layout = Self {
            len: 0,
            from: [0; MAX_WORDS],
            colour: form.colour,
            converted: [None; 4],
        };
        (1..4).for_each(|at| layout.take(at));
        if form.shape == Shape::Triangle {
            return layout;
        }
        let two = form.sets[1].is_some();
        for (volume, set) in form.sets.iter().enumerate() {
            let Some(set) = set else { continue };
            (set.uv..set.uv + form.uv.words()).for_each(|at| layout.take(at));
            layout.take_colour(set.base, volume);
            if offset && form.uv != Uv::None {
                // One volume: the offset colour has its own face colour. Two: each volume has one (vector 2.13.2).
                layout.take_colour(set.offset, if two { volume } else { 1 });
            }
        }
        layout
    }

    fn take(&mut self, from: usize) {
        if let Some(slot) = self.from.get_mut(self.len) {
            *slot = from as u8;
            self.len += 1;
        }
    }

    fn take_colour(&mut self, from: usize, face: usize) {
        let slot = self.len;
        self.take(from);
        let free = self.converted.iter_mut().find(|known| known.is_none());
        if let (true, Some(free)) = (self.colour != ColourType::Packed, free) {
            *free = Some(Converted { slot, from, face });
        }
    }
}

fn convert(colour: ColourType, face: u32, input: &[u32; 16], at: usize) -> u32 {
    match colour {
        ColourType::Packed => input[at],
        ColourType::Float => colour::pack([input[at], input[at + 1], input[at + 2], input[at + 3]]),
        ColourType::Intensity | ColourType::PreviousIntensity => colour::scale(face, input[at]),
    }
}
