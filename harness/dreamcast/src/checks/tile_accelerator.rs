//! Rules for the tile accelerator: order of its parameters, and space for its output.
//!
//! Tracks the parameters separately from the tile accelerator, so that a block can be checked before it is
//! processed.

use super::Rule;
use crate::system::System;
use pvr::{ColourType, Event, ListType, ParamType, Pcw, Shape, VERTEX_FORMS, VertexForm, reg};
use sh4::BusError;
use state::{Error, State, Stream};

/// Minimum free space for parameters, in bytes, which covers one parameter. With less space, the store of a
/// block is deferred, so that an overflow is reported at the exact time.
const PARAMETER_MARGIN: u32 = 128;
const OBJECT_MARGIN: u32 = 64 * 1200;
/// Field of TA_ALLOC_CTRL for each list.
const SIZE_SHIFTS: [u32; 5] = [0, 4, 8, 12, 16];

/// Parameters sent to the tile accelerator in this frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Parameters {
    list: Option<ListType>,
    /// Closed lists, one bit each.
    closed: u8,
    form: Option<&'static VertexForm>,
    in_strip: bool,
    /// First half of a 64-byte parameter; the next block is its second half.
    half: Option<[u32; 8]>,
}

impl State for Parameters {
    fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
        let Self {
            list,
            closed,
            form,
            in_strip,
            half,
        } = self;
        let mut number = list.map_or(u32::MAX, |list| list.index() as u32);
        number.transfer(stream)?;
        *list = ListType::from_code(number);
        closed.transfer(stream)?;
        let mut number = form.map_or(usize::MAX, |form| form.number);
        number.transfer(stream)?;
        *form = VERTEX_FORMS.get(number);
        in_strip.transfer(stream)?;
        half.transfer(stream)
    }
}

impl Parameters {
    /// Returns the 16 words of the parameter that `block` completes, or `None` if `block` is a first half.
    fn complete(&self, block: &[u32; 8]) -> Option<[u32; 16]> {
        let mut words = [0; 16];
        match &self.half {
            Some(half) => {
                words[..8].copy_from_slice(half);
                words[8..].copy_from_slice(block);
            }
            None if self.is_long(Pcw(block[0])) => return None,
            None => words[..8].copy_from_slice(block),
        }
        Some(words)
    }

    fn is_long(&self, pcw: Pcw) -> bool {
        match pcw.param_type() {
            ParamType::Vertex => self.form.is_some_and(|form| form.words == 16),
            ParamType::Polygon => {
                let modifier = self.list.or(pcw.list()).is_some_and(ListType::is_modifier);
                let faces = pcw.two_volumes() || pcw.texture() && pcw.offset();
                pcw.colour() == ColourType::Intensity && faces && !modifier
            }
            _ => false,
        }
    }

    /// Returns the rule that a complete parameter breaks.
    fn broken_by(&self, words: &[u32; 16], allocated: u32) -> Option<Rule> {
        let pcw = Pcw(words[0]);
        match pcw.param_type() {
            ParamType::EndOfList | ParamType::Polygon | ParamType::Sprite if self.in_strip => {
                Some(Rule::TaOpenStrip)
            }
            ParamType::Polygon | ParamType::Sprite if self.list.is_none() => {
                let list = pcw.list()?;
                if self.closed >> list.index() & 1 != 0 {
                    return Some(Rule::TaClosedList);
                }
                (allocated >> SIZE_SHIFTS[list.index()] & 3 == 0).then_some(Rule::TaNoBin)
            }
            ParamType::Vertex => match self.form.filter(|_| self.list.is_some()) {
                None => Some(Rule::TaNoHeader),
                Some(form) => is_bad_depth(form.shape, words).then_some(Rule::TaDepth),
            },
            _ => None,
        }
    }

    fn take(&mut self, block: &[u32; 8]) {
        let Some(words) = self.complete(block) else {
            self.half = Some(*block);
            return;
        };
        self.half = None;
        let pcw = Pcw(words[0]);
        match pcw.param_type() {
            ParamType::EndOfList => {
                let bit = self.list.or(pcw.list()).map_or(0, |list| 1 << list.index());
                *self = Parameters {
                    closed: self.closed | bit,
                    ..Parameters::default()
                };
            }
            ParamType::Polygon | ParamType::Sprite => {
                self.list = self.list.or(pcw.list());
                self.form = self.list.map(|list| VertexForm::select(pcw, list));
                self.in_strip = false;
            }
            ParamType::Vertex => {
                let strip = self.form.is_some_and(|form| form.shape == Shape::Vertex);
                self.in_strip = strip && !pcw.end_of_strip();
            }
            _ => {}
        }
    }
}

