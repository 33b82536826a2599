//! Summarises the effect of consecutive instructions on the chain. After them, the ready time of each
//! register is the maximum of earlier ready times, each plus a delay.

use super::{BEGINNING, Chain, Head, Links, MATRIX, SHIFTS_BY, Step, XMTRX};
use timing::Producer;
use timing::latency;

/// Maximum number of earlier registers that a summary reads.
const MAX: usize = 32;

/// The effect of consecutive instructions on the chain.
#[derive(Clone, Debug)]
pub(super) struct Summary {
    /// Registers of the earlier state that are read, encoded as in [`Links`].
    asked: Box<[(u8, Head)]>,
    results: Box<[Written]>,
    /// Latest cycle in which one of the instructions issues.
    last: Maximum,
    /// Terms of all maxima: an index into `asked`, and a delay.
    terms: Box<[(u8, u32)]>,
}

/// State of a register after the instructions.
#[derive(Clone, Debug)]
struct Written {
    bit: u8,
    writer: (Producer, u8),
    ready: Maximum,
}

/// The maximum of a cycle and some terms.
#[derive(Clone, Debug)]
struct Maximum {
    least: u64,
    /// Range of its terms.
    terms: (u32, u32),
}

/// A maximum under construction.
#[derive(Clone, Debug)]
struct MaxBuilder {
    least: u64,
    terms: Vec<(u8, u32)>,
}

impl MaxBuilder {
    fn new() -> MaxBuilder {
        MaxBuilder {
            least: BEGINNING,
            terms: Vec::new(),
        }
    }

    /// Adds `other` plus a delay to the maximum.
    fn include(&mut self, other: &MaxBuilder, later: u32) {
        self.least = self.least.max(other.least + u64::from(later));
        for (asked, sum) in &other.terms {
            self.include_term(*asked, sum + later);
        }
    }

    fn include_term(&mut self, asked: u8, sum: u32) {
        match self.terms.iter_mut().find(|(known, _)| *known == asked) {
            Some((_, known)) => *known = sum.max(*known),
            None => self.terms.push((asked, sum)),
        }
    }
}

/// Summary under construction: for each register its last writer and that writer's issue.
struct SummaryBuilder {
    asked: Vec<(u8, Head)>,
    written: Vec<(u8, (Producer, u8), MaxBuilder)>,
    last: MaxBuilder,
}

impl SummaryBuilder {
    /// Returns the cycle in which an instruction issues, or `None` if it depends on too many registers.
    fn issue(&mut self, step: &Step<'_>) -> Option<MaxBuilder> {
        let mut start = MaxBuilder::new();
        for read in step.reads {
            let bit = read & !SHIFTS_BY;
            match self.written.iter().find(|(known, ..)| *known == bit) {
                Some((_, writer, issued)) => {
                    let shifts_by = read & SHIFTS_BY != 0;
                    let later = latency(*writer, step.head.consumer, shifts_by, bit);
                    start.include(issued, later.into());
                }
                None => start.include_term(self.ask(*read, step.head)?, 0),
            }
        }
        Some(start)
    }

    fn ask(&mut self, read: u8, head: &Head) -> Option<u8> {
        let same = |(known, by): &(u8, Head)| *known == read && by.consumer == head.consumer;
        let place = self.asked.iter().position(same);
        let place = place.unwrap_or_else(|| {
            self.asked.push((read, *head));
            self.asked.len() - 1
        });
        (place < MAX).then_some(place as u8)
    }

    fn write(&mut self, bit: u8, writer: (Producer, u8), issued: &MaxBuilder) {
        self.written.retain(|(known, ..)| *known != bit);
        self.written.push((bit, writer, issued.clone()));
    }
}

