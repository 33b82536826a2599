//! Tile accelerator: it converts 32-byte blocks to object lists and parameters in VRAM, word for word like
//! the chip (`docs/hardware/pvr2.md`, "TA input" and "TA output").

mod colour;
pub(crate) mod lists;
mod object;
mod parameter;
mod tiles;
mod vertex;

use crate::event::{Event, Events, Warning, Warnings};
use crate::param::{ColourType, ListType, ParamType, Pcw, UserClip, VERTEX_FORMS, VertexForm};
use crate::regs::{Registers, reg};
use crate::settings::{EndWithoutList, Settings};
use crate::vram::{Area, VRAM_BYTES, Vram};
use lists::Lists;
use object::{Corners, Object};
use state::{Error, State, Stream};
use tiles::TileBox;
use vertex::{Draft, Layout, MAX_VERTICES};

/// Parts of the chip that the TA uses in addition to its own state.
pub(crate) struct Chip<'a> {
    pub(crate) vram: &'a mut Vram,
    pub(crate) regs: &'a mut Registers,
    pub(crate) events: &'a mut Events,
    pub(crate) warnings: &'a mut Warnings,
    pub(crate) settings: &'a Settings,
}

/// Upper bound of tile positions. A saved state with a greater one is invalid.
const FAR: u32 = 1 << 11;

/// Treatment of the next parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Processes parameters.
    Normal,
    /// Drops all parameters up to the end of the list.
    SkipList,
    /// Drops all parameters up to the next TA_LIST_INIT.
    Halted,
}

state::variants!(Mode {
    0 Normal,
    1 SkipList,
    2 Halted,
});

/// State of the tile accelerator.
#[derive(Clone, Debug)]
pub(crate) struct Ta {
    mode: Mode,
    list: Option<ListType>,
    /// First half of a 64-byte parameter.
    half: Option<[u32; 8]>,
    pcw: Pcw,
    has_polygon: bool,
    form: &'static VertexForm,
    /// Common part of the polygon's object words, without their address. Bit 31 is set; the object words of
    /// strips clear it.
    kind: u32,
    sprite_colours: [u32; 2],
    /// Face colours; they survive soft reset and TA_LIST_INIT (vectors 2.2.2, 2.9.3).
    face: [u32; 2],
    strip_vertices: usize,
    layout: Layout,
    draft: Draft,
    /// Number of objects stored from the current strip. If each object is a single triangle, every second one
    /// swaps the vertices that it shares with the next.
    strip_triangles: usize,
    in_strip: bool,
    clip_mode: UserClip,
    clip: TileBox,
    grid: TileBox,
    /// First row of tiles of the grid: 0 in the chip (see [`crate::Frame`]).
    first_row: u32,
    lists: Lists,
    /// Mask of lists opened since TA_LIST_INIT.
    opened: u8,
    pending: Option<Object>,
    /// Corners of the pending object.
    corners: Corners,
    objects: u64,
    /// Bounding box of the current modifier volume up to now.
    volume: Option<TileBox>,
}

