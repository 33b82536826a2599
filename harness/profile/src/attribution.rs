//! Attributes costs to instructions, calls and the last steps.

use crate::calls::Calls;
use crate::chain::{Chain, Links};
use crate::recent_blocks::RecentBlocks;
use crate::site::{Costs, Site, Sites};
use crate::spans::Origin;
use sh4::table::{Id, TABLE, flag};
use sh4::{RetiredBlock, Taken};
use timing::block::{BlockTable, CodeBlock, EdgeTable};
use timing::memory::Stall;
use timing::{BlockTimer, CAUSES, Cause, Counts, Insn, Issue, Ledger, Parameters, TimingSink};

/// Control transfer by the previous instruction. If this is in a delay slot, the transfer by its branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Transfer {
    None,
    Backward,
    Call(u32),
    Return,
    /// RTE.
    Resume,
}

/// A summary of an edge's costs.
#[derive(Clone, Debug)]
struct EdgeSummary {
    instructions: u32,
    taken: u32,
    /// Slots lost, by cause.
    lost: Box<[(Cause, u32)]>,
    links: Links,
    /// The last transfer in the edge, and whether its delay slot is in the next block.
    transfer: Option<(Transfer, bool)>,
}

/// Costs by instruction. Does not include the costs of edges that are in the edge table and not yet expanded.
#[derive(Clone, Debug)]
pub(crate) struct Attribution {
    parameters: Parameters,
    pub(crate) sites: Sites,
    pub(crate) ledger: Ledger,
    pub(crate) counts: Counts,
    /// Running sum of all costs.
    so_far: Costs,
    pub(crate) calls: Calls,
    pub(crate) chain: Chain,
    pub(crate) recent_blocks: RecentBlocks,
    /// The summary of each edge.
    summaries: Vec<EdgeSummary>,
    transfer: Transfer,
    /// True if the next block is the transfer's delay slot.
    in_slot_next: bool,
    /// Last measured instruction.
    last: Option<u32>,
    /// Operand stalls that the caller has not taken yet: address, misses and cycles. `None` if the caller
    /// does not take them.
    pub(crate) operand_stalls: Option<Vec<(u32, u64, u64)>>,
}

impl TimingSink for Attribution {
    fn stall(&mut self, code: &CodeBlock, index: u8, stall: &Stall, misses: (u64, u64)) {
        let site = site(&mut self.sites, code, index, &self.parameters);
        for costs in [&mut site.costs, &mut self.so_far] {
            costs.misses += misses.0;
            costs.instruction_misses += misses.1;
        }
        if let Some(stalls) = &mut self.operand_stalls {
            let parts = stall
                .parts()
                .filter(|(cause, _)| *cause != Cause::InstructionMiss);
            let cycles: u64 = parts.map(|(_, cycles)| cycles).sum();
            if misses.0 > 0 || cycles > 0 {
                stalls.push((code.address(index), misses.0, cycles));
            }
        }
        if stall.cycles > 0 {
            site.costs.cycles += stall.cycles;
            for (cause, cycles) in stall.parts() {
                self.ledger.freeze(cause, cycles);
                site.costs.lost[cause as usize] += 2 * cycles;
                self.so_far.lost[cause as usize] += 2 * cycles;
            }
            self.recent_blocks.stall(index, stall);
        }
    }

    fn drop_edges(&mut self, blocks: &BlockTable, edges: &EdgeTable) {
        edges.add_to(blocks, &mut self.ledger, &mut self.counts);
        for edge in 0..edges.len() {
            for (odd, times) in edges.times(edge).into_iter().enumerate() {
                if times > 0 {
                    self.expand(blocks, edges, edge, odd as u64, times);
                }
            }
        }
        self.recent_blocks.materialize(blocks, edges, &self.sites);
        self.summaries.clear();
    }
}

impl Attribution {
    pub(crate) fn new(parameters: &Parameters) -> Attribution {
        Attribution {
            parameters: *parameters,
            sites: Sites::new(),
            ledger: Ledger::default(),
            counts: Counts::default(),
            so_far: Costs::default(),
            calls: Calls::default(),
            chain: Chain::new(),
            recent_blocks: RecentBlocks::default(),
            summaries: Vec::new(),
            transfer: Transfer::None,
            in_slot_next: false,
            last: None,
            operand_stalls: None,
        }
    }

