//! Data recorded in a run for traces.

use crate::time::Cycles;

/// The times of console text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextTimes {
    /// Length of the text after each addition, and the time.
    pub grown: Vec<(usize, Cycles)>,
}

impl TextTimes {
    pub(crate) fn note(&mut self, length: usize, now: Cycles) {
        let known = self.grown.last().map_or(0, |(length, _)| *length);
        if length > known {
            self.grown.push((length, now));
        }
    }

    /// Returns the complete lines of `text`, each with the time of its last byte, and their total number of
    /// bytes. An unfinished line is omitted.
    #[must_use]
    pub fn lines<'a>(&self, text: &'a str) -> (Vec<(Cycles, &'a str)>, usize) {
        let mut lines = Vec::new();
        let mut begin = 0;
        for (end, _) in text.match_indices('\n') {
            let time = self.grown.iter().find(|(length, _)| *length > end);
            let time = time.or(self.grown.last()).map_or(Cycles(0), |(_, time)| *time);
            lines.push((time, text[begin..end].trim_end_matches('\r')));
            begin = end + 1;
        }
        (lines, begin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_time_of_its_end() {
        let mut times = TextTimes::default();
        times.note(3, Cycles(10));
        times.note(3, Cycles(15));
        times.note(8, Cycles(20));
        let (lines, taken) = times.lines("one\ntwo\nx");
        assert_eq!(lines, [(Cycles(20), "one"), (Cycles(20), "two")]);
        assert_eq!(taken, 8);
    }
}
