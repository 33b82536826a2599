//! The books of the explaining mode: costs by instruction, calls, the last steps.

use crate::calls::Calls;
use crate::cause::Cause;
use crate::chain::{Chain, Links};
use crate::code::{Code, Codes};
use crate::counts::Counts;
use crate::flow::{Books, Flow};
use crate::insn::Insn;
use crate::ledger::Ledger;
use crate::memory::Stall;
use crate::outcome::Outcomes;
use crate::parameters::Parameters;
use crate::pipeline::Issue;
use crate::site::{Costs, Site, Sites};
use crate::trail::Trail;
use sh4::Stretch;
use sh4::table::{Id, TABLE, flag};

/// What a control transfer, the instruction before or the one before its slot, means for the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Transfer {
    None,
    Backward,
    Call(u32),
    Return,
}

/// What an edge means to the books, in short.
#[derive(Clone, Debug)]
struct Way {
    instructions: u32,
    taken: u32,
    /// Slots lost, by cause.
    lost: Box<[(Cause, u32)]>,
    links: Links,
    /// The last transfer in it, and whether its delay slot comes only behind.
    transfer: Option<(Transfer, bool)>,
}

/// See the module's head. The costs of edges that are still known are not in it.
#[derive(Clone, Debug)]
pub(crate) struct Explained {
    parameters: Parameters,
    pub(crate) sites: Sites,
    pub(crate) ledger: Ledger,
    pub(crate) counts: Counts,
    /// Everything up to now.
    so_far: Costs,
    pub(crate) calls: Calls,
    pub(crate) chain: Chain,
    pub(crate) trail: Trail,
    /// By edge.
    ways: Vec<Way>,
    transfer: Transfer,
    /// Whether a delay slot stands between that and its target.
    in_slot_next: bool,
    /// The last instruction that was measured.
    last: Option<u32>,
}

impl Books for Explained {
    fn memory(&mut self, code: &Code, index: u8, stall: &Stall, misses: (u64, u64)) {
        let site = site(&mut self.sites, code, index, &self.parameters);
        for costs in [&mut site.costs, &mut self.so_far] {
            costs.misses += misses.0;
            costs.instruction_misses += misses.1;
        }
        if stall.cycles > 0 {
            site.costs.cycles += stall.cycles;
            for (cause, cycles) in stall.parts() {
                self.ledger.freeze(cause, cycles);
                site.costs.lost[cause as usize] += 2 * cycles;
                self.so_far.lost[cause as usize] += 2 * cycles;
            }
            self.trail.stall(index, stall);
        }
    }

    fn fold(&mut self, codes: &Codes, outcomes: &Outcomes) {
        outcomes.add_to(codes, &mut self.ledger, &mut self.counts);
        for (edge, way) in outcomes.edges.iter().enumerate() {
            for odd in 0..2 {
                if way.times[odd] > 0 {
                    self.expand(codes, outcomes, edge, odd as u64, way.times[odd]);
                }
            }
        }
        self.trail.tell(codes, outcomes, &self.sites);
        self.ways.clear();
    }
}

impl Explained {
    pub(crate) fn new(parameters: &Parameters) -> Explained {
        Explained {
            parameters: *parameters,
            sites: Sites::new(),
            ledger: Ledger::default(),
            counts: Counts::default(),
            so_far: Costs::default(),
            calls: Calls::default(),
            chain: Chain::new(),
            trail: Trail::default(),
            ways: Vec::new(),
            transfer: Transfer::None,
            in_slot_next: false,
            last: None,
        }
    }

