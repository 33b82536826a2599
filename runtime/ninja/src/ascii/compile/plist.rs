//! Polygon lists: words of 16 bits (docs/formats/ninja.md 1.7).

use super::super::error::{Failable, TextWarningKind, fail};
use super::super::lex::Token;
use super::super::table::{Conv, Entry, Macro, Role, Scalar};
use super::Compiler;
use super::args::Args;
use crate::error::counted;
use crate::plist::{StripKind, VolumeKind};

/// A chunk under construction: its head is written, its words are being counted.
struct Open {
    /// Position of the head in the data, and positions of the strip lengths.
    data: usize,
    strips: Vec<usize>,
    /// Position of the head in the text.
    text: usize,
    active: bool,
}

/// Content of a chunk with a size word.
#[derive(Clone, Copy)]
enum Content {
    /// Strips: words per entry, and user words.
    Strips(usize, usize),
    /// Polygons: words per polygon, including user words.
    Polygons(usize),
    Other,
}

impl Compiler<'_> {
    /// Chunks up to END.
    pub(super) fn plist(&mut self) -> Failable<()> {
        let mut open = Open {
            data: 0,
            strips: Vec::new(),
            text: 0,
            active: false,
        };
        let mut ended = false;
        while !self.end("PLIST")? {
            let name = self.next;
            match self.next.token {
                Token::Name => match self.entry() {
                    Some(Entry::Macro(row)) if in_plist(row) => {
                        self.bump()?;
                        ended = self.plist_macro(row, name, &mut open)?;
                    }
                    Some(Entry::Constant(_)) => self.half()?,
                    entry => return self.no_item(name, entry, "PLIST"),
                },
                _ => self.half()?,
            }
            self.comma()?;
        }
        self.close_polygons(&mut open)?;
        if !ended {
            self.warn(self.taken, TextWarningKind::NoListEnd);
            self.unit.data.extend_from_slice(&255u16.to_le_bytes());
        }
        Ok(())
    }

    fn half(&mut self) -> Failable<()> {
        let at = self.next.start;
        let value = self.value()?;
        let word = self.convert(Conv::Int(16), value, at)?;
        self.unit.data.extend_from_slice(&(word as u16).to_le_bytes());
        Ok(())
    }

    /// Writes a macro's words; returns whether the macro ends the list.
    fn plist_macro(&mut self, row: &'static Macro, name: super::Lexeme, open: &mut Open) -> Failable<bool> {
        let mut args = Args::new();
        self.args(row, name, &mut args)?;
        match row.role {
            Role::Head if row.name == "CnkNull" && self.is_padding(open) => {}
            Role::Head | Role::End => {
                self.close_polygons(open)?;
                *open = Open {
                    data: self.unit.data.len(),
                    strips: std::mem::take(&mut open.strips),
                    text: name.start,
                    active: row.role == Role::Head,
                };
                open.strips.clear();
                self.mark(name.start);
            }
            Role::Strip => open.strips.push(self.unit.data.len()),
            Role::None | Role::Block(_) => {}
        }
        for i in 0..row.out.len() {
            let word = self.number(row, i, &args)?;
            self.unit.data.extend_from_slice(&(word as u16).to_le_bytes());
        }
        Ok(row.role == Role::End)
    }

    /// Number of words after the size word of an open chunk, if it has a size word.
    fn sized(&self, open: &Open) -> Option<usize> {
        let sized = open.active && (16..128).contains(&(self.unit.u16(open.data) as u8));
        sized
            .then(|| (self.unit.data.len() - open.data) / 2)?
            .checked_sub(2)
    }

    /// True if CnkNull is padding, included in the size of the preceding chunk (docs/formats/ninja.md 3.4).
    fn is_padding(&self, open: &Open) -> bool {
        let size = usize::from(self.unit.u16(open.data + 2));
        self.sized(open).is_some_and(|words| words < size)
    }

    /// Compares a chunk's size, count and strip lengths with its words, and corrects them.
    fn close_polygons(&mut self, open: &mut Open) -> Failable<()> {
        if !std::mem::replace(&mut open.active, false) || (self.unit.u16(open.data) as u8) < 16 {
            return Ok(());
        }
        open.active = true;
        let words = self.sized(open);
        open.active = false;
        let Some(words) = words else {
            return fail(open.text, "polygon chunk", "no size", "a size after the head");
        };
        let content = self.content(open.data);
        let stated = usize::from(self.unit.u16(open.data + 2));
        if let Content::Strips(entry, user) = content {
            let end = self.unit.data.len().min(open.data + 4 + 2 * stated.max(1));
            self.correct_strips(open, entry, user, end)?;
        }
        // A stated size that covers the chunk's own content is valid. Words after it are further chunks,
        // written as plain numbers.
        if stated == words || (stated < words && self.needed(open.data, content) <= stated) {
            return Ok(());
        }
        if words > usize::from(u16::MAX) {
            return fail(
                open.text,
                "polygon chunk",
                counted(words, "word"),
                "at most 65535",
            );
        }
        let kind = TextWarningKind::Count {
            what: "the size of the chunk",
            stated: stated as u32,
            found: words as u32,
        };
        self.warn(open.text, kind);
        self.unit.set_u16(open.data + 2, words as u16);
        Ok(())
    }

    fn content(&self, data: usize) -> Content {
        let user = usize::from(self.unit.u16(data + 4) >> 14);
        match self.unit.u16(data) as u8 {
            id if StripKind::from_id(id).is_some() => {
                Content::Strips(StripKind::from_id(id).map_or(1, StripKind::entry_words), user)
            }
            id if id == VolumeKind::St.id() => Content::Strips(1, user),
            id if id == VolumeKind::P3.id() => Content::Polygons(3 + user),
            id if id == VolumeKind::P4.id() => Content::Polygons(4 + user),
            _ => Content::Other,
        }
    }

    /// Returns the size in words that the chunk's own counts require.
    fn needed(&self, data: usize, content: Content) -> usize {
        let count = usize::from(self.unit.u16(data + 4) & 0x3FFF);
        match content {
            Content::Polygons(words) => 1 + count * words,
            Content::Other => match self.unit.u16(data) as u8 {
                24 => 6,
                id @ 17..=31 => 2 * (id & 7).count_ones() as usize,
                _ => 0,
            },
            Content::Strips(entry, user) => {
                let mut at = data + 6;
                for _ in 0..count {
                    let Some(length) = self.unit.data.get(at..at + 2) else {
                        return usize::MAX;
                    };
                    let len = usize::from(i16::from_le_bytes([length[0], length[1]]).unsigned_abs());
                    at += 2 + 2 * (len * entry + len.saturating_sub(2) * user);
                }
                (at - data) / 2 - 2
            }
        }
    }

    /// Corrects the number of strips, and each strip length that does not end at the next StripL or StripR.
    /// The last strip may end anywhere before `end`, the end given by the chunk's size.
    fn correct_strips(&mut self, open: &Open, entry: usize, user: usize, end: usize) -> Failable<()> {
        let Some(last) = open.strips.len().checked_sub(1) else {
            return Ok(());
        };
        if last >= 0x3FFF {
            return fail(
                open.text,
                "strips",
                open.strips.len().to_string(),
                "at most 16383",
            );
        }
        let (count, found) = (self.unit.u16(open.data + 4), open.strips.len() as u16);
        if count & 0x3FFF != found {
            let (stated, found) = (u32::from(count & 0x3FFF), u32::from(found));
            let what = "the number of strips";
            self.warn(open.text, TextWarningKind::Count { what, stated, found });
            self.unit.set_u16(open.data + 4, count & 0xC000 | found as u16);
        }
        for (i, at) in open.strips.iter().enumerate() {
            let next = open.strips.get(i + 1).copied().unwrap_or(self.unit.data.len());
            let words = (next - at) / 2 - 1;
            let length = self.unit.u16(*at) as i16;
            let stated = usize::from(length.unsigned_abs());
            let needed = stated * entry + stated.saturating_sub(2) * user;
            let padded = i == last && at + 2 + 2 * needed <= end;
            if needed == words || padded {
                continue;
            }
            let entries = match words.checked_sub(2 * entry) {
                Some(rest) => 2 + rest / (entry + user),
                None => words / entry,
            };
            if entries == stated {
                continue;
            }
            let Ok(entries) = i16::try_from(entries) else {
                return fail(open.text, "strip", format!("{entries} entries"), "at most 32767");
            };
            let kind = TextWarningKind::Count {
                what: "the length of a strip",
                stated: stated as u32,
                found: entries as u32,
            };
            self.warn(open.text, kind);
            let signed = if length < 0 { -entries } else { entries };
            self.unit.set_u16(*at, signed as u16);
        }
        Ok(())
    }
}

fn in_plist(row: &Macro) -> bool {
    row.out
        .iter()
        .all(|out| matches!(out.scalar, Scalar::S16 | Scalar::Unit))
        && !row.name.starts_with("Cell")
}
