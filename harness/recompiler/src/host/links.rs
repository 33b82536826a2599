//! Direct links between regions: a table from addresses to entries, which `mode::enter` looks up where a
//! region ends.

use super::code::Entry;
use super::{Body, Compiled, Running};
use crate::region::Mode;
use sh4::Bus;
use std::marker::PhantomData;
use std::sync::Arc;

/// The count of links, direct-mapped by the address.
const LINKS: usize = 1 << 12;
/// The mask of an address's bits that choose its link.
pub(super) const MASK: usize = (LINKS - 1) << 1;
/// The logarithm of a link's bytes for each step of an address.
pub(super) const SHIFT: usize = 4;

/// The most links between two times that all are dropped.
const MOST: usize = 2 * LINKS;

/// A link, at fixed offsets for assembly.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Link {
    /// The stamp above the address.
    pub(super) tag: u64,
    pub(super) entry: Option<Entry>,
    pub(super) body: *const Body,
    pub(super) region: u64,
}

const _: () = assert!(size_of::<Link>() == 2 << SHIFT);

impl Link {
    const NONE: Link = Link {
        tag: 0,
        entry: None,
        body: std::ptr::null(),
        region: 0,
    };
}

/// The links of all modes. A stamp marks the links of one mode, as long as they are valid.
pub(crate) struct Links<B> {
    links: Box<[Link]>,
    stamps: Vec<(Mode, u32)>,
    /// The last stamp. 0 marks no link.
    last: u32,
    /// The bus's code epoch for which the links are valid.
    epoch: u64,
    /// The code of all valid links: compiled code jumps there.
    kept: Vec<Arc<Body>>,
    bus: PhantomData<fn(&mut B)>,
}

// SAFETY: the pointers of valid links are those of `kept`, which may be sent and shared.
unsafe impl<B> Send for Links<B> {}

impl<B: Bus> Links<B> {
    pub(crate) fn new() -> Links<B> {
        Links {
            links: vec![Link::NONE; LINKS].into(),
            stamps: Vec::new(),
            last: 0,
            epoch: 0,
            kept: Vec::new(),
            bus: PhantomData,
        }
    }

    /// Drops all links.
    pub(crate) fn forget(&mut self) {
        self.stamps.clear();
        self.kept.clear();
        if self.last > u32::MAX / 2 {
            self.last = 0;
            self.links.fill(Link::NONE);
        }
    }

    /// The stamp of the links of a mode in an epoch. Drops the links of another epoch.
    pub(super) fn stamp(&mut self, mode: Mode, epoch: u64) -> u32 {
        if self.epoch != epoch {
            self.epoch = epoch;
            self.forget();
        }
        if let Some(&(_, stamp)) = self.stamps.iter().find(|(other, _)| *other == mode) {
            return stamp;
        }
        self.last += 1;
        self.stamps.push((mode, self.last));
        self.last
    }

    /// Lets code continue with the region of number `index` at the program counter of a run, in a mode.
    pub(crate) fn add(
        &mut self,
        running: &Running<'_, B>,
        mode: Mode,
        (region, index): (&Compiled<B>, usize),
    ) {
        if self.kept.len() == MOST {
            self.forget();
        }
        let (body, pc) = (&region.body, running.cpu().pc);
        let stamp = self.stamp(mode, running.context.epoch);
        self.links[(pc as usize & MASK) >> 1] = Link {
            tag: u64::from(stamp) << 32 | u64::from(pc),
            entry: Some(body.code.entry()),
            body: Arc::as_ptr(body),
            region: index as u64,
        };
        self.kept.push(Arc::clone(body));
    }

    pub(super) fn table(&self) -> *const Link {
        self.links.as_ptr()
    }
}
