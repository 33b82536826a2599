//! Event registers of the system bus: ISTNRM, ISTEXT, ISTERR and their three sets of masks.

use sh4::sr;

/// ISTNRM bits.
pub mod normal {
    /// End of render, video.
    pub const RENDER: u32 = 0;
    /// End of render, ISP.
    pub const ISP: u32 = 1;
    /// End of render, TSP.
    pub const TSP: u32 = 2;
    /// Vertical-blank-in.
    pub const VBLANK_IN: u32 = 3;
    /// Vertical-blank-out.
    pub const VBLANK_OUT: u32 = 4;
    /// Horizontal blank.
    pub const HBLANK: u32 = 5;
    /// YUV converter.
    pub const YUV: u32 = 6;
    /// PVR DMA.
    pub const PVR_DMA: u32 = 11;
    /// Maple DMA.
    pub const MAPLE: u32 = 12;
    /// The beam reached vertical-blank-out during a Maple transfer.
    pub const MAPLE_OVER_VBLANK: u32 = 13;
    /// G1 DMA.
    pub const G1_DMA: u32 = 14;
    /// G2 DMA of channel 0; the other three follow.
    pub const G2_DMA: u32 = 15;
    /// Channel 2 DMA.
    pub const CHANNEL2: u32 = 19;
    /// Sort DMA.
    pub const SORT_DMA: u32 = 20;
}

/// ISTEXT bits.
pub mod external {
    /// GD-ROM drive.
    pub const DRIVE: u32 = 0;
    /// AICA.
    pub const AICA: u32 = 1;
}

/// ISTERR bits.
pub mod error {
    /// PVR DMA: illegal address.
    pub const PVR_ADDRESS: u32 = 6;
    /// PVR DMA: outside the protection window.
    pub const PVR_OVERRUN: u32 = 7;
    /// Maple DMA: illegal address.
    pub const MAPLE_ADDRESS: u32 = 8;
    /// Maple DMA: outside the protection window.
    pub const MAPLE_OVERRUN: u32 = 9;
    /// Maple DMA: illegal command.
    pub const MAPLE_COMMAND: u32 = 11;
    /// G1 DMA: illegal address.
    pub const G1_ADDRESS: u32 = 12;
    /// G1 DMA: outside the protection window.
    pub const G1_OVERRUN: u32 = 13;
    /// G2 DMA of channel 0: illegal address; the other three follow.
    pub const G2_ADDRESS: u32 = 15;
    /// G2 DMA of channel 0: outside the protection window; the other three follow.
    pub const G2_OVERRUN: u32 = 19;
    /// An access to an inhibited area.
    pub const INHIBITED: u32 = 31;
}

/// Bits of ISTNRM without the summary bits 30 and 31.
const NORMAL: u32 = 0x003F_FFFF;
/// Bits of ISTEXT.
const EXTERNAL: u32 = 0xF;

/// State of the event registers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Events {
    normal: u32,
    external: u32,
    error: u32,
    /// Masks of levels 2, 4 and 6: normal, external, error.
    masks: [[u32; 3]; 3],
    /// Events that have occurred since [`Events::take_occurred`]: normal, external.
    occurred: [u32; 2],
}

state::fields!(Events {
    normal,
    external,
    error,
    masks,
    occurred
});

impl Events {
    /// Sets bit `bit` of ISTNRM, independent of masks.
    pub fn raise(&mut self, bit: u32) {
        self.normal |= 1 << bit;
        self.occurred[0] |= 1 << bit;
    }

    /// Returns normal and external events that have occurred since the last call, even if their bits were
    /// already set. They start DMA by PDTNRM and similar registers.
    pub(crate) fn take_occurred(&mut self) -> [u32; 2] {
        std::mem::take(&mut self.occurred)
    }

    /// Sets bit `bit` of ISTERR.
    pub fn raise_error(&mut self, bit: u32) {
        self.error |= 1 << bit;
    }

    /// Sets the level of an external line.
    pub fn set_external(&mut self, bit: u32, active: bool) {
        self.occurred[1] |= u32::from(active) << bit & !self.external;
        self.external = self.external & !(1 << bit) | u32::from(active) << bit;
    }

    /// Returns the level on the CPU's encoded lines: 6, 4 or 2; 0 for no interrupt.
    #[must_use]
    pub fn level(&self) -> u8 {
        let active =
            |masks: &[u32; 3]| self.normal & masks[0] | self.external & masks[1] | self.error & masks[2] != 0;
        (0..3)
            .rev()
            .find(|n| active(&self.masks[*n]))
            .map_or(0, |n| 2 * (n as u8 + 1))
    }

