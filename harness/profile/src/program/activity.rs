//! What a console's CPU does with its time.

/// What the CPU does with a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Activity {
    /// The program's own code.
    User,
    /// Interrupt handlers.
    Interrupt,
    /// The entry of exceptions and interrupts.
    Entry,
    /// The wait for the PowerVR2: a list or a render.
    Pvr,
    /// The wait for a position of the beam.
    VerticalBlank,
    /// The wait for a DMA.
    Dma,
    /// The wait for Maple.
    Maple,
    /// The wait for a timer.
    Timer,
    /// The wait for the sound block.
    Sound,
    /// The wait for another device.
    Device,
    /// A loop that reads the same words of memory and changes nothing.
    Polling,
    /// SLEEP that a timer or an unknown interrupt ended.
    Idle,
    /// Calls of the firmware, which the host serves.
    Firmware,
    /// The CPU's memory stalls under DMA and refresh.
    Bus,
}

/// Holly's registers of normal and of external events.
pub(super) const ISTNRM: u32 = 0x005F_6900;
const ISTEXT: u32 = 0x005F_6904;

/// Cycles by activity.
pub type Activities = [u64; Activity::ALL.len()];

impl Activity {
    /// All of them, as tables show them.
    pub const ALL: [Activity; 14] = [
        Activity::User,
        Activity::Interrupt,
        Activity::Entry,
        Activity::Pvr,
        Activity::VerticalBlank,
        Activity::Dma,
        Activity::Maple,
        Activity::Timer,
        Activity::Sound,
        Activity::Device,
        Activity::Polling,
        Activity::Idle,
        Activity::Firmware,
        Activity::Bus,
    ];

    /// Its name in JSON and CSV.
    #[must_use]
    pub fn key(self) -> &'static str {
        self.names().0
    }

    /// Its name in tables.
    #[must_use]
    pub fn text(self) -> &'static str {
        self.names().1
    }

    fn names(self) -> (&'static str, &'static str) {
        match self {
            Activity::User => ("user", "program"),
            Activity::Interrupt => ("interrupt", "interrupt handlers"),
            Activity::Entry => ("entry", "interrupt entry"),
            Activity::Pvr => ("wait_pvr", "waiting for the PVR"),
            Activity::VerticalBlank => ("wait_vblank", "waiting for vertical blank"),
            Activity::Dma => ("wait_dma", "waiting for DMA"),
            Activity::Maple => ("wait_maple", "waiting for Maple"),
            Activity::Timer => ("wait_timer", "waiting for a timer"),
            Activity::Sound => ("wait_sound", "waiting for the sound block"),
            Activity::Device => ("wait_device", "waiting for another device"),
            Activity::Polling => ("polling", "polling memory"),
            Activity::Idle => ("idle", "idle"),
            Activity::Firmware => ("firmware", "firmware"),
            Activity::Bus => ("bus", "bus shared with DMA and refresh"),
        }
    }

    /// Whether the CPU runs code for the program in it.
    #[must_use]
    pub fn is_work(self) -> bool {
        matches!(self, Activity::User | Activity::Interrupt | Activity::Entry)
    }

    /// The wait for a bit of the event register at `address`, by the lowest of `bits` (docs/guide/profile.md,
    /// "Frames of a program").
    pub(super) fn of_event_bits(address: u32, bits: u32) -> Activity {
        let bit = bits.trailing_zeros();
        match address & 0x1FFF_FFFF {
            ISTEXT if bit == 1 => return Activity::Sound,
            ISTNRM => {}
            // Drive, modem and expansion; errors.
            _ => return Activity::Device,
        }
        match bit {
            0..=2 | 6..=10 | 21 => Activity::Pvr,
            3..=5 => Activity::VerticalBlank,
            12 | 13 => Activity::Maple,
            11 | 14..=20 => Activity::Dma,
            // The sum of external events; 31 is the sum of errors.
            30 => Activity::Sound,
            _ => Activity::Device,
        }
    }

    /// The wait that ends with a polled register; none for the event registers, whose bits say it.
    pub(super) fn of_register(address: u32) -> Option<Activity> {
        let physical = address & 0x1FFF_FFFF;
        Some(match physical {
            0x005F_6900..=0x005F_690B => return None,
            0x005F_6800..=0x005F_6827 | 0x005F_7800..=0x005F_79FF | 0x005F_7C00..=0x005F_7CFF => {
                Activity::Dma
            }
            0x005F_6C00..=0x005F_6CFF => Activity::Maple,
            0x005F_810C => Activity::VerticalBlank,
            0x005F_8000..=0x005F_9FFF => Activity::Pvr,
            0x0070_0000..=0x00FF_FFFF => Activity::Sound,
            0x1FA0_0000..=0x1FA0_FFFF => Activity::Dma,
            0x1FD8_0000..=0x1FD8_FFFF | 0x1FC8_0000..=0x1FC8_FFFF | 0x1F10_0000..=0x1F10_0FFF => {
                Activity::Timer
            }
            _ => Activity::Device,
        })
    }

    /// The wait that an interrupt ends during SLEEP; none for Holly's, whose event register says it.
    pub(super) fn of_interrupt(code: u32) -> Option<Activity> {
        match code {
            0x320 | 0x360 | 0x3A0 => None,
            0x640..=0x6C0 => Some(Activity::Dma),
            _ => Some(Activity::Idle),
        }
    }
}
