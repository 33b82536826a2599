//! What an access of a run finds in the cache, as a small number.

use super::bus::{RowCounts, Slaves};
use super::timing::{Change, Finds};
use sh4::Direction;

/// What the first access of a group finds, in 4 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Found(pub(super) u64);

impl Found {
    /// Its line, if nothing else.
    pub(super) const LINE: Found = Found(0);
    /// From here on a beat of the line that came last.
    const LAST_LINE: u64 = 1;
    /// From here on another line: 4 more if it has to open its row, and 2 or 3 if a dirty line goes, to an open row or not.
    const OTHER: u64 = 8;

    #[inline(always)]
    pub(super) fn last_line(beat: u32) -> Found {
        Found(Found::LAST_LINE + u64::from(beat))
    }

    /// Another line; whether it and one that goes have to open their rows.
    #[inline(always)]
    pub(super) fn other(opens: bool, goes: Option<bool>) -> Found {
        let goes = goes.map_or(0, |opens| 2 + u64::from(opens));
        Found(Found::OTHER + 4 * u64::from(opens) + goes)
    }

    /// That of a group, of those of a run.
    pub(super) fn of(all: u64, group: usize) -> Found {
        Found(all >> (4 * group) & 0xF)
    }

    pub(super) fn missed(self) -> bool {
        self.0 >= Found::OTHER
    }

    /// What those behind it in its group find if `beat` says which beat of the line that came last they have, from that
    /// of the first one on: it is that line if the first one has found that or brought it.
    pub(super) fn behind(self, beat: impl Fn(u32) -> u32) -> Finds {
        match self.0 {
            0 => Finds::Line,
            found if found < Found::OTHER => Finds::LastLine(beat((found - Found::LAST_LINE) as u32)),
            _ => Finds::LastLine(beat(0)),
        }
    }

    /// If it is another line: whether its row has to be opened, and that of one that goes.
    pub(super) fn rows(self) -> Option<(bool, Option<bool>)> {
        let which = self.0.checked_sub(Found::OTHER)?;
        let goes = (which & 2 != 0).then_some(which & 1 != 0);
        Some((which >= 4, goes))
    }

    pub(super) fn count_rows(self, counts: &mut RowCounts) {
        if let Some((opens, goes)) = self.rows() {
            counts.count(opens);
            goes.into_iter().for_each(|opens| counts.count(opens));
        }
    }

    pub(super) fn finds(self, slaves: &Slaves) -> Finds {
        match (self.rows(), self.0) {
            (Some((opens, goes)), _) => Finds::Other(Change {
                comes: slaves.line(Direction::Read, opens),
                goes: goes.map(|opens| slaves.line(Direction::Write, opens)),
            }),
            (None, 0) => Finds::Line,
            (None, beat) => Finds::LastLine((beat - Found::LAST_LINE) as u32 & 3),
        }
    }
}
