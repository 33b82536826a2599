//! Runs the console with an observer or another clock, and records events during a run.

use crate::config::{Config, Ended, Until};
use crate::pacing::{FastClock, ModelClock, ObservedModel, RunClock};
use crate::recording::TextTimes;
use crate::run::Dreamcast;
use crate::scheduler::Delivered;
use sh4::Observer;
use timing::memory::CacheSettings;
use timing::{ConsoleClock, Counter, Setup};

impl Dreamcast {
    /// Runs, and reports every executed instruction to `observer`.
    pub fn run_observed<O: Observer>(&mut self, until: Until, observer: &mut O) -> Ended {
        match self.model.take() {
            None => self.run_by(until, &mut FastClock(sh4::enabled(observer))),
            Some(mut model) => {
                let ended = self.run_clocked(
                    until,
                    &mut ObservedModel {
                        model: &mut *model,
                        observer,
                    },
                );
                self.model = Some(model);
                ended
            }
        }
    }

    fn run_by(&mut self, until: Until, clock: &mut impl RunClock) -> Ended {
        // The clock determines when `settle_sound` schedules the sound block.
        clock.start(&mut self.system, self.cpu.retired());
        if !clock.is_cut() {
            self.system.settle_sound();
        }
        let ended = self.run_to_end(until, clock);
        if !clock.is_cut() {
            self.system.settle_sound();
        }
        ended
    }

    /// Runs with `model` as the clock, instead of the console's own.
    pub fn run_clocked<C: ConsoleClock>(&mut self, until: Until, model: &mut C) -> Ended {
        let (mut pace, parameters) = (self.pace, self.parameters);
        let ended = self.run_by(until, &mut ModelClock::new(model, &mut pace, &parameters));
        self.pace = pace;
        ended
    }

    /// Returns a cycle model with empty caches. Caches and store queues are configured as the program has
    /// configured them.
    #[must_use]
    pub fn cold_model(&self) -> Counter {
        const QACR: [u32; 2] = [0xFF00_0038, 0xFF00_003C];
        let ccr = self.written_ccr().unwrap_or(Config::default().ccr);
        Counter::new(Setup {
            parameters: self.parameters,
            caches: CacheSettings::from_ccr(ccr),
            qacr: QACR.map(|register| self.inspect(register).unwrap_or(0)),
            ..Setup::default()
        })
    }

    /// Removes and returns the console's cycle model, so that another model can take over its cache state.
    /// The console then uses the fast clock.
    pub fn take_model(&mut self) -> Option<Box<Counter>> {
        self.system.now = self.now();
        self.pace.forget_step();
        self.model.take()
    }

    /// Returns the masks of Holly's normal events for the interrupt levels 2, 4 and 6.
    #[must_use]
    pub fn event_masks(&self) -> [u32; 3] {
        [0x10, 0x20, 0x30].map(|offset| self.system.events.read(offset))
    }

    /// Records device events and the times of console text from now on.
    pub fn start_recording(&mut self) {
        self.system.scheduler.log = Some(Vec::new());
        self.system.settle_sound();
        self.record = Some(TextTimes::default());
    }

    /// Returns the device events, and the lengths and times of console text, recorded since the last call.
    /// Call it together with [`Dreamcast::take_console`].
    pub fn take_recording(&mut self) -> (Vec<Delivered>, TextTimes) {
        let events = self.system.scheduler.log.as_mut().map(std::mem::take);
        let texts = self.record.as_mut().map(std::mem::take);
        (events.unwrap_or_default(), texts.unwrap_or_default())
    }
}