    /// Returns whether any event is enabled.
    #[must_use]
    pub fn any_enabled(&self) -> bool {
        self.masks.iter().flatten().any(|mask| *mask != 0)
    }

    /// Returns the enabled external events.
    pub(crate) fn enabled_external(&self) -> u32 {
        self.masks.iter().fold(0, |all, masks| all | masks[1])
    }

    /// Returns the enabled normal events, for messages about a waiting program.
    #[must_use]
    pub fn enabled(&self) -> u32 {
        self.masks.iter().fold(0, |all, masks| all | masks[0])
    }

    /// Returns the reason why a pending event does not interrupt a CPU with status `sr`.
    #[must_use]
    pub fn held_back(&self, sr: u32) -> Option<String> {
        let vblank = self.normal & (1 << normal::VBLANK_IN | 1 << normal::VBLANK_OUT);
        let level = u32::from(self.level());
        if level == 0 {
            let bit = (vblank != 0).then(|| vblank.trailing_zeros())?;
            return Some(format!(
                "no SB_IML register enables event {bit} of SB_ISTNRM, the vertical blank"
            ));
        }
        let waiting = self.normal & self.masks[level as usize / 2 - 1][0];
        let event = match waiting {
            0 => format!("an event that SB_IML{level} enables"),
            _ => format!(
                "event {} of SB_ISTNRM, which SB_IML{level}NRM enables,",
                waiting.trailing_zeros()
            ),
        };
        let mask = sr >> 4 & 15;
        if sr & sr::BL != 0 {
            return Some(format!("{event} waits: SR.BL = 1 holds every interrupt back"));
        }
        (mask >= level).then(|| format!("{event} waits: SR.IMASK = {mask} holds level {level} back"))
    }

    fn mask(offset: u32) -> Option<(usize, usize)> {
        let (group, word) = ((offset >> 4 & 15) as usize, (offset >> 2 & 3) as usize);
        ((1..4).contains(&group) && word < 3).then(|| (group - 1, word))
    }

    /// Reads a register by its offset from 005F6900.
    #[must_use]
    pub fn read(&self, offset: u32) -> u32 {
        let summary = |word: u32, bit: u32| u32::from(word != 0) << bit;
        match offset {
            0 => self.normal | summary(self.external, 30) | summary(self.error, 31),
            4 => self.external,
            8 => self.error,
            _ => Self::mask(offset).map_or(0, |(level, word)| self.masks[level][word]),
        }
    }

    /// Writes a register by its offset. ISTEXT shows the lines and is read-only.
    pub fn write(&mut self, offset: u32, value: u32) {
        match offset {
            0 => self.normal &= !value,
            8 => self.error &= !value,
            _ => {
                if let Some((level, word)) = Self::mask(offset) {
                    self.masks[level][word] = value & [NORMAL, EXTERNAL, u32::MAX][word];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_sets_its_bit_and_raises_the_highest_unmasked_level() {
        let mut events = Events::default();
        events.raise(normal::VBLANK_IN);
        assert_eq!((events.read(0), events.level()), (8, 0));
        events.write(0x10, 8); // level 2
        assert_eq!(events.level(), 2);
        events.write(0x30, 8); // level 6 as well
        assert_eq!(events.level(), 6);
        events.write(0, 8);
        assert_eq!((events.read(0), events.level()), (0, 0));
    }

    #[test]
    fn external_wires_are_levels_and_summaries_cannot_be_cleared() {
        let mut events = Events::default();
        events.set_external(external::AICA, true);
        events.raise_error(error::INHIBITED);
        assert_eq!(events.read(0), 0xC000_0000);
        events.write(4, u32::MAX);
        events.write(0, u32::MAX);
        assert_eq!((events.read(0), events.read(4)), (0xC000_0000, 2));
        events.set_external(external::AICA, false);
        events.write(8, u32::MAX);
        assert_eq!(events.read(0), 0);
    }

    #[test]
    fn masks_keep_the_bits_that_exist() {
        let mut events = Events::default();
        for (offset, mask) in [(0x10, 0x003F_FFFF), (0x24, 0xF), (0x38, u32::MAX)] {
            events.write(offset, u32::MAX);
            assert_eq!(events.read(offset), mask);
        }
    }
}
