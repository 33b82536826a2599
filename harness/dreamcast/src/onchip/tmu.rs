//! The timer unit (SH7750 manual, section 12): three 32-bit counters that count down from Pck.
//!
//! Counters are not updated at each tick: the value is computed from the time of the last change.

use crate::scheduler::{Event, Scheduler};
use crate::settings::TmuPhase;
use crate::time::Cycles;

/// Address of the first register.
const BASE: u32 = 0xFFD8_0000;
/// SH4 cycles of one Pck cycle.
const PERIPHERAL: u64 = 4;
/// TCR bits.
const UNF: u16 = 1 << 8;
const UNIE: u16 = 1 << 5;
/// UNF and ICPF: programs cannot set them.
const FLAGS: u16 = UNF | 1 << 9;
const EVENTS: [Event; 3] = [Event::Timer0, Event::Timer1, Event::Timer2];

#[derive(Clone, Copy, Debug)]
struct Channel {
    tcor: u32,
    /// The counter's value at `since`.
    tcnt: u32,
    tcr: u16,
    running: bool,
    /// Time at which `tcnt` was valid: a tick of the prescaler.
    since: Cycles,
}

state::fields!(Channel {
    tcor,
    tcnt,
    tcr,
    running,
    since
});

impl Channel {
    /// Cycles per tick; `None` for clock sources that do not exist on the console (TCR.TPSC 5 to 7).
    fn period(&self) -> Option<u64> {
        match self.tcr & 7 {
            shift @ 0..=4 => Some(PERIPHERAL << (2 + 2 * shift)),
            _ => None,
        }
    }

    fn count(&self, now: Cycles) -> u32 {
        match self.period() {
            Some(period) if self.running => self.tcnt.wrapping_sub((now.since(self.since) / period) as u32),
            _ => self.tcnt,
        }
    }

    /// Returns the time at which the counter passes 0.
    fn underflow(&self) -> Cycles {
        match self.period() {
            Some(period) if self.running => self.since + (u64::from(self.tcnt) + 1) * period,
            _ => Cycles::NEVER,
        }
    }

    /// Updates the counter to `now`. The prescaler's phase does not change.
    fn catch_up(&mut self, now: Cycles) {
        self.tcnt = self.count(now);
        self.since = match self.period() {
            Some(period) if self.running => Cycles(now.0 - now.since(self.since) % period),
            _ => now,
        };
    }
}

/// The three channels.
#[derive(Clone, Debug)]
pub struct Tmu {
    tocr: u8,
    channels: [Channel; 3],
    phase: TmuPhase,
}

state::fields!(Tmu { tocr, channels } keep { phase });

impl Tmu {
    /// Creates the timers in their state after reset: all counters hold FFFFFFFF and are stopped.
    #[must_use]
    pub fn new(phase: TmuPhase) -> Self {
        let channel = Channel {
            tcor: u32::MAX,
            tcnt: u32::MAX,
            tcr: 0,
            running: false,
            since: Cycles(0),
        };
        Self {
            tocr: 0,
            channels: [channel; 3],
            phase,
        }
    }

    /// Returns true if channel `n` requests its interrupt: UNF and UNIE are set.
    #[must_use]
    pub fn requests(&self, n: usize) -> bool {
        self.channels[n].tcr & (UNF | UNIE) == UNF | UNIE
    }

    /// Handles the underflow of channel `n`: the counter is reloaded from TCOR, and UNF is set in the same
    /// tick.
    pub fn underflow(&mut self, n: usize, time: Cycles, scheduler: &mut Scheduler) {
        let channel = &mut self.channels[n];
        channel.tcnt = channel.tcor;
        channel.since = time;
        channel.tcr |= UNF;
        scheduler.set(EVENTS[n], channel.underflow());
    }

    /// Reads a register by its offset from FFD80000.
    #[must_use]
    pub fn read(&self, offset: u32, now: Cycles) -> u32 {
        match (offset, place(offset)) {
            (0, _) => self.tocr.into(),
            (4, _) => (0..3).map(|n| u32::from(self.channels[n].running) << n).sum(),
            (_, Some((n, 0))) => self.channels[n].tcor,
            (_, Some((n, 4))) => self.channels[n].count(now),
            (_, Some((n, _))) => self.channels[n].tcr.into(),
            _ => 0,
        }
    }

    /// Returns the time of the next tick, and the cycles between ticks, if `address` is a running counter's.
    #[must_use]
    pub fn next_tick(&self, address: u32, now: Cycles) -> Option<(Cycles, u64)> {
        let (n, 4) = place(address.checked_sub(BASE)?)? else {
            return None;
        };
        let channel = &self.channels[n];
        let period = channel.period().filter(|_| channel.running)?;
        Some((now + (period - now.since(channel.since) % period), period))
    }