    /// Attributes an edge to its instructions, `times` times. `odd` is the number of slots before the edge,
    /// modulo 2.
    fn expand(&mut self, blocks: &BlockTable, edges: &EdgeTable, edge: u32, odd: u64, times: u64) {
        let code = blocks.block(edges.block(edge));
        let mut slots = odd;
        for (visit, insn, issue) in edges.instructions(edge) {
            let site = site(&mut self.sites, code, visit.index, &self.parameters);
            if site.insn.id != insn.id {
                // An opcode can be a different instruction under a different FPSCR.
                site.insn = insn.clone();
            }
            let before = slots / 2;
            slots += slots_of(issue);
            let costs = &mut site.costs;
            costs.cycles += times * (slots / 2 - before);
            costs.instructions += times;
            costs.lost[Cause::Pair as usize] += times * u64::from(issue.unpaired);
            costs.lost[issue.cause as usize] += times * u64::from(issue.lost);
            costs.taken += times * u64::from(visit.taken);
            site.second += times * u64::from(issue.second);
        }
    }

    /// Completes the transfer before `block`.
    #[inline]
    pub(crate) fn arrive(&mut self, block: &RetiredBlock<'_>, active: bool) {
        if self.transfer == Transfer::None {
            return;
        }
        if std::mem::take(&mut self.in_slot_next) {
            // This block is the delay slot: the target is the block after it.
            return;
        }
        let first = block.ran.start;
        let pc = block.start.wrapping_add(2 * first as u32);
        match std::mem::replace(&mut self.transfer, Transfer::None) {
            Transfer::Backward if active => {
                let op = block.ops[first];
                let id = op.skips().unwrap_or(op.id);
                let opcode = block.opcodes[first];
                let make = || Insn::new(id, op.n, op.m, opcode, &self.parameters);
                let index = self.sites.index(pc, opcode, make);
                self.sites.all[index].looped += 1;
            }
            Transfer::Call(from) if active => self.calls.enter(from, pc, &self.so_far),
            transfer => self.transfer_to(transfer, pc),
        }
    }

    fn transfer_to(&mut self, transfer: Transfer, pc: u32) {
        match transfer {
            Transfer::Return => self.calls.leave(pc, &self.so_far),
            Transfer::Resume => self.calls.resume(pc, &self.so_far),
            Transfer::Backward | Transfer::Call(_) | Transfer::None => {}
        }
    }

    /// Records an exception or interrupt, which occurs after the last transfer.
    pub(crate) fn interrupt(&mut self, taken: &Taken) {
        self.in_slot_next = false;
        match std::mem::replace(&mut self.transfer, Transfer::None) {
            Transfer::Call(from) => self.calls.enter(from, taken.spc, &self.so_far),
            transfer => self.transfer_to(transfer, taken.spc),
        }
        let code = taken.event.code();
        let origin = match taken.event.is_interrupt() {
            true => Origin::Interrupt(code),
            false => Origin::Exception(code),
        };
        self.calls
            .interrupt(taken.spc, taken.vector, origin, &self.so_far);
    }

    /// Operand and instruction misses up to now.
    #[inline]
    pub(crate) fn misses(&self) -> (u64, u64) {
        (self.so_far.misses, self.so_far.instruction_misses)
    }

    /// Instructions up to now.
    #[inline]
    pub(crate) fn instructions(&self) -> u64 {
        self.so_far.instructions
    }

    /// Attributes the costs of an executed block, which `edge` describes. It began in `cycle`, after `slots`
    /// counted slots.
    #[inline]
    pub(crate) fn execute(&mut self, edge: u32, timer: &BlockTimer, cycle: u64, slots: u64) {
        if self.summaries.len() <= edge as usize {
            self.summarize(timer.blocks(), timer.edges());
        }
        let summary = &self.summaries[edge as usize];
        if timer.is_active() {
            self.so_far.instructions += u64::from(summary.instructions);
            self.so_far.taken += u64::from(summary.taken);
            self.so_far.cycles = timer.slots() / 2;
            for (cause, lost) in &summary.lost {
                self.so_far.lost[*cause as usize] += u64::from(*lost);
            }
            let first = timer.blocks().block(timer.edges().block(edge)).start();
            self.calls.spend(first, timer.slots() / 2 - slots / 2);
            self.chain.pass(&summary.links);
            self.recent_blocks.push(edge, summary.instructions, cycle);
            self.last = Some(timer.last_pc());
        }
        if let Some((transfer, in_slot_next)) = summary.transfer {
            (self.transfer, self.in_slot_next) = (transfer, in_slot_next);
        }
    }

    #[cold]
    fn summarize(&mut self, blocks: &BlockTable, edges: &EdgeTable) {
        for edge in self.summaries.len() as u32..edges.len() {
            self.summaries.push(EdgeSummary::new(blocks, edges, edge));
        }
    }

