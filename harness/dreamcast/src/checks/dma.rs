//! Rules for DMA: dirty lines, busy channels, addresses, protection windows, and Maple's buffers.

use super::Rule;
use crate::scheduler::Event;
use crate::system::{System, ram_offset};

/// DMA address and length registers without the low five bits, the start register of their channel, and their
/// names.
const REGISTERS: &[(u32, u32, &str)] = &[
    (0x005F_6800, 0x005F_6808, "SB_C2DSTAT"),
    (0x005F_6804, 0x005F_6808, "SB_C2DLEN"),
    (0x005F_6810, 0x005F_6820, "SB_SDSTAW"),
    (0x005F_6814, 0x005F_6820, "SB_SDBAAW"),
    (0x005F_6C04, 0x005F_6C18, "SB_MDSTAR"),
    (0x005F_7C00, 0x005F_7C18, "SB_PDSTAP"),
    (0x005F_7C04, 0x005F_7C18, "SB_PDSTAR"),
    (0x005F_7C08, 0x005F_7C18, "SB_PDLEN"),
];
/// Start registers and their names.
const STARTS: &[(u32, &str)] = &[
    (0x005F_6808, "SB_C2DST"),
    (0x005F_6820, "SB_SDST"),
    (0x005F_6C18, "SB_MDST"),
    (0x005F_7C18, "SB_PDST"),
];
/// Protection registers.
pub(crate) const G2APRO: u32 = 0x005F_78BC;
pub(crate) const PDAPRO: u32 = 0x005F_7C80;
pub(crate) const MDAPRO: u32 = 0x005F_6C8C;
/// Maximum number of frames in a Maple list; the bus has the same limit.
const MAX_FRAMES: usize = 1024;

/// A frame of a Maple list.
struct Frame {
    /// First address after the frame.
    end: u32,
    port: u32,
    reply: u32,
    header: u32,
}

impl System {
    /// Checks a write to a Holly register, before it takes effect.
    pub(crate) fn check_holly_write(&mut self, address: u32, value: u32) {
        if self.checks.is_none() {
            return;
        }
        if let Some((_, name)) = STARTS.iter().find(|(at, _)| *at == address) {
            if value & 1 != 0 {
                self.check_busy(address, name);
            }
            return;
        }
        if let Some((_, start, name)) = REGISTERS.iter().find(|(at, ..)| *at == address) {
            self.check_busy(*start, name);
            let rule = match address {
                0x005F_6C04 => Rule::MapleAlignment,
                _ => Rule::DmaAlignment,
            };
            self.check_alignment(rule, name, address, value);
        }
    }

    fn check_alignment(&mut self, rule: Rule, name: &str, address: u32, value: u32) {
        if !value.is_multiple_of(32) {
            self.broken(rule, &[address, value], || {
                format!(
                    "{name} is written with {value:08x}; the transfer uses {:08x}",
                    value & !31
                )
            });
        }
    }

    fn check_busy(&mut self, start: u32, name: &str) {
        if self.holly.get(start) & 1 != 0 {
            self.broken(Rule::DmaBusy, &[start], || {
                format!("{name} is written while the channel is active")
            });
        }
    }

    /// Checks a write to a register of G2 channel `n`.
    pub(crate) fn check_g2_write(&mut self, n: usize, offset: u32, value: u32) {
        let name = match offset {
            0x00 => "STAG",
            0x04 => "STAR",
            0x08 => "LEN",
            0x18 if value & 1 != 0 => "ST",
            _ => return,
        };
        let at = 0x005F_7800 + 0x20 * n as u32 + offset;
        if self.g2[n].busy {
            self.broken(Rule::DmaBusy, &[at], || {
                format!("{name} of G2 channel {n} is written while it transfers")
            });
        }
        if offset < 0x18 {
            self.check_alignment(
                Rule::DmaAlignment,
                &format!("{name} of G2 channel {n}"),
                at,
                value,
            );
        }
    }

    /// Checks a write to the DMAC.
    pub(crate) fn check_dmac_write(&mut self, offset: u32, value: u32) {
        let events = [Event::Dmac0, Event::Dmac1, Event::Dmac2, Event::Dmac3];
        let Some(event) = events.get(offset as usize / 16).filter(|_| offset < 0x40) else {
            return;
        };
        // Writing CHCR with DE = 0 stops a transfer deliberately.
        let ends = offset % 16 == 12 && value & 1 == 0;
        let n = offset / 16;
        let fed = n == 2 && self.scheduler.due(Event::Channel2).is_some();
        if (self.scheduler.due(*event).is_some() || fed) && !ends {
            self.broken(Rule::DmaBusy, &[0xFFA0_0000 + offset], || {
                format!("a register of DMAC channel {n} is written while it transfers")
            });
        }
    }

