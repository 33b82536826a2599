//! Conversion of vertex parameters to their words in VRAM.

use super::colour;
use crate::param::{ColourType, Set, Shape, Uv, VERTEX_FORMS, VertexForm};
use state::{Error, State, Stream};

/// Maximum number of words of a vertex in VRAM: x, y, z and two sets of two coordinates and two colours.
const MAX_WORDS: usize = 11;
/// Maximum number of vertices of an object: a strip of six triangles.
pub(super) const MAX_VERTICES: usize = 8;

/// Maximum number of words before the vertices: ISP word and two sets of TSP and texture words.
const MAX_HEADER: usize = 5;

/// An object under construction: header and vertices in their VRAM format. All vertices have the same length.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    /// Words, with room for one extra vertex, since vertices are written in full length.
    words: [u32; MAX_HEADER + (MAX_VERTICES + 1) * MAX_WORDS],
    /// Number of words of the header.
    header: usize,
    /// Number of words of a vertex; the first three are x, y and z.
    each: usize,
    count: usize,
}

state::fields!(Draft { words, header, each, count } check(|draft: &Draft| {
    draft.header <= MAX_HEADER && (3..=MAX_WORDS).contains(&draft.each) && draft.count <= MAX_VERTICES
}));

impl Draft {
    pub(super) const fn new() -> Self {
        Self {
            words: [0; MAX_HEADER + (MAX_VERTICES + 1) * MAX_WORDS],
            header: 0,
            each: 3,
            count: 0,
        }
    }

    /// Starts with another header; later vertices have the length of `layout`.
    pub(super) fn start(&mut self, header: &[u32], layout: &Layout) {
        for (slot, word) in self.words.iter_mut().take(MAX_HEADER).zip(header) {
            *slot = *word;
        }
        self.header = header.len().min(MAX_HEADER);
        (self.each, self.count) = (layout.len, 0);
    }

    /// Removes all vertices.
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Index of a vertex's first word.
    fn at(&self, n: usize) -> usize {
        self.header + n * self.each
    }

    /// Sets or clears a bit of the ISP word.
    pub(super) fn mark(&mut self, bit: u32, on: bool) {
        self.words[0] = self.words[0] & !bit | if on { bit } else { 0 };
    }

    /// All words.
    pub(super) fn words(&self) -> &[u32] {
        self.words.get(..self.at(self.count)).unwrap_or_default()
    }

    /// Words of the header.
    pub(super) fn header(&self) -> usize {
        self.header
    }

    /// Iterates over x and y of each vertex, as bits.
    pub(super) fn places(&self) -> impl Iterator<Item = [u32; 2]> {
        // Chunks of a length unknown at compile time would need a division.
        let words = |n: usize| self.words.get(self.at(n)..)?.first_chunk::<2>();
        (0..self.count).map_while(words).copied()
    }

    /// Returns a vertex in full length.
    fn full(&self, n: usize) -> [u32; MAX_WORDS] {
        let words = self.words.get(self.at(n)..).and_then(|words| words.first_chunk());
        *words.unwrap_or(&[0; MAX_WORDS])
    }

    /// Returns the next vertex for writing; words beyond its length are unused. Surplus vertices are dropped.
    fn next(&mut self) -> &mut [u32] {
        let at = self.at(self.count);
        self.count = (self.count + 1).min(MAX_VERTICES);
        self.words.get_mut(at..at + MAX_WORDS).unwrap_or_default()
    }

    fn push(&mut self, words: &[u32]) {
        for (slot, word) in self.next().iter_mut().zip(words) {
            *slot = *word;
        }
    }

    /// Appends a copy of a vertex.
    pub(super) fn repeat(&mut self, n: usize) {
        let vertex = self.full(n);
        self.push(&vertex);
    }

    /// Keeps two vertices as the first of the next object.
    pub(super) fn carry(&mut self, places: [usize; 2]) {
        let kept = places.map(|n| self.full(n));
        self.count = 0;
        kept.iter().for_each(|vertex| self.push(vertex));
    }

    /// Adds a vertex of a strip. `input` is the parameter, 8 or 16 words at the start of the array. Colours
    /// in other formats than packed must still be converted.
    pub(super) fn push_vertex(&mut self, layout: &Layout, input: &[u32; 16]) {
        for (slot, from) in self.next().iter_mut().zip(&layout.from[..layout.len]) {
            *slot = input[usize::from(*from) % 16];
        }
    }

    /// Converts the colours of the newest vertex; `faces` are the two face colours.
    pub(super) fn convert_colours(&mut self, layout: &Layout, faces: [u32; 2], input: &[u32; 16]) {
        let newest = self.at(self.count.saturating_sub(1));
        for colour in layout.converted.iter().flatten() {
            if let Some(slot) = self.words.get_mut(newest + colour.slot) {
                *slot = convert(layout.colour, faces[colour.face], input, colour.from);
            }
        }
    }