impl Summary {
    /// Summarises `links`. Returns `None` if the summary would not be shorter, if an instruction exchanges
    /// the register banks, or if one reads XMTRX after another has written a part of it.
    pub(super) fn of(links: &Links) -> Option<Summary> {
        let mut builder = SummaryBuilder {
            asked: Vec::new(),
            written: Vec::new(),
            last: MaxBuilder::new(),
        };
        for step in links.steps() {
            let matrix =
                step.reads.contains(&MATRIX) && builder.written.iter().any(|(bit, ..)| XMTRX.has(*bit));
            if step.head.exchanges || matrix {
                return None;
            }
            let start = builder.issue(&step)?;
            builder.last.include(&start, 0);
            for [bit, latency] in step.writes {
                builder.write(*bit, (step.head.producer, *latency), &start);
            }
        }
        let mut terms = Vec::new();
        let mut latest = |max: &MaxBuilder, later: u8| {
            let first = terms.len() as u32;
            terms.extend(
                max.terms
                    .iter()
                    .map(|(asked, sum)| (*asked, sum + u32::from(later))),
            );
            Maximum {
                least: max.least + u64::from(later),
                terms: (first, terms.len() as u32),
            }
        };
        let last = latest(&builder.last, 0);
        let results = builder.written.iter().map(|(bit, writer, issued)| Written {
            bit: *bit,
            writer: *writer,
            ready: latest(issued, writer.1),
        });
        let results = results.collect();
        (terms.len() <= links.rows.len()).then(|| Summary {
            asked: builder.asked.into(),
            results,
            last,
            terms: terms.into(),
        })
    }

    #[inline]
    pub(super) fn pass(&self, chain: &mut Chain) {
        let mut ready = [0; MAX];
        for (ready, (bit, head)) in ready.iter_mut().zip(&self.asked) {
            *ready = chain.ready_for(head, *bit);
        }
        let latest = |max: &Maximum| {
            let terms = &self.terms[max.terms.0 as usize..max.terms.1 as usize];
            terms.iter().fold(max.least, |latest, (asked, sum)| {
                latest.max(ready[usize::from(*asked) % MAX] + u64::from(*sum))
            })
        };
        for Written { bit, writer, ready } in &self.results {
            chain.write(*bit, latest(ready), *writer);
        }
        chain.longest = chain.longest.max(latest(&self.last) + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Chain, Links};
    use proptest::prelude::*;
    use sh4::table::{Id, TABLE};
    use timing::Insn;
    use timing::Parameters;

    fn row() -> impl Strategy<Value = Vec<(usize, u8, u8)>> {
        prop::collection::vec((0..TABLE.len(), 0..16u8, 0..16u8), 1..24)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// The summary must give the same result as the instructions one by one.
        #[test]
        fn summaries_equal_their_instructions(
            rows in prop::collection::vec(row(), 1..4),
            order in prop::collection::vec(0..4usize, 1..12)) {
            let parameters = Parameters::default();
            let links: Vec<Links> = rows
                .iter()
                .map(|row| {
                    let insns: Vec<Insn> = row
                        .iter()
                        .map(|(place, n, m)| Insn::new(TABLE[*place].id, *n, *m, 0, &parameters))
                        .collect();
                    Links::new(insns.iter())
                })
                .collect();
            let (mut all_at_once, mut singly) = (Chain::new(), Chain::new());
            for place in order {
                let links = &links[place % links.len()];
                all_at_once.pass(links);
                singly.pass_singly(links);
                prop_assert_eq!(all_at_once.ready, singly.ready);
                prop_assert_eq!(all_at_once.writers, singly.writers);
                prop_assert_eq!(all_at_once.length(), singly.length());
            }
        }
    }

    /// Common loops must have a summary.
    #[test]
    fn a_copy_has_a_summary() {
        let parameters = Parameters::default();
        let insn = |id, n, m| Insn::new(id, n, m, 0, &parameters);
        let copy = [
            insn(Id::mov_l_post_rm_rn, 0, 4),
            insn(Id::mov_l_rm_at_rn, 5, 0),
            insn(Id::dt_rn, 6, 0),
            insn(Id::add_imm_rn, 5, 0),
        ];
        let links = Links::new(copy.iter());
        assert!(links.summary.is_some());
        let mut chain = Chain::new();
        for _ in 0..100 {
            chain.pass(&links);
        }
        // Each of 99 iterations delays the next address by one cycle; the last load takes 2 cycles and its
        // store 1.
        assert_eq!(chain.length(), 99 + 2 + 1);
    }
}
