//! The sync pulse generator: position of the beam, and times of the lines that raise events.
//!
//! All positions are counted in dots of 27 MHz from power-on, so that no rounding accumulates. At 13.5 MHz a
//! dot counts twice. In interlaced modes the vertical counter counts half lines: 525 counts per field of
//! 262.5 lines.

use crate::settings::VblankUnits;
use crate::time::{Cycles, Ratio};

/// The video clock, Hz.
const DOT_HZ: u64 = 27_000_000;

/// Registers that set the timing (offsets from 005F8000).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    /// FB_R_CTRL (44): bit 23 doubles the dot clock.
    pub fb_r_ctrl: u32,
    /// SPG_HBLANK_INT (C8).
    pub hblank_int: u32,
    /// SPG_VBLANK_INT (CC).
    pub vblank_int: u32,
    /// SPG_CONTROL (D0): bit 4 interlace.
    pub control: u32,
    /// SPG_HBLANK (D4).
    pub hblank: u32,
    /// SPG_LOAD (D8).
    pub load: u32,
    /// SPG_VBLANK (DC).
    pub vblank: u32,
}

state::fields!(Timing {
    fb_r_ctrl,
    hblank_int,
    vblank_int,
    control,
    hblank,
    load,
    vblank
});

impl Timing {
    fn is_interlaced(&self) -> bool {
        self.control & 0x10 != 0
    }

    /// Returns the 27 MHz dots per count of the vertical counter.
    fn count_dots(&self) -> u64 {
        let line = u64::from(self.load & 0x3FF) + 1;
        let dot = self.dots_per_unit();
        match self.is_interlaced() {
            true => (line * dot / 2).max(1),
            false => line * dot,
        }
    }

    /// Returns the 27 MHz dots per unit of the horizontal registers, a pixel.
    fn dots_per_unit(&self) -> u64 {
        if self.fb_r_ctrl >> 23 & 1 != 0 { 1 } else { 2 }
    }

    /// Returns the number of counts per field.
    fn counts(&self) -> u64 {
        u64::from(self.load >> 16 & 0x3FF) + 1
    }
}

/// A position that raises an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// Vertical-blank-in.
    In,
    /// Vertical-blank-out.
    Out,
    /// One line before vertical-blank-out.
    BeforeOut,
    /// Horizontal blank.
    Horizontal,
    /// The end of vertical blanking.
    BlankEnd,
    /// Wrap of the counter.
    Wrap,
}

/// State of the generator.
#[derive(Clone, Copy, Debug)]
pub struct Spg {
    ratio: Ratio,
    timing: Timing,
    units: VblankUnits,
    /// Dots at the start of the current field.
    begin: u64,
    /// Field drawn by the beam, in interlaced modes.
    field: bool,
}

state::fields!(Spg { timing, begin, field } keep { ratio, units });

impl Spg {
    /// Creates a generator for a CPU clock, at the start of a field.
    #[must_use]
    pub fn new(cpu_hz: u64, units: VblankUnits, timing: Timing) -> Self {
        Self {
            ratio: Ratio {
                ticks: DOT_HZ,
                cycles: cpu_hz,
            },
            timing,
            units,
            begin: 0,
            field: false,
        }
    }

    /// Sets new register values. The beam keeps its exact position.
    pub fn set_timing(&mut self, timing: Timing, now: Cycles) {
        if timing == self.timing {
            return;
        }
        let (count, rest) = self.position(now);
        self.timing = timing;
        let count = count.min(timing.counts() - 1);
        let rest = rest.min(timing.count_dots() - 1);
        let dots = self.ratio.ticks_at(now);
        self.begin = dots.saturating_sub(count * timing.count_dots() + rest);
    }

    /// Returns the cycles from the start of the current field to `now`.
    pub(crate) fn lag(&self, now: Cycles) -> u64 {
        self.ratio.time_of(self.begin).0.abs_diff(now.0)
    }

    /// Returns the vertical counter, and the 27 MHz dots since its last change.
    fn position(&self, now: Cycles) -> (u64, u64) {
        let dots = self.ratio.ticks_at(now).saturating_sub(self.begin);
        let length = self.timing.count_dots();
        (dots / length, dots % length)
    }

