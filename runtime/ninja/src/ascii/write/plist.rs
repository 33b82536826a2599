//! Writer for polygon lists.

use super::num::{flag_list, units};
use super::{Writer, flags};
use crate::color::Argb;
use crate::plist::{
    Blend, Bump, Filter, Material, Plist, PolyChunk, ReservedChunk, StripChunk, Tiny, UvScale, VolumeChunk,
    VolumeKind, poly_name,
};
use std::fmt::Write as _;

const CODES: [&str; 8] = ["ZER", "ONE", "OC", "IOC", "SA", "ISA", "DA", "IDA"];

const STRIP: [(u32, &str); 7] = [
    (0x0100, "FST_IL"),
    (0x0200, "FST_IS"),
    (0x0400, "FST_IA"),
    (0x0800, "FST_UA"),
    (0x1000, "FST_DB"),
    (0x2000, "FST_FL"),
    (0x4000, "FST_ENV"),
];

impl Writer<'_> {
    pub(super) fn plist(&mut self, name: &str, list: &Plist) {
        self.open("PLIST", name);
        for chunk in &list.chunks {
            self.polygons(chunk);
        }
        self.put("    CnkEnd()\n");
        self.close();
    }

    fn polygons(&mut self, chunk: &PolyChunk) {
        let _ = match chunk {
            PolyChunk::Null => writeln!(self.out, "    CnkNull(),"),
            PolyChunk::Blend(blend) => writeln!(self.out, "    CnkB_BA( {} ),", blend_flags(*blend)),
            PolyChunk::MipmapAdjust(adjust) => {
                let (name, left) = (mipmap(adjust.0 & 15), u32::from(adjust.0 & 0xF0) << 8);
                writeln!(self.out, "    CnkB_DA( {} ),", flag_list(name.as_slice(), left))
            }
            // This chunk has no macro (docs/formats/ninja.md 3.2); the library's header defines its id.
            PolyChunk::Exponent(exponent) => {
                let name = (exponent.0 <= 16).then(|| format!("FEXP_{:02}", exponent.0));
                let flags = name.unwrap_or_else(|| format!("{:#06x}", u32::from(exponent.0) << 8));
                writeln!(self.out, "    NJD_CB_EXP|{flags},")
            }
            PolyChunk::CachePolygons(n) => writeln!(self.out, "    CnkB_CP( {n} ),"),
            PolyChunk::DrawPolygons(n) => writeln!(self.out, "    CnkB_DP( {n} ),"),
            PolyChunk::Texture(tiny) => self.texture(tiny),
            PolyChunk::Material(material) => self.material(chunk.id(), material),
            PolyChunk::Bump(bump) => self.bump(bump),
            PolyChunk::Volume(volume) => self.volume(volume),
            PolyChunk::Strip(strip) => self.strips(strip),
            PolyChunk::Reserved(reserved) => self.reserved(reserved),
        };
    }

    fn texture(&mut self, tiny: &Tiny) -> std::fmt::Result {
        let heads = [
            (tiny.flip_u, "FFL_U"),
            (tiny.flip_v, "FFL_V"),
            (tiny.clamp_u, "FCL_U"),
            (tiny.clamp_v, "FCL_V"),
        ];
        let names = heads.iter().filter(|(set, _)| *set).map(|(_, name)| *name);
        let names: Vec<&str> = names.chain(mipmap(tiny.mipmap_adjust)).collect();
        let filter = match tiny.filter {
            Filter::Point => "FFM_PS",
            Filter::Bilinear => "FFM_BF",
            Filter::TrilinearA => "FFM_TF",
            Filter::TrilinearB => "FFM_TFB",
        };
        let super_sample = if tiny.supersample { "|FSS" } else { "" };
        let second = if tiny.second { "2" } else { "" };
        writeln!(
            self.out,
            "    CnkT_TID{second}( {} ), _TID( {filter}{super_sample}, {} ),",
            flag_list(&names, 0),
            tiny.texture
        )
    }

    fn material(&mut self, id: u8, material: &Material) -> std::fmt::Result {
        // The macro for CM_DAS is CnkM_DAS.
        let name = poly_name(id).unwrap_or("CM_D").trim_start_matches("CM");
        let colors = [
            ("MDiff", material.diffuse),
            ("MAmbi", material.ambient),
            (
                "MSpec",
                material
                    .specular
                    .map(|s| Argb::new(s.exponent, s.rgb[0], s.rgb[1], s.rgb[2])),
            ),
        ];
        let size = 2 * colors.iter().filter(|(_, color)| color.is_some()).count();
        writeln!(
            self.out,
            "    CnkM{name}( {} ), {size},",
            blend_flags(material.blend)
        )?;
        for (name, color) in colors {
            if let Some(color) = color {
                writeln!(self.out, "    {},", color_macro(name, color))?;
            }
        }
        Ok(())
    }

    fn bump(&mut self, bump: &Bump) -> std::fmt::Result {
        let head = u32::from(bump.headbits) << 8;
        let (direction, up) = (units(bump.direction), units(bump.up));
        writeln!(
            self.out,
            "    CnkM_BU( {head:#x} ), 6,\n    _BuDir( {direction} ), _BuUp( {up} ),"
        )
    }

    fn volume(&mut self, volume: &VolumeChunk) -> std::fmt::Result {
        let (name, user) = (["P3", "P4", "ST"], usize::from(volume.user_words));
        let name = name[usize::from(volume.kind.id() - VolumeKind::P3.id())];
        let (head, size, count) = (
            u32::from(volume.headbits) << 8,
            volume.words.len() + 1,
            volume.count,
        );
        writeln!(
            self.out,
            "    CnkO_{name}( {head:#x} ), {size}, _NB( UFO_{user}, {count} ),"
        )?;
        let used = match volume.kind.polygon_indices() {
            Some(indices) => {
                let words = indices + user;
                for polygon in volume.words.chunks_exact(words).take(usize::from(count)) {
                    let (indices, user) = polygon.split_at(indices);
                    writeln!(self.out, "    {}{},", join(indices), user_flags(user))?;
                }
                usize::from(count) * words
            }
            None => {
                let mut end = 0;
                for strip in &volume.strips {
                    writeln!(self.out, "    {},", strip_head(strip.reversed, strip.len))?;
                    let mut at = strip.start;
                    for i in 0..usize::from(strip.len) {
                        let user = if i < 2 { 0 } else { user };
                        let entry = volume.words.get(at..at + 1 + user).unwrap_or_default();
                        let (index, user) = entry.split_at(1.min(entry.len()));
                        writeln!(self.out, "        {}{},", join(index), user_flags(user))?;
                        at += entry.len();
                    }
                    end = at;
                }
                end
            }
        };
        self.padding(volume.words.get(used..).unwrap_or_default())
    }

    fn strips(&mut self, chunk: &StripChunk) -> std::fmt::Result {
        let name = chunk.kind.name().trim_start_matches("CS");
        let head = flags(u32::from(chunk.flags.0) << 8, &STRIP);
        let (size, user, count) = (chunk.size(), chunk.user_words, chunk.strips.len());
        writeln!(
            self.out,
            "    CnkS{name}( {head} ), {size}, _NB( UFO_{user}, {count} ),"
        )?;
        let plain = chunk.kind.entry_words() == 1 && user == 0;
        for strip in &chunk.strips {
            write!(self.out, "    {},", strip_head(strip.reversed, strip.len))?;
            for (i, index) in chunk.indices(strip).enumerate() {
                if plain {
                    let space = if i % 16 == 15 { "\n       " } else { "" };
                    write!(self.out, "{space} {index},")?;
                } else {
                    write!(self.out, "\n        {index}")?;
                    self.entry(chunk, strip, i)?;
                    self.out.push(',');
                }
            }
            self.out.push('\n');
        }
        self.padding(chunk.tail())
    }

    /// Writes the attributes after the index of an entry.
    fn entry(&mut self, chunk: &StripChunk, strip: &crate::plist::Strip, i: usize) -> std::fmt::Result {
        let (kind, entry) = (chunk.kind, chunk.entry(strip, i));
        let uv = if kind.uv() == UvScale::Over1024 {
            "Uvh"
        } else {
            "Uvn"
        };
        for [u, v] in [entry.uv, entry.uv2].into_iter().take(kind.uv_pairs()) {
            write!(self.out, ", {uv}( {u}, {v} )")?;
        }
        if kind.has_normal() {
            write!(self.out, ", Pvn( {} )", units(entry.normal))?;
        }
        if kind.has_color() {
            write!(self.out, ", {}", color_macro("MDiff", entry.color))?;
        }
        let user = if i < 2 { 0 } else { usize::from(chunk.user_words) };
        self.out
            .push_str(&user_flags(entry.user.get(..user).unwrap_or_default()));
        Ok(())
    }

    /// Writes the words after the last strip.
    fn padding(&mut self, words: &[u16]) -> std::fmt::Result {
        for word in words {
            match word {
                0 => writeln!(self.out, "    CnkNull(),")?,
                _ => writeln!(self.out, "    {word:#06x},")?,
            }
        }
        Ok(())
    }

    fn reserved(&mut self, chunk: &ReservedChunk) -> std::fmt::Result {
        write!(self.out, "    {:#06x},", chunk.head)?;
        if chunk.head as u8 >= 16 {
            write!(self.out, " {},", chunk.words.len())?;
        }
        for (i, word) in chunk.words.iter().enumerate() {
            let space = if i % 8 == 0 { "\n       " } else { "" };
            write!(self.out, "{space} {word:#06x},")?;
        }
        self.out.push('\n');
        Ok(())
    }
}