    /// Writes a register by its offset.
    pub fn write(&mut self, offset: u32, value: u32, now: Cycles, scheduler: &mut Scheduler) {
        match (offset, place(offset)) {
            (0, _) => self.tocr = value as u8 & 1,
            (4, _) => (0..3).for_each(|n| self.start(n, value >> n & 1 != 0, now)),
            (_, Some((n, 0))) => self.channels[n].tcor = value,
            (_, Some((n, 4))) => {
                self.channels[n].catch_up(now);
                self.channels[n].tcnt = value;
            }
            (_, Some((n, _))) => self.control(n, value as u16, now),
            _ => {}
        }
        for (channel, event) in self.channels.iter().zip(EVENTS) {
            scheduler.set(event, channel.underflow());
        }
    }

    fn start(&mut self, n: usize, running: bool, now: Cycles) {
        let phase = self.phase;
        let channel = &mut self.channels[n];
        if channel.running == running {
            return;
        }
        channel.catch_up(now);
        channel.running = running;
        if let (TmuPhase::FreeRunning, Some(period)) = (phase, channel.period()) {
            channel.since = Cycles(now.0 - now.0 % period);
        }
    }

    /// Writes TCR. Writing 0 to UNF or, in channel 2, ICPF clears the flag; writing 1 has no effect.
    fn control(&mut self, n: usize, value: u16, now: Cycles) {
        let channel = &mut self.channels[n];
        channel.catch_up(now);
        let mask = if n == 2 { 0x03FF } else { 0x013F };
        channel.tcr = value & mask & !FLAGS | channel.tcr & value & FLAGS;
    }
}

/// Returns the channel and register (0 TCOR, 4 TCNT, 8 TCR) at an offset.
fn place(offset: u32) -> Option<(usize, u32)> {
    let offset = offset.checked_sub(8).filter(|offset| *offset < 36)?;
    Some(((offset / 12) as usize, offset % 12))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn running(tcor: u32, tcr: u32) -> (Tmu, Scheduler) {
        let (mut tmu, mut scheduler) = (Tmu::new(TmuPhase::Restart), Scheduler::default());
        tmu.write(0x08, tcor, Cycles(0), &mut scheduler);
        tmu.write(0x0C, tcor, Cycles(0), &mut scheduler);
        tmu.write(0x10, tcr, Cycles(0), &mut scheduler);
        tmu.write(0x04, 1, Cycles(1000), &mut scheduler);
        (tmu, scheduler)
    }

    #[test]
    fn counts_down_every_16_cycles_at_a_quarter_of_pck() {
        let (tmu, _) = running(100, 0);
        assert_eq!(tmu.read(0x0C, Cycles(1015)), 100);
        assert_eq!(tmu.read(0x0C, Cycles(1016)), 99);
        assert_eq!(tmu.read(0x0C, Cycles(1000 + 1600)), 0);
    }

    #[test]
    fn reload_and_underflow_flag_come_in_one_tick() {
        // KallistiOS's scheduler tick: 1E70F at Pck/4 is 124,688 ticks of 16 cycles, 10.000 ms.
        let (mut tmu, mut scheduler) = running(0x1E70F, 0x20);
        let due = scheduler.due(Event::Timer0).expect("running");
        assert_eq!(due, Cycles(1000 + 124_688 * 16));
        scheduler.pop(due);
        tmu.underflow(0, due, &mut scheduler);
        assert_eq!(tmu.read(0x0C, due), 0x1E70F);
        assert_eq!(tmu.read(0x10, due), 0x120);
        assert!(tmu.requests(0));
        assert_eq!(scheduler.due(Event::Timer0), Some(due + 124_688 * 16));
        // Writing 1 keeps the flag, 0 clears it.
        tmu.write(0x10, 0x120, due, &mut scheduler);
        assert!(tmu.requests(0));
        tmu.write(0x10, 0x20, due, &mut scheduler);
        assert!(!tmu.requests(0));
    }

    #[test]
    fn stopping_freezes_the_counter_and_tcor_waits_for_the_reload() {
        let (mut tmu, mut scheduler) = running(1000, 0);
        tmu.write(0x08, 7, Cycles(1160), &mut scheduler);
        assert_eq!(tmu.read(0x0C, Cycles(1160)), 990);
        tmu.write(0x04, 0, Cycles(1160), &mut scheduler);
        assert_eq!(tmu.read(0x0C, Cycles(9999)), 990);
        assert_eq!(scheduler.due(Event::Timer0), None);
    }

    #[test]
    fn write_masks_and_reset_values() {
        let (mut tmu, mut scheduler) = (Tmu::new(TmuPhase::Restart), Scheduler::default());
        assert_eq!(tmu.read(0x24, Cycles(0)), u32::MAX);
        tmu.write(0x10, 0xFFFF, Cycles(0), &mut scheduler);
        tmu.write(0x28, 0xFFFF, Cycles(0), &mut scheduler);
        assert_eq!(tmu.read(0x10, Cycles(0)), 0x003F);
        assert_eq!(tmu.read(0x28, Cycles(0)), 0x00FF);
    }
}
