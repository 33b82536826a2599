//! Sort DMA: transfer of TA input in chunks from main memory. Links in the parameters chain the chunks; a
//! table gives the start links in order (`docs/hardware/pvr2.md`, "Sort DMA").

use crate::event::{Event, Warning};
use crate::limits::SORT_LINKS as MAX_LINKS;
use crate::param::{ParamType, Pcw};
use crate::pvr::Pvr;
use crate::settings::SortDmaZero;

/// Valid bits of a link.
const LINK_MASK: u32 = 0x07FF_FFFF;
/// Link value: continue with the next entry of the table.
const NEXT_ENTRY: u32 = 1;
/// Link value: end of the transfer.
const END: u32 = 2;
/// Number of blocks at the start of a chunk. One of them must be a polygon or sprite parameter, which
/// contains size and link of the chunk.
const HEADER_BLOCKS: usize = 4;
/// Maximum number of blocks of a transfer: twice the main memory (16 MiB). Links may form a ring.
const MAX_BLOCKS: usize = 2 * (16 << 20) / BLOCK;
/// Size of a block in bytes.
const BLOCK: usize = 32;

/// A sort DMA, configured by the registers SB_SDST, SB_SDBAAW, SB_SDWLT and SB_SDLAS of the system bus.
#[derive(Debug, Clone, Copy)]
pub struct SortDma<'a> {
    /// Table of start links, little-endian.
    pub table: &'a [u8],
    /// Main memory from the base address of the links on.
    pub data: &'a [u8],
    /// True for table entries of 32 bits, false for 16.
    pub wide_entries: bool,
    /// True if links count 32-byte units, false for bytes.
    pub block_links: bool,
}

/// Amount of data moved by a sort DMA, for its duration and the register SB_SDDIV.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SortDmaMoved {
    /// Number of 32-byte blocks sent to the TA.
    pub blocks: usize,
    /// Number of table entries read.
    pub entries: usize,
}

/// Target of a link.
enum Target {
    NextEntry,
    End,
    Chunk(usize),
}

impl SortDma<'_> {
    /// Returns start link `n`; `None` outside the table.
    fn entry(&self, n: usize) -> Option<u32> {
        if self.wide_entries {
            let bytes = self.table.get(4 * n..4 * n + 4)?.try_into().ok()?;
            return Some(u32::from_le_bytes(bytes));
        }
        let bytes = self.table.get(2 * n..2 * n + 2)?.try_into().ok()?;
        Some(u16::from_le_bytes(bytes).into())
    }

    fn target(&self, link: u32) -> Target {
        match link & LINK_MASK {
            NEXT_ENTRY => Target::NextEntry,
            END => Target::End,
            offset if self.block_links => Target::Chunk(offset as usize * BLOCK),
            // Transfers consist of complete blocks.
            offset => Target::Chunk(offset as usize & !(BLOCK - 1)),
        }
    }

    /// Returns the block at a byte offset; `None` past the end of the data.
    fn block(&self, offset: usize) -> Option<[u32; 8]> {
        let bytes = self.data.get(offset..offset + BLOCK)?;
        Some(std::array::from_fn(|n| {
            u32::from_le_bytes(std::array::from_fn(|k| bytes[4 * n + k]))
        }))
    }

    /// Returns size in blocks and next link of the chunk at a byte offset.
    fn header(&self, offset: usize) -> Option<(usize, u32)> {
        let mut blocks = (0..HEADER_BLOCKS).map_while(|n| self.block(offset + n * BLOCK));
        let header =
            blocks.find(|b| matches!(Pcw(b[0]).param_type(), ParamType::Polygon | ParamType::Sprite))?;
        Some(((header[6] & 0xFF) as usize, header[7]))
    }
}

impl Pvr {
    /// Executes a complete sort DMA: sends every chunk to the TA, then raises [`Event::SortDmaDone`].
    ///
    /// A chunk without a polygon or sprite parameter in its first four blocks raises [`Event::SortDmaError`]
    /// and ends the transfer. A link or a table entry outside its memory does the same, with
    /// [`Warning::SortDmaRange`]. Links that form a ring are stopped with [`Warning::SortDmaCut`]. The
    /// setting `sort_dma_zero` defines the effect of a chunk of size 0; if no data is moved,
    /// [`Warning::SortDmaEmpty`] is reported.
    pub fn sort_dma(&mut self, dma: &SortDma<'_>) -> SortDmaMoved {
        let mut moved = SortDmaMoved::default();
        if let Some(event) = self.sort_entries(dma, &mut moved) {
            self.raise(event);
        }
        moved
    }

