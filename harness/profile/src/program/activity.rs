//! Activities of a console's CPU.

/// Activity of the CPU in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Activity {
    /// The program's own code.
    User,
    /// Handling of an interrupt.
    Interrupt,
    /// Entry of exceptions and interrupts.
    Entry,
    /// Wait for the PowerVR2: a list or a render.
    Pvr,
    /// Wait for a position of the beam.
    VerticalBlank,
    /// Wait for a DMA transfer.
    Dma,
    /// Wait for Maple.
    Maple,
    /// Wait for a timer.
    Timer,
    /// Wait for the sound block.
    Sound,
    /// Wait for another device.
    Device,
    /// Loop that reads the same words of memory and writes none.
    Polling,
    /// SLEEP, ended by a timer or an unknown interrupt.
    Idle,
    /// Firmware calls, which the host handles.
    Firmware,
    /// Memory stalls of the CPU during DMA and refresh.
    Bus,
}

/// Holly's registers for normal and external events.
pub(super) const ISTNRM: u32 = 0x005F_6900;
const ISTEXT: u32 = 0x005F_6904;

/// Cycles by activity.
pub type Activities = [u64; Activity::ALL.len()];

impl Activity {
    /// All activities, in the order of tables.
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

    /// Name in JSON and CSV.
    #[must_use]
    pub fn key(self) -> &'static str {
        self.names().0
    }

    /// Name in tables.
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

    /// Returns whether the CPU runs code for the program.
    #[must_use]
    pub fn is_work(self) -> bool {
        matches!(self, Activity::User | Activity::Interrupt | Activity::Entry)
    }

    /// Returns the wait for an event, by the lowest of `bits` in the event register at `address`
    /// (docs/guide/profile.md, "Frames of a program").
    pub(super) fn of_event_bits(address: u32, bits: u32) -> Activity {
        let bit = bits.trailing_zeros();
        match address & 0x1FFF_FFFF {
            ISTEXT if bit == 1 => return Activity::Sound,
            ISTNRM => {}
            // The other external events (drive, modem, expansion), and all errors.
            _ => return Activity::Device,
        }
        match bit {
            0..=2 | 6..=10 | 21 => Activity::Pvr,
            3..=5 => Activity::VerticalBlank,
            12 | 13 => Activity::Maple,
            11 | 14..=20 => Activity::Dma,
            // 30 is the sum of external events, 31 the sum of errors.
            30 => Activity::Sound,
            _ => Activity::Device,
        }
    }

    /// Returns the wait that ends when a polled register changes. `None` for the event registers, because
    /// their bits identify the wait.
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

    /// Returns the wait in SLEEP that an interrupt ends. `None` for Holly's interrupts, because the event
    /// register identifies the wait.
    pub(super) fn of_interrupt(code: u32) -> Option<Activity> {
        match code {
            0x320 | 0x360 | 0x3A0 => None,
            0x640..=0x6C0 => Some(Activity::Dma),
            _ => Some(Activity::Idle),
        }
    }
}