/// Returns whether a vertex parameter has a depth (1/w) that is negative or not a number.
fn is_bad_depth(shape: Shape, words: &[u32; 16]) -> bool {
    let bad = |word: u32| {
        let depth = f32::from_bits(word);
        depth.is_nan() || depth < 0.0
    };
    match shape {
        Shape::Vertex => bad(words[3]),
        // Corners A, B and C; the fourth corner's depth follows from them.
        Shape::Sprite | Shape::Triangle => [3, 6, 9].iter().any(|&n| bad(words[n])),
    }
}

impl System {
    /// Checks a block from a store queue.
    #[inline]
    pub(crate) fn check_ta_block(&mut self, block: &[u32; 8]) -> Result<(), BusError> {
        let Some(checks) = &self.checks else {
            return Ok(());
        };
        let allocated = self.pvr.read_register(reg::TA_ALLOC_CTRL);
        let words = checks.parameters.complete(block);
        let rule = words.and_then(|words| checks.parameters.broken_by(&words, allocated));
        if rule.is_some_and(|rule| self.is_checked(rule)) || self.is_near_limit() {
            self.exactly()?;
        }
        Ok(())
    }

    /// Returns whether the tile accelerator is close to a limit.
    fn is_near_limit(&self) -> bool {
        let get = |register| self.pvr.read_register(register) & 0x00FF_FFFF;
        let parameters = get(reg::TA_ISP_LIMIT).wrapping_sub(get(reg::TA_ITP_CURRENT));
        let objects = get(reg::TA_OL_LIMIT).abs_diff(get(reg::TA_NEXT_OPB));
        parameters < PARAMETER_MARGIN || objects < OBJECT_MARGIN
    }

    /// Tracks blocks that the tile accelerator is about to process.
    pub(crate) fn follow_blocks(&mut self, blocks: &[[u32; 8]]) {
        if self.checks.is_none() {
            return;
        }
        let allocated = self.pvr.read_register(reg::TA_ALLOC_CTRL);
        for block in blocks {
            self.follow_block(block, allocated);
        }
    }

    fn follow_block(&mut self, block: &[u32; 8], allocated: u32) {
        let Some(checks) = &mut self.checks else {
            return;
        };
        let before = checks.parameters;
        checks.parameters.take(block);
        let words = before.complete(block);
        let rule = words.and_then(|words| before.broken_by(&words, allocated));
        if let (Some(rule), Some(words)) = (rule, words) {
            self.broken(rule, &[], || describe(rule, &before, &words));
        }
    }

    /// Checks whether the tile accelerator has run out of space.
    pub(crate) fn check_overflow(&mut self, before: pvr::Events) {
        let after = self.pvr.events();
        let new = |event| after.has(event) && !before.has(event);
        let space = match (new(Event::ParameterOverflow), new(Event::ListOverflow)) {
            (true, _) => "parameters reach TA_ISP_LIMIT",
            (_, true) => "object lists reach TA_OL_LIMIT",
            _ => return,
        };
        self.broken(Rule::TaOverflow, &[], || space.to_owned());
    }

    /// Handles TA_LIST_INIT, TA_LIST_CONT, or a reset of the tile accelerator.
    pub(crate) fn begin_lists(&mut self, reset: bool) {
        let Some(checks) = &mut self.checks else {
            return;
        };
        let before = std::mem::take(&mut checks.parameters);
        if let Some(list) = before.list.filter(|_| !reset) {
            self.broken(Rule::TaOpenList, &[], || {
                format!("list {} is still open", list.index())
            });
        }
    }
}

fn describe(rule: Rule, before: &Parameters, words: &[u32; 16]) -> String {
    let pcw = Pcw(words[0]);
    let list = before
        .list
        .or(pcw.list())
        .map_or("?".to_owned(), |list| list.index().to_string());
    match rule {
        Rule::TaDepth => format!(
            "a vertex of list {list} has the depth {}",
            f32::from_bits(words[3])
        ),
        _ => format!("parameter {:08x}, list {list}", words[0]),
    }
}