impl State for Ta {
    fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
        let Self {
            mode,
            list,
            half,
            pcw,
            has_polygon,
            form,
            kind,
            sprite_colours,
            face,
            strip_vertices,
            layout,
            draft,
            strip_triangles,
            in_strip,
            clip_mode,
            clip,
            grid,
            first_row,
            lists,
            opened,
            pending,
            corners,
            objects,
            volume,
        } = self;
        mode.transfer(stream)?;
        let mut number = list.map_or(u32::MAX, |list| list.index() as u32);
        number.transfer(stream)?;
        *list = ListType::from_code(number);
        half.transfer(stream)?;
        pcw.0.transfer(stream)?;
        has_polygon.transfer(stream)?;
        let mut number = form.number;
        number.transfer(stream)?;
        *form = VERTEX_FORMS
            .get(number)
            .ok_or_else(|| Error::value("Ta", number, "a vertex form"))?;
        kind.transfer(stream)?;
        sprite_colours.transfer(stream)?;
        face.transfer(stream)?;
        strip_vertices.transfer(stream)?;
        layout.transfer(stream)?;
        draft.transfer(stream)?;
        strip_triangles.transfer(stream)?;
        in_strip.transfer(stream)?;
        let mut code = clip_mode.code();
        code.transfer(stream)?;
        *clip_mode = UserClip::from_code(code);
        clip.transfer(stream)?;
        grid.transfer(stream)?;
        first_row.transfer(stream)?;
        lists.transfer(stream)?;
        opened.transfer(stream)?;
        pending.transfer(stream)?;
        corners.transfer(stream)?;
        objects.transfer(stream)?;
        volume.transfer(stream)?;
        let screen = TileBox::grid((1 << 6, 1 << 4));
        let boxes = [Some(*clip), Some(*grid), *volume];
        let is_near = |edges: TileBox| [edges.x0, edges.y0, edges.x1, edges.y1].map(i32::unsigned_abs);
        let far = boxes
            .into_iter()
            .flatten()
            .flat_map(is_near)
            .any(|tile| tile > FAR);
        let holds = (3..=MAX_VERTICES).contains(strip_vertices)
            && u32::try_from(*strip_triangles).is_ok()
            && *first_row == 0
            && *objects < 1 << 60
            && grid.intersect(screen) == Some(*grid)
            && pending.as_ref().is_none_or(|object| object.is_within(screen))
            && !far;
        stream.check("Ta", holds)
    }
}

/// Writes a word of a list or parameter; addresses from 8 MiB on are ignored (vector 4.19).
#[inline]
fn write_word(vram: &mut Vram, address: u32, word: u32) {
    if (address as usize) < VRAM_BYTES {
        vram.write32(Area::Bits32, address, word);
    }
}

/// Writes words like [`write_word`].
#[inline]
fn write_words(vram: &mut Vram, address: u32, words: &[u32]) {
    if address as usize >= VRAM_BYTES || !vram.write_row32(address, words) {
        for (n, &word) in (0..).zip(words) {
            write_word(vram, address.wrapping_add(4 * n), word);
        }
    }
}

/// Event raised by a closed list.
pub(crate) fn done_event(list: ListType) -> Event {
    match list {
        ListType::Opaque => Event::OpaqueDone,
        ListType::OpaqueModifier => Event::OpaqueModifierDone,
        ListType::Translucent => Event::TranslucentDone,
        ListType::TranslucentModifier => Event::TranslucentModifierDone,
        ListType::PunchThrough => Event::PunchThroughDone,
    }
}

impl Ta {
    pub(crate) fn new() -> Self {
        Self {
            mode: Mode::Normal,
            list: None,
            half: None,
            pcw: Pcw(0),
            has_polygon: false,
            form: &VERTEX_FORMS[0],
            kind: 0,
            sprite_colours: [0; 2],
            face: [0; 2],
            strip_vertices: 3,
            layout: Layout::new(&VERTEX_FORMS[0], false),
            draft: Draft::new(),
            strip_triangles: 0,
            in_strip: false,
            clip_mode: UserClip::Off,
            clip: TileBox::grid((64, 16)),
            grid: TileBox::grid((1, 1)),
            first_row: 0,
            lists: Lists::default(),
            opened: 0,
            pending: None,
            corners: Corners::default(),
            objects: 0,
            volume: None,
        }
    }

    /// SOFTRESET bit 0.
    pub(crate) fn soft_reset(&mut self) {
        *self = Self {
            face: self.face,
            first_row: self.first_row,
            ..Self::new()
        };
    }

    /// Sets the first row of tiles of the grid from the next TA_LIST_INIT on.
    pub(crate) fn set_first_row(&mut self, row: u32) {
        self.first_row = row;
    }

    /// Returns the open list.
    pub(crate) fn open_list(&self) -> Option<ListType> {
        self.list
    }

    /// True if a list was opened since TA_LIST_INIT.
    pub(crate) fn was_opened(&self, list: ListType) -> bool {
        self.opened >> list.index() & 1 != 0
    }

    /// TA_OL_POINTERS: returns the current object list pointer of a tile in the open list.
    pub(crate) fn object_list_pointer(&self, tile: usize) -> u32 {
        self.lists.pointer(tile)
    }

