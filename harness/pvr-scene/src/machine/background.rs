//! Polygon of the background.

use super::textures::lookup;
use super::{Machine, Open};
use crate::header::Header;
use crate::memory;
use crate::text::{SceneError, Statement, Word};
use crate::vertex;
use pvr::{Area, ListType, ParamType, Shape, reg};

/// Screen corners that define the planes of the background.
const BACKGROUND_CORNERS: [[f32; 2]; 3] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];

impl Machine<'_> {
    /// Reads `background COLOUR [depth=Z]`, or `background [depth=Z] FIELDS` with three vertices after it.
    pub(super) fn background(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let mut header = Header::new(ParamType::Polygon, ListType::Opaque);
        header.tsp[0] = header.tsp[0].with_use_alpha(true);
        let mut ahead = statement.clone();
        let first = ahead.next();
        let plain = first.and_then(|word| word.colour().ok());
        if plain.is_some() {
            *statement = ahead.clone();
        }
        if let Some(value) = ahead_depth(&mut ahead, plain.is_some(), first) {
            let depth = value.float()?;
            self.pvr.write_register(reg::ISP_BACKGND_D, depth.to_bits());
            statement.next();
        }
        if let Some(colour) = plain {
            self.plain_background(&header, colour);
            return Ok(());
        }
        header.read(statement, &lookup(&self.textures))?;
        self.open = Open::Background {
            header,
            words: Vec::new(),
        };
        Ok(())
    }

    pub(super) fn plain_background(&mut self, header: &Header, colour: u32) {
        let mut words = Vec::new();
        for [x, y] in BACKGROUND_CORNERS {
            words.extend([x.to_bits(), y.to_bits(), 1.0f32.to_bits(), colour]);
        }
        self.write_background(header, &words);
    }

    /// Writes the polygon in the TA's format and sets the register to its address.
    pub(super) fn write_background(&mut self, header: &Header, vertices: &[u32]) {
        let pcw = header.pcw;
        let textured_offset = pcw.texture() && pcw.offset();
        let isp = header.isp.0 | (pcw.0 & 0x0B) << 22 | u32::from(textured_offset) << 24;
        let control = [isp, header.tsp[0].0, header.texture_word(0).0];
        for (n, &word) in (0..).zip(control.iter().chain(vertices)) {
            self.pvr
                .vram_mut()
                .write32(Area::Bits32, memory::BACKGROUND + n * 4, word);
        }
        let skip = vertices.len() as u32 / 3 - 3;
        let tag = u32::from(pcw.shadow()) << 27 | skip << 24 | (memory::BACKGROUND / 4) << 3;
        self.pvr.write_register(reg::ISP_BACKGND_T, tag);
    }
}

/// Returns the value of `depth=`, if the word has this form. The word is the next one if `plain` is set, else
/// `first`.
fn ahead_depth<'a>(ahead: &mut Statement<'a>, plain: bool, first: Option<Word<'a>>) -> Option<Word<'a>> {
    let word = if plain { ahead.next() } else { first };
    match word?.key_value() {
        ("depth", Some(value)) => Some(value),
        _ => None,
    }
}

/// Number of words of a vertex in VRAM.
pub(super) fn parameter_words(header: &Header) -> usize {
    3 + vertex::form_of(header, ListType::Opaque).skip(header.pcw.offset())
}

/// Converts a vertex parameter with packed colours to the TA's format in VRAM.
pub(super) fn stored(header: &Header, parameter: &[u32]) -> Vec<u32> {
    let form = vertex::form_of(header, ListType::Opaque);
    let mut words = parameter[1..4].to_vec();
    if let (Some(set), Shape::Vertex) = (form.sets[0], form.shape) {
        words.extend(&parameter[set.uv..set.uv + form.uv.words()]);
        words.push(parameter[set.base]);
        if header.pcw.offset() && header.pcw.texture() {
            words.push(parameter[set.offset]);
        }
    }
    words
}
