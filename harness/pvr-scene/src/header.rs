//! Statements `polygon`, `sprite` and `background`: control words from named fields.

use crate::names;
use crate::text::{SceneError, Statement, Word};
use pvr::{
    BlendFactor, ColourType, DepthMode, FogMode, IspWord, ListType, ParamType, Pcw, Shading, TextureWord,
    TspWord, UserClip,
};

/// A texture with its size and address.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bound {
    pub(crate) word: TextureWord,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

/// A polygon or sprite parameter before submission.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Header {
    pub(crate) pcw: Pcw,
    pub(crate) isp: IspWord,
    /// TSP words of both volumes.
    pub(crate) tsp: [TspWord; 2],
    tcw: [TextureWord; 2],
    /// Palette selectors; other textures use these bits differently.
    banks: [u32; 2],
    /// Face colour and face offset colour, or the face colours of both volumes: A, R, G, B.
    pub(crate) faces: [[f32; 4]; 2],
    /// Base and offset colour of a sprite.
    pub(crate) colours: [u32; 2],
}

impl Header {
    /// Creates a parameter with defaults: depth mode greater_equal, no culling, no fog, modulate, point
    /// sampling, gouraud except for sprites. Opaque pixels replace; translucent and punch-through ones blend
    /// by alpha.
    pub(crate) fn new(kind: ParamType, list: ListType) -> Self {
        let (src, dst) = if list != ListType::Opaque {
            (BlendFactor::SrcAlpha, BlendFactor::InverseSrcAlpha)
        } else {
            (BlendFactor::One, BlendFactor::Zero)
        };
        let tsp = TspWord(0)
            .with_src(src)
            .with_dst(dst)
            .with_fog(FogMode::None)
            .with_shading(Shading::Modulate)
            .with_mip_adjust(4)
            .with_use_alpha(list != ListType::Opaque);
        let pcw = Pcw(0)
            .with_param_type(kind)
            .with_list(list)
            .with_group_enable(true)
            .with_strip_code(3)
            .with_gouraud(kind != ParamType::Sprite);
        Self {
            pcw,
            isp: IspWord(0).with_depth_mode(DepthMode::GreaterEqual),
            tsp: [tsp; 2],
            tcw: [TextureWord(0); 2],
            banks: [0; 2],
            faces: [[1.0; 4]; 2],
            colours: [0xFFFF_FFFF, 0],
        }
    }

