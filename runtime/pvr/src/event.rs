//! Events (interrupt sources) and warnings.

use std::fmt;

/// An interrupt source by its number: bit `n & 31` of status word `n >> 5` (0 normal, 1 external, 2 error).
///
/// Numbers: `docs/hardware/pvr2.md`, "Events".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Event {
    /// Rendering done, framebuffer written.
    RenderDone = 0x00,
    /// The ISP has finished.
    IspDone = 0x01,
    /// The TSP has finished.
    TspDone = 0x02,
    /// The YUV converter has written a complete texture (number as in KallistiOS's list of ASIC events).
    YuvDone = 0x06,
    /// Opaque list closed.
    OpaqueDone = 0x07,
    /// Opaque modifier volume list closed.
    OpaqueModifierDone = 0x08,
    /// Translucent list closed.
    TranslucentDone = 0x09,
    /// Translucent modifier volume list closed.
    TranslucentModifierDone = 0x0A,
    /// A sort DMA has ended (number recalled from the manual's list of interrupts, not checked).
    SortDmaDone = 0x14,
    /// Punch-through list closed.
    PunchThroughDone = 0x15,
    /// At least one error event is set.
    ErrorSummary = 0x1F,
    /// Parameters reached TA_ISP_LIMIT.
    ParameterOverflow = 0x42,
    /// Object lists reached TA_OL_LIMIT.
    ListOverflow = 0x43,
    /// Illegal parameter.
    IllegalParameter = 0x44,
    /// A sort DMA met a chunk without a polygon.
    SortDmaError = 0x5C,
}

/// A set of events, as in the three interrupt status words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Events {
    words: [u32; 3],
}

state::fields!(Events { words });

impl Events {
    /// Adds an event; an error event also sets [`Event::ErrorSummary`].
    pub fn raise(&mut self, event: Event) {
        self.raise_number(event as u32);
        if event as u32 >= 0x40 {
            self.raise_number(Event::ErrorSummary as u32);
        }
    }

    fn raise_number(&mut self, number: u32) {
        self.words[(number >> 5) as usize] |= 1 << (number & 31);
    }

    /// True if the event with this number is set; always false from 0x60 on.
    #[must_use]
    pub fn has_number(&self, number: u32) -> bool {
        self.words
            .get((number >> 5) as usize)
            .is_some_and(|word| word >> (number & 31) & 1 != 0)
    }

    /// True if the event is set.
    #[must_use]
    pub fn has(&self, event: Event) -> bool {
        self.has_number(event as u32)
    }

    /// Returns the status words: normal, external, error.
    #[must_use]
    pub fn words(&self) -> [u32; 3] {
        self.words
    }
}

/// Readable data that this crate does not model, or that a program probably did not intend. Each kind is
/// reported once per frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Warning {
    /// Vertices before the first polygon parameter of a list were dropped. A console stores garbage for them.
    VertexWithoutPolygon,
    /// A polygon named list 5, 6 or 7; all blocks up to the end of the list were dropped.
    InvalidList,
    /// A block with a reserved parameter type was dropped.
    ReservedParameter,
    /// Sort DMA read outside its table or data.
    SortDmaRange,
    /// The links of a sort DMA form a ring; the transfer was stopped.
    SortDmaCut,
    /// A chunk of a sort DMA has size 0; no data was moved.
    SortDmaEmpty,
    /// A burst of less than 32 bytes into the TA or the YUV converter was dropped.
    PartialBurst,
    /// The YUV converter received more macroblocks than its texture has; the surplus was dropped.
    YuvOverrun,
    /// An object list exceeded the limit of entries per frame and was truncated.
    ListCut,
    /// A list had more than 32,768 triangles in one tile; the remaining ones were dropped.
    TileListCut,
    /// The region array exceeded its maximum length and was truncated.
    RegionArrayCut,
    /// A region entry keeps the depth of a tile that no earlier entry drew; the background depth was used.
    KeptDepthMissing,
    /// Supersampling was requested and omitted, as the settings specify.
    Supersample,
    /// A bump map without offset colour; zero parameters were used. The chip would use the parameters of an
    /// earlier pixel.
    BumpWithoutOffset,
    /// A mipmapped texture with a D adjust of 0, which is illegal; the largest level was used.
    MipAdjust,
    /// A modifier volume has a reserved instruction; the triangle was treated as a normal one.
    VolumeInstruction,
    /// FB_W_CTRL selects the reserved pack mode 7; no pixels were written.
    PackMode,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::VertexWithoutPolygon => {
                "vertices before the first polygon parameter of a list were dropped; a console stores garbage"
            }
            Self::InvalidList => "a polygon names list 5, 6 or 7; dropped up to the end of the list",
            Self::ReservedParameter => "a block with a reserved parameter type was dropped",
            Self::SortDmaRange => "a sort DMA leads beyond its table or data",
            Self::SortDmaCut => "the links of a sort DMA form a ring and were cut",
            Self::SortDmaEmpty => "a sort DMA has a chunk of size 0; nothing was moved for it",
            Self::PartialBurst => {
                "a burst of less than 32 bytes into the TA or the YUV converter was dropped"
            }
            Self::YuvOverrun => {
                "the YUV converter got more macroblocks than its texture has; they were dropped"
            }
            Self::ListCut => "object lists hold too many entries (a loop?) and were cut",
            Self::TileListCut => "a list has more than 32768 triangles in one tile; the rest were dropped",
            Self::RegionArrayCut => "the region array has no end and was cut",
            Self::KeptDepthMissing => "a region entry keeps depth that nothing has drawn",
            Self::Supersample => "supersampling was left out (--pvr supersample=average applies it)",
            Self::BumpWithoutOffset => "a bump map has no offset colour; its parameters were taken as 0",
            Self::MipAdjust => "a mipmapped texture has a D adjust of 0; the largest level was used",
            Self::VolumeInstruction => {
                "a modifier volume has a reserved instruction and was taken as a normal one"
            }
            Self::PackMode => "FB_W_CTRL asks for the reserved pack mode 7; nothing was written",
        })
    }
}

/// Set of warnings, in order of first appearance.
#[derive(Debug, Clone, Default)]
pub struct Warnings {
    list: Vec<Warning>,
}

impl Warnings {
    /// Adds a warning unless it is already present.
    pub fn add(&mut self, warning: Warning) {
        if !self.list.contains(&warning) {
            self.list.push(warning);
        }
    }

    /// Adds all warnings of another set.
    pub(crate) fn merge(&mut self, other: &Self) {
        let mut more = other.list.clone();
        more.sort();
        more.into_iter().for_each(|warning| self.add(warning));
    }

    /// Returns the warnings.
    #[must_use]
    pub fn as_slice(&self) -> &[Warning] {
        &self.list
    }

    /// Removes all warnings.
    pub fn clear(&mut self) {
        self.list.clear();
    }
}
