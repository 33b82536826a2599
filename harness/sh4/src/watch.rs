//! The lines of a memory that hold decoded code, and whether they have changed.
//!
//! A line has 64 bytes: programs keep data close to code (literal pools, jump tables), so that larger lines
//! would invalidate decoded code at stores to that data.

/// Bytes a line.
pub const LINE: u32 = 1 << LINE_BITS;
const LINE_BITS: u32 = 6;

/// A version for every line of a memory; 0 as long as no code was decoded from it.
#[derive(Clone, Debug)]
pub struct CodeWatch {
    versions: Vec<u32>,
    epoch: u64,
}

impl CodeWatch {
    /// Watches a memory of `bytes`.
    #[must_use]
    pub fn new(bytes: usize) -> CodeWatch {
        CodeWatch {
            versions: vec![0; bytes.div_ceil(LINE as usize)],
            epoch: 0,
        }
    }

    /// Code was decoded from `bytes` at `offset`.
    pub fn watch(&mut self, offset: u32, bytes: u32) {
        let last = offset.saturating_add(bytes.saturating_sub(1));
        for line in offset >> LINE_BITS..=last >> LINE_BITS {
            if let Some(version) = self.versions.get_mut(line as usize) {
                *version = (*version).max(1);
            }
        }
    }

    /// An aligned item of at most 64 bytes was written at `offset`. To be called for every store.
    #[inline]
    pub fn written(&mut self, offset: u32) {
        match self.versions.get_mut((offset >> LINE_BITS) as usize) {
            Some(version) if *version != 0 => {
                *version = version.checked_add(1).unwrap_or(1);
                self.epoch += 1;
            }
            _ => {}
        }
    }

    /// `bytes` at `offset` were written, by DMA or a loader.
    pub fn written_range(&mut self, offset: u32, bytes: u32) {
        let last = offset.saturating_add(bytes.saturating_sub(1));
        for line in offset >> LINE_BITS..=last >> LINE_BITS {
            self.written(line << LINE_BITS);
        }
    }

    /// For [`Bus::code_epoch`](crate::Bus::code_epoch).
    #[inline]
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// A number for every line: 0 if no code was decoded from it, and [`CodeWatch::written`] does nothing.
    #[must_use]
    pub fn versions(&self) -> &[u32] {
        &self.versions
    }

    /// For [`Bus::code_version`](crate::Bus::code_version).
    #[must_use]
    pub fn version(&self, offset: u32) -> u64 {
        self.versions
            .get((offset >> LINE_BITS) as usize)
            .copied()
            .unwrap_or(0)
            .into()
    }
}