    /// Reads the rest of a statement. Fields after `|` apply to the second volume.
    pub(crate) fn read(
        &mut self,
        statement: &mut Statement<'_>,
        textures: &dyn Fn(&Word<'_>) -> Result<Bound, SceneError>,
    ) -> Result<(), SceneError> {
        let mut volume = 0;
        while let Some(word) = statement.next() {
            if word.text == "|" {
                if volume == 1 {
                    return Err(word.error("one '|' between two volumes"));
                }
                volume = 1;
                self.tsp[1] = self.tsp[0];
                self.tcw[1] = self.tcw[0];
                self.banks[1] = self.banks[0];
                self.pcw = self.pcw.with_shadow(true).with_volume(true);
                continue;
            }
            let (key, value) = word.key_value();
            let handled = match value {
                None => self.flag(key),
                Some(value) if key == "texture" => {
                    self.texture(volume, textures(&value)?);
                    true
                }
                Some(value) => {
                    (volume == 0 && self.shared(key, &value)?) || self.state(volume, key, &value)?
                }
            };
            if !handled {
                return Err(word.error("a field of a polygon (see the grammar)"));
            }
        }
        Ok(())
    }

    /// Sets a field that is a word without a value.
    fn flag(&mut self, key: &str) -> bool {
        match key {
            "flat" => self.pcw = self.pcw.with_gouraud(false),
            "offset" => self.pcw = self.pcw.with_offset(true),
            "uv16" => self.pcw = self.pcw.with_uv16(true),
            "shadow" => self.pcw = self.pcw.with_shadow(true),
            "dcalc" => self.isp = self.isp.with_dcalc(true),
            _ => return false,
        }
        true
    }

    fn texture(&mut self, volume: usize, texture: Bound) {
        self.pcw = self.pcw.with_texture(true);
        self.tcw[volume] = texture.word;
        self.tsp[volume] = self.tsp[volume].with_size(texture.width, texture.height);
    }

    /// Sets fields of the complete polygon.
    fn shared(&mut self, key: &str, value: &Word<'_>) -> Result<bool, SceneError> {
        match key {
            "colour" => self.pcw = self.pcw.with_colour(value.one_of(names::COLOURS)?),
            "strip" => self.pcw = self.pcw.with_strip_code(value.one_of(names::STRIPS)?),
            "clip" => self.pcw = self.pcw.with_user_clip(value.one_of(names::CLIPS)?),
            "depth" => self.isp = self.isp.with_depth_mode(value.one_of(names::DEPTHS)?),
            "cull" => self.isp = self.isp.with_cull(value.one_of(names::CULLS)?),
            "zwrite" => self.isp = self.isp.with_z_write_disable(!value.switch()?),
            "face" | "face0" => self.faces[0] = value.floats()?,
            "face_offset" | "face1" => self.faces[1] = value.floats()?,
            "base" => self.colours[0] = value.colour()?,
            "over" => {
                self.colours[1] = value.colour()?;
                self.pcw = self.pcw.with_offset(true);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Sets fields of one volume.
    fn state(&mut self, volume: usize, key: &str, value: &Word<'_>) -> Result<bool, SceneError> {
        let tsp = self.tsp[volume];
        self.tsp[volume] = match key {
            "src" => tsp.with_src(value.one_of(names::FACTORS)?),
            "dst" => tsp.with_dst(value.one_of(names::FACTORS)?),
            "src_second" => tsp.with_src_second(value.switch()?),
            "dst_second" => tsp.with_dst_second(value.switch()?),
            "fog" => tsp.with_fog(value.one_of(names::FOGS)?),
            "colour_clamp" => tsp.with_colour_clamp(value.switch()?),
            "alpha" => tsp.with_use_alpha(value.switch()?),
            "texture_alpha" => tsp.with_ignore_texture_alpha(!value.switch()?),
            "flip" => {
                let axes = value.one_of(names::AXES)?;
                tsp.with_flip_u(axes & 2 != 0).with_flip_v(axes & 1 != 0)
            }
            "clamp" => {
                let axes = value.one_of(names::AXES)?;
                tsp.with_clamp_u(axes & 2 != 0).with_clamp_v(axes & 1 != 0)
            }
            "filter" => tsp.with_filter(value.one_of(names::FILTERS)?),
            "supersample" => tsp.with_supersample(value.switch()?),
            "mip_adjust" => tsp.with_mip_adjust(value.within(0..=15)?),
            "shading" => tsp.with_shading(value.one_of(names::SHADINGS)?),
            "bank" => {
                self.banks[volume] = value.within(0..=63)?;
                tsp
            }
            _ => return Ok(false),
        };
        Ok(true)
    }

    /// True if the two volumes have separate states.
    pub(crate) fn two_volumes(&self) -> bool {
        self.pcw.two_volumes()
    }

    /// Returns the texture control word of a volume.
    pub(crate) fn texture_word(&self, volume: usize) -> TextureWord {
        let word = self.tcw[volume];
        if word.format().is_paletted() {
            return word.with_palette_selector(self.banks[volume]);
        }
        word
    }

    /// Returns the parameter: 8 or 16 words (`docs/hardware/pvr2.md`, "Global parameters").
    pub(crate) fn words(&self) -> Vec<u32> {
        let tcw = [0, 1].map(|volume| self.texture_word(volume).0);
        let mut words = vec![self.pcw.0, self.isp.0, self.tsp[0].0, tcw[0], 0, 0, 0, 0];
        if self.pcw.param_type() == ParamType::Sprite {
            words[4..6].copy_from_slice(&self.colours);
            return words;
        }
        if self.two_volumes() {
            words[4..6].copy_from_slice(&[self.tsp[1].0, tcw[1]]);
        }
        if self.pcw.colour() == ColourType::Intensity {
            let faces = self.faces.map(|face| face.map(f32::to_bits));
            if self.two_volumes() || self.pcw.texture() && self.pcw.offset() {
                words.extend(faces.as_flattened());
            } else {
                words[4..].copy_from_slice(&faces[0]);
            }
        }
        words
    }

    /// Returns the parameter for modifier volume triangles.
    pub(crate) fn modifier(list: ListType, instruction: u32, last: bool, clip: UserClip) -> Vec<u32> {
        let pcw = Pcw(0)
            .with_param_type(ParamType::Polygon)
            .with_list(list)
            .with_group_enable(true)
            .with_user_clip(clip)
            .with_volume(last);
        vec![pcw.0, instruction << 29, 0, 0, 0, 0, 0, 0]
    }
}
