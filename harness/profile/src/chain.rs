//! The longest chain of results that wait for each other: what no rearrangement of instructions can shorten.

use crate::insn::Insn;

/// The moment at which each register is there if every instruction issues as soon as its operands are.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    ready: [u64; 64],
    longest: u64,
}

/// What instructions read and write, in a row: for each the number of reads, the registers read, the number of writes,
/// and register and latency of each.
#[derive(Clone, Debug)]
pub(crate) struct Links(Box<[u8]>);

impl Links {
    pub(crate) fn new<'a>(insns: impl Iterator<Item = &'a Insn>) -> Links {
        let mut links = Vec::new();
        for insn in insns {
            links.push(insn.reads.iter().count() as u8);
            links.extend(insn.reads.iter());
            links.push(insn.writes.len() as u8);
            links.extend(insn.writes.iter().flat_map(|write| [write.bit, write.latency]));
        }
        Links(links.into())
    }
}

impl Chain {
    pub(crate) fn new() -> Chain {
        Chain {
            ready: [0; 64],
            longest: 0,
        }
    }

    #[inline]
    pub(crate) fn pass(&mut self, links: &Links) {
        let mut rest = &*links.0;
        while let Some((reads, behind)) = rest.split_first() {
            let (reads, behind) = behind.split_at(usize::from(*reads));
            let start = reads
                .iter()
                .fold(0, |start, bit| start.max(self.ready[usize::from(*bit & 63)]));
            let Some((writes, behind)) = behind.split_first() else {
                break;
            };
            let (writes, behind) = behind.split_at(2 * usize::from(*writes));
            for write in writes.as_chunks::<2>().0 {
                let done = start + u64::from(write[1]);
                self.ready[usize::from(write[0] & 63)] = done;
                self.longest = self.longest.max(done);
            }
            rest = behind;
        }
    }

    /// Its length in cycles.
    pub(crate) fn length(&self) -> u64 {
        self.longest
    }
}