    /// Checks RAM that a device is about to read.
    pub(crate) fn check_dma_read(&mut self, device: &str, address: u32, bytes: u32) {
        if !self.is_checked(Rule::DirtyLine) {
            return;
        }
        let Some(offset) = ram_offset(address & 0x1FFF_FFFF) else {
            return;
        };
        if let Some(at) = self.first_dirty(offset, bytes as usize) {
            let at = at as u32 | 0x8C00_0000;
            self.broken(Rule::DirtyLine, &[address | 0x8000_0000, at], || {
                format!(
                    "{device} reads {bytes} bytes at {address:08x}; the byte at {at:08x} is newer in \
                  the operand cache"
                )
            });
        }
    }

    /// Returns the first byte of RAM in a range that differs from a dirty line.
    fn first_dirty(&self, offset: usize, bytes: usize) -> Option<usize> {
        let range = offset..offset + bytes;
        let differing = self.cache.dirty_lines().filter_map(|(address, data, stale)| {
            let begin = ram_offset(address)?;
            let newer = (0..32).filter(|n| stale >> n & 1 == 0);
            newer.map(|n| (begin + n, data[n])).find(|(at, byte)| {
                range.contains(at) && self.ram.get(*at).is_some_and(|memory| memory != byte)
            })
        });
        differing.map(|(at, _)| at).min()
    }

    /// Checks a transfer's RAM against the protection register of its bus.
    pub(crate) fn check_window(&mut self, device: &str, protection: u32, address: u32, bytes: u32) {
        let (first, last) = self.holly.window(protection);
        let (begin, end) = (
            address & 0x0FFF_FFFF,
            (address & 0x0FFF_FFFF).saturating_add(bytes.max(1) - 1),
        );
        if begin < first || end > last {
            self.broken(Rule::DmaRange, &[address], || {
                format!("{device} uses {begin:08x} to {end:08x}; its window is {first:08x} to {last:08x}")
            });
        }
    }

    /// Reports a DMA with an unreachable address.
    pub(crate) fn check_reach(&mut self, device: &str, address: u32, bytes: u32) {
        if self.ram_at(address & 0x1FFF_FFFF, bytes).is_none() {
            self.broken(Rule::DmaRange, &[address], || {
                format!("{device} requests {bytes} bytes at {address:08x}, which are not RAM")
            });
        }
    }

    /// Checks the start of a Maple transfer.
    pub(crate) fn check_maple(&mut self) {
        if self.checks.is_none() {
            return;
        }
        let list = self.holly.get(0x005F_6C04);
        let frames = self.maple_frames(list);
        let Some(end) = frames.last().map(|frame| frame.end) else {
            return;
        };
        self.check_window("the Maple list", MDAPRO, list, end - list);
        self.check_dma_read("the Maple list", list, end - list);
        for frame in frames {
            self.check_reply(list, end, &frame);
        }
    }

    fn maple_frames(&self, list: u32) -> Vec<Frame> {
        let word = |address: u32| {
            let bytes = self.ram_at(address & 0x1FFF_FFFF, 4)?.first_chunk()?;
            Some(u32::from_le_bytes(*bytes))
        };
        let (mut at, mut frames) = (list, Vec::new());
        while frames.len() < MAX_FRAMES {
            let (Some(descriptor), Some(reply), Some(header)) = (word(at), word(at + 4), word(at + 8)) else {
                break;
            };
            if descriptor >> 8 & 7 == 0 {
                at = at.wrapping_add(12 + 4 * (descriptor & 0xFF));
                let port = descriptor >> 16 & 3;
                frames.push(Frame {
                    end: at,
                    port,
                    reply,
                    header,
                });
            } else {
                at = at.wrapping_add(4);
            }
            if descriptor >> 31 != 0 || self.ram_at(at & 0x1FFF_FFFF, 4).is_none() {
                break;
            }
        }
        frames
    }

    fn check_reply(&mut self, list: u32, end: u32, frame: &Frame) {
        let reply = frame.reply;
        if !reply.is_multiple_of(32) {
            self.broken(Rule::MapleAlignment, &[reply], || {
                format!(
                    "the reply's address is {reply:08x}; the transfer uses {:08x}",
                    reply & !31
                )
            });
        }
        let bytes = self.maple.answer_bytes(frame.port as usize, frame.header);
        let begin = reply & 0x0FFF_FFE0;
        let (first, last) = (list & 0x0FFF_FFFF, end & 0x0FFF_FFFF);
        if begin < last && first < begin + bytes {
            self.broken(Rule::MapleOverlap, &[list, reply], || {
                format!(
                    "the list at {list:08x} to {end:08x} and the reply of {bytes} bytes at \
                  {reply:08x} overlap"
                )
            });
        }
        self.check_window("a Maple reply", MDAPRO, begin, bytes);
    }
}
