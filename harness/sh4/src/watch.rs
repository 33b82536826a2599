//! Records which lines of a memory hold decoded code, and whether the code has changed.
//!
//! A line has 64 bytes: programs keep data close to code (literal pools, jump tables), so that larger lines
//! would invalidate decoded code at stores to that data.

/// Bytes per line.
pub const LINE: u32 = 1 << LINE_BITS;
const LINE_BITS: u32 = 6;

/// A version for every line of a memory; 0 as long as no code was decoded from it.
#[derive(Clone, Debug)]
pub struct CodeWatch {
    versions: Vec<u32>,
    /// One word per line, with a bit for each halfword from which an instruction was decoded.
    code: Vec<u32>,
    epoch: u64,
}

impl CodeWatch {
    /// Watches a memory of `bytes`.
    #[must_use]
    pub fn new(bytes: usize) -> CodeWatch {
        let lines = bytes.div_ceil(LINE as usize);
        CodeWatch {
            versions: vec![0; lines],
            code: vec![0; lines],
            epoch: 0,
        }
    }

    /// Records that code was decoded from `bytes` bytes at `offset`.
    pub fn watch(&mut self, offset: u32, bytes: u32) {
        for (line, instructions) in lines(offset, bytes) {
            if let (Some(version), Some(code)) = (self.versions.get_mut(line), self.code.get_mut(line)) {
                *version = (*version).max(1);
                *code |= instructions;
            }
        }
    }

    /// Marks the lines of `bytes` at `offset`: the bus notices writes to them although they contain no code.
    pub fn mark(&mut self, offset: u32, bytes: u32) {
        for (line, _) in lines(offset, bytes) {
            let Some(version) = self.versions.get_mut(line) else {
                return;
            };
            *version = (*version).max(1);
        }
    }

    /// Undoes [`CodeWatch::mark`] for lines that contain no code.
    pub fn unmark(&mut self, offset: u32, bytes: u32) {
        for (line, _) in lines(offset, bytes) {
            match (self.versions.get_mut(line), self.code.get(line)) {
                (Some(version), Some(0)) => *version = 0,
                (Some(_), _) => {}
                (None, _) => return,
            }
        }
    }

    /// Records a write of an aligned item of `bytes` bytes, at most 64, at `offset`. Call it for every store.
    /// Writes to data between the code of a line have no effect.
    #[inline]
    pub fn written(&mut self, offset: u32, bytes: u32) {
        if self.version(offset) != 0 {
            self.written_range(offset, bytes);
        }
    }

    /// Records a write of any number of bytes, by DMA or a loader.
    #[cold]
    pub fn written_range(&mut self, offset: u32, bytes: u32) {
        for (line, instructions) in lines(offset, bytes) {
            let code = self.code.get(line).is_some_and(|code| code & instructions != 0);
            if let Some(version) = self.versions.get_mut(line).filter(|_| code) {
                *version = version.checked_add(1).unwrap_or(1);
                self.epoch += 1;
            }
        }
    }

    /// For [`Bus::code_epoch`](crate::Bus::code_epoch).
    #[inline]
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Returns the version of every line. If it is 0, no code was decoded from the line, and
    /// [`CodeWatch::written`] has no effect.
    #[must_use]
    pub fn versions(&self) -> &[u32] {
        &self.versions
    }

    /// For [`Bus::code_version`](crate::Bus::code_version).
    #[inline]
    #[must_use]
    pub fn version(&self, offset: u32) -> u64 {
        self.versions
            .get((offset >> LINE_BITS) as usize)
            .copied()
            .unwrap_or(0)
            .into()
    }
}

/// The lines that `bytes` at `offset` touch, with a bit for each two bytes touched there.
fn lines(offset: u32, bytes: u32) -> impl Iterator<Item = (usize, u32)> {
    let last = offset.saturating_add(bytes.saturating_sub(1));
    (offset >> LINE_BITS..=last >> LINE_BITS).map(move |line| {
        let begin = line << LINE_BITS;
        let first = offset.max(begin) - begin;
        let end = last.min(begin + (LINE - 1)) - begin;
        (
            line as usize,
            u32::MAX << (first / 2) & u32::MAX >> (31 - end / 2),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_writes_to_instructions_change_the_epoch() {
        let mut watch = CodeWatch::new(256);
        watch.watch(0x3C, 8);
        for data in [0, 0x3A, 0x44, 0x7C, 0x80] {
            watch.written(data, 2);
        }
        watch.written_range(0x44, 0xBC);
        assert_eq!(watch.epoch(), 0);
        assert_eq!((watch.version(0), watch.version(0x40)), (1, 1));
        watch.written(0x3D, 1);
        watch.written(0x38, 8);
        watch.written(0x43, 1);
        assert_eq!(watch.epoch(), 3);
        watch.written_range(0, 256);
        assert_eq!((watch.version(0), watch.version(0x40)), (4, 3));
    }
}
