//! The result of a group's tag compare, in 4 bits.

use crate::memory::bus::{BusTargets, RowCounts};
use crate::memory::transfers::{Replacement, TagResult};
use sh4::Direction;

/// The result for the first access of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HitClass(pub(crate) u64);

impl HitClass {
    /// A hit in a line that is not the one filled last.
    pub(crate) const HIT: HitClass = HitClass(0);
    /// From here on: a hit in the line filled last, plus the beat.
    const LAST_LINE: u64 = 1;
    /// From here on: a miss, plus 4 if the fill opens its row, plus 2 if a dirty line is evicted, plus 1 if
    /// that opens its row.
    const MISS: u64 = 8;

    #[inline(always)]
    pub(crate) fn last_line(beat: u32) -> HitClass {
        HitClass(HitClass::LAST_LINE + u64::from(beat))
    }

    /// A miss: whether the fill opens its row, and whether the write-back of an evicted line does.
    #[inline(always)]
    pub(crate) fn miss(fill_opens: bool, eviction_opens: Option<bool>) -> HitClass {
        let eviction = eviction_opens.map_or(0, |opens| 2 + u64::from(opens));
        HitClass(HitClass::MISS + 4 * u64::from(fill_opens) + eviction)
    }

    /// The class of a group, from the classes of a run.
    pub(crate) fn of(all: u64, group: usize) -> HitClass {
        HitClass(all >> (4 * group) & 0xF)
    }

    pub(crate) fn missed(self) -> bool {
        self.0 >= HitClass::MISS
    }

    /// The tag result of a later access of the group; `beat` turns the first one's beat into its own. It hits
    /// the line filled last if the first one has hit or filled that.
    pub(crate) fn behind(self, beat: impl Fn(u32) -> u32) -> TagResult {
        match self.0 {
            0 => TagResult::Hit,
            class if class < HitClass::MISS => {
                TagResult::LastLine(beat((class - HitClass::LAST_LINE) as u32))
            }
            _ => TagResult::LastLine(beat(0)),
        }
    }

    /// For a miss: the arguments of [`HitClass::miss`].
    pub(crate) fn rows(self) -> Option<(bool, Option<bool>)> {
        let which = self.0.checked_sub(HitClass::MISS)?;
        let eviction = (which & 2 != 0).then_some(which & 1 != 0);
        Some((which >= 4, eviction))
    }

    pub(crate) fn count_rows(self, counts: &mut RowCounts) {
        if let Some((fill, eviction)) = self.rows() {
            counts.count(fill);
            eviction.into_iter().for_each(|opens| counts.count(opens));
        }
    }

    /// The tag result of the first access.
    pub(crate) fn first(self, targets: &BusTargets) -> TagResult {
        match (self.rows(), self.0) {
            (Some((fill, eviction)), _) => TagResult::Miss(Replacement {
                fill: targets.line(Direction::Read, fill),
                eviction: eviction.map(|opens| targets.line(Direction::Write, opens)),
            }),
            (None, 0) => TagResult::Hit,
            (None, class) => TagResult::LastLine((class - HitClass::LAST_LINE) as u32 & 3),
        }
    }
}
