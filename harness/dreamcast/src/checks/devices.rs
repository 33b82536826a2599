//! Rules for events, the G2 bus, and addresses without a device.

use super::{Place, Rule, counted};
use crate::map::Device;
use crate::system::System;
use aica::{ChannelState, KeyIssue, KeyNote};
use sh4::BusError;
use std::ops::Range;

/// Capacity of the G2 bus's FIFO in words (KallistiOS waits after every eight writes).
const FIFO_WORDS: u32 = 8;
const FFST: u32 = 0x005F_688C;
/// Address ranges of the optional modem and broadband adapter (KallistiOS, modem.c and broadband_adapter.c).
const OPTIONAL: [Range<u32>; 2] = [0x0060_0000..0x0060_0800, 0x0100_0000..0x0200_0000];

impl System {
    /// Checks a write by the CPU to a G2 device.
    pub(crate) fn check_g2_store(&mut self, device: Device, bytes: usize) -> Result<(), BusError> {
        // A deferred access is repeated at its exact time and counts then.
        if !self.exact || !matches!(device, Device::Aica | Device::SoundRam) {
            return Ok(());
        }
        let Some(checks) = &mut self.checks else {
            return Ok(());
        };
        let words = checks.g2_words + (bytes as u32).div_ceil(4);
        if words > FIFO_WORDS && checks.rules.has(Rule::G2Fifo) {
            self.exactly()?;
            self.broken(Rule::G2Fifo, &[], || {
                format!("{words} words were written to the sound block since SB_FFST was read")
            });
        }
        if let Some(checks) = &mut self.checks {
            checks.g2_words = words;
        }
        Ok(())
    }

    /// Reports a problem with a channel of the sound block.
    pub(crate) fn check_key(&mut self, note: &KeyNote) {
        let ChannelState {
            number,
            start,
            loop_start,
            loop_end,
            format,
            ..
        } = note.channel;
        let rule = match note.issue {
            KeyIssue::Range => Rule::SoundRange,
            KeyIssue::Loop => Rule::SoundLoop,
            KeyIssue::Keyed => Rule::SoundKeyed,
            KeyIssue::Held => Rule::SoundHeld,
            KeyIssue::Underrun => Rule::SoundUnderrun,
        };
        let place = match note.by_arm {
            true => Place::Occasion(number as u32),
            false => Place::Instruction(self.pc),
        };
        let by = match note.issue {
            KeyIssue::Underrun => "",
            _ if note.by_arm => ", by the ARM7",
            _ => "",
        };
        self.broken_at(rule, place, &[], || {
            format!(
                "channel {number}: {} samples from {start:06x} on, loop start {loop_start}, loop end \
                 {loop_end}{by}",
                format.name()
            )
        });
    }

    /// Records a read of a Holly register.
    #[inline]
    pub(crate) fn note_holly_read(&mut self, address: u32) {
        if address == FFST
            && let Some(checks) = &mut self.checks
        {
            checks.g2_words = 0;
        }
    }

    /// Reports an access with a size that the device does not accept.
    pub(crate) fn check_width(&mut self, address: u32, bytes: usize) {
        self.broken(Rule::AccessWidth, &[address], || {
            format!("{} at {}", counted(bytes, "byte"), crate::map::name(address))
        });
    }

    /// Reports an address without a device. The addresses of a modem and a network adapter are exempt,
    /// because programs read them to detect the device.
    pub(crate) fn check_unmapped(&mut self, address: u32) {
        if OPTIONAL
            .iter()
            .any(|area| area.contains(&(address & 0x1FFF_FFFF)))
        {
            return;
        }
        self.broken(Rule::Unmapped, &[address], || {
            format!("no device is at {address:08x}")
        });
    }

    /// Records the bits of ISTNRM that the program has cleared.
    pub(crate) fn note_acknowledged(&mut self, bits: u32) {
        if let Some(checks) = &mut self.checks {
            checks.cleared |= bits;
        }
    }

    /// Reports, at each vertical blank, enabled events that have been pending since the previous vertical
    /// blank.
    pub(crate) fn check_waiting_events(&mut self) {
        let pending = self.events.read(0) & self.events.enabled() & 0x003F_FFFF;
        let Some(checks) = &mut self.checks else {
            return;
        };
        let left = pending & checks.waiting & !checks.cleared;
        (checks.waiting, checks.cleared) = (pending, 0);
        for bit in (0..22).filter(|bit| left >> bit & 1 != 0) {
            self.broken_at(Rule::EventPending, Place::Occasion(bit), &[], || {
                format!("event {bit} of SB_ISTNRM has been pending for a whole frame")
            });
        }
    }
}
