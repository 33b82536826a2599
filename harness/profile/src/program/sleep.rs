//! Finds the reason for each wait in SLEEP.
//!
//! An interrupt ends SLEEP. If it is not the awaited one, most programs sleep again; timer ticks cause this a
//! hundred times per second. Periods of SLEEP with little work between them therefore form one wait, for the
//! interrupt that ended the last period.

use super::activity::{Activity, ISTNRM};

/// Cycles of the program's own code, outside handlers, that separate two waits: 10 us.
const WORK: u64 = 2000;

/// Maximum number of frames in a wait; a longer wait is split.
const FRAMES: usize = 1024;

/// State of the current wait.
#[derive(Clone, Debug, Default)]
pub(super) struct Sleep {
    /// Cycles by frame.
    periods: Vec<(usize, u64)>,
    /// Activity identified by the last interrupt.
    cause: Option<Activity>,
    /// Activity of the previous wait.
    last: Option<Activity>,
    /// Set after an interrupt by Holly: reading its event register will show the cause.
    asked: bool,
    /// Cycles of the program's own code since the last period.
    work: u64,
    /// Bits of the event register that the program has read but not acknowledged.
    seen: u32,
    /// Masks of the three interrupt levels, if known.
    masks: Option<[u32; 3]>,
}

impl Sleep {
    /// Sets the masks of the event register. Bits outside of the masks do not end SLEEP.
    pub(super) fn set_masks(&mut self, masks: [u32; 3]) {
        self.masks = Some(masks);
    }

    /// Handles a write to the mask of a level from 0 to 2.
    pub(super) fn set_mask(&mut self, level: usize, bits: u32) {
        if let Some(mask) = self.masks.as_mut().and_then(|masks| masks.get_mut(level)) {
            *mask = bits;
        }
    }

    fn enabled(&self) -> u32 {
        self.masks.map_or(!0, |masks| masks[0] | masks[1] | masks[2])
    }

    /// First frame with unattributed time in SLEEP.
    pub(super) fn first_frame(&self) -> Option<usize> {
        self.periods.first().map(|(frame, _)| *frame)
    }

    /// Returns whether the wait has the maximum number of frames and must be split.
    pub(super) fn is_long(&self) -> bool {
        self.periods.len() >= FRAMES
    }

    /// Adds cycles of SLEEP in `frame`.
    pub(super) fn sleep(&mut self, frame: usize, cycles: u64) {
        self.work = 0;
        match self.periods.last_mut() {
            Some((last, sum)) if *last == frame => *sum += cycles,
            _ => self.periods.push((frame, cycles)),
        }
    }

    /// Handles the entry of an interrupt.
    pub(super) fn interrupt(&mut self, code: u32) {
        if !self.periods.is_empty() {
            let cause = Activity::of_interrupt(code);
            self.asked = cause.is_none();
            self.cause = cause.or(self.cause);
        }
    }

    /// Handles a read of the event register.
    pub(super) fn read_events(&mut self, bits: u32) {
        let new = bits & !self.seen;
        self.seen = bits;
        if std::mem::take(&mut self.asked) {
            let all = [new & self.enabled(), new, bits];
            let known = all.into_iter().find(|bits| *bits != 0);
            self.cause = Some(Activity::of_event_bits(ISTNRM, known.unwrap_or(0)));
        }
    }

    /// Handles an acknowledgement of events.
    pub(super) fn acknowledge(&mut self, bits: u32) {
        self.seen &= !bits;
    }

    /// Adds `cycles` of the program's own code, outside handlers. Returns whether they end a wait.
    #[inline]
    pub(super) fn work(&mut self, cycles: u64) -> bool {
        if self.periods.is_empty() {
            return false;
        }
        self.work += cycles;
        self.work > WORK
    }

    /// Ends the wait. Returns its activity, and its periods by frame.
    pub(super) fn end(&mut self) -> (Activity, Vec<(usize, u64)>) {
        let cause = self.cause.take().unwrap_or(Activity::Idle);
        self.asked = false;
        self.last = Some(cause);
        (cause, std::mem::take(&mut self.periods))
    }

    /// Ends a wait at the end of the measurement. The interrupt that would have ended it is unknown, so the
    /// wait gets the activity of the previous one.
    pub(super) fn cut(&mut self) -> (Activity, Vec<(usize, u64)>) {
        self.cause = self.last.or(self.cause);
        self.end()
    }
}

#[cfg(test)]
mod tests {
    use super::{Activity, Sleep};

    /// A timer tick occurs inside the wait for vertical blank (bit 3).
    #[test]
    fn the_last_interrupt_names_the_wait() {
        let mut sleep = Sleep::default();
        sleep.sleep(0, 100);
        sleep.interrupt(0x400);
        assert!(!sleep.work(500));
        sleep.sleep(0, 50);
        sleep.sleep(1, 25);
        sleep.interrupt(0x320);
        sleep.read_events(1 << 3);
        assert!(sleep.work(2001));
        assert_eq!(sleep.end(), (Activity::VerticalBlank, vec![(0, 150), (1, 25)]));
        sleep.sleep(2, 9);
        sleep.interrupt(0x400);
        assert_eq!(sleep.end(), (Activity::Idle, vec![(2, 9)]));
    }

    /// The measurement ends between a timer tick and vertical blank.
    #[test]
    fn a_wait_that_is_cut_short_is_named_like_the_one_before() {
        let mut sleep = Sleep::default();
        sleep.sleep(0, 100);
        sleep.interrupt(0x320);
        sleep.read_events(1 << 3);
        assert_eq!(sleep.end(), (Activity::VerticalBlank, vec![(0, 100)]));
        sleep.sleep(1, 60);
        sleep.interrupt(0x400);
        sleep.sleep(1, 30);
        assert_eq!(sleep.cut(), (Activity::VerticalBlank, vec![(1, 90)]));
    }

    /// Bit 2 was set before, so it is not new.
    #[test]
    fn only_new_events_end_a_wait() {
        let mut sleep = Sleep::default();
        sleep.read_events(1 << 2);
        sleep.sleep(0, 10);
        sleep.interrupt(0x320);
        sleep.read_events(1 << 2 | 1 << 12);
        assert_eq!(sleep.end().0, Activity::Maple);
        sleep.acknowledge(1 << 2);
        sleep.sleep(0, 10);
        sleep.interrupt(0x320);
        sleep.read_events(1 << 2);
        assert_eq!(sleep.end().0, Activity::Pvr);
    }

    /// The end of a render (bit 0) is pending too, but not enabled.
    #[test]
    fn only_enabled_events_end_a_wait() {
        let mut sleep = Sleep::default();
        sleep.set_masks([0, 0, 1 << 2]);
        sleep.set_mask(1, 1 << 3);
        sleep.sleep(0, 10);
        sleep.interrupt(0x320);
        sleep.read_events(1 << 0 | 1 << 3);
        assert_eq!(sleep.end().0, Activity::VerticalBlank);
    }
}