    /// Returns the counter's value at a line of SPG_VBLANK_INT.
    fn counter_of(&self, line: u32) -> u64 {
        let doubled = self.timing.is_interlaced() && self.units == VblankUnits::FieldLines;
        u64::from(line) << u32::from(doubled)
    }

    fn target(&self, position: Position, after: u64) -> Option<u64> {
        let timing = &self.timing;
        let count = match position {
            Position::In => self.counter_of(timing.vblank_int & 0x3FF),
            Position::Out => self.counter_of(timing.vblank_int >> 16 & 0x3FF),
            Position::BeforeOut => match timing.vblank_int >> 16 & 0x3FF {
                0 => timing.counts() - 1,
                line => self.counter_of(line - 1),
            },
            Position::BlankEnd => u64::from(timing.vblank >> 16 & 0x3FF),
            Position::Wrap => return Some(self.begin + timing.counts() * timing.count_dots()),
            Position::Horizontal => return self.horizontal(after),
        };
        let dots = self.begin + count * timing.count_dots();
        (count < timing.counts() && dots > after).then_some(dots)
    }

    /// Returns the next horizontal-blank position after `after` dots in the current field, according to
    /// SPG_HBLANK_INT's mode: at one line, at every n-th line, or at every line. In interlaced modes a line
    /// has two counts. Lines begin at even counts in one field, and at odd counts in the other, which begins
    /// in the middle of the first field's last line.
    fn horizontal(&self, after: u64) -> Option<u64> {
        let timing = &self.timing;
        let dot = u64::from(timing.hblank_int >> 16 & 0x3FF) * timing.dots_per_unit();
        let wanted = u64::from(timing.hblank_int & 0x3FF);
        let (length, end) = (timing.count_dots(), timing.counts() * timing.count_dots());
        let (per_line, odd) = match timing.is_interlaced() {
            true => (2, self.field),
            false => (1, false),
        };
        // Dots from the start of the field; the line that began in the last field comes first.
        let first = odd.then(|| (timing.counts() / 2, dot.checked_sub(length)));
        let begun = (0..).map(|line| (line, Some((per_line * line + u64::from(odd)) * length + dot)));
        let selected = |line: u64| match timing.hblank_int >> 12 & 3 {
            1 if wanted > 0 => line.is_multiple_of(wanted),
            1 | 2 => true,
            _ => line == wanted,
        };
        first
            .into_iter()
            .chain(begun)
            .filter_map(|(line, at)| Some((line, at?)))
            .take_while(|(_, at)| *at < end)
            .filter(|(line, _)| selected(*line))
            .map(|(_, at)| self.begin + at)
            .find(|at| *at > after)
    }

    /// Returns the time after `now` at which the beam reaches `position` in the current field.
    #[must_use]
    pub fn next(&self, position: Position, now: Cycles) -> Option<Cycles> {
        let dots = self.target(position, self.ratio.ticks_at(now))?;
        Some(self.ratio.time_of(dots))
    }

    /// Returns the time of the first vertical-blank-in after `now`, in this field or the next one.
    #[must_use]
    pub fn next_blank(&self, now: Cycles) -> Option<Cycles> {
        let later = || Some(self.ratio.time_of(self.target(Position::In, 0)?) + self.field_cycles());
        self.next(Position::In, now).or_else(later)
    }

    /// Returns true if a field has the line of vertical-blank-in.
    #[must_use]
    pub fn has_blank(&self) -> bool {
        self.counter_of(self.timing.vblank_int & 0x3FF) < self.timing.counts()
    }

    /// Handles the wrap of the counter: the next field begins.
    pub fn wrap(&mut self) {
        self.begin += self.timing.counts() * self.timing.count_dots();
        self.field = self.timing.is_interlaced() && !self.field;
    }

