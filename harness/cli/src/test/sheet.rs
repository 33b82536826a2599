//! Draws many frames with their names into one picture.

use crate::font;
use pvr::Image;

/// Side to which small frames are enlarged, and large ones reduced.
const CELL: u32 = 128;
/// Gap between cells.
const GAP: u32 = 6;
/// Number of lines of a label.
const LABEL_LINES: u32 = 2;
/// Scale of the letters.
const LETTERS: u32 = 2;
const COLUMNS: u32 = 12;
const PAPER: [u8; 4] = [24, 24, 28, 255];

/// Draws all frames in rows, in their order.
pub(super) fn contact_sheet(frames: &[(&str, &Image)]) -> Image {
    let columns = COLUMNS.min(frames.len() as u32).max(1);
    let rows = (frames.len() as u32).div_ceil(columns);
    let label = LABEL_LINES * (font::HEIGHT + 2) * LETTERS;
    let (step_x, step_y) = (CELL + GAP, CELL + label + GAP);
    let mut sheet = Image {
        width: GAP + columns * step_x,
        height: GAP + rows * step_y,
        rgba: Vec::new(),
    };
    sheet.rgba = PAPER.repeat((sheet.width * sheet.height) as usize);
    for ((name, frame), n) in frames.iter().zip(0..) {
        let (x, y) = (GAP + n % columns * step_x, GAP + n / columns * step_y);
        paste(&mut sheet, frame, x, y);
        write(&mut sheet, name, x, y + CELL + LETTERS);
    }
    sheet
}

/// Draws a frame at the largest integer scale that fits, or reduces it by skipping pixels.
fn paste(sheet: &mut Image, frame: &Image, left: u32, top: u32) {
    let side = frame.width.max(frame.height).max(1);
    let (up, down) = ((CELL / side).max(1), side.div_ceil(CELL));
    for y in 0..frame.height * up / down {
        for x in 0..frame.width * up / down {
            let (from_x, from_y) = (x * down / up, y * down / up);
            let at = ((from_y * frame.width + from_x) * 4) as usize;
            let pixel = std::array::from_fn(|n| frame.rgba.get(at + n).copied().unwrap_or(0));
            put(sheet, left + x, top + y, pixel);
        }
    }
}

/// Draws the last part of a name, split at an underscore if it is too long for a line.
fn write(sheet: &mut Image, name: &str, left: u32, top: u32) {
    let name = name.rsplit('/').next().unwrap_or(name);
    let per_line = (CELL / LETTERS / (font::WIDTH + 1)) as usize;
    let mut rest = name;
    for line in 0..LABEL_LINES {
        let whole = rest.chars().count() <= per_line;
        let limit = rest.char_indices().nth(per_line).map_or(rest.len(), |(at, _)| at);
        let cut = if whole {
            rest.len()
        } else {
            rest[..limit].rfind('_').filter(|&at| at > 0).unwrap_or(limit)
        };
        let (now, later) = rest.split_at(cut);
        for (c, n) in now.chars().zip(0..) {
            let x = left + n * (font::WIDTH + 1) * LETTERS;
            letter(sheet, c, x, top + line * (font::HEIGHT + 2) * LETTERS);
        }
        rest = later;
    }
}

fn letter(sheet: &mut Image, c: char, left: u32, top: u32) {
    for y in 0..font::HEIGHT * LETTERS {
        for x in 0..font::WIDTH * LETTERS {
            if font::pixel(c, x / LETTERS, y / LETTERS) {
                put(sheet, left + x, top + y, [220, 220, 220, 255]);
            }
        }
    }
}

fn put(sheet: &mut Image, x: u32, y: u32, pixel: [u8; 4]) {
    if x < sheet.width && y < sheet.height {
        let at = ((y * sheet.width + x) * 4) as usize;
        sheet.rgba[at..at + 4].copy_from_slice(&pixel);
    }
}