    /// Executes TA_LIST_INIT: parameters start at TA_ISP_BASE, overflow blocks at TA_NEXT_OPB_INIT.
    pub(crate) fn list_init(&mut self, regs: &mut Registers) {
        *self = Self {
            face: self.face,
            first_row: self.first_row,
            ..Self::new()
        };
        self.grid = TileBox::grid(regs.tile_grid()).down(self.first_row);
        let alloc = regs.get(reg::TA_ALLOC_CTRL);
        let init = regs.get(reg::TA_NEXT_OPB_INIT) & !3;
        // When growing down, the first block is one opaque-list block lower (vector 4.15).
        let down = if lists::grows_down(alloc) {
            lists::block_bytes(alloc, ListType::Opaque)
        } else {
            0
        };
        regs.latch(reg::TA_NEXT_OPB, init.wrapping_sub(down));
        regs.latch(reg::TA_ITP_CURRENT, regs.get(reg::TA_ISP_BASE) & !3);
    }

    /// Executes TA_LIST_CONT: lists may be opened again; parameters and overflow blocks continue at their
    /// positions.
    pub(crate) fn list_continue(&mut self, regs: &Registers) {
        *self = Self {
            face: self.face,
            first_row: self.first_row,
            objects: self.objects,
            opened: self.opened,
            ..Self::new()
        };
        self.grid = TileBox::grid(regs.tile_grid()).down(self.first_row);
    }

    /// Processes 32-byte blocks.
    pub(crate) fn blocks(&mut self, chip: &mut Chip<'_>, mut blocks: &[[u32; 8]]) {
        while let Some((first, others)) = blocks.split_first() {
            let taken = self.short_vertices(chip, blocks);
            blocks = &blocks[taken..];
            if taken == 0 {
                self.block(chip, first);
                blocks = others;
            }
        }
    }

    /// Processes one block.
    fn block(&mut self, chip: &mut Chip<'_>, block: &[u32; 8]) {
        if self.mode == Mode::Halted {
            return;
        }
        let mut whole = [0; 16];
        let (first, second) = whole.split_at_mut(8);
        if let Some(half) = &self.half {
            first.copy_from_slice(half);
            second.copy_from_slice(block);
            self.half = None;
        } else if self.length(Pcw(block[0])) == 16 {
            self.half = Some(*block);
            return;
        } else {
            first.copy_from_slice(block);
        }
        let pcw = Pcw(whole[0]);
        match pcw.param_type() {
            ParamType::EndOfList => self.end_of_list(chip, pcw),
            ParamType::UserClip => self.user_clip(chip, &whole),
            ParamType::Polygon | ParamType::Sprite => self.global(chip, pcw, &whole),
            ParamType::Vertex => self.vertex(chip, pcw, &whole),
            ParamType::ObjectListSet | ParamType::Reserved3 | ParamType::Reserved6 => {
                chip.events.raise(Event::IllegalParameter);
                chip.warnings.add(Warning::ReservedParameter);
            }
        }
    }

    /// Number of words of the parameter that begins with `pcw`: 8 or 16.
    fn length(&self, pcw: Pcw) -> usize {
        match pcw.param_type() {
            ParamType::Vertex if self.has_polygon => self.form.words,
            ParamType::Polygon => {
                let modifier = self.list.or(pcw.list()).is_some_and(ListType::is_modifier);
                let faces = pcw.colour() == ColourType::Intensity
                    && (pcw.two_volumes() || pcw.texture() && pcw.offset());
                if faces && !modifier { 16 } else { 8 }
            }
            _ => 8,
        }
    }

    fn end_of_list(&mut self, chip: &mut Chip<'_>, pcw: Pcw) {
        self.flush(chip);
        let named = match chip.settings.ta_end_without_list {
            EndWithoutList::Event => pcw.list(),
            EndWithoutList::Ignore => None,
        };
        if let Some(list) = self.list.take().or(named) {
            chip.events.raise(done_event(list));
        }
        self.mode = Mode::Normal;
        if self.in_strip {
            chip.events.raise(Event::IllegalParameter);
            self.mode = Mode::Halted;
        }
        self.drop_strip();
        self.has_polygon = false;
        self.volume = None;
    }

    fn drop_strip(&mut self) {
        self.draft.clear();
        self.strip_triangles = 0;
        self.in_strip = false;
    }
}