    /// Follows the links of all entries. Returns the event that ends the transfer; `None` if the transfer was
    /// stopped.
    fn sort_entries(&mut self, dma: &SortDma<'_>, moved: &mut SortDmaMoved) -> Option<Event> {
        let mut links = 0;
        while let Some(mut link) = dma.entry(moved.entries) {
            moved.entries += 1;
            loop {
                links += 1;
                if moved.blocks > MAX_BLOCKS || links > MAX_LINKS {
                    self.warn(Warning::SortDmaCut);
                    return None;
                }
                let start = match dma.target(link) {
                    Target::NextEntry => break,
                    Target::End => return Some(Event::SortDmaDone),
                    Target::Chunk(start) => start,
                };
                let Some((size, next)) = self.chunk(dma, start) else {
                    return Some(Event::SortDmaError);
                };
                moved.blocks += size;
                link = next;
            }
        }
        self.warn(Warning::SortDmaRange);
        Some(Event::SortDmaError)
    }

    /// Sends one chunk. Returns its size in blocks and its link; `None` if it is not available.
    fn chunk(&mut self, dma: &SortDma<'_>, start: usize) -> Option<(usize, u32)> {
        if dma.block(start).is_none() {
            self.warn(Warning::SortDmaRange);
        }
        let (size, next) = dma.header(start)?;
        let size = match (size, self.settings().sort_dma_zero) {
            (0, SortDmaZero::All) => 256,
            (0, SortDmaZero::Nothing) => {
                self.warn(Warning::SortDmaEmpty);
                0
            }
            (size, _) => size,
        };
        for n in 0..size {
            let Some(block) = dma.block(start + n * BLOCK) else {
                self.warn(Warning::SortDmaRange);
                return None;
            };
            self.ta_blocks(&[block]);
        }
        Some((size, next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Settings, reg};

    /// A polygon parameter with the length of its chunk and the link to the next one.
    fn polygon(blocks: u32, next: u32) -> Vec<u8> {
        let words = [0x8080_0000u32, 0, 0, 0, 0, 0, blocks, next];
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn run(table: &[u32], data: &[u8]) -> Pvr {
        run_with(table, data, SortDmaZero::default()).0
    }

    fn run_with(table: &[u32], data: &[u8], sort_dma_zero: SortDmaZero) -> (Pvr, SortDmaMoved) {
        let mut pvr = Pvr::new(Settings {
            sort_dma_zero,
            ..Settings::default()
        });
        pvr.write_register(reg::TA_LIST_INIT, 1 << 31);
        let table: Vec<u8> = table.iter().flat_map(|word| word.to_le_bytes()).collect();
        let moved = pvr.sort_dma(&SortDma {
            table: &table,
            data,
            wide_entries: true,
            block_links: true,
        });
        (pvr, moved)
    }

    #[test]
    fn rings_are_cut_and_ranges_kept() {
        let ring = run(&[0], &polygon(1, 0));
        assert_eq!(ring.warnings(), [Warning::SortDmaCut]);
        let (empty_ring, _) = run_with(&[0], &polygon(0, 0), SortDmaZero::Nothing);
        assert_eq!(
            empty_ring.warnings(),
            [Warning::SortDmaEmpty, Warning::SortDmaCut]
        );
        for (table, data) in [
            (&[0][..], polygon(2, 2)),
            (&[7], polygon(1, 2)),
            (&[0], polygon(1, 1)),
        ] {
            let pvr = run(table, &data);
            assert_eq!(pvr.warnings(), [Warning::SortDmaRange], "{table:?}");
            assert!(pvr.events().has(Event::SortDmaError));
        }
        let (good, moved) = run_with(&[0, 2], &polygon(1, 1), SortDmaZero::All);
        assert!(good.warnings().is_empty() && good.events().has(Event::SortDmaDone));
        assert_eq!((moved.blocks, moved.entries), (1, 2));
        let whole = [polygon(0, 2), vec![0; 255 * BLOCK]].concat();
        let (_, moved) = run_with(&[0], &whole, SortDmaZero::All);
        assert_eq!((moved.blocks, moved.entries), (256, 1));
    }
}
