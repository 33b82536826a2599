//! Chip and state on which statements operate.

mod background;
mod lists;
mod output;
mod passes;
mod state;
mod textures;

use crate::header::{Bound, Header};
use crate::memory;
use crate::show::{Show, Target};
use crate::text::{SceneError, Statement, Word};
use crate::{Options, Outcome};
use output::Expected;
use passes::Pass;
use pvr::{ListType, ParamType, Pvr, RenderStats, Settings, reg};
use std::collections::BTreeMap;

/// Parameter to which vertices belong.
#[derive(Debug)]
enum Open {
    Nothing,
    Polygon(Header),
    Modifier,
    Background { header: Header, words: Vec<u32> },
}

pub(crate) struct Machine<'a> {
    pvr: Pvr,
    options: &'a Options,
    size: (u32, u32),
    textures: BTreeMap<String, Bound>,
    next_texture: u32,
    list: Option<ListType>,
    open: Open,
    /// A vertex that may be the last of its strip.
    held: Option<Vec<u32>>,
    passes: Vec<Pass>,
    closed: [bool; 5],
    /// True if TA_LIST_INIT was written in this frame.
    begun: bool,
    target: Target,
    show: Option<Show>,
    expected: Vec<Expected>,
    rendered: bool,
    blocks: Vec<[u32; 8]>,
    stats: RenderStats,
}

impl<'a> Machine<'a> {
    pub(crate) fn new(settings: Settings, options: &'a Options) -> Self {
        let mut machine = Self {
            pvr: Pvr::new(settings),
            options,
            size: (64, 64),
            textures: BTreeMap::new(),
            next_texture: memory::TEXTURES,
            list: None,
            open: Open::Nothing,
            held: None,
            passes: Vec::new(),
            closed: [false; 5],
            begun: false,
            target: Target::default(),
            show: None,
            expected: Vec::new(),
            rendered: false,
            blocks: Vec::new(),
            stats: RenderStats::default(),
        };
        for (register, value) in [
            (reg::FPU_PARAM_CFG, 1 << 21),
            (reg::PT_ALPHA_REF, 0),
            (reg::VO_CONTROL, 0),
        ] {
            machine.pvr.write_register(register, value);
        }
        machine.lay_out();
        let header = Header::new(ParamType::Polygon, ListType::Opaque);
        machine.plain_background(&header, 0xFF00_0000);
        machine
    }

    /// Sets registers that depend on the size.
    fn lay_out(&mut self) {
        let (columns, rows) = self.tiles();
        for (register, value) in [
            (reg::TA_GLOB_TILE_CLIP, (rows - 1) << 16 | (columns - 1)),
            (reg::TA_ALLOC_CTRL, memory::ALLOC),
            (reg::TA_ISP_BASE, memory::PARAMETERS),
            (reg::TA_ISP_LIMIT, memory::BACKGROUND),
            (reg::TA_OL_BASE, memory::LISTS),
            (reg::TA_OL_LIMIT, memory::LISTS_END),
            (reg::TA_NEXT_OPB_INIT, memory::OVERFLOW),
            (reg::PARAM_BASE, memory::PARAMETERS),
            (reg::REGION_BASE, memory::REGIONS),
            (reg::FB_X_CLIP, (self.size.0 - 1) << 16),
            (reg::FB_Y_CLIP, (self.size.1 - 1) << 16),
        ] {
            self.pvr.write_register(register, value);
        }
    }

    fn tiles(&self) -> (u32, u32) {
        (self.size.0.div_ceil(32), self.size.1.div_ceil(32))
    }

    /// Executes one statement.
    pub(crate) fn run(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let keyword = statement.keyword;
        match keyword.text {
            "v" => return self.vertex(statement),
            "rect" => return self.rect(statement),
            _ => self.end_strip(),
        }
        match keyword.text {
            "size" => self.set_size(statement),
            "setting" => self.setting(statement),
            "preset" => self.preset(statement),
            "register" => self.register(statement),
            "palette" => self.palette(statement),
            "fog_table" => self.fog_table(statement),
            "texture" => self.texture(statement),
            "background" => self.background(statement),
            "list" => self.open_list(statement),
            "clip" => self.clip(statement),
            "polygon" => self.polygon(ParamType::Polygon, statement),
            "sprite" => self.polygon(ParamType::Sprite, statement),
            "corners" => self.corners(statement),
            "modifier" => self.modifier(statement),
            "triangle" => self.triangle(statement),
            "volume" => self.volume(statement),
            "words" => self.words(statement),
            "end" => self.end_list(&keyword),
            "pass" => self.pass(statement),
            "render" => self.render(statement),
            "target" => self.set_target(statement),
            "show" => self.set_show(statement),
            "expect" => self.expect(statement),
            _ => return Err(keyword.error("a statement (see the grammar)")),
        }?;
        statement.done()
    }

    /// Returns the image after the last statement.
    pub(crate) fn finish(mut self, end: &Word<'_>) -> Result<Outcome, SceneError> {
        self.end_strip();
        if self.list.is_some() {
            return Err(end.fault("a list that is open", "end"));
        }
        if !self.rendered && self.show.is_none() {
            return Err(end.fault("no picture", "render"));
        }
        let image = self.picture(end)?;
        self.expected
            .iter()
            .try_for_each(|expected| expected.check(&image))?;
        Ok(Outcome {
            image,
            warnings: self.pvr.warnings().to_vec(),
            blocks: self.blocks,
            stats: self.stats,
            pvr: self.pvr,
            frame: self.size,
        })
    }
}
