//! Records which lines of a memory hold decoded code, and whether the code has changed.
//!
//! A line has 64 bytes: programs keep data close to code (literal pools, jump tables), so that larger lines
//! would invalidate decoded code at stores to that data.
//!
//! The watch also records the pages written in a period, for snapshots of the memory. In each period, the
//! versions of all lines of a page are nonzero until the first store to the page, so that compiled code
//! reports this store. The versions of lines without code and without a mark then become 0.

/// Bytes per line.
pub const LINE: u32 = 1 << LINE_BITS;
const LINE_BITS: u32 = 6;
/// Bytes per page, the unit in which the watch records writes.
pub const PAGE: u32 = 1 << PAGE_BITS;
const PAGE_BITS: u32 = 12;
/// Lines of a page.
const LINES: usize = (PAGE / LINE) as usize;

/// A version for every line of a memory; 0 if writes to the line need not be recorded.
#[derive(Clone, Debug)]
pub struct CodeWatch {
    versions: Vec<u32>,
    /// One word per line, with a bit for each halfword from which an instruction was decoded.
    code: Vec<u32>,
    /// For every line: set by [`CodeWatch::mark`].
    marked: Vec<bool>,
    epoch: u64,
    /// The current period; 0 before the first call of [`CodeWatch::end_period`].
    period: u64,
    /// For every page, the period of its last recorded write.
    written: Vec<u64>,
    /// Pages written in the current period.
    fresh: Vec<usize>,
}

impl CodeWatch {
    /// Watches a memory of `bytes`.
    #[must_use]
    pub fn new(bytes: usize) -> CodeWatch {
        let lines = bytes.div_ceil(LINE as usize);
        CodeWatch {
            versions: vec![0; lines],
            code: vec![0; lines],
            marked: vec![false; lines],
            epoch: 0,
            period: 0,
            written: vec![0; bytes.div_ceil(PAGE as usize)],
            fresh: Vec::new(),
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

    /// Marks the lines of `bytes` at `offset`: the bus records writes to them even if they contain no code.
    pub fn mark(&mut self, offset: u32, bytes: u32) {
        for (line, _) in lines(offset, bytes) {
            let (Some(version), Some(marked)) = (self.versions.get_mut(line), self.marked.get_mut(line))
            else {
                return;
            };
            (*version, *marked) = ((*version).max(1), true);
        }
    }

    /// Undoes [`CodeWatch::mark`].
    pub fn unmark(&mut self, offset: u32, bytes: u32) {
        for (line, _) in lines(offset, bytes) {
            let Some(marked) = self.marked.get_mut(line) else {
                return;
            };
            *marked = false;
            self.release(line);
        }
    }

    /// Sets the version of a line to 0 if the line has no code and no mark, and its page was already written
    /// in this period.
    fn release(&mut self, line: usize) {
        let is_needed = self.code[line] != 0 || self.marked[line];
        if !is_needed && self.written[line / LINES] == self.period {
            self.versions[line] = 0;
        }
    }

    /// Ends the current period and returns its number, for [`CodeWatch::is_unwritten_since`].
    pub fn end_period(&mut self) -> u64 {
        if self.period == 0 {
            self.versions
                .iter_mut()
                .for_each(|version| *version = (*version).max(1));
        }
        for page in std::mem::take(&mut self.fresh) {
            let lines = self.versions.iter_mut().skip(page * LINES).take(LINES);
            lines.for_each(|version| *version = (*version).max(1));
        }
        self.period += 1;
        self.period - 1
    }

    /// Returns true if the page at `offset` was not written after `period`, a result of
    /// [`CodeWatch::end_period`].
    #[must_use]
    pub fn is_unwritten_since(&self, period: u64, offset: u32) -> bool {
        let written = self.written.get((offset >> PAGE_BITS) as usize);
        written.is_some_and(|written| *written <= period)
    }

    /// Records a write to a page.
    fn record(&mut self, page: usize) {
        if self
            .written
            .get(page)
            .is_none_or(|written| *written == self.period)
        {
            return;
        }
        self.written[page] = self.period;
        self.fresh.push(page);
        let first = page * LINES;
        (first..self.versions.len().min(first + LINES)).for_each(|line| self.release(line));
    }

    /// Records a write of an aligned item of `bytes` bytes, at most 64, at `offset`. Call it for every store.
    /// Only a write to an instruction changes the epoch.
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
            self.record(line / LINES);
        }
    }

    /// Returns the number for [`Bus::code_epoch`](crate::Bus::code_epoch).
    #[inline]
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Returns a number for every line. If it is 0, [`CodeWatch::written`] has no effect.
    #[inline]
    #[must_use]
    pub fn versions(&self) -> &[u32] {
        &self.versions
    }

    /// Returns the number for [`Bus::code_version`](crate::Bus::code_version).
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

    #[test]
    fn the_first_write_to_a_page_is_recorded() {
        let mut watch = CodeWatch::new(3 * PAGE as usize);
        watch.watch(0x10, 4);
        watch.mark(0x1040, 4);
        let first = watch.end_period();
        assert!(watch.versions().iter().all(|version| *version == 1));
        for offset in [0, PAGE, 2 * PAGE] {
            assert!(watch.is_unwritten_since(first, offset));
        }
        watch.written(0x80, 4);
        watch.written(0x1080, 4);
        assert!(!watch.is_unwritten_since(first, 0) && !watch.is_unwritten_since(first, PAGE));
        assert!(watch.is_unwritten_since(first, 2 * PAGE));
        let kept = watch.versions().iter().filter(|version| **version > 0).count();
        assert_eq!(
            kept,
            1 + 1 + LINES,
            "the code, the mark and the page without a write"
        );
        assert_eq!((watch.version(0), watch.version(0x1040)), (1, 1));
        // The end of a mark in a page without a write.
        watch.mark(2 * PAGE, 4);
        watch.unmark(2 * PAGE, 4);
        assert_eq!(watch.version(2 * PAGE), 1);
        watch.unmark(0x1040, 4);
        assert_eq!(watch.version(0x1040), 0);
        let second = watch.end_period();
        assert!(watch.versions().iter().all(|version| *version == 1));
        watch.written_range(2 * PAGE - 2, 4);
        assert!(!watch.is_unwritten_since(second, PAGE) && !watch.is_unwritten_since(second, 2 * PAGE));
        assert!(watch.is_unwritten_since(second, 0) && !watch.is_unwritten_since(first, 0));
        assert_eq!(watch.epoch(), 0, "no code was written");
    }
}
