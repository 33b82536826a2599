//! Profiles of whole programs on a console.
//!
//! A [`ProgramProfiler`] is the console's clock while it measures. It attributes each cycle to a function, to
//! an [`Activity`] and to a frame. The sums over all functions, activities or frames each equal the clock.

mod activity;
mod data;
mod frames;
mod functions;
mod sleep;
mod waits;

pub use activity::{Activities, Activity};
pub use data::{DataCosts, DataOwner, UNKNOWN_OWNER};
pub use frames::{Frame, FunctionCycles};
pub use functions::{CodeKind, Functions};

use crate::attribution::Attribution;
use crate::profile::Profile;
use crate::spans::{Mark, MarkKind, SpanLog};
use activity::ISTNRM;
use data::DataOwners;
use frames::Frames;
use functions::direct;
use sh4::{Direction, Observer, Retired, RetiredBlock, Taken};
use sleep::Sleep;
use std::collections::BTreeMap;
use timing::events::{ELAPSED, EventCounts};
use timing::{BlockTimer, Cause, ConsoleClock, Counter, Idle, IdleTime, Setup, operation};
use waits::{AttributedCycles, Waits};

/// Register for a program's marks: BDRB of the user break controller. It holds comparison data for break
/// channel B. It has no effect unless a program enables the comparison (SH7750 manual, section 20).
pub const MARK_REGISTER: u32 = 0xFF20_0018;
const MARK: u32 = MARK_REGISTER & 0x1FFF_FFFF;
/// Address of TA_LIST_INIT.
const LIST_INIT: u32 = 0x005F_8144;
/// Masks of Holly's event register for the interrupt levels 2, 4 and 6.
const MASK_2: u32 = 0x005F_6910;
const MASK_4: u32 = 0x005F_6920;
const MASK_6: u32 = 0x005F_6930;

/// A call that has not returned when a measurement begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenCall {
    /// An address inside the function.
    pub inside: u32,
    /// Return address: the address after the call and its delay slot.
    pub returns_to: u32,
}

/// Attributes the time of a program on a console.
#[derive(Debug)]
pub struct ProgramProfiler {
    setup: Setup,
    timer: BlockTimer,
    attribution: Attribution,
    functions: Functions,
    frames: Frames,
    waits: Waits,
    sleep: Sleep,
    data: DataOwners,
    /// Counts of the previous counter; PMCTR continues from them.
    before: (u64, EventCounts),
    /// Difference between the console's time and the counted cycles.
    offset: u64,
}

/// Result of a measurement.
#[derive(Debug)]
pub struct ProgramProfile {
    /// The costs of instructions.
    pub profile: Profile,
    /// Time without instructions.
    pub idle: IdleTime,
    /// Frames that were not taken from the profiler.
    pub frames: Vec<Frame>,
    /// All cycles by activity.
    pub activities: Activities,
    /// Functions by number.
    pub functions: Functions,
    /// Maximum cycles per frame of each function, by number, without callees.
    pub most: Vec<u64>,
    /// Misses and stalls of data by owner; empty unless objects were set.
    pub data: Vec<DataOwner>,
}

impl ProgramProfile {
    /// All cycles of the clock.
    #[must_use]
    pub fn cycles(&self) -> u64 {
        self.profile.cycles().0 + self.idle.all()
    }
}

impl ProgramProfiler {
    /// Continues from a counter, and keeps its caches, bus and pipeline. `now` is the console's time, `frame`
    /// the current frame.
    #[must_use]
    pub fn new(mut counter: Counter, functions: Functions, now: u64, frame: u64) -> ProgramProfiler {
        let before = (counter.count(ELAPSED).unwrap_or(0), counter.events());
        let setup = counter.setup().clone();
        let timer = counter.into_timer().recount();
        let mut attribution = Attribution::new(&setup.parameters);
        // The counter can stop after the first slot of a cycle. That slot counts as lost, because the profile
        // has no instruction for it.
        attribution.ledger.lose(Cause::End, timer.slots() & 1, 0);
        ProgramProfiler {
            attribution,
            functions,
            frames: Frames::new(frame, now),
            waits: Waits::default(),
            sleep: Sleep::default(),
            data: DataOwners::default(),
            before,
            offset: now,
            timer,
            setup,
        }
    }

    /// Sets the current masks of Holly's normal events for the levels 2, 4 and 6. They determine which event
    /// ended SLEEP.
    pub fn set_event_masks(&mut self, masks: [u32; 3]) {
        self.sleep.set_masks(masks);
    }