    /// Books an edge to its instructions, `times` over; `odd` if the slots booked before were.
    fn expand(&mut self, codes: &Codes, outcomes: &Outcomes, edge: usize, odd: u64, times: u64) {
        let code = &codes.all[outcomes.all[edge].code as usize];
        let mut slots = odd;
        for (visit, insn, issue) in outcomes.issued(edge) {
            let site = site(&mut self.sites, code, visit.index, &self.parameters);
            if site.insn.id != insn.id {
                // Under another FPSCR the same opcode is another instruction.
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

    /// Execution has come to `stretch`: what the transfer before means is known now.
    #[inline]
    pub(crate) fn arrive(&mut self, stretch: &Stretch<'_>, active: bool) {
        if self.transfer == Transfer::None {
            return;
        }
        if std::mem::take(&mut self.in_slot_next) {
            // The slot: the target comes behind it.
            return;
        }
        let first = stretch.ran.start;
        let pc = stretch.start.wrapping_add(2 * first as u32);
        match std::mem::replace(&mut self.transfer, Transfer::None) {
            Transfer::Backward if active => {
                let op = stretch.ops[first];
                let id = op.skips().unwrap_or(op.id);
                let opcode = stretch.opcodes[first];
                let make = || Insn::new(id, op.n, op.m, opcode, &self.parameters);
                let index = self.sites.index(pc, opcode, make);
                self.sites.all[index].looped += 1;
            }
            Transfer::Call(from) if active => self.calls.enter(from, pc, &self.so_far),
            Transfer::Return => self.calls.leave(pc, &self.so_far),
            Transfer::Backward | Transfer::Call(_) | Transfer::None => {}
        }
    }

    /// Books the stretch that has just passed by `edge`, from `cycle` on, when `slots` were booked before it.
    #[inline]
    pub(crate) fn book(&mut self, edge: u32, flow: &Flow, cycle: u64, slots: u64) {
        if self.ways.len() <= edge as usize {
            self.know_ways(&flow.codes, &flow.outcomes);
        }
        let way = &self.ways[edge as usize];
        if flow.clock.active {
            self.so_far.instructions += u64::from(way.instructions);
            self.so_far.taken += u64::from(way.taken);
            self.so_far.cycles = flow.clock.slots / 2;
            for (cause, lost) in &way.lost {
                self.so_far.lost[*cause as usize] += u64::from(*lost);
            }
            let first = flow.codes.all[flow.outcomes.all[edge as usize].code as usize].start;
            self.calls.spend(first, flow.clock.slots / 2 - slots / 2);
            self.chain.pass(&way.links);
            self.trail.push(edge, way.instructions, cycle);
            self.last = Some(flow.last_pc());
        }
        if let Some((transfer, in_slot_next)) = way.transfer {
            (self.transfer, self.in_slot_next) = (transfer, in_slot_next);
        }
    }

    #[cold]
    fn know_ways(&mut self, codes: &Codes, outcomes: &Outcomes) {
        for edge in self.ways.len()..outcomes.edges.len() {
            self.ways.push(Way::new(codes, outcomes, edge));
        }
    }

    /// Closes the books: what is left of the last cycle goes to the last instruction, so that parts and whole agree.
    pub(crate) fn finish(&mut self, flow: &Flow, unfilled: u64) {
        self.fold(&flow.codes, &flow.outcomes);
        self.counts.fetches += flow.fetches;
        let odd = (self.ledger.used + self.ledger.all_lost() + unfilled) % 2;
        let slots = unfilled + odd;
        self.ledger.lose(Cause::End, slots, 0);
        let mut rest = Costs {
            cycles: self.ledger.cycles().0 - flow.clock.slots / 2,
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

    /// Puts the sites in the order of their addresses.
    pub(crate) fn reorder(&mut self) {
        let mut order: Vec<usize> = (0..self.sites.all.len()).collect();
        order.sort_by_key(|index| self.sites.all[*index].pc);
        let mut place = vec![0_u32; order.len()];
        for (new, old) in order.iter().enumerate() {
            place[*old] = new as u32;
        }
        self.sites.all.sort_by_key(|site| site.pc);
        self.trail.steps.renumber(&place);
    }
}

impl Way {
    fn new(codes: &Codes, outcomes: &Outcomes, edge: usize) -> Way {
        let mut lost = [0; crate::cause::CAUSES];
        let (mut instructions, mut taken, mut transfer) = (0, 0, None);
        for (visit, insn, issue) in outcomes.issued(edge) {
            instructions += 1;
            taken += u32::from(visit.taken);
            lost[Cause::Pair as usize] += u32::from(issue.unpaired);
            lost[issue.cause as usize] += issue.lost;
            if let Some((_, in_slot_next)) = &mut transfer {
                *in_slot_next = false;
            }
            if visit.taken {
                let code = &codes.all[outcomes.all[edge].code as usize];
                transfer = Some((
                    transfer_by(code, visit.index, visit.id),
                    TABLE[insn.id as usize].has(flag::DELAYED),
                ));
            }
        }
        let lost = Cause::ALL.iter().map(|cause| (*cause, lost[*cause as usize]));
        Way {
            instructions,
            taken,
            lost: lost.filter(|(_, slots)| *slots > 0).collect(),
            links: Links::new(outcomes.issued(edge).map(|(_, insn, _)| insn)),
            transfer,
        }
    }
}

/// What a branch that is taken means for where it leads.
fn transfer_by(code: &Code, index: u8, id: Id) -> Transfer {
    let opcode = code.opcodes[usize::from(index)];
    match id {
        Id::bsr | Id::bsrf_rm | Id::jsr_at_rm => Transfer::Call(code.address(index)),
        Id::rts => Transfer::Return,
        Id::bt | Id::bf | Id::bt_s | Id::bf_s if opcode & 0x80 != 0 => Transfer::Backward,
        Id::bra if opcode & 0x800 != 0 => Transfer::Backward,
        _ => Transfer::None,
    }
}

/// Slots that an instruction took, and that were lost before it.
fn slots_of(issue: &Issue) -> u64 {
    1 + u64::from(issue.unpaired) + u64::from(issue.lost)
}

/// The site of an instruction.
fn site<'a>(sites: &'a mut Sites, code: &Code, index: u8, parameters: &Parameters) -> &'a mut Site {
    let op = code.ops[usize::from(index)];
    let opcode = code.opcodes[usize::from(index)];
    let make = || Insn::new(op.skips().unwrap_or(op.id), op.n, op.m, opcode, parameters);
    let index = sites.index(code.address(index), opcode, make);
    let site = &mut sites.all[index];
    if site.opcode != opcode {
        (site.opcode, site.insn) = (opcode, make());
    }
    site
}
