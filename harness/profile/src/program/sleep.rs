//! What SLEEP waited for.
//!
//! Interrupts end SLEEP, and most programs sleep again if it was not the awaited one: timer ticks do that a
//! hundred times a second. So periods of SLEEP with little work of the program between them are one wait, for
//! the interrupt that ended the last one.

use super::activity::{Activity, ISTNRM};

/// Cycles of the program's own code, outside handlers, that end a wait: 10 us.
const WORK: u64 = 2000;

/// Frames of a wait that are kept: a longer wait is two.
const FRAMES: usize = 1024;

/// The present wait.
#[derive(Clone, Debug, Default)]
pub(super) struct Sleep {
    /// Cycles by frame.
    periods: Vec<(usize, u64)>,
    /// The activity that the last interrupt stands for.
    cause: Option<Activity>,
    /// What the wait before this one was for.
    last: Option<Activity>,
    /// Holly has interrupted: its event register will say the cause.
    asked: bool,
    /// Cycles of the program since the last period.
    work: u64,
    /// Bits of the event register that the program has seen and not acknowledged.
    seen: u32,
    /// The masks of the three interrupt levels, where they are known.
    masks: Option<[u32; 3]>,
}

impl Sleep {
    /// The masks of the event register: other bits than these do not end SLEEP.
    pub(super) fn set_masks(&mut self, masks: [u32; 3]) {
        self.masks = Some(masks);
    }

    /// The program writes the mask of a level, 0 to 2.
    pub(super) fn set_mask(&mut self, level: usize, bits: u32) {
        if let Some(mask) = self.masks.as_mut().and_then(|masks| masks.get_mut(level)) {
            *mask = bits;
        }
    }

    fn enabled(&self) -> u32 {
        self.masks.map_or(!0, |masks| masks[0] | masks[1] | masks[2])
    }

    /// The first frame whose time in SLEEP is not attributed yet.
    pub(super) fn first_frame(&self) -> Option<usize> {
        self.periods.first().map(|(frame, _)| *frame)
    }

    /// Whether the wait has taken so many frames that it must be split.
    pub(super) fn is_long(&self) -> bool {
        self.periods.len() >= FRAMES
    }

    /// The CPU sleeps in `frame`.
    pub(super) fn sleep(&mut self, frame: usize, cycles: u64) {
        self.work = 0;
        match self.periods.last_mut() {
            Some((last, sum)) if *last == frame => *sum += cycles,
            _ => self.periods.push((frame, cycles)),
        }
    }

    /// An interrupt was entered.
    pub(super) fn interrupt(&mut self, code: u32) {
        if !self.periods.is_empty() {
            let cause = Activity::of_interrupt(code);
            self.asked = cause.is_none();
            self.cause = cause.or(self.cause);
        }
    }

    /// The program reads the event register.
    pub(super) fn read_events(&mut self, bits: u32) {
        let new = bits & !self.seen;
        self.seen = bits;
        if std::mem::take(&mut self.asked) {
            let all = [new & self.enabled(), new, bits];
            let known = all.into_iter().find(|bits| *bits != 0);
            self.cause = Some(Activity::of_event_bits(ISTNRM, known.unwrap_or(0)));
        }
    }

    /// The program acknowledges events.
    pub(super) fn acknowledge(&mut self, bits: u32) {
        self.seen &= !bits;
    }

    /// The program works for so long, outside handlers. Returns whether that ends a wait.
    #[inline]
    pub(super) fn work(&mut self, cycles: u64) -> bool {
        if self.periods.is_empty() {
            return false;
        }
        self.work += cycles;
        self.work > WORK
    }

    /// Ends the wait: what it was for, and its periods by frame.
    pub(super) fn end(&mut self) -> (Activity, Vec<(usize, u64)>) {
        let cause = self.cause.take().unwrap_or(Activity::Idle);
        self.asked = false;
        self.last = Some(cause);
        (cause, std::mem::take(&mut self.periods))
    }

    /// Ends a wait that the end of the measurement cuts short. The interrupt that would have ended it is not
    /// known: it is named like the wait before it.
    pub(super) fn cut(&mut self) -> (Activity, Vec<(usize, u64)>) {
        self.cause = self.last.or(self.cause);
        self.end()
    }
}

#[cfg(test)]
mod tests {
    use super::{Activity, Sleep};

    /// A timer tick inside the wait for vertical blank (bit 3).
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

    /// Bit 2 was seen before and is not new.
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

    /// The end of a render (bit 0) is pending too, and not enabled.
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
