//! Scheduler of device events. Events are ordered by time, then by a fixed device order, so that every host
//! delivers them in the same order.

use crate::time::Cycles;

macro_rules! events {
    ($($(#[$doc:meta])* $name:ident,)+) => {
        /// A kind of device event. At most one event of each kind is scheduled at a time. Events at the same
        /// cycle are delivered in the order of this list.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Event { $($(#[$doc])* $name,)+ }

        impl Event {
            /// All kinds, in order.
            pub const ALL: &[Event] = &[$(Event::$name,)+];

            /// Returns the name of the event's device, for messages.
            #[must_use]
            pub fn source(self) -> String {
                match self {
                    Event::Dmac0 => "DMAC channel 0".to_owned(),
                    Event::Dmac1 => "DMAC channel 1".to_owned(),
                    Event::Dmac2 => "DMAC channel 2".to_owned(),
                    Event::Dmac3 => "DMAC channel 3".to_owned(),
                    Event::Channel2 => "channel 2 DMA".to_owned(),
                    Event::SortDma => "sort DMA".to_owned(),
                    Event::PvrDma => "PVR DMA".to_owned(),
                    Event::G1Dma => "G1 DMA".to_owned(),
                    Event::G2Dma0 => "G2 DMA channel 0 (AICA)".to_owned(),
                    Event::G2Dma1 => "G2 DMA channel 1 (E1)".to_owned(),
                    Event::G2Dma2 => "G2 DMA channel 2 (E2)".to_owned(),
                    Event::G2Dma3 => "G2 DMA channel 3 (debug)".to_owned(),
                    Event::Maple => "Maple DMA".to_owned(),
                    other => format!("the event {other:?}"),
                }
            }
        }
    };
}

events! {
    /// TMU channel 0 underflows.
    Timer0,
    /// TMU channel 1 underflows.
    Timer1,
    /// TMU channel 2 underflows.
    Timer2,
    /// The watchdog timer overflows.
    Watchdog,
    /// The SCIF has shifted a byte out.
    SerialOut,
    /// The SCIF receives a byte of host input.
    SerialIn,
    /// DMAC channel 0 ends.
    Dmac0,
    /// DMAC channel 1 ends.
    Dmac1,
    /// DMAC channel 2 ends.
    Dmac2,
    /// DMAC channel 3 ends.
    Dmac3,
    /// The TA has closed lists.
    ListDone,
    /// The YUV converter has written its last macroblock.
    YuvDone,
    /// A channel 2 DMA ends.
    Channel2,
    /// A sort DMA ends.
    SortDma,
    /// A PVR DMA ends.
    PvrDma,
    /// The ISP ends a render.
    IspDone,
    /// The TSP ends a render.
    TspDone,
    /// The render is complete in the frame buffer.
    RenderDone,
    /// The beam reaches the line of vertical-blank-in.
    VerticalBlankIn,
    /// The beam reaches the line of vertical-blank-out.
    VerticalBlankOut,
    /// The beam reaches the horizontal-blank position of an enabled line.
    HorizontalBlank,
    /// The beam leaves the vertical blanking period: the display latches the frame buffer's address.
    Latch,
    /// The vertical counter wraps: a new field.
    Field,
    /// The beam reaches the line at which the vertical blank starts Maple transfers.
    MapleTrigger,
    /// A Maple transfer ends.
    Maple,
    /// A G1 (GD-ROM) DMA ends.
    G1Dma,
    /// G2 DMA channel 0 (AICA) ends.
    G2Dma0,
    /// G2 DMA channel 1 ends.
    G2Dma1,
    /// G2 DMA channel 2 ends.
    G2Dma2,
    /// G2 DMA channel 3 ends.
    G2Dma3,
    /// The sound block must be brought up to date.
    Sound,
    /// A GD-ROM command of the firmware ends.
    DiscCommand,
    /// The drive is no longer busy with a step of a packet command.
    Drive,
}

const COUNT: usize = Event::ALL.len();

/// An event that was delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivered {
    /// The event.
    pub event: Event,
    /// Time at which it was first scheduled, usually the start of the activity that it ends.
    pub scheduled: Cycles,
    /// Time of its delivery.
    pub time: Cycles,
}

/// The times of all events.
#[derive(Clone, Debug)]
pub struct Scheduler {
    due: [Cycles; COUNT],
    next: Cycles,
    /// Current time.
    pub(crate) clock: Cycles,
    scheduled: [Cycles; COUNT],
    /// Delivered events, if they are recorded.
    pub(crate) log: Option<Vec<Delivered>>,
    /// Number of delivered events.
    pub delivered: u64,
}

state::fields!(Scheduler {
    due,
    clock,
    scheduled,
    delivered,
} keep { next, log } after(|scheduler: &mut Scheduler| scheduler.next = scheduler.earliest()));

impl Default for Scheduler {
    fn default() -> Self {
        Self {
            due: [Cycles::NEVER; COUNT],
            next: Cycles::NEVER,
            clock: Cycles(0),
            scheduled: [Cycles(0); COUNT],
            log: None,
            delivered: 0,
        }
    }
}

impl Scheduler {
    /// Schedules `event` at `time`, replacing any earlier schedule.
    pub fn set(&mut self, event: Event, time: Cycles) {
        let before = std::mem::replace(&mut self.due[event as usize], time);
        if before == Cycles::NEVER {
            self.scheduled[event as usize] = self.clock;
        }
        if time < self.next {
            self.next = time;
        } else if before == self.next {
            self.next = self.earliest();
        }
    }

    /// Removes `event` from the schedule.
    pub fn cancel(&mut self, event: Event) {
        self.set(event, Cycles::NEVER);
    }

    /// Returns the time of `event`; `None` if it is not scheduled.
    #[must_use]
    pub fn due(&self, event: Event) -> Option<Cycles> {
        Some(self.due[event as usize]).filter(|time| *time != Cycles::NEVER)
    }

    /// Returns the time of the next event, or [`Cycles::NEVER`] without events.
    #[must_use]
    pub fn next(&self) -> Cycles {
        self.next
    }

    /// Removes and returns the first event due at `now`, with its time.
    pub fn pop(&mut self, now: Cycles) -> Option<(Event, Cycles)> {
        if self.next > now {
            return None;
        }
        let event = *Event::ALL
            .iter()
            .find(|event| self.due[**event as usize] == self.next)?;
        let time = self.next;
        self.cancel(event);
        self.delivered += 1;
        if let Some(log) = &mut self.log {
            let scheduled = self.scheduled[event as usize];
            log.push(Delivered {
                event,
                scheduled,
                time,
            });
        }
        Some((event, time))
    }

    fn earliest(&self) -> Cycles {
        self.due.iter().copied().min().unwrap_or(Cycles::NEVER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_by_time_and_then_by_device() {
        let mut scheduler = Scheduler::default();
        scheduler.set(Event::Maple, Cycles(20));
        scheduler.set(Event::Timer1, Cycles(20));
        scheduler.set(Event::Sound, Cycles(10));
        scheduler.set(Event::Field, Cycles(5));
        scheduler.cancel(Event::Field);
        assert_eq!(scheduler.next(), Cycles(10));
        assert_eq!(scheduler.pop(Cycles(9)), None);
        assert_eq!(scheduler.pop(Cycles(30)), Some((Event::Sound, Cycles(10))));
        assert_eq!(scheduler.pop(Cycles(30)), Some((Event::Timer1, Cycles(20))));
        assert_eq!(scheduler.pop(Cycles(30)), Some((Event::Maple, Cycles(20))));
        assert_eq!(scheduler.pop(Cycles(30)), None);
        assert_eq!(scheduler.next(), Cycles::NEVER);
    }

    #[test]
    fn a_later_time_replaces_the_earlier_one() {
        let mut scheduler = Scheduler::default();
        scheduler.set(Event::Timer0, Cycles(5));
        scheduler.set(Event::Timer0, Cycles(50));
        assert_eq!(scheduler.next(), Cycles(50));
        assert_eq!(scheduler.due(Event::Timer0), Some(Cycles(50)));
    }
}