pub(super) fn blend_flags(blend: Blend) -> String {
    let bits = u32::from(blend.headbits());
    let source = format!("FBS_{}", CODES[(bits >> 3 & 7) as usize]);
    let destination = format!("FBD_{}", CODES[(bits & 7) as usize]);
    let mut names = vec![source.as_str(), destination.as_str()];
    if blend.src_select {
        names.push("FBS_SEL");
    }
    if blend.dst_select {
        names.push("FBD_SEL");
    }
    flag_list(&names, 0)
}

/// Returns the blending flags of a cell; they use the same bits.
pub(super) fn cell_blend(attr: u16) -> [String; 2] {
    [
        format!("FCS_{}", CODES[usize::from(attr >> 11 & 7)]),
        format!("FCD_{}", CODES[usize::from(attr >> 8 & 7)]),
    ]
}

/// Name of a mipmap adjustment in quarters; 0 has no name.
fn mipmap(quarters: u8) -> Option<&'static str> {
    const NAMES: [&str; 15] = [
        "FDA_025", "FDA_050", "FDA_075", "FDA_100", "FDA_125", "FDA_150", "FDA_175", "FDA_200", "FDA_225",
        "FDA_250", "FDA_275", "FDA_300", "FDA_325", "FDA_350", "FDA_375",
    ];
    NAMES.get(usize::from(quarters.checked_sub(1)?)).copied()
}

fn color_macro(name: &str, color: Argb) -> String {
    format!(
        "{name}( {}, {}, {}, {} )",
        color.a(),
        color.r(),
        color.g(),
        color.b()
    )
}

fn strip_head(reversed: bool, len: u16) -> String {
    format!("Strip{}( {len} )", if reversed { 'R' } else { 'L' })
}

fn join(words: &[u16]) -> String {
    let list: Vec<String> = words.iter().map(u16::to_string).collect();
    list.join(", ")
}

/// Writes a comma and the user flags, if there are any.
fn user_flags(words: &[u16]) -> String {
    match words.len() {
        0 => String::new(),
        n => format!(", Uf{n}( {} )", join(words)),
    }
}
