//! Object lists of the open list type: matrix, entries, merging, links and overflow (`docs/hardware/pvr2.md`,
//! "Merging", "Object lists" and "Limits").

use super::tiles::TileBox;
use super::{Chip, write_word, write_words};
use crate::event::Event;
use crate::param::ListType;
use crate::regs::{Registers, reg};
use crate::settings::{OverflowSize, Settings};
use crate::vram::Vram;

/// Word that ends a list.
const END: u32 = 0xF000_0000;
/// Link to the next block, with its byte address.
const LINK: u32 = 0xE000_0000;
/// Fields that must be equal to merge two array entries: type, shadow, skip.
const MERGE: u32 = 0xE1E0_0000;
/// Count field of an array entry.
const COUNT: u32 = 0x1E00_0000;

/// Number of the last object in an empty tile. No object has this number or the next one.
const NONE: u64 = u64::MAX - 1;

/// Maximum number of tiles in the grid: its register has 6 bits for the width and 4 bits for the height.
const MOST_TILES: usize = 1 << 10;

/// Write position of one tile.
#[derive(Debug, Clone, Copy, Default)]
struct Tile {
    /// Address of the next entry.
    next: u32,
    /// Address of the link slot of the current block.
    link: u32,
    /// Last entry, which precedes `next`, and the number of its object.
    last: u32,
    number: u64,
    /// True if no block was available: further entries are dropped.
    closed: bool,
}

state::fields!(Tile { next, link, last, number, closed } check(|tile: &Tile| tile.number < u64::MAX));

/// Matrix of the open list.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    tiles: Vec<Tile>,
    width: u32,
    /// First row of tiles of the matrix.
    first_row: u32,
    blocks: Blocks,
}

state::fields!(Lists { tiles, width, first_row, blocks } check(|lists: &Lists| {
    lists.tiles.len() <= MOST_TILES && lists.width as usize <= MOST_TILES && lists.first_row == 0
}));

/// Blocks for the continuation of lists.
#[derive(Debug, Clone, Copy, Default)]
struct Blocks {
    /// Size of a block in bytes.
    size: u32,
    grow_down: bool,
    limit: u32,
}

state::fields!(Blocks { size, grow_down, limit } check(|blocks: &Blocks| {
    [0, 32, 64, 128].contains(&blocks.size)
}));

/// Size in bytes of a tile's block of `list`; 0 if the list has none.
pub(crate) fn block_bytes(alloc_ctrl: u32, list: ListType) -> u32 {
    match alloc_ctrl >> (4 * list.index()) & 3 {
        0 => 0,
        code => 16 << code,
    }
}

/// True if overflow blocks are allocated towards lower addresses.
pub(super) fn grows_down(alloc_ctrl: u32) -> bool {
    alloc_ctrl >> 20 & 1 != 0
}

impl Lists {
    /// Initialises the matrix of `list` in memory, for tiles from `first_row` on.
    pub(super) fn open(
        regs: &Registers,
        settings: &Settings,
        vram: &mut Vram,
        list: ListType,
        first_row: u32,
    ) -> Self {
        let alloc = regs.get(reg::TA_ALLOC_CTRL);
        let (width, height) = regs.tile_grid();
        let size = block_bytes(alloc, list);
        let before: u32 = ListType::ALL[..list.index()]
            .iter()
            .map(|&l| block_bytes(alloc, l))
            .sum();
        let grow_down = grows_down(alloc);
        let base = regs.get(reg::TA_OL_BASE) & !31;
        let limit = regs.get(reg::TA_OL_LIMIT) & !31;
        let block = match settings.ta_overflow_size {
            OverflowSize::CurrentList => size,
            OverflowSize::OpaqueList => block_bytes(alloc, ListType::Opaque),
        };
        let mut lists = Self {
            tiles: Vec::new(),
            width,
            first_row,
            blocks: Blocks {
                size: block,
                grow_down,
                limit,
            },
        };
        let in_order = if grow_down { limit <= base } else { limit >= base };
        if size == 0 || !in_order {
            return lists;
        }
        let first = base.wrapping_add(before * width * height);
        for n in 0..width * height {
            let start = first.wrapping_add(n * size);
            write_word(vram, start, END);
            lists.tiles.push(Tile {
                next: start,
                link: start.wrapping_add(size - 4),
                last: 0,
                number: NONE,
                closed: false,
            });
        }
        if limit == base {
            lists.tiles.clear();
        }
        lists
    }

