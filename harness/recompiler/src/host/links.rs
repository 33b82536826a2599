//! Direct links between regions: a table of entries by guest address. `mode::enter` looks up the next address
//! at the end of a region.

use super::code::Entry;
use super::{Body, Compiled, Running};
use crate::region::Mode;
use sh4::{Bus, fpscr};
use std::marker::PhantomData;
use std::sync::Arc;

/// Number of links in the table, which is direct-mapped by address and mode.
const LINKS: usize = 1 << 12;
/// Mask of the address bits that select a link.
pub(super) const MASK: usize = (LINKS - 1) << 1;
/// Left shift from masked address bits to the byte offset of a link.
pub(super) const SHIFT: usize = 4;

/// Bits of FPSCR in a stamp: the bits in [`Mode`], and the enabled traps. A link is never valid with traps.
pub(super) const FPSCR: u32 = 1 | 1 << fpscr::FLAG_SHIFT | 0x1F << fpscr::ENABLE_SHIFT | fpscr::DN;
/// Position of the block key in a stamp, above the FPSCR bits.
pub(super) const KEY_SHIFT: u32 = 20;
const _: () = assert!(FPSCR >> KEY_SHIFT == 0);
/// Right shift of the stamp in the hash. It moves DN, PR and SZ to bits that select a link.
pub(super) const SPREAD: u32 = 11;
/// Right shift of the address in the hash, so that functions 8 KiB apart have different links.
pub(super) const FOLD: u32 = LINKS.trailing_zeros();
/// Stamp that matches no mode and no link.
pub(super) const UNLINKED: u32 = u32::MAX;
/// Tag of unused entries. It differs from all stamps of modes and from [`UNLINKED`].
const NO_TAG: u64 = (1 << 3) << 32;
const _: () = assert!(FPSCR & (NO_TAG >> 32) as u32 == 0);

/// Stamp of a mode: the block key and FPSCR bits.
pub(super) fn stamp(mode: Mode) -> u32 {
    let flush = if mode.flush { fpscr::DN } else { 0 };
    let inexact = u32::from(mode.inexact) << fpscr::FLAG_SHIFT;
    mode.block << KEY_SHIFT | flush | inexact | u32::from(!mode.nearest)
}

/// Index of the link for an address and a stamp.
fn place(pc: u32, stamp: u32) -> usize {
    ((pc ^ pc >> FOLD ^ stamp >> SPREAD) as usize & MASK) >> 1
}

/// Link with fixed offsets for assembly.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Link {
    /// Stamp of the mode in bits 63 to 32, guest address in bits 31 to 0.
    pub(super) tag: u64,
    pub(super) entry: Option<Entry>,
    pub(super) body: *const Body,
    pub(super) region: u64,
}

const _: () = assert!(size_of::<Link>() == 2 << SHIFT);

impl Link {
    const NONE: Link = Link {
        tag: NO_TAG,
        entry: None,
        body: std::ptr::null(),
        region: 0,
    };
}

/// Table of links for all modes.
pub(crate) struct Links<B> {
    links: Box<[Link]>,
    /// References that keep the code of the links alive.
    kept: Box<[Option<Arc<Body>>]>,
    /// True if the table contains a link.
    any: bool,
    /// Code epoch of the bus for which the links are valid.
    epoch: u64,
    bus: PhantomData<fn(&mut B)>,
}

// SAFETY: the pointers in links point into `kept`, which may be sent and shared.
unsafe impl<B> Send for Links<B> {}

impl<B: Bus> Links<B> {
    pub(crate) fn new() -> Links<B> {
        Links {
            links: vec![Link::NONE; LINKS].into(),
            kept: vec![None; LINKS].into(),
            any: false,
            epoch: 0,
            bus: PhantomData,
        }
    }

    /// Drops all links.
    pub(crate) fn forget(&mut self) {
        if std::mem::take(&mut self.any) {
            self.links.fill(Link::NONE);
            self.kept.fill(None);
        }
    }

    /// Returns the links of an epoch. Drops the links of other epochs.
    pub(super) fn table(&mut self, epoch: u64) -> *const Link {
        if self.epoch != epoch {
            self.epoch = epoch;
            self.forget();
        }
        self.links.as_ptr()
    }

    /// Adds a link from the program counter of a run, in a mode, to the region with index `index`.
    pub(crate) fn add(
        &mut self,
        running: &Running<'_, B>,
        mode: Mode,
        (region, index): (&Compiled<B>, usize),
    ) {
        let (body, pc, stamp) = (&region.body, running.cpu().pc, stamp(mode));
        let place = place(pc, stamp);
        self.links[place] = Link {
            tag: u64::from(stamp) << 32 | u64::from(pc),
            entry: Some(body.code.entry()),
            body: Arc::as_ptr(body),
            region: index as u64,
        };
        self.kept[place] = Some(Arc::clone(body));
        self.any = true;
    }
}
