//! Length of the longest chain of dependent results, a lower bound for every order of the instructions.

mod summary;

use sh4::table::Id;
use summary::Summary;
use timing::latency;
use timing::resource::{COUNT, FR, Resources, XF};
use timing::{Consumer, Insn, Producer};

/// Cycle in which the first instruction issues. Ready time 0 marks registers that were never written.
const BEGINNING: u64 = 1;

/// For each register, the cycle in which it would be ready if instructions waited only for their operands.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    /// For each register, the cycle in which most instructions can use it, and the instruction that wrote it.
    ready: [u64; 64],
    writers: [(Producer, u8); 64],
    longest: u64,
    /// Last kind of consumer that read XMTRX, and the cycle in which it can use all of XMTRX. Reset when a
    /// register of XMTRX changes.
    matrix: Option<(Consumer, u64)>,
}

/// Reads and writes of consecutive instructions. Each instruction has a head, the number of reads, the
/// registers read, the number of writes, and a register and latency per write.
///
/// A head is an index into [`Links::heads`]. Bit 7 of a read register marks the shift count of SHAD and SHLD;
/// all of XMTRX together is [`MATRIX`].
#[derive(Clone, Debug)]
pub(crate) struct Links {
    rows: Box<[u8]>,
    heads: Box<[Head]>,
    /// Summary of all instructions, if it is shorter.
    summary: Option<Summary>,
}

/// One of the instructions.
struct Step<'a> {
    head: &'a Head,
    /// Registers read, as in [`Links`].
    reads: &'a [u8],
    /// Register and latency of each write.
    writes: &'a [[u8; 2]],
}

/// The kind of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Head {
    consumer: Consumer,
    producer: Producer,
    /// FRCHG.
    exchanges: bool,
}

const SHIFTS_BY: u8 = 0x80;
/// Stands for all of XMTRX; no register has this number.
const MATRIX: u8 = 63;
/// The registers of XMTRX.
const XMTRX: Resources = Resources(0xFFFF << XF);

const _: () = assert!(COUNT <= MATRIX as usize);

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
            let matrix = insn.reads.0 & XMTRX.0 == XMTRX.0;
            let reads = Resources(insn.reads.0 & if matrix { !XMTRX.0 } else { !0 });
            rows.push(reads.iter().count() as u8 + u8::from(matrix));
            let mark = |bit: u8| {
                if insn.special.has(bit) {
                    bit | SHIFTS_BY
                } else {
                    bit
                }
            };
            rows.extend(reads.iter().map(mark));
            rows.extend(matrix.then_some(MATRIX));
            rows.push(insn.writes.len() as u8);
            rows.extend(insn.writes.iter().flat_map(|write| [write.bit, write.latency]));
        }
        let mut links = Links {
            rows: rows.into(),
            heads: heads.into(),
            summary: None,
        };
        links.summary = Summary::of(&links);
        links
    }

    #[inline]
    fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        let mut rest = &*self.rows;
        std::iter::from_fn(move || {
            let [head, reads, behind @ ..] = rest else {
                return None;
            };
            let (reads, behind) = behind.split_at(usize::from(*reads));
            let (writes, behind) = behind.split_first()?;
            let (writes, behind) = behind.split_at(2 * usize::from(*writes));
            rest = behind;
            Some(Step {
                head: &self.heads[usize::from(*head)],
                reads,
                writes: writes.as_chunks::<2>().0,
            })
        })
    }
}

impl Chain {
    pub(crate) fn new() -> Chain {
        Chain {
            ready: [0; 64],
            writers: [(Producer::Plain, 0); 64],
            longest: 0,
            matrix: None,
        }
    }

    /// Applies the instructions of `links`.
    #[inline]
    pub(crate) fn pass(&mut self, links: &Links) {
        match &links.summary {
            Some(summary) => summary.pass(self),
            None => self.pass_singly(links),
        }
    }

    /// Applies the instructions one by one. Summaries must give the same result.
    fn pass_singly(&mut self, links: &Links) {
        for Step { head, reads, writes } in links.steps() {
            let start = self.start(head, reads);
            for [bit, latency] in writes {
                self.write(*bit, start + u64::from(*latency), (head.producer, *latency));
            }
            self.longest = self.longest.max(start + 1);
            if head.exchanges {
                self.exchange_banks();
            }
        }
    }

    #[inline]
    fn write(&mut self, bit: u8, ready: u64, writer: (Producer, u8)) {
        let place = usize::from(bit & 63);
        (self.ready[place], self.writers[place]) = (ready, writer);
        if XMTRX.has(bit) {
            self.matrix = None;
        }
    }

    /// Returns the cycle in which an instruction that reads `bits` can issue.
    #[inline]
    fn start(&mut self, head: &Head, bits: &[u8]) -> u64 {
        bits.iter()
            .fold(BEGINNING, |start, bit| start.max(self.ready_for(head, *bit)))
    }

    /// Returns the cycle in which the instruction can use a register.
    #[inline]
    fn ready_for(&mut self, head: &Head, bit: u8) -> u64 {
        match bit {
            MATRIX => self.matrix_ready_for(head),
            bit if head.consumer == Consumer::Plain => self.ready[usize::from(bit & 63)],
            bit => self.register_ready_for(head, bit),
        }
    }

    /// Returns the cycle in which the instruction can use all of XMTRX.
    fn matrix_ready_for(&mut self, head: &Head) -> u64 {
        match self.matrix {
            Some((consumer, ready)) if consumer == head.consumer => ready,
            _ => {
                let registers = XMTRX.iter().map(|bit| self.register_ready_for(head, bit));
                let ready = registers.max().unwrap_or(0);
                self.matrix = Some((head.consumer, ready));
                ready
            }
        }
    }

    /// Returns the cycle in which the instruction can use the result in a register. Applies the latency rules
    /// for pairs of a producer and a consumer (see [`latency`]).
    #[inline]
    fn register_ready_for(&self, head: &Head, bit: u8) -> u64 {
        let place = usize::from(bit & 63);
        let (ready, writer) = (self.ready[place], self.writers[place]);
        // Most producers need no special rule. A register that was never written has no delay.
        if writer.0 == Producer::Plain || ready == 0 {
            return ready;
        }
        let latency = latency(writer, head.consumer, bit & SHIFTS_BY != 0, bit & 63);
        ready - u64::from(writer.1) + u64::from(latency)
    }

    /// FRCHG: exchanges FR and XF.
    fn exchange_banks(&mut self) {
        self.matrix = None;
        for register in 0..16 {
            let (fr, xf) = (usize::from(FR) + register, usize::from(XF) + register);
            self.ready.swap(fr, xf);
            self.writers.swap(fr, xf);
        }
    }

    /// Length of the chain in cycles, up to the issue of the last instruction.
    pub(crate) fn length(&self) -> u64 {
        self.longest.saturating_sub(BEGINNING)
    }
}