    /// Returns the word of TA_OL_POINTERS for a tile: bit 31 list not empty, 30 sprite, 29 triangle, 28:25
    /// count and 24 shadow of the last entry, 23:2 the address of the next entry. Tiles are numbered row by
    /// row.
    pub(super) fn pointer(&self, tile: usize) -> u32 {
        let Some(tile) = self.tiles.get(tile) else {
            return 0;
        };
        let next = tile.next & 0xFF_FFFC;
        if tile.number == NONE {
            return next;
        }
        let kind = match tile.last >> 29 {
            0b101 => 1 << 30,
            0b100 => 1 << 29,
            _ => 0,
        };
        1 << 31 | kind | tile.last & (COUNT | 1 << 24) | next
    }

    /// Adds an object to the lists of the tiles in a box. `entry` returns its object word for each tile, or
    /// `None`. `number` counts stored objects.
    #[inline]
    pub(super) fn add(
        &mut self,
        chip: &mut Chip<'_>,
        TileBox { x0, y0, x1, y1 }: TileBox,
        number: u64,
        entry: impl Fn(i32, i32) -> Option<u32>,
    ) {
        for y in y0..y1 + 1 {
            let row = (y as usize - self.first_row as usize) * self.width as usize;
            let end = (row + x1 as usize + 1).min(self.tiles.len());
            let tiles = &mut self.tiles[(row + x0 as usize).min(end)..end];
            for (tile, x) in tiles.iter_mut().zip(x0..) {
                if let Some(entry) = entry(x, y) {
                    self.blocks.add(chip, tile, entry, number);
                }
            }
        }
    }
}

impl Blocks {
    /// Adds an object to a tile's list.
    #[inline]
    fn add(&self, chip: &mut Chip<'_>, tile: &mut Tile, entry: u32, number: u64) {
        if tile.closed || tile.merge(entry, number, chip.vram) {
            return;
        }
        if tile.next == tile.link {
            self.extend(tile, chip);
        }
        if !tile.closed {
            write_words(chip.vram, tile.next, &[entry, END]);
            (tile.last, tile.number) = (entry, number);
            tile.next = tile.next.wrapping_add(4);
        }
    }

    /// Links a new block to a full tile.
    #[cold]
    fn extend(&self, tile: &mut Tile, chip: &mut Chip<'_>) {
        let p = chip.regs.get(reg::TA_NEXT_OPB);
        write_word(chip.vram, tile.link, LINK | p & 0x0FFF_FFFC);
        let beyond = if self.grow_down {
            p < self.limit
        } else {
            p > self.limit
        };
        if p == self.limit {
            write_word(chip.vram, p, END);
        }
        if p == self.limit || beyond || self.size == 0 {
            tile.closed = true;
            return;
        }
        // Bytes between the new block and the limit. With 0 bytes, TA_NEXT_OPB does not advance, and the next
        // full tile gets the same block.
        let left = if self.grow_down {
            i64::from(p) - i64::from(self.size) - i64::from(self.limit)
        } else {
            i64::from(self.limit) - i64::from(p) - i64::from(self.size)
        };
        if left > 0 {
            if left <= i64::from(self.size) {
                chip.events.raise(Event::ListOverflow);
            }
            let next = if self.grow_down {
                p - self.size
            } else {
                p + self.size
            };
            chip.regs.latch(reg::TA_NEXT_OPB, next);
        }
        tile.next = p;
        tile.link = p.wrapping_add(self.size - 4);
    }
}

impl Tile {
    /// Merges an array element into the tile's last entry if that entry is the preceding object.
    fn merge(&mut self, entry: u32, number: u64, vram: &mut Vram) -> bool {
        let is_array = entry >> 31 != 0;
        let fits = (self.last ^ entry) & MERGE == 0 && self.last & COUNT != COUNT;
        if self.number + 1 != number || !is_array || !fits {
            return false;
        }
        self.last += 1 << 25;
        self.number = number;
        write_word(vram, self.next.wrapping_sub(4), self.last);
        true
    }
}