    /// Begins the call tree with the open `calls`, outermost first. `outermost` is an address in the
    /// outermost caller. If this function is not used, functions that were entered before the measurement
    /// have no callers.
    pub fn begin_inside(&mut self, outermost: u32, calls: &[OpenCall]) {
        let functions = &mut self.functions;
        let mut entry = |inside: u32| {
            let number = functions.number(inside);
            inside.wrapping_sub(direct(inside).wrapping_sub(functions.start(number)))
        };
        let outermost = entry(outermost);
        let calls = calls.iter().map(|call| (entry(call.inside), call.returns_to));
        self.attribution.calls.begin_inside(outermost, calls);
    }

    /// From now on, attributes data misses and stalls to `objects` (start, end and name), or to the kind of
    /// memory outside them. `end` is the end of the program in memory.
    pub fn set_objects(&mut self, objects: BTreeMap<u32, (u32, String)>, end: u32) {
        self.data = DataOwners::new(objects, end);
        self.attribution.operand_stalls = Some(Vec::new());
    }

    /// Records marks, and spans of calls and interrupts. Calls shorter than `shortest` cycles are omitted.
    pub fn record_spans(&mut self, shortest: u64) {
        self.attribution.calls.log = Some(SpanLog::new(shortest));
    }

    /// Returns the spans that have ended since the last call of this function.
    pub fn take_spans(&mut self) -> SpanLog {
        match &mut self.attribution.calls.log {
            Some(log) => log.take(),
            None => SpanLog::default(),
        }
    }

    /// Ends all calls and returns their spans, at the end of the run.
    pub fn end_spans(&mut self) -> SpanLog {
        self.tick();
        self.attribution.end_calls();
        self.take_spans()
    }

    /// Functions by number.
    #[must_use]
    pub fn functions(&self) -> &Functions {
        &self.functions
    }

    /// Begins a new frame, at a vertical blank.
    pub fn next_frame(&mut self, frame: u64) {
        self.settle();
        let now = self.now();
        self.frames.next(frame, now);
        self.waits.next_frame(self.frames.present());
        if self.sleep.is_long() {
            let (activity, periods) = self.sleep.cut();
            self.add_periods(activity, periods);
        }
    }

    /// Removes the frames with fully attributed time: all previous frames, except frames of a wait with an
    /// unknown end (SLEEP, or a poll of the event registers). Calling this regularly limits the memory use of
    /// a long measurement.
    pub fn take_frames(&mut self) -> Vec<Frame> {
        let present = self.frames.present();
        let unsettled = [self.sleep.first_frame(), self.waits.first_frame()];
        let end = unsettled.into_iter().flatten().fold(present, usize::min);
        self.frames.take_before(end)
    }

    /// Time of the console.
    fn now(&self) -> u64 {
        self.offset + self.cycles()
    }

    /// Ends the measurement.
    #[must_use]
    pub fn finish(mut self) -> ProgramProfile {
        let base = self.base();
        let frames = &mut self.frames;
        self.waits.finish(base, &mut |settled| add(frames, settled));
        let (activity, periods) = self.sleep.cut();
        self.add_periods(activity, periods);
        let now = self.now();
        self.tick();
        let mut attribution = self.attribution;
        attribution.close(&self.timer);
        attribution.reorder();
        let memory = self.timer.memory().stats();
        let mut events = EventCounts::new(
            &attribution.ledger,
            &attribution.counts,
            &memory,
            &self.setup.parameters,
        );
        // Except during SLEEP, the counters also count cycles without instructions.
        events.add(ELAPSED, self.timer.idle().awake());
        let profile = Profile {
            events,
            ledger: attribution.ledger,
            counts: attribution.counts,
            memory,
            sites: attribution.sites.all,
            calls: attribution.calls,
            steps: attribution.recent_blocks.steps,
            chain: None,
            interval: None,
            entered: 1,
            changed_code: self.timer.changed_code(),
            last_pc: self.timer.last_pc(),
            setup: self.setup,
        };
        let finished = self.frames.finish(now);
        ProgramProfile {
            profile,
            idle: *self.timer.idle(),
            frames: finished.frames,
            activities: finished.activities,
            functions: self.functions,
            most: finished.most,
            data: self.data.finish(),
        }
    }

    /// Returns the activity of code that is not known to wait.
    fn base(&self) -> Activity {
        match self.attribution.calls.in_interrupt() {
            true => Activity::Interrupt,
            false => Activity::User,
        }
    }

    fn settle(&mut self) {
        let base = self.base();
        let frames = &mut self.frames;
        self.waits.settle(base, &mut |settled| add(frames, settled));
    }

    /// Ends a wait in SLEEP.
    #[cold]
    fn wake(&mut self) {
        let (activity, periods) = self.sleep.end();
        self.add_periods(activity, periods);
    }

    fn add_periods(&mut self, activity: Activity, periods: Vec<(usize, u64)>) {
        for (frame, cycles) in periods {
            self.frames.add_to(frame, activity, cycles);
        }
    }

