//! A chip that statements act on.

use crate::header::{Bound, Header};
use crate::memory;
use crate::names;
use crate::show::{Show, Target, texture_picture};
use crate::text::{SceneError, Statement, Word};
use crate::texture::{self, read_size};
use crate::vertex;
use crate::{Options, Outcome};
use pvr::settings::SettingError;
use pvr::{
    Event, Image, ListType, ParamType, Pcw, Pvr, RenderStats, Settings, Shape, UserClip, end_of_list, reg,
    user_clip,
};
use std::collections::BTreeMap;

/// A pass whose lists are closed.
#[derive(Debug, Clone, Copy)]
struct Pass {
    /// Where its object lists begin.
    lists: u32,
    closed: [bool; 5],
    /// Bits 30 (keep depth), 29 (presort), 28 (no flush) of a region entry's control word.
    control: u32,
}

/// What vertices belong to.
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
    /// A vertex that may turn out to be its strip's last.
    held: Option<Vec<u32>>,
    passes: Vec<Pass>,
    closed: [bool; 5],
    /// Whether TA_LIST_INIT was written in this frame.
    begun: bool,
    target: Target,
    show: Option<Show>,
    expected: Vec<Expected>,
    rendered: bool,
    blocks: Vec<[u32; 8]>,
    stats: RenderStats,
}

/// A pixel that was worked out by hand.
#[derive(Debug)]
struct Expected {
    place: [u32; 2],
    rgb: u32,
    /// To be completed by what is found.
    error: SceneError,
}

impl Expected {
    fn check(&self, image: &Image) -> Result<(), SceneError> {
        let [x, y] = self.place;
        let at = ((y * image.width + x) * 4) as usize;
        let found = image.rgba.get(at..at + 3).filter(|_| x < image.width);
        match found {
            Some(&[r, g, b]) if u32::from_be_bytes([0, r, g, b]) == self.rgb => Ok(()),
            Some(&[r, g, b]) => Err(SceneError {
                found: format!("{r:02X}{g:02X}{b:02X} at ({x}, {y})"),
                ..self.error.clone()
            }),
            _ => Err(SceneError {
                found: format!("a picture of {}x{} pixels", image.width, image.height),
                ..self.error.clone()
            }),
        }
    }
}

