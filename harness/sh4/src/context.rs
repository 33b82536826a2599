//! The bus and the observer of a run.

use std::ops::Range;

use crate::accelerate::{Accelerator, Answer, Blocks, Offer};
use crate::block::BasicBlock;
use crate::observer::{Access, Observer, RetiredBlock};
use crate::tap::{INSTRUCTION, Tap};
use crate::{Bus, Cpu, Taken};

/// A bus for one repeated instruction, with the CPU's own registers at addresses that the inner bus leaves
/// unmapped.
pub(crate) type InstructionTap<'a> = Tap<'a, dyn Bus + 'a, INSTRUCTION>;

/// A bus with an optional observer.
pub(crate) trait ExecContext {
    /// The bus that operations access.
    type Bus: Bus;
    /// True if the run loop must call `begin` and `ran`, and `tapped` returns the accesses.
    const OBSERVED: bool;
    /// True if the run loop must call `enter` before every block.
    const ACCELERATED: bool = false;

    fn bus(&mut self) -> &mut Self::Bus;

    /// Offers blocks to an accelerator.
    #[inline(always)]
    fn enter(&mut self, _cpu: &mut Cpu, _blocks: &Blocks<'_>, _offer: Offer) -> Answer {
        Answer::Declined { skip_offers: 0 }
    }

    /// Begins a block, or continues a block after the part that was reported last.
    fn begin(&mut self);

    /// Reports executed operations of `code`; `taken` is for its branch.
    fn ran(&mut self, code: &BasicBlock, ran: Range<usize>, taken: bool);

    /// The observer's clock.
    fn elapsed(&mut self) -> Option<u64> {
        None
    }

    /// Reports an exception that was entered.
    fn taken(&mut self, taken: &Taken);

    /// The accesses since `begin`.
    fn tapped(&self) -> &[Access];

    /// Calls `run` with a bus that includes the CPU's own registers; `tapped` then returns its accesses.
    fn on_tap(&mut self, run: impl FnOnce(&mut InstructionTap<'_>));
}

/// A bus without an observer: operations reach it directly.
pub(crate) struct Unobserved<'a, B>(pub(crate) &'a mut B);

impl<B: Bus> ExecContext for Unobserved<'_, B> {
    type Bus = B;
    const OBSERVED: bool = false;

    #[inline(always)]
    fn bus(&mut self) -> &mut B {
        self.0
    }

    fn begin(&mut self) {}

    fn ran(&mut self, _code: &BasicBlock, _ran: Range<usize>, _taken: bool) {}

    fn taken(&mut self, _taken: &Taken) {}

    fn tapped(&self) -> &[Access] {
        &[]
    }

    fn on_tap(&mut self, run: impl FnOnce(&mut InstructionTap<'_>)) {
        let bus: &mut dyn Bus = self.0;
        run(&mut Tap::new(bus, None, true));
    }
}

/// A bus without an observer, and an accelerator.
pub(crate) struct Accelerated<'a, B> {
    pub(crate) unobserved: Unobserved<'a, B>,
    pub(crate) accelerator: &'a mut dyn Accelerator<B>,
}

impl<B: Bus> ExecContext for Accelerated<'_, B> {
    type Bus = B;
    const OBSERVED: bool = false;
    const ACCELERATED: bool = true;

    #[inline(always)]
    fn bus(&mut self) -> &mut B {
        self.unobserved.0
    }

    fn enter(&mut self, cpu: &mut Cpu, blocks: &Blocks<'_>, offer: Offer) -> Answer {
        self.accelerator.enter(cpu, self.unobserved.0, blocks, offer)
    }

    fn begin(&mut self) {}

    fn ran(&mut self, _code: &BasicBlock, _ran: Range<usize>, _taken: bool) {}

    fn taken(&mut self, _taken: &Taken) {}

    fn tapped(&self) -> &[Access] {
        &[]
    }

    fn on_tap(&mut self, run: impl FnOnce(&mut InstructionTap<'_>)) {
        self.unobserved.on_tap(run);
    }
}

/// A tapped bus, and an observer.
pub(crate) struct Observed<'a, B> {
    tap: Tap<'a, B>,
    observer: &'a mut dyn Observer,
}

impl<'a, B: Bus> Observed<'a, B> {
    pub(crate) fn new(bus: &'a mut B, observer: &'a mut dyn Observer) -> Self {
        // An observer that counts events must receive all executed instructions before a counter is read, so
        // the CPU leaves the block for such a read.
        let own = !observer.counts();
        Observed {
            tap: Tap::new(bus, None, own),
            observer,
        }
    }
}

impl<'a, B: Bus> ExecContext for Observed<'a, B> {
    type Bus = Tap<'a, B>;
    const OBSERVED: bool = true;

    #[inline(always)]
    fn bus(&mut self) -> &mut Self::Bus {
        &mut self.tap
    }

    #[inline(always)]
    fn begin(&mut self) {
        self.tap.clear();
    }

    #[inline(always)]
    fn ran(&mut self, code: &BasicBlock, ran: Range<usize>, taken: bool) {
        // A failed operation may have read something.
        let accesses = if ran.len() == code.ops.len() {
            self.tap.accesses()
        } else {
            code.accesses_of(ran.clone(), self.tap.accesses())
        };
        self.observer.ran(&RetiredBlock {
            ran,
            skips: self.tap.skips(),
            taken,
            accesses,
            ..code.retired()
        });
    }

    fn elapsed(&mut self) -> Option<u64> {
        self.observer.elapsed()
    }

    fn taken(&mut self, taken: &Taken) {
        self.observer.taken(taken);
    }

    fn tapped(&self) -> &[Access] {
        self.tap.accesses()
    }

    fn on_tap(&mut self, run: impl FnOnce(&mut InstructionTap<'_>)) {
        let bus: &mut dyn Bus = self.tap.bus();
        let mut tap = Tap::new(bus, Some(&mut *self.observer), true);
        run(&mut tap);
        let accesses = tap.accesses().to_vec();
        self.tap.replace(&accesses);
    }
}