    /// Returns SPG_STATUS (810C): counter, field, blanking and sync.
    ///
    /// Bit 13 is 1 during vertical blanking, and bit 12 during horizontal blanking (Olsson's register guide).
    /// Bit 11 is set in both.
    #[must_use]
    pub fn status(&self, now: Cycles) -> u32 {
        let (count, dots) = self.position(now);
        let timing = &self.timing;
        let (begin, end) = (
            u64::from(timing.vblank & 0x3FF),
            u64::from(timing.vblank >> 16 & 0x3FF),
        );
        let within = |at: u64, from: u64, to: u64| {
            if from <= to {
                (from..to).contains(&at)
            } else {
                at >= from || at < to
            }
        };
        let dot = dots / timing.dots_per_unit();
        let vertical = within(count, begin, end);
        let horizontal = within(
            dot,
            u64::from(timing.hblank & 0x3FF),
            u64::from(timing.hblank >> 16 & 0x3FF),
        );
        count as u32 & 0x3FF
            | u32::from(self.field) << 10
            | u32::from(vertical || horizontal) << 11
            | u32::from(horizontal) << 12
            | u32::from(vertical) << 13
    }

    /// Returns the first time after `now` at which [`Self::status`] can change.
    #[must_use]
    pub fn holds_until(&self, now: Cycles) -> Cycles {
        let (count, dots) = self.position(now);
        let timing = &self.timing;
        let unit = timing.dots_per_unit();
        let blanks = [timing.hblank, timing.hblank >> 16].map(|at| u64::from(at & 0x3FF) * unit);
        let next = blanks.into_iter().filter(|at| *at > dots).min();
        let length = timing.count_dots();
        let next = next.map_or(length, |at| at.min(length));
        self.ratio.time_of(self.begin + count * length + next)
    }

    /// Returns the field drawn by the beam.
    #[must_use]
    pub fn field(&self) -> bool {
        self.field
    }