/// Screen corners that define the planes of the background.
const BACKGROUND_CORNERS: [[f32; 2]; 3] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];

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
        machine.pvr.regs.set(reg::FPU_PARAM_CFG, 1 << 21);
        machine.lay_out();
        let header = Header::new(ParamType::Polygon, ListType::Opaque);
        machine.plain_background(&header, 0xFF00_0000);
        machine
    }

    /// Registers that follow from the size.
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
            self.pvr.regs.set(register, value);
        }
    }

    fn tiles(&self) -> (u32, u32) {
        (self.size.0.div_ceil(32), self.size.1.div_ceil(32))
    }

    /// Acts on one statement.
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

    /// The picture, after the last statement.
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

    fn picture(&self, end: &Word<'_>) -> Result<Image, SceneError> {
        let framebuffer = |size: Option<(u32, u32)>, alpha| {
            self.target
                .picture(&self.pvr, size.unwrap_or(self.size), self.size.0, alpha)
        };
        match self.show {
            None => Ok(framebuffer(None, false)),
            Some(Show::Framebuffer { size, alpha }) => Ok(framebuffer(size, alpha)),
            Some(Show::Video { border }) => Ok(self.pvr.video(border)),
            Some(Show::Texture { word, size }) => texture_picture(&self.pvr, word, size)
                .ok_or_else(|| end.fault("a texture that cannot be decoded", "one that can")),
        }
    }

    fn set_size(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let word = statement.word("a size such as 64x64")?;
        if self.begun {
            return Err(word.fault("a size inside a frame", "it before the first list"));
        }
        let size = read_size(&word, 1024)?;
        if size.1 > 512 {
            return Err(word.error("at most 512 lines (TA_GLOB_TILE_CLIP)"));
        }
        self.size = size;
        self.lay_out();
        Ok(())
    }

    /// `setting NAME CHOICE`.
    fn setting(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let name = statement.word("a switch")?;
        let choice = statement.word("a choice")?;
        let mut settings = *self.pvr.settings();
        match settings.set(name.text, choice.text) {
            Ok(()) => {
                self.pvr.set_settings(settings);
                Ok(())
            }
            Err(SettingError::Choice { known, .. }) => Err(choice.error(format!("one of {known}"))),
            Err(SettingError::Switch { known, .. } | SettingError::Preset { known, .. }) => {
                Err(name.error(format!("one of {known}")))
            }
        }
    }

    /// `preset NAME`.
    fn preset(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let name = statement.word("a preset")?;
        let settings =
            Settings::preset(name.text).map_err(|error| name.fault(error.to_string(), "a preset"))?;
        self.pvr.set_settings(settings);
        Ok(())
    }

    fn register(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let name = statement.word("a register")?;
        let (base, skip) = match name.text.split_once('+') {
            Some((base, skip)) => (base, skip.parse::<u32>().ok()),
            None => (name.text, Some(0)),
        };
        let offset = pvr::regs::offset_of(base)
            .zip(skip)
            .map(|(offset, skip)| offset + skip * 4);
        let offset =
            offset.ok_or_else(|| name.error("a register by the manual's name, NAME or NAME+WORDS"))?;
        let value = statement.word("a value: 0x1F, 12 or 0.5")?;
        let value = if value.text.contains('.') {
            value.float()?.to_bits()
        } else {
            value.integer()?
        };
        self.pvr.write_register(offset, value);
        Ok(())
    }

    /// `palette FIRST FORMAT COLOUR...`.
    fn palette(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let formats = [("1555", 0), ("565", 1), ("4444", 2), ("8888", 3)];
        let format: u32 = statement.word("a format of entries")?.one_of(&formats)?;
        let mut at = statement.word("the first entry")?.within(0..=1023)?;
        self.pvr.regs.set(reg::PAL_RAM_CTRL, format);
        let mut word = statement.word("an entry in hexadecimal")?;
        loop {
            let entry = u32::from_str_radix(word.text, 16)
                .ok()
                .filter(|&e| format == 3 || e <= 0xFFFF);
            let entry =
                entry.ok_or_else(|| word.error("an entry in hexadecimal, 8 digits or, but in 8888, 4"))?;
            if at > 1023 {
                return Err(word.fault("an entry beyond 1023", "the end of the line"));
            }
            self.pvr.regs.set(reg::PALETTE_RAM + 4 * at, entry);
            at += 1;
            match statement.next() {
                Some(next) => word = next,
                None => return Ok(()),
            }
        }
    }

    /// `fog_table FROM TO`: 128 steps between two alphas, the first for the farthest.
    fn fog_table(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let from = statement.word("fog alpha far away")?.within(0..=255)?;
        let to = statement.word("fog alpha close by")?.within(0..=255)?;
        let at = |n: u32| (from * (128 - n.min(128)) + to * n.min(128)) / 128;
        for n in 0..128 {
            self.pvr.regs.set(reg::FOG_TABLE + 4 * n, at(n) << 8 | at(n + 1));
        }
        Ok(())
    }

    fn texture(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let name = statement.word("a name")?;
        let made = texture::read(statement)?;
        let address = self.next_texture;
        let end = address + made.bytes.len() as u32;
        if end > memory::TEXTURES_END {
            return Err(name.fault("textures of more than 2 MiB", "less"));
        }
        if let Some(texels) = made.stride {
            let control = self.pvr.regs.get(reg::TEXT_CONTROL);
            self.pvr.regs.set(reg::TEXT_CONTROL, control & !31 | texels / 32);
        }
        match made.converter {
            None => self.pvr.vram.upload64(address, &made.bytes),
            Some(is_422) => self.convert(&name, address, &made, is_422)?,
        }
        let bound = Bound {
            word: made.word.with_address(address),
            width: made.width,
            height: made.height,
        };
        self.textures.insert(name.text.to_owned(), bound);
        self.next_texture = end.next_multiple_of(64);
        Ok(())
    }

    /// Sends a texture through the YUV converter.
    fn convert(
        &mut self,
        name: &Word<'_>,
        address: u32,
        made: &texture::Made,
        is_422: bool,
    ) -> Result<(), SceneError> {
        let whole =
            made.width % 16 == 0 && made.height % 16 == 0 && made.word.linear() && made.stride.is_none();
        if !whole || made.word.format() != pvr::PixelFormat::Yuv422 {
            return Err(name.fault(
                "a texture that the converter does not make",
                "yuv422 linear, sides of 16 texels",
            ));
        }
        let control = u32::from(is_422) << 24 | (made.height / 16 - 1) << 8 | (made.width / 16 - 1);
        self.pvr.write_register(reg::TA_YUV_TEX_CTRL, control);
        self.pvr.write_register(reg::TA_YUV_TEX_BASE, address);
        for block in texture::macroblocks(&made.bytes, made.width, made.height, is_422) {
            self.pvr.yuv_block(&block);
        }
        Ok(())
    }

    /// `background COLOUR [depth=Z]` or `background [depth=Z] FIELDS` with three vertices after it.
    fn background(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
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
            self.pvr.regs.set(reg::ISP_BACKGND_D, depth.to_bits());
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

    fn plain_background(&mut self, header: &Header, colour: u32) {
        let mut words = Vec::new();
        for [x, y] in BACKGROUND_CORNERS {
            words.extend([x.to_bits(), y.to_bits(), 1.0f32.to_bits(), colour]);
        }
        self.write_background(header, &words);
    }

    /// Writes the polygon as the TA would store it and points the register at it.
    fn write_background(&mut self, header: &Header, vertices: &[u32]) {
        let pcw = header.pcw;
        let textured_offset = pcw.texture() && pcw.offset();
        let isp = header.isp.0 | (pcw.0 & 0x0B) << 22 | u32::from(textured_offset) << 24;
        let control = [isp, header.tsp[0].0, header.texture_word(0).0];
        for (n, &word) in (0..).zip(control.iter().chain(vertices)) {
            self.pvr.vram.write32(memory::BACKGROUND + n * 4, word);
        }
        let skip = vertices.len() as u32 / 3 - 3;
        let tag = u32::from(pcw.shadow()) << 27 | skip << 24 | (memory::BACKGROUND / 4) << 3;
        self.pvr.regs.set(reg::ISP_BACKGND_T, tag);
    }

    fn open_list(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let word = statement.word("a list")?;
        if self.list.is_some() {
            return Err(word.fault("a list inside another", "end before it"));
        }
        self.list = Some(word.one_of(names::LISTS)?);
        self.open = Open::Nothing;
        if !self.begun {
            self.begun = true;
            self.pvr.list_init();
        }
        Ok(())
    }

    fn current_list(&self, word: &Word<'_>) -> Result<ListType, SceneError> {
        self.list
            .ok_or_else(|| word.fault(format!("'{}' outside of a list", word.text), "list before it"))
    }

    fn clip(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        self.current_list(&statement.keyword)?;
        let mut edge = |name| statement.word(name)?.within(0..=63);
        let [x0, y0, x1, y1] = [
            edge("first column")?,
            edge("first row")?,
            edge("last column")?,
            edge("last row")?,
        ];
        self.block(&user_clip(x0, y0, x1, y1));
        Ok(())
    }

    fn polygon(&mut self, kind: ParamType, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let list = self.current_list(&statement.keyword)?;
        let mut header = Header::new(kind, list);
        header.read(statement, &lookup(&self.textures))?;
        self.send(&header.words());
        self.open = Open::Polygon(header);
        Ok(())
    }

    fn vertex(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        match &mut self.open {
            Open::Polygon(header) if header.pcw.param_type() == ParamType::Polygon => {
                let list = self.list.unwrap_or(ListType::Opaque);
                let words = vertex::read_vertex(statement, header, list)?;
                self.hold(words);
                Ok(())
            }
            Open::Background { header, words } => {
                let header = *header;
                let parameter = vertex::read_vertex(statement, &header, ListType::Opaque)?;
                words.extend(stored(&header, &parameter));
                let vertices = words.clone();
                if vertices.len().is_multiple_of(3) && vertices.len() >= 3 * (parameter_words(&header)) {
                    self.write_background(&header, &vertices);
                    self.open = Open::Nothing;
                }
                Ok(())
            }
            _ => Err(statement
                .keyword
                .fault("a vertex", "polygon or background before it")),
        }
    }

    fn rect(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        self.end_strip();
        let list = self.current_list(&statement.keyword)?;
        let Open::Polygon(header) = &self.open else {
            return Err(statement
                .keyword
                .fault("a rectangle", "polygon or sprite before it"));
        };
        let header = *header;
        for words in vertex::read_rect(statement, &header, list)? {
            self.hold(words);
        }
        self.end_strip();
        Ok(())
    }

    fn corners(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        match &self.open {
            Open::Polygon(header) if header.pcw.param_type() == ParamType::Sprite => {
                let words = vertex::read_corners(statement, header)?;
                self.send(&words);
                Ok(())
            }
            _ => Err(statement.keyword.fault("corners", "sprite before it")),
        }
    }

    /// Sends the vertex that was held and holds this one.
    fn hold(&mut self, words: Vec<u32>) {
        if let Some(before) = self.held.replace(words) {
            self.send(&before);
        }
    }

    /// The vertex that was held is the last of its strip.
    fn end_strip(&mut self) {
        if let Some(mut last) = self.held.take() {
            last[0] = Pcw(last[0]).with_end_of_strip(true).0;
            self.send(&last);
        }
    }

    /// `modifier normal|inside|outside [last] [clip=MODE]`: the parameter of triangles.
    fn modifier(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let list = self.modifier_list(&statement.keyword)?;
        let instruction = statement.word("a volume instruction")?.one_of(names::VOLUMES)?;
        let (mut last, mut clip) = (false, UserClip::Off);
        while let Some(word) = statement.next() {
            match word.key_value() {
                ("last", None) => last = true,
                ("clip", Some(value)) => clip = value.one_of(names::CLIPS)?,
                _ => return Err(word.error("last or clip=")),
            }
        }
        self.send(&Header::modifier(list, instruction, last, clip));
        self.open = Open::Modifier;
        Ok(())
    }

    fn modifier_list(&self, word: &Word<'_>) -> Result<ListType, SceneError> {
        let list = self.current_list(word)?;
        if list.is_modifier() {
            return Ok(list);
        }
        Err(word.fault(
            "a modifier volume in another list",
            "list opaque_modifier or translucent_modifier",
        ))
    }

    /// `triangle X,Y,Z X,Y,Z X,Y,Z` of a modifier volume.
    fn triangle(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        if !matches!(self.open, Open::Modifier) {
            return Err(statement.keyword.fault("a triangle", "modifier before it"));
        }
        let mut corner = || statement.word("X,Y,Z")?.floats::<3>();
        let corners = [corner()?, corner()?, corner()?];
        self.send(&vertex::modifier_triangle(corners));
        Ok(())
    }

    /// `volume inside|outside X0 Y0 X1 Y1 NEAR FAR`: a closed box, its last triangle with the instruction.
    fn volume(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let list = self.modifier_list(&statement.keyword)?;
        let instruction = statement
            .word("inside or outside")?
            .one_of(&names::VOLUMES[1..])?;
        let mut number = |name| statement.word(name)?.float();
        let place = [
            number("left")?,
            number("top")?,
            number("right")?,
            number("bottom")?,
        ];
        let (near, far) = (number("near (1/W)")?, number("far (1/W)")?);
        let triangles = vertex::box_triangles(place, near, far);
        let (last, others) = triangles.split_last().unwrap_or((&[[0.0; 3]; 3], &[]));
        self.send(&Header::modifier(list, 0, false, UserClip::Off));
        for &triangle in others {
            self.send(&vertex::modifier_triangle(triangle));
        }
        self.send(&Header::modifier(list, instruction, true, UserClip::Off));
        self.send(&vertex::modifier_triangle(*last));
        self.open = Open::Nothing;
        Ok(())
    }

    /// `words` and eight words in hexadecimal: a block as it is.
    fn words(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let mut block = [0; 8];
        for slot in &mut block {
            let word = statement.word("eight words in hexadecimal")?;
            *slot = u32::from_str_radix(word.text, 16).map_err(|_| word.error("a word in hexadecimal"))?;
        }
        self.block(&block);
        Ok(())
    }

    fn end_list(&mut self, word: &Word<'_>) -> Result<(), SceneError> {
        let list = self.current_list(word)?;
        self.block(&end_of_list());
        // A list without any polygon was never opened: its blocks hold nothing that the core could read.
        self.closed[list.index()] |= self.pvr.events().has(done(list));
        self.list = None;
        self.open = Open::Nothing;
        Ok(())
    }

    fn send(&mut self, words: &[u32]) {
        for block in words.as_chunks::<8>().0 {
            self.block(block);
        }
    }

    fn block(&mut self, block: &[u32; 8]) {
        self.blocks.push(*block);
        self.pvr.ta_block(block);
    }

    /// `pass [keep] [presort] [no_flush]`: closes a pass; its lists are gone, the next ones belong to another.
    fn pass(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        self.close_pass(statement)?;
        let next = self.pass_lists();
        self.pvr.regs.set(reg::TA_OL_BASE, next);
        self.pvr.write_register(reg::TA_LIST_CONT, 1 << 31);
        Ok(())
    }

    /// Where the lists of the pass that is open lie.
    fn pass_lists(&self) -> u32 {
        let (columns, rows) = self.tiles();
        memory::LISTS + self.passes.len() as u32 * columns * rows * 5 * memory::BLOCK
    }

    fn close_pass(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let keyword = statement.keyword;
        if self.list.is_some() {
            return Err(keyword.fault("a list that is open", "end"));
        }
        let mut control = 0;
        while let Some(word) = statement.next() {
            control |= word.one_of(&[("keep", 1 << 30), ("presort", 1 << 29), ("no_flush", 1 << 28)])?;
        }
        let events = self.pvr.take_events();
        for (event, what) in [
            (Event::ParameterOverflow, "more parameters than there is room for"),
            (Event::ListOverflow, "longer object lists than there is room for"),
            (
                Event::IllegalParameter,
                "a strip of fewer than three vertices or another illegal parameter",
            ),
        ] {
            if events.has(event) {
                return Err(keyword.fault(what, "lists that the tile accelerator takes"));
            }
        }
        let lists = self.pass_lists();
        self.passes.push(Pass {
            lists,
            closed: std::mem::take(&mut self.closed),
            control,
        });
        let (columns, rows) = self.tiles();
        let entries = columns * rows * self.passes.len() as u32;
        if self.pass_lists() > memory::OVERFLOW || entries * 24 > memory::LISTS - memory::REGIONS {
            return Err(keyword.fault("more passes than there is room for", "fewer"));
        }
        Ok(())
    }

    /// `render [keep] [presort]`: closes the last pass and draws.
    fn render(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        self.close_pass(statement)?;
        self.write_regions();
        let stride = self.target.stride(self.size.0);
        let end = self.target.address + stride * self.size.1;
        let room = if self.target.texture {
            memory::TEXTURES_END
        } else {
            memory::FRAMEBUFFERS_END
        };
        if end > room || stride / 8 > 0x1FF {
            return Err(statement.keyword.fault(
                "a frame larger than the framebuffer",
                "at most 4,088 bytes a line and 1.5 MiB",
            ));
        }
        let start = self.target.address | u32::from(self.target.texture) << 24;
        for (register, value) in [
            (reg::FB_W_CTRL, self.target.control),
            (reg::FB_W_LINESTRIDE, stride / 8),
            (reg::FB_W_SOF1, start),
            (reg::FB_W_SOF2, memory::SECOND),
        ] {
            self.pvr.regs.set(register, value);
        }
        self.stats = self.pvr.render(self.options.threads);
        self.rendered = true;
        self.passes.clear();
        self.begun = false;
        self.pvr.regs.set(reg::TA_OL_BASE, memory::LISTS);
        Ok(())
    }

    /// All passes of a tile one after the other, in the form that FPU_PARAM_CFG asks for.
    fn write_regions(&mut self) {
        let typed = self.pvr.regs.get(reg::FPU_PARAM_CFG) >> 21 & 1 != 0;
        let (columns, rows) = self.tiles();
        let tiles = columns * rows;
        let mut at = memory::REGIONS;
        for tile in 0..tiles {
            for (n, pass) in self.passes.iter().enumerate() {
                let last = tile + 1 == tiles && n + 1 == self.passes.len();
                let place = (tile / columns) << 8 | (tile % columns) << 2;
                let mut words = vec![u32::from(last) << 31 | pass.control | place];
                for list in ListType::ALL {
                    let block = pass.lists + (list.index() as u32 * tiles + tile) * memory::BLOCK;
                    words.push(if pass.closed[list.index()] { block } else { 1 << 31 });
                }
                // Entries of type 1 have no punch-through list.
                words.truncate(if typed { 6 } else { 5 });
                for word in words {
                    self.pvr.vram.write32(at, word);
                    at += 4;
                }
            }
        }
    }

    /// `target framebuffer|second|texture=NAME [pack=MODE] [dither] [k=N] [threshold=N]`.
    fn set_target(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let word = statement.word("a target")?;
        self.target = match word.key_value() {
            ("framebuffer", None) => Target::default(),
            ("second", None) => Target {
                address: memory::SECOND,
                ..Target::default()
            },
            ("texture", Some(name)) => self.texture_target(&name)?,
            _ => return Err(word.error("one of framebuffer, second, texture=NAME")),
        };
        self.target.read(statement)
    }

    fn texture_target(&self, name: &Word<'_>) -> Result<Target, SceneError> {
        let texture = lookup(&self.textures)(name)?;
        let pack = match texture.word.format() {
            pvr::PixelFormat::Rgb565 => 1,
            pvr::PixelFormat::Argb4444 => 2,
            pvr::PixelFormat::Argb1555 => 3,
            _ => return Err(name.error("a texture of format 565, 4444 or 1555")),
        };
        if !texture.word.linear() {
            return Err(name.error("a linear texture"));
        }
        Ok(Target {
            address: texture.word.address(),
            texture: true,
            control: pack,
            line: Some(texture.width),
        })
    }

    /// `expect X Y RRGGBB`: a pixel of the picture, worked out by hand.
    fn expect(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let mut place = |name| statement.word(name)?.within(0..=2047);
        let place = [place("column")?, place("row")?];
        let colour = statement.word("a colour")?;
        self.expected.push(Expected {
            place,
            rgb: colour.colour()? & 0xFF_FFFF,
            error: colour.error(format!("{} there", colour.text)),
        });
        Ok(())
    }

    fn set_show(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let mut ahead = statement.clone();
        if let Some(("texture", Some(name))) = ahead.next().map(|word| word.key_value()) {
            let texture = lookup(&self.textures)(&name)?;
            *statement = ahead;
            self.show = Some(Show::Texture {
                word: texture.word,
                size: (texture.width, texture.height),
            });
            return Ok(());
        }
        self.show = Some(Show::read(statement, &mut self.pvr, &self.target, self.size)?);
        Ok(())
    }
}

