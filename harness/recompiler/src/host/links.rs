//! Direct links between regions: a table from addresses to entries, which `mode::enter` looks up where a
//! region ends.

use super::code::Entry;
use super::{Body, Compiled, Running};
use crate::region::Mode;
use sh4::{Bus, fpscr};
use std::marker::PhantomData;
use std::sync::Arc;

/// The count of links, direct-mapped by the address and the mode.
const LINKS: usize = 1 << 12;
/// The mask of an address's bits that choose its link.
pub(super) const MASK: usize = (LINKS - 1) << 1;
/// The logarithm of a link's bytes for each step of an address.
pub(super) const SHIFT: usize = 4;

/// Bits of FPSCR in a stamp: the bits in [`Mode`], and the enabled traps. The stamp of a link has no traps.
pub(super) const FPSCR: u32 = 1 | 1 << fpscr::FLAG_SHIFT | 0x1F << fpscr::ENABLE_SHIFT | fpscr::DN;
/// The place of the block key in a stamp, above these bits.
pub(super) const KEY_SHIFT: u32 = 20;
const _: () = assert!(FPSCR >> KEY_SHIFT == 0);
/// By how much a stamp is moved to spread the links of an address: DN, PR and SZ to the bits of addresses.
pub(super) const SPREAD: u32 = 11;
/// A stamp that no mode and no link has.
pub(super) const UNLINKED: u32 = u32::MAX;
/// The tag of the places without a link: no stamp of a mode, and not [`UNLINKED`].
const NO_TAG: u64 = (1 << 3) << 32;
const _: () = assert!(FPSCR & (NO_TAG >> 32) as u32 == 0);

/// The stamp of a mode.
pub(super) fn stamp(mode: Mode) -> u32 {
    let flush = if mode.flush { fpscr::DN } else { 0 };
    let inexact = u32::from(mode.inexact) << fpscr::FLAG_SHIFT;
    mode.block << KEY_SHIFT | flush | inexact | u32::from(!mode.nearest)
}

/// The place of the link of an address and a stamp.
fn place(pc: u32, stamp: u32) -> usize {
    ((pc ^ stamp >> SPREAD) as usize & MASK) >> 1
}

/// A link, at fixed offsets for assembly.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Link {
    /// The stamp of its mode above the address.
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

/// The links of all modes.
pub(crate) struct Links<B> {
    links: Box<[Link]>,
    /// The code of each link: compiled code jumps there.
    kept: Box<[Option<Arc<Body>>]>,
    /// There is a link.
    any: bool,
    /// The bus's code epoch for which the links are valid.
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

    /// Lets code continue with the region of number `index` at the program counter of a run, in a mode.
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