    /// Adds a vertex of a strip from a short parameter of 8 words: see [`Layout::short`].
    #[inline]
    pub(super) fn push_short(&mut self, colours: usize, input: &[u32; 8]) {
        let at = self.at(self.count);
        let words = self.words.get_mut(at..);
        let Some(vertex) = words.and_then(|words| words.first_chunk_mut::<MAX_WORDS>()) else {
            return;
        };
        vertex[..7].copy_from_slice(&input[1..]);
        if let Some(slots) = vertex.get_mut(colours..colours + 2) {
            slots.copy_from_slice(&input[SHORT_COLOURS..]);
        }
        self.count = (self.count + 1).min(MAX_VERTICES);
    }

    /// Adds the four corners of a sprite. Only the third has colours, base and offset. The fourth corner's
    /// depth and coordinates are stored as 0; the core derives them.
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

    /// Adds the three corners of a modifier volume triangle.
    pub(super) fn push_modifier(&mut self, input: &[u32; 16]) {
        for first in [1, 4, 7] {
            self.push(&input[first..first + 3]);
        }
    }
}

/// A colour that needs conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Converted {
    /// Index in the stored vertex.
    slot: usize,
    /// Index of the first word in the parameter.
    from: usize,
    /// Index of the face colour to scale.
    face: usize,
}

/// First colour word in most parameters of 8 words.
const SHORT_COLOURS: usize = 6;

/// Sources of the words of a stored vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    /// Number of words of a vertex.
    len: usize,
    /// Index in the parameter, for each word.
    from: [u8; MAX_WORDS],
    colour: ColourType,
    /// Colours that need conversion.
    converted: [Option<Converted>; 4],
    /// Index in the stored vertex of the last two words of an 8-word parameter. `None` if the vertex does not
    /// consist of unconverted words of the parameter, in order.
    pub(super) short: Option<usize>,
}

/// Saves the number of the vertex form and whether it has an offset colour.
impl State for Layout {
    fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
        let all = || VERTEX_FORMS.iter().flat_map(|form| [(form, false), (form, true)]);
        let known = all().position(|(form, offset)| Self::new(form, offset) == *self);
        let mut number = known.unwrap_or(0);
        number.transfer(stream)?;
        let (form, offset) = all()
            .nth(number)
            .ok_or_else(|| Error::value("Layout", number, "a vertex form"))?;
        *self = Self::new(form, offset);
        Ok(())
    }
}

impl Layout {
    /// Creates the layout of a form's vertices, for polygons with or without offset colour.
    pub(super) fn new(form: &VertexForm, offset: bool) -> Self {
        let mut layout = Self {
            len: 0,
            from: [0; MAX_WORDS],
            colour: form.colour,
            converted: [None; 4],
            short: None,
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
                // With one volume, the offset colour has its own face colour. With two volumes, the base and
                // offset colours of a volume share that volume's face colour (docs/hardware/pvr2.md, "Colour
                // conversion").
                layout.take_colour(set.offset, if two { volume } else { 1 });
            }
        }
        let is_short = form.words == 8 && form.sets[0].is_some_and(|set| set.base == SHORT_COLOURS);
        layout.short = (is_short && form.colour == ColourType::Packed).then_some(3 + form.uv.words());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_parameters_become_what_others_do() {
        let input: [u32; 16] = std::array::from_fn(|n| if n < 8 { 0xF000_0000 + n as u32 } else { 0 });
        let mut short = Vec::new();
        for form in &VERTEX_FORMS {
            for offset in [false, true] {
                let layout = Layout::new(form, offset);
                let Some(colours) = layout.short else { continue };
                short.push((form.number, offset));
                let header = [1, 2, 3];
                let (mut one, mut other) = (Draft::new(), Draft::new());
                one.start(&header, &layout);
                other.start(&header, &layout);
                for _ in 0..MAX_VERTICES {
                    one.push_vertex(&layout, &input);
                    one.convert_colours(&layout, [0; 2], &input);
                    other.push_short(colours, &[0, 1, 2, 3, 4, 5, 6, 7].map(|n| input[n]));
                }
                assert_eq!(one.words(), other.words(), "form {}", form.number);
                assert_eq!(one.words().len(), 3 + 8 * (3 + form.skip(offset)));
            }
        }
        // Packed colours in eight words, one volume.
        let expected = [0, 3, 4].map(|number| [(number, false), (number, true)]);
        assert_eq!(short, expected.as_flattened());
    }
}
