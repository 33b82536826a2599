//! A cache of UTLB lookups, so that repeated accesses to a page need no search.

/// Number of slots; consecutive 1 KB pages use different slots.
const SLOTS: usize = 64;
/// Set in every tag in use.
const USED: u32 = 1 << 31;
/// Set in the tag of a privileged access: under MMUCR.SV its ASID does not matter.
const PRIVILEGED: u32 = 1 << 30;

/// Results of lookups under the present TLB, ASID and MMUCR.
#[derive(Clone, Debug)]
pub(super) struct RecentPages {
    tags: [u32; SLOTS],
    entries: [u8; SLOTS],
}

impl Default for RecentPages {
    fn default() -> RecentPages {
        RecentPages {
            tags: [0; SLOTS],
            entries: [0; SLOTS],
        }
    }
}

/// The slot and the tag of an access.
fn key(address: u32, privileged: bool) -> (usize, u32) {
    let page = address >> 10;
    let mode = if privileged { PRIVILEGED } else { 0 };
    (page as usize % SLOTS, page | mode | USED)
}

impl RecentPages {
    /// Clears the cache, because an entry, the ASID or MMUCR changes.
    pub(super) fn clear(&mut self) {
        self.tags = [0; SLOTS];
    }

    /// The entry for `address`, if the cache has it.
    pub(super) fn get(&self, address: u32, privileged: bool) -> Option<usize> {
        let (slot, tag) = key(address, privileged);
        (self.tags[slot] == tag).then_some(self.entries[slot].into())
    }

    /// Stores that `entry` is the only match for `address`.
    pub(super) fn put(&mut self, address: u32, privileged: bool, entry: usize) {
        let (slot, tag) = key(address, privileged);
        (self.tags[slot], self.entries[slot]) = (tag, entry as u8);
    }
}
