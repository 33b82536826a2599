//! From a vertex parameter to the words that VRAM holds.

use super::colour;
use crate::param::{ColourType, Set, Uv, VertexForm};

/// Words of a vertex in VRAM at most: x, y, z and two sets of two coordinates and two colours.
pub(super) const MAX_WORDS: usize = 11;

/// A converted vertex: `len` words, the first three being x, y and z.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Vertex {
    words: [u32; MAX_WORDS],
    len: usize,
}

impl Vertex {
    fn at(position: &[u32]) -> Self {
        let mut vertex = Self::default();
        position.iter().for_each(|&word| vertex.push(word));
        vertex
    }

    fn push(&mut self, word: u32) {
        if let Some(slot) = self.words.get_mut(self.len) {
            *slot = word;
            self.len += 1;
        }
    }

    pub(super) fn words(&self) -> &[u32] {
        &self.words[..self.len]
    }

    pub(super) fn xy(&self) -> [f32; 2] {
        [f32::from_bits(self.words[0]), f32::from_bits(self.words[1])]
    }
}

/// Converts one vertex of a strip. `input` is the parameter, 8 or 16 words in the first part of the array;
/// `face` the two face colours.
pub(super) fn strip_vertex(form: &VertexForm, offset: bool, face: [u32; 2], input: &[u32; 16]) -> Vertex {
    let mut vertex = Vertex::at(&input[1..4]);
    let two = form.sets[1].is_some();
    for (volume, set) in form.sets.iter().enumerate() {
        let Some(set) = set else { continue };
        for &word in &input[set.uv..set.uv + form.uv.words()] {
            vertex.push(word);
        }
        // One volume: the offset colour has its own face colour. Two: each volume has one (vector 2.13.2).
        let (base_face, offset_face) = if two {
            (face[volume], face[volume])
        } else {
            (face[0], face[1])
        };
        vertex.push(convert(form.colour, base_face, input, set.base));
        if offset && form.uv != Uv::None {
            vertex.push(convert(form.colour, offset_face, input, set.offset));
        }
    }
    vertex
}

fn convert(colour: ColourType, face: u32, input: &[u32; 16], at: usize) -> u32 {
    match colour {
        ColourType::Packed => input[at],
        ColourType::Float => colour::pack([input[at], input[at + 1], input[at + 2], input[at + 3]]),
        ColourType::Intensity | ColourType::PreviousIntensity => colour::scale(face, input[at]),
    }
}

/// The four corners of a sprite. Only the third carries colours; the depth and coordinates of the fourth are
/// stored as 0 and derived by the core.
pub(super) fn sprite(
    form: &VertexForm,
    offset: bool,
    base: u32,
    offset_colour: u32,
    input: &[u32; 16],
) -> [Vertex; 4] {
    let corner = |position: [u32; 3], n: usize| {
        let mut vertex = Vertex::at(&position);
        let colours = if n == 2 { [base, offset_colour] } else { [0, 0] };
        if let (Uv::Packed, Some(Set { uv, .. })) = (form.uv, form.sets[0]) {
            vertex.push(if n < 3 { input[uv + n] } else { 0 });
        }
        vertex.push(colours[0]);
        if offset && form.uv != Uv::None {
            vertex.push(colours[1]);
        }
        vertex
    };
    [
        corner([input[1], input[2], input[3]], 0),
        corner([input[4], input[5], input[6]], 1),
        corner([input[7], input[8], input[9]], 2),
        corner([input[10], input[11], 0], 3),
    ]
}

/// The three corners of a modifier volume triangle.
pub(super) fn modifier(input: &[u32; 16]) -> [Vertex; 3] {
    [
        Vertex::at(&input[1..4]),
        Vertex::at(&input[4..7]),
        Vertex::at(&input[7..10]),
    ]
}