    /// Returns the cycles of a field.
    #[must_use]
    pub fn field_cycles(&self) -> u64 {
        self.ratio.length(self.timing.counts() * self.timing.count_dots())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VGA: Timing = Timing {
        fb_r_ctrl: 0x0080_0001,
        hblank_int: 0x0345_0000,
        vblank_int: 0x0015_0208,
        control: 0x100,
        hblank: 0x007E_0345,
        load: 0x020C_0359,
        vblank: 0x0028_0208,
    };
    const NTSC: Timing = Timing {
        fb_r_ctrl: 1,
        hblank_int: 0x0345_0000,
        vblank_int: 0x0015_0102,
        control: 0x150,
        hblank: 0x007E_0345,
        load: 0x020C_0359,
        vblank: 0x0024_0204,
    };

    fn spg(timing: Timing) -> Spg {
        Spg::new(199_500_000, VblankUnits::FieldLines, timing)
    }

    /// 858 dots x 525 lines at 27 MHz: 16.6833 ms, 59.94 Hz. 450,450 dots x 133 / 18 cycles.
    #[test]
    fn a_field_of_vga_and_of_ntsc_takes_a_sixtieth_of_a_second() {
        assert_eq!(spg(VGA).field_cycles(), 3_328_325);
        assert_eq!(spg(NTSC).field_cycles(), 3_328_325);
        // PAL 576i: 864 dots, 625 half lines at 13.5 MHz: 20 ms.
        let pal = Timing {
            load: 0x0270_035F,
            ..NTSC
        };
        assert_eq!(spg(pal).field_cycles(), 3_990_000);
        // NTSC 240p: 263 lines of 858 dots at 13.5 MHz: 16.7151 ms.
        let low = Timing {
            load: 0x0106_0359,
            control: 0x140,
            ..NTSC
        };
        assert_eq!(spg(low).field_cycles(), (263 * 858 * 2 * 133_u64).div_ceil(18));
    }

    #[test]
    fn vertical_blank_events_come_at_their_lines() {
        let vga = spg(VGA);
        // Line 208 hex = 520: 520 x 858 dots x 133 / 18.
        assert_eq!(
            vga.next(Position::In, Cycles(0)),
            Some(Cycles((520 * 858 * 133_u64).div_ceil(18)))
        );
        assert_eq!(
            vga.next(Position::Out, Cycles(0)),
            Some(Cycles((21 * 858 * 133_u64).div_ceil(18)))
        );
        // Line 258 of the field is half line 516, where blanking begins.
        let ntsc = spg(NTSC);
        assert_eq!(
            ntsc.next(Position::In, Cycles(0)),
            Some(Cycles((516 * 858 * 133_u64).div_ceil(18)))
        );
    }

    #[test]
    fn horizontal_blank_by_mode() {
        let dots = |n: u64| Cycles((n * 133).div_ceil(18));
        let one = spg(VGA);
        assert_eq!(one.next(Position::Horizontal, Cycles(0)), Some(dots(0x345)));
        assert_eq!(one.next(Position::Horizontal, dots(0x345)), None);
        let every = spg(Timing {
            hblank_int: 0x0345_2000,
            ..VGA
        });
        assert_eq!(
            every.next(Position::Horizontal, dots(0x345)),
            Some(dots(858 + 0x345))
        );
        let fourth = spg(Timing {
            hblank_int: 0x0345_1004,
            ..VGA
        });
        assert_eq!(
            fourth.next(Position::Horizontal, dots(0x345)),
            Some(dots(4 * 858 + 0x345))
        );
    }

    /// 525 half lines per field: 263 lines begin in the first field and 262 in the second. Mode 1 and mode 0
    /// count whole lines, too.
    #[test]
    fn horizontal_blanks_of_interlaced_fields() {
        let counts = |hblank_int: u32| -> Vec<u32> {
            let mut spg = spg(Timing { hblank_int, ..NTSC });
            let mut now = Cycles(0);
            [0, 1]
                .map(|_| {
                    let wrap = spg.next(Position::Wrap, now).expect("always");
                    let mut count = 0;
                    while let Some(time) = spg.next(Position::Horizontal, now) {
                        assert!(time < wrap);
                        (now, count) = (time, count + 1);
                    }
                    spg.wrap();
                    now = wrap;
                    count
                })
                .to_vec()
        };
        assert_eq!(counts(0x0100_2000), [263, 262]);
        assert_eq!(
            counts(0x0345_2000),
            [262, 263],
            "the last line's blank is in the second field"
        );
        assert_eq!(counts(0x0345_1010), [17, 17], "lines 0, 16 to 256");
        assert_eq!(counts(0x0345_0064), [1, 1]);
        assert_eq!(counts(0x0100_0106), [1, 0], "line 262");
        assert_eq!(counts(0x0345_0106), [0, 1], "line 262");
        assert_eq!(counts(0x0345_0107), [0, 0]);
    }

    #[test]
    fn the_counter_wraps_and_fields_alternate_when_interlaced() {
        let mut ntsc = spg(NTSC);
        let wrap = ntsc.next(Position::Wrap, Cycles(0)).expect("always");
        assert_eq!(ntsc.status(Cycles(wrap.0 - 1)) & 0x3FF, 524);
        ntsc.wrap();
        assert_eq!(ntsc.status(wrap) & 0x7FF, 0x400);
        assert!(ntsc.field());
        ntsc.wrap();
        assert!(!ntsc.field());
    }

    #[test]
    fn a_new_mode_does_not_move_the_beam() {
        let mut vga = spg(VGA);
        let half = Cycles(3_328_325 / 2);
        let before = vga.status(half) & 0x3FF;
        vga.set_timing(NTSC, half);
        assert_eq!(vga.status(half) & 0x3FF, before);
    }

    /// Programs write the registers each frame, with the same values or with another interrupt line.
    #[test]
    fn writes_of_registers_do_not_delay_the_field() {
        let mut vga = spg(VGA);
        let wrap = vga.next(Position::Wrap, Cycles(0));
        for now in (1..30).map(|part| Cycles(100_003 * part)) {
            vga.set_timing(VGA, now);
            assert_eq!(vga.next(Position::Wrap, now), wrap, "{now:?}");
            for line in [0x208, 0x207] {
                let timing = Timing {
                    vblank_int: 0x0015_0000 | line,
                    ..VGA
                };
                vga.set_timing(timing, now);
                assert_eq!(vga.next(Position::Wrap, now), wrap, "{now:?}");
            }
        }
    }
}
