//! The ROM font and its call (vector 8C0000B4). Sizes and order of the glyphs match the retail ROM; their
//! shapes are original.
//!
//! Order: 288 narrow glyphs of 12 x 24 points (overbar, ASCII, yen, Latin-1, half-width kana); wide glyphs of
//! 24 x 24 in the order of JIS X 0208; 22 console symbols of the same size; 129 icons of 32 x 32 (names:
//! KallistiOS, `biosfont.h`). Each byte holds eight points, the leftmost in bit 7; 1 is ink. Among the wide
//! glyphs, only the letters and digits of row 3 are drawn. Kana and kanji are drawn as boxes, because no
//! glyphs with a suitable licence were found.

use super::glyphs::{Cell, latin};
use super::icons;
use super::{Served, dcload::Host};
use crate::system::System;
use sh4::Cpu;
use std::sync::OnceLock;

/// Size of the boot ROM in bytes.
const ROM_BYTES: usize = 2 << 20;
/// Offset of the font in the ROM.
pub const OFFSET: usize = 0x10_0020;
const NARROW: usize = 288;
const NARROW_BYTES: usize = 36;
const WIDE: usize = 7078;
const WIDE_BYTES: usize = 72;
/// Index of the wide glyph that is the first symbol.
const SYMBOLS: usize = 7056;
const ICON_BYTES: usize = 128;
const HEIGHT: usize = 24;

/// Returns a boot ROM that contains only the font.
pub fn rom() -> &'static [u8] {
    static ROM: OnceLock<Vec<u8>> = OnceLock::new();
    ROM.get_or_init(drawn)
}

fn drawn() -> Vec<u8> {
    let mut rom = vec![0; ROM_BYTES];
    for glyph in 0..NARROW {
        let at = OFFSET + glyph * NARROW_BYTES;
        draw(&mut rom[at..at + NARROW_BYTES], 12, |x, y| {
            narrow_point(glyph, x, y)
        });
    }
    let wide = OFFSET + NARROW * NARROW_BYTES;
    let mut missing = [0; WIDE_BYTES];
    draw(&mut missing, 24, |x, y| is_box(x, y, 24));
    for glyph in 0..WIDE {
        let at = wide + glyph * WIDE_BYTES;
        match wide_code(glyph) {
            Some(code) => draw(&mut rom[at..at + WIDE_BYTES], 24, |x, y| wide_point(code, x, y)),
            None => rom[at..at + WIDE_BYTES].copy_from_slice(&missing),
        }
    }
    for (number, symbol) in icons::symbols() {
        let glyph = &mut rom[wide + (SYMBOLS + number) * WIDE_BYTES..][..WIDE_BYTES];
        glyph.fill(0);
        draw(glyph, 24, |x, y| symbol.point(x, y));
    }
    for (number, icon) in icons::icons() {
        let at = wide + WIDE * WIDE_BYTES + number * ICON_BYTES;
        draw(&mut rom[at..at + ICON_BYTES], 32, |x, y| icon.point(x, y));
    }
    rom
}

/// Draws a glyph with rows of `width` points.
fn draw(bytes: &mut [u8], width: usize, ink: impl Fn(usize, usize) -> bool) {
    for bit in (0..bytes.len() * 8).filter(|bit| ink(bit % width, bit / width)) {
        bytes[bit / 8] |= 0x80 >> (bit % 8);
    }
}

/// Returns whether a point of a 6 x 12 cell is ink. The last column and row are blank.
fn cell_point(cell: &Cell, x: usize, y: usize) -> bool {
    let row = cell.get(y).copied().unwrap_or(0);
    x < 5 && row >> (4 - x) & 1 != 0
}

fn narrow_point(glyph: usize, x: usize, y: usize) -> bool {
    let code = match glyph {
        0 => return y < 2,
        1..=94 => glyph as u8 + 32,
        95 => 0xA5,
        96..=191 => (glyph + 64) as u8,
        _ => return is_box(x, y, 12),
    };
    latin(code).is_some_and(|cell| cell_point(&cell, x / 2, y / 2))
}

/// Returns the letter or digit of a wide glyph, 0 for the empty first glyph, or `None` for a box.
///
/// JIS X 0208 has 94 cells per row. Row 3 has the digits from cell 16, capitals from 33 and small letters
/// from 65.
fn wide_code(glyph: usize) -> Option<u8> {
    let (row, cell) = (glyph / 94 + 1, glyph % 94 + 1);
    match (row, cell) {
        (1, 1) => Some(0),
        (3, 16..=25) => Some(b'0' + (cell - 16) as u8),
        (3, 33..=58) => Some(b'A' + (cell - 33) as u8),
        (3, 65..=90) => Some(b'a' + (cell - 65) as u8),
        _ => None,
    }
}

fn wide_point(code: u8, x: usize, y: usize) -> bool {
    latin(code).is_some_and(|cell| cell_point(&cell, x / 4, y / 2))
}

/// Returns whether a point is part of the box that replaces an undrawn character.
fn is_box(x: usize, y: usize, width: usize) -> bool {
    let (right, bottom) = (width - 3, HEIGHT - 4);
    let inside = (2..=right).contains(&x) && (2..=bottom).contains(&y);
    inside && (x == 2 || x == right || y == 2 || y == bottom)
}

/// R1 selects the function: 0 returns the font's address, 1 locks it, 2 unlocks it. Locking fails while the
/// font is locked (KallistiOS, `syscalls.h`).
pub(super) fn serve(cpu: &mut Cpu, system: &mut System, _host: &mut Host) -> Served {
    cpu.r[0] = match cpu.r[1] {
        0 => 0xA000_0000 | OFFSET as u32,
        1 if !system.font_locked => {
            system.font_locked = true;
            0
        }
        2 => {
            system.font_locked = false;
            0
        }
        _ => u32::MAX,
    };
    Served::Done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glyphs_are_where_programs_look_for_them() {
        let rom = rom();
        let glyph = |n: usize| &rom[OFFSET + n * NARROW_BYTES..][..NARROW_BYTES];
        // '!' is glyph 1: its stem is two points wide from column 4 on, in rows 4 to 13.
        let row = |n: usize, y: usize| {
            let bits = (0..12).map(|x| glyph(n)[(y * 12 + x) / 8] >> (7 - (y * 12 + x) % 8) & 1);
            bits.fold(0_u16, |bits, bit| bits << 1 | u16::from(bit))
        };
        assert_eq!(row(1, 4), 0b0000_1100_0000);
        assert_eq!(row(1, 3), 0);
        assert_eq!(row(0, 0), 0xFFF);
        let wide = OFFSET + NARROW * NARROW_BYTES;
        let symbol = |n: usize| &rom[wide + (SYMBOLS + n) * WIDE_BYTES..][..WIDE_BYTES];
        assert!((0..22).all(|n| symbol(n) != symbol((n + 1) % 22)));
        // Button A (11) must differ from the box for kanji.
        assert_ne!(symbol(11), &rom[wide + 5000 * WIDE_BYTES..][..WIDE_BYTES]);
        let icon = |n: usize| &rom[wide + WIDE * WIDE_BYTES + n * ICON_BYTES..][..ICON_BYTES];
        assert!((0..129).all(|n| icon(n).iter().any(|byte| *byte != 0)));
        assert!(
            rom[OFFSET + NARROW * NARROW_BYTES..][..WIDE_BYTES]
                .iter()
                .all(|byte| *byte == 0)
        );
    }
}