    /// Attributes the rest of the last cycle to the last instruction, so that all parts sum to the total.
    pub(crate) fn finish(&mut self, timer: &BlockTimer, unfilled: u64) {
        self.drop_edges(timer.blocks(), timer.edges());
        self.counts.fetches += timer.fetches();
        let odd = (self.ledger.used + self.ledger.all_lost() + unfilled) % 2;
        let slots = unfilled + odd;
        self.ledger.lose(Cause::End, slots, 0);
        let mut rest = Costs {
            cycles: self.ledger.cycles().0 - timer.slots() / 2,
            ..Costs::default()
        };
        rest.lost[Cause::End as usize] = slots;
        if let Some(last) = self.last
            && let Some(index) = self.sites.find(last)
        {
            self.sites.all[index].costs.add(&rest);
            self.calls.spend(last, rest.cycles);
        }
        self.so_far.cycles = self.ledger.cycles().0;
        self.calls.finish(&self.so_far);
    }

    /// Ends without attributing the rest of the last cycle, because time continues after the last
    /// instruction.
    pub(crate) fn close(&mut self, timer: &BlockTimer) {
        self.drop_edges(timer.blocks(), timer.edges());
        self.counts.fetches += timer.fetches();
        self.end_calls();
    }

    /// Ends all calls.
    pub(crate) fn end_calls(&mut self) {
        self.calls.finish(&self.so_far);
    }

    /// Sorts the sites by address.
    pub(crate) fn reorder(&mut self) {
        let mut order: Vec<usize> = (0..self.sites.all.len()).collect();
        order.sort_by_key(|index| self.sites.all[*index].pc);
        let mut place = vec![0_u32; order.len()];
        for (new, old) in order.iter().enumerate() {
            place[*old] = new as u32;
        }
        self.sites.all.sort_by_key(|site| site.pc);
        self.recent_blocks.steps.renumber(&place);
    }
}

impl EdgeSummary {
    fn new(blocks: &BlockTable, edges: &EdgeTable, edge: u32) -> EdgeSummary {
        let mut lost = [0; CAUSES];
        let (mut instructions, mut taken, mut transfer) = (0, 0, None);
        for (visit, insn, issue) in edges.instructions(edge) {
            instructions += 1;
            taken += u32::from(visit.taken);
            lost[Cause::Pair as usize] += u32::from(issue.unpaired);
            lost[issue.cause as usize] += issue.lost;
            if let Some((_, in_slot_next)) = &mut transfer {
                *in_slot_next = false;
            }
            if visit.taken {
                let code = blocks.block(edges.block(edge));
                transfer = Some((
                    transfer_by(code, visit.index, visit.id),
                    TABLE[insn.id as usize].has(flag::DELAYED),
                ));
            }
        }
        let lost = Cause::ALL.iter().map(|cause| (*cause, lost[*cause as usize]));
        EdgeSummary {
            instructions,
            taken,
            lost: lost.filter(|(_, slots)| *slots > 0).collect(),
            links: Links::new(edges.instructions(edge).map(|(_, insn, _)| insn)),
            transfer,
        }
    }
}

/// The transfer of a taken branch.
fn transfer_by(code: &CodeBlock, index: u8, id: Id) -> Transfer {
    let opcode = code.opcode(index);
    match id {
        Id::bsr | Id::bsrf_rm | Id::jsr_at_rm => Transfer::Call(code.address(index)),
        Id::rts => Transfer::Return,
        Id::rte => Transfer::Resume,
        Id::bt | Id::bf | Id::bt_s | Id::bf_s if opcode & 0x80 != 0 => Transfer::Backward,
        Id::bra if opcode & 0x800 != 0 => Transfer::Backward,
        _ => Transfer::None,
    }
}

/// The slots of an instruction, including the slots lost before it.
fn slots_of(issue: &Issue) -> u64 {
    1 + u64::from(issue.unpaired) + u64::from(issue.lost)
}

/// The site of an instruction.
fn site<'a>(sites: &'a mut Sites, code: &CodeBlock, index: u8, parameters: &Parameters) -> &'a mut Site {
    let op = code.op(index);
    let opcode = code.opcode(index);
    let make = || Insn::new(op.skips().unwrap_or(op.id), op.n, op.m, opcode, parameters);
    let index = sites.index(code.address(index), opcode, make);
    let site = &mut sites.all[index];
    if site.opcode != opcode {
        (site.opcode, site.insn) = (opcode, make());
    }
    site
}