    /// Sets the time of the span log.
    #[inline]
    fn tick(&mut self) {
        let now = self.now();
        if let Some(log) = &mut self.attribution.calls.log {
            log.now = now;
        }
    }

    /// Handles accesses that affect more than the cost: event registers, masks and marks.
    #[inline]
    fn notice(&mut self, block: &RetiredBlock<'_>) {
        for access in block.accesses {
            let stores = access.direction == Direction::Write;
            match access.address & 0x1FFF_FFFF {
                MARK if stores && access.address == MARK_REGISTER => {
                    self.mark(MarkKind::Program(access.value as u32));
                }
                MASK_2 | MASK_4 | MASK_6 if stores => {
                    let level = (access.address >> 4 & 3).saturating_sub(1);
                    self.sleep.set_mask(level as usize, access.value as u32);
                }
                LIST_INIT if stores => self.mark(MarkKind::ListInit),
                ISTNRM if stores => self.sleep.acknowledge(access.value as u32),
                ISTNRM => self.sleep.read_events(access.value as u32),
                _ => {}
            }
        }
    }

    #[cold]
    fn mark(&mut self, kind: MarkKind) {
        let time = self.now();
        if let Some(log) = &mut self.attribution.calls.log {
            log.marks.push(Mark { time, kind });
        }
    }
}

fn add(frames: &mut Frames, (frame, activity, cycles): AttributedCycles) {
    let frame = frame.unwrap_or_else(|| frames.present());
    frames.add_to(frame, activity, cycles);
}

impl Observer for ProgramProfiler {
    fn counts(&self) -> bool {
        true
    }

    fn retire(&mut self, event: &Retired<'_>) {
        self.ran(&RetiredBlock::single(event, &operation(event)));
    }

    fn ran(&mut self, block: &RetiredBlock<'_>) {
        self.timer.make_room(&mut self.attribution);
        self.tick();
        let (now, slots) = (self.timer.now(), self.timer.slots());
        self.attribution.arrive(block, true);
        let (misses, instructions) = (self.attribution.misses(), self.attribution.instructions());
        let edge = self.timer.execute(block, &mut self.attribution);
        if let Some(stalls) = &mut self.attribution.operand_stalls
            && !stalls.is_empty()
        {
            self.data.spend(block, stalls);
            stalls.clear();
        }
        self.attribution.execute(edge, &self.timer, now, slots);
        let spent = self.timer.slots() / 2 - slots / 2;
        let first = block.start.wrapping_add(2 * block.ran.start as u32);
        let after = self.attribution.misses();
        self.frames.spend(
            self.functions.number(first),
            spent,
            [
                self.attribution.instructions() - instructions,
                after.0 - misses.0,
                after.1 - misses.1,
            ],
        );
        let base = self.base();
        let frames = &mut self.frames;
        self.waits
            .block(block, spent, instructions, base, &mut |settled| {
                add(frames, settled)
            });
        if base == Activity::User && self.sleep.work(spent) {
            self.wake();
        }
        self.notice(block);
    }

    fn taken(&mut self, taken: &Taken) {
        self.settle();
        self.tick();
        self.attribution.interrupt(taken);
        if taken.event.is_interrupt() {
            self.attribution.counts.interrupts += 1;
            self.sleep.interrupt(taken.event.code());
        }
    }

    fn count(&mut self, event: u8) -> Option<u64> {
        if event == ELAPSED {
            return Some(self.before.0 + self.timer.slots() / 2 + self.timer.idle().awake());
        }
        let (mut ledger, mut counts) = (self.attribution.ledger, self.attribution.counts);
        self.timer.add_to(&mut ledger, &mut counts);
        let memory = self.timer.memory().stats();
        let now = EventCounts::new(&ledger, &counts, &memory, &self.setup.parameters).get(event)?;
        Some(self.before.1.get(event)? + now)
    }
}

impl ConsoleClock for ProgramProfiler {
    fn cycles(&self) -> u64 {
        self.timer.slots() / 2 + self.timer.idle().all()
    }

    fn frozen(&self) -> u64 {
        self.timer.frozen()
    }

    fn pass(&mut self, idle: Idle, cycles: u64) {
        if cycles == 0 {
            return;
        }
        self.timer.pass(idle, cycles);
        self.frames.pass(cycles);
        match idle {
            Idle::Sleep => self.sleep.sleep(self.frames.present(), cycles),
            Idle::Entry => self.frames.add(Activity::Entry, cycles),
            Idle::Firmware => self.frames.add(Activity::Firmware, cycles),
            Idle::Bus => self.frames.add(Activity::Bus, cycles),
        }
    }
}
