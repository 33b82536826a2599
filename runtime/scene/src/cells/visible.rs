//! Visible cells, and the reasons why other cells are not visible.

use super::warning::{CellWarning, CellWarnings, NotDrawn};
use super::{CellWords, SpriteValue};
use ninja::{BlendMode, Cell, CellAttr};
use sh4_kernels::cell_colours::Colours;
use sh4_kernels::cell_corners::Corners;

/// Cells to draw, in order.
#[derive(Default)]
pub(super) struct VisibleCells {
    pub(super) cells: Vec<CellWords>,
    pub(super) corners: Vec<Corners>,
    pub(super) depths: Vec<f32>,
    /// Indices in the sprite.
    numbers: Vec<usize>,
    /// Cells with NJD_FCA_HI.
    hidden: Vec<usize>,
    /// Cells outside the drawn range of depths: index in the sprite, and words.
    outside: Vec<(usize, CellWords)>,
    /// Scale and z of the sprite.
    scale: [f32; 2],
    z: f32,
    /// True for a 2D sprite.
    flat: bool,
}

impl VisibleCells {
    /// Selects the cells without NJD_FCA_HI.
    pub(super) fn of(cells: &[CellWords], value: &SpriteValue, flat: bool) -> Self {
        let is_hidden = |i: &usize| cells[*i][0] >> 16 & u32::from(CellAttr::HIDE.0) != 0;
        let (hidden, numbers): (Vec<usize>, Vec<usize>) = (0..cells.len()).partition(is_hidden);
        Self {
            cells: numbers.iter().map(|i| cells[*i]).collect(),
            numbers,
            hidden,
            scale: value.scale,
            z: value.pos[2],
            flat,
            ..Self::default()
        }
    }

    pub(super) fn hidden_count(&self) -> usize {
        self.hidden.len()
    }

    /// Removes the cells for which `drawn` rejects 1/w; returns their number.
    pub(super) fn keep(&mut self, drawn: impl Fn(f32) -> bool) -> usize {
        let all = 0..self.cells.len();
        let (kept, dropped): (Vec<usize>, Vec<usize>) = all.partition(|i| drawn(self.depths[*i]));
        self.outside = dropped
            .iter()
            .map(|i| (self.numbers[*i], self.cells[*i]))
            .collect();
        if !dropped.is_empty() {
            self.cells = kept.iter().map(|i| self.cells[*i]).collect();
            self.corners = kept.iter().map(|i| self.corners[*i]).collect();
            self.depths = kept.iter().map(|i| self.depths[*i]).collect();
            self.numbers = kept.iter().map(|i| self.numbers[*i]).collect();
        }
        dropped.len()
    }

    /// If no cell is visible, adds a warning for each reason. For a 2D sprite, warns of cells outside the
    /// range of depths even if other cells are visible.
    pub(super) fn explain(&self, colours: &[Colours], warnings: &mut CellWarnings) {
        let mut report = |cells: &[usize], rule: NotDrawn| {
            if let Some(&first) = cells.first() {
                let cell = first as u16;
                warnings.insert(CellWarning::NotDrawn { cell, rule }, cells.len());
            }
        };
        let outside: Vec<usize> = self.outside.iter().map(|(number, _)| *number).collect();
        if let Some((_, words)) = self.outside.first().filter(|_| self.flat) {
            let (z, priority) = (self.z.to_bits(), (words[5] >> 16) as i16);
            report(&outside, NotDrawn::Behind { z, priority });
        }
        let numbered = |unseen: &dyn Fn(usize) -> bool| -> Vec<usize> {
            let places = (0..self.cells.len()).filter(|i| unseen(*i));
            places.map(|i| self.numbers[i]).collect()
        };
        let is_empty = |i: usize| empty(&self.cells[i], self.scale);
        let is_transparent = |i: usize| !is_empty(i) && transparent(&self.cells[i], &colours[i]);
        let (empty, transparent) = (numbered(&is_empty), numbered(&is_transparent));
        if empty.len() + transparent.len() < self.cells.len() {
            return;
        }
        report(&self.hidden, NotDrawn::Hidden);
        report(&empty, NotDrawn::Empty);
        report(&transparent, NotDrawn::Transparent);
        if !self.flat {
            report(&outside, NotDrawn::OutOfRange);
        }
        if self.hidden.is_empty() && outside.is_empty() && self.cells.is_empty() {
            warnings.insert(CellWarning::NoCells, 1);
        }
    }
}

fn empty(words: &CellWords, scale: [f32; 2]) -> bool {
    let [w, h] = Cell::from_words(words).size;
    w * scale[0] == 0.0 || h * scale[1] == 0.0
}

/// True if a cell of the translucent list is blended by its alpha, and its alpha is 0 at all corners.
fn transparent(words: &CellWords, colours: &Colours) -> bool {
    let attr = Cell::from_words(words).attr;
    let blend = attr.blend();
    let by_alpha = blend.src == BlendMode::SourceAlpha && blend.dst == BlendMode::InverseSourceAlpha;
    attr.contains(CellAttr::ALPHA) && by_alpha && colours.iter().all(|colour| colour >> 24 == 0)
}