/// The event of a closed list.
fn done(list: ListType) -> Event {
    match list {
        ListType::Opaque => Event::OpaqueDone,
        ListType::OpaqueModifier => Event::OpaqueModifierDone,
        ListType::Translucent => Event::TranslucentDone,
        ListType::TranslucentModifier => Event::TranslucentModifierDone,
        ListType::PunchThrough => Event::PunchThroughDone,
    }
}

/// A texture by its name.
fn lookup(textures: &BTreeMap<String, Bound>) -> impl Fn(&Word<'_>) -> Result<Bound, SceneError> + '_ {
    |name| {
        textures
            .get(name.text)
            .copied()
            .ok_or_else(|| name.error("a texture that was made before"))
    }
}

/// The value of `depth=` if it is the word after the colour, or the first word.
fn ahead_depth<'a>(ahead: &mut Statement<'a>, plain: bool, first: Option<Word<'a>>) -> Option<Word<'a>> {
    let word = if plain { ahead.next() } else { first };
    match word?.key_value() {
        ("depth", Some(value)) => Some(value),
        _ => None,
    }
}

/// Words of a vertex in VRAM.
fn parameter_words(header: &Header) -> usize {
    3 + vertex::form_of(header, ListType::Opaque).skip(header.pcw.offset())
}

/// A vertex parameter with packed colours as the TA stores it.
fn stored(header: &Header, parameter: &[u32]) -> Vec<u32> {
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
