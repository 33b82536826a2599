//! Copies for snapshots.

use super::Block;
use state::Memory;

impl Block {
    /// A copy without sound RAM.
    pub(crate) fn without_memory(&self) -> Self {
        Block {
            settings: self.settings,
            ram: Memory::absent(),
            stored: self.stored.clone(),
            channels: self.channels,
            parameters: self.parameters,
            sounding: self.sounding,
            timers: self.timers,
            arm: self.arm,
            sh4: self.sh4,
            fiq: self.fiq,
            changed: self.changed,
            sh4_line: self.sh4_line,
            sh4_active: self.sh4_active,
            code: self.code,
            samples: self.samples,
            ignored_dma: self.ignored_dma,
            lfos: self.lfos,
            key_notes: self.key_notes.clone(),
            synth: self.synth.clone(),
            activity: self.activity.clone(),
            streams: self.streams.clone(),
        }
    }
}
