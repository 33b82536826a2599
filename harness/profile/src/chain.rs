//! The longest chain of results that wait for each other: what no rearrangement of instructions can shorten.

use crate::insn::{Consumer, Insn, Producer};
use crate::pipeline::latency;
use crate::resource::{FR, XF};
use sh4::table::Id;

/// The moment at which each instruction could issue if it waited for nothing but its operands, as far as later ones depend
/// on it.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    /// By register: when most instructions can use it, and by what it was written.
    ready: [u64; 64],
    writers: [(Producer, u8); 64],
    longest: u64,
}

/// What instructions read and write, in a row: for each a head, the number of reads, the registers read, the number of
/// writes, and register and latency of each.
///
/// A head is a place in [`Links::heads`]. Of a read register bit 7 says that it is what SHAD and SHLD shift by.
#[derive(Clone, Debug)]
pub(crate) struct Links {
    rows: Box<[u8]>,
    heads: Box<[Head]>,
}

/// What an instruction is to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Head {
    consumer: Consumer,
    producer: Producer,
    /// FRCHG.
    exchanges: bool,
}

const SHIFTS_BY: u8 = 0x80;

impl Links {
    pub(crate) fn new<'a>(insns: impl Iterator<Item = &'a Insn>) -> Links {
        let (mut rows, mut heads) = (Vec::new(), Vec::new());
        for insn in insns {
            let head = Head {
                consumer: insn.consumer,
                producer: insn.producer,
                exchanges: insn.id == Id::frchg,
            };
            let known = heads.iter().position(|known| *known == head);
            rows.push(known.unwrap_or(heads.len()) as u8);
            if known.is_none() {
                heads.push(head);
            }
            rows.push(insn.reads.iter().count() as u8);
            let mark = |bit: u8| {
                if insn.special.has(bit) {
                    bit | SHIFTS_BY
                } else {
                    bit
                }
            };
            rows.extend(insn.reads.iter().map(mark));
            rows.push(insn.writes.len() as u8);
            rows.extend(insn.writes.iter().flat_map(|write| [write.bit, write.latency]));
        }
        Links {
            rows: rows.into(),
            heads: heads.into(),
        }
    }
}

impl Chain {
    pub(crate) fn new() -> Chain {
        Chain {
            ready: [0; 64],
            writers: [(Producer::Plain, 0); 64],
            longest: 0,
        }
    }

    #[inline]
    pub(crate) fn pass(&mut self, links: &Links) {
        let mut rest = &*links.rows;
        while let [head, reads, behind @ ..] = rest {
            let head = &links.heads[usize::from(*head)];
            let (reads, behind) = behind.split_at(usize::from(*reads));
            let start = self.start(head, reads);
            let Some((writes, behind)) = behind.split_first() else {
                break;
            };
            let (writes, behind) = behind.split_at(2 * usize::from(*writes));
            for [bit, latency] in writes.as_chunks::<2>().0 {
                let place = usize::from(bit & 63);
                self.ready[place] = start + u64::from(*latency);
                self.writers[place] = (head.producer, *latency);
            }
            self.longest = self.longest.max(start + 1);
            if head.exchanges {
                self.exchange_banks();
            }
            rest = behind;
        }
    }

    /// When an instruction could issue that reads `bits`.
    #[inline]
    fn start(&self, head: &Head, bits: &[u8]) -> u64 {
        if head.consumer == Consumer::Plain {
            return bits
                .iter()
                .fold(0, |start, bit| start.max(self.ready[usize::from(bit & 63)]));
        }
        bits.iter()
            .fold(0, |start, bit| start.max(self.ready_for(head, *bit)))
    }

    /// When it could use the result in a register, by the special rules for it.
    fn ready_for(&self, head: &Head, bit: u8) -> u64 {
        let place = usize::from(bit & 63);
        let writer = self.writers[place];
        let latency = latency(writer, head.consumer, bit & SHIFTS_BY != 0, bit & 63);
        match self.ready[place] {
            // Nobody has written it.
            0 => 0,
            ready => ready - u64::from(writer.1) + u64::from(latency),
        }
    }

    /// FRCHG: what was FR is now XF.
    fn exchange_banks(&mut self) {
        for register in 0..16 {
            let (fr, xf) = (usize::from(FR) + register, usize::from(XF) + register);
            self.ready.swap(fr, xf);
            self.writers.swap(fr, xf);
        }
    }

    /// Its length in cycles, to the issue of its last instruction.
    pub(crate) fn length(&self) -> u64 {
        self.longest
    }
}
