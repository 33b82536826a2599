//! Input of the tile accelerator.

use super::background::{parameter_words, stored};
use super::passes::done;
use super::textures::lookup;
use super::{Machine, Open};
use crate::header::Header;
use crate::names;
use crate::text::{SceneError, Statement, Word};
use crate::vertex;
use pvr::{ListType, ParamType, Pcw, UserClip, end_of_list, reg, user_clip};

impl Machine<'_> {
    pub(super) fn open_list(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let word = statement.word("a list")?;
        if self.list.is_some() {
            return Err(word.fault("a list inside another", "end before it"));
        }
        self.list = Some(word.one_of(names::LISTS)?);
        self.open = Open::Nothing;
        if !self.begun {
            self.begun = true;
            self.pvr.write_register(reg::TA_LIST_INIT, 1 << 31);
        }
        Ok(())
    }

    pub(super) fn current_list(&self, word: &Word<'_>) -> Result<ListType, SceneError> {
        self.list
            .ok_or_else(|| word.fault(format!("'{}' outside of a list", word.text), "list before it"))
    }

    pub(super) fn clip(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
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

    pub(super) fn polygon(
        &mut self,
        kind: ParamType,
        statement: &mut Statement<'_>,
    ) -> Result<(), SceneError> {
        let list = self.current_list(&statement.keyword)?;
        let mut header = Header::new(kind, list);
        header.read(statement, &lookup(&self.textures))?;
        self.send(&header.words());
        self.open = Open::Polygon(header);
        Ok(())
    }

    pub(super) fn vertex(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
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

    pub(super) fn rect(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
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

    pub(super) fn corners(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        match &self.open {
            Open::Polygon(header) if header.pcw.param_type() == ParamType::Sprite => {
                let words = vertex::read_corners(statement, header)?;
                self.send(&words);
                Ok(())
            }
            _ => Err(statement.keyword.fault("corners", "sprite before it")),
        }
    }

    /// Sends the held vertex and holds this one.
    pub(super) fn hold(&mut self, words: Vec<u32>) {
        if let Some(before) = self.held.replace(words) {
            self.send(&before);
        }
    }

    /// Marks the held vertex as the last of its strip and sends it.
    pub(super) fn end_strip(&mut self) {
        if let Some(mut last) = self.held.take() {
            last[0] = Pcw(last[0]).with_end_of_strip(true).0;
            self.send(&last);
        }
    }

    /// Reads `modifier normal|inside|outside [last] [clip=MODE]`: the header of a modifier volume's
    /// triangles.
    pub(super) fn modifier(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
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

    pub(super) fn modifier_list(&self, word: &Word<'_>) -> Result<ListType, SceneError> {
        let list = self.current_list(word)?;
        if list.is_modifier() {
            return Ok(list);
        }
        Err(word.fault(
            "a modifier volume in another list",
            "list opaque_modifier or translucent_modifier",
        ))
    }

    /// Reads `triangle X,Y,Z X,Y,Z X,Y,Z` of a modifier volume.
    pub(super) fn triangle(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        if !matches!(self.open, Open::Modifier) {
            return Err(statement.keyword.fault("a triangle", "modifier before it"));
        }
        let mut corner = || statement.word("X,Y,Z")?.floats::<3>();
        let corners = [corner()?, corner()?, corner()?];
        self.send(&vertex::modifier_triangle(corners));
        Ok(())
    }

    /// Reads `volume inside|outside X0 Y0 X1 Y1 NEAR FAR`: a closed box; its last triangle has the
    /// instruction.
    pub(super) fn volume(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
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

    /// Reads `words` and eight words in hexadecimal: one unprocessed block.
    pub(super) fn words(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let mut block = [0; 8];
        for slot in &mut block {
            let word = statement.word("eight words in hexadecimal")?;
            *slot = u32::from_str_radix(word.text, 16).map_err(|_| word.error("a word in hexadecimal"))?;
        }
        self.block(&block);
        Ok(())
    }

    pub(super) fn end_list(&mut self, word: &Word<'_>) -> Result<(), SceneError> {
        let list = self.current_list(word)?;
        self.block(&end_of_list());
        // A list without polygons was never opened: its blocks contain no data for the core.
        self.closed[list.index()] |= self.pvr.has_list(list) && self.pvr.events().has(done(list));
        self.list = None;
        self.open = Open::Nothing;
        Ok(())
    }

    pub(super) fn send(&mut self, words: &[u32]) {
        for block in words.as_chunks::<8>().0 {
            self.block(block);
        }
    }

    pub(super) fn block(&mut self, block: &[u32; 8]) {
        if self.options.keep_blocks {
            self.blocks.push(*block);
        }
        self.pvr.ta_blocks(std::slice::from_ref(block));
    }
}
