//! Node array of a motion. No field gives its length.

use std::collections::HashMap;

use crate::bytes::Body;
use crate::error::{Error, WarningKind, Warnings};

/// A pointer of an NJS_MDATAn and its count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RawTable {
    pub(crate) node: usize,
    pub(crate) slot: usize,
    /// Offset of the pointer.
    pub(crate) at: u32,
    pub(crate) target: u32,
    pub(crate) count: u32,
}

/// Counts for null pointers, by node and table.
pub(crate) type StrayCounts = HashMap<(u32, u8), u32>;

/// The array of NJS_MDATAn structures.
#[derive(Default)]
pub(crate) struct Entries {
    pub(crate) nodes: usize,
    /// Non-null tables, by ascending node.
    pub(crate) tables: Vec<RawTable>,
    pub(crate) stray: StrayCounts,
}

/// Position of a motion's head, and known pointers of the file.
pub(crate) struct Source<'a> {
    pub(crate) body: Body<'a>,
    /// Offset of the NJS_MOTION.
    pub(crate) head: u32,
    /// Offsets from the file's pointer list, ascending.
    pub(crate) listed: Option<Vec<u32>>,
    /// True if a listed pointer of value 0 refers to address 0 and is not null.
    pub(crate) zero_is_address: bool,
}

impl Source<'_> {
    fn is_listed(&self, at: u32) -> bool {
        let listed = self.listed.as_deref().unwrap_or_default();
        listed.binary_search(&at).is_ok()
    }

    pub(super) fn is_null(&self, at: u32, target: u32) -> bool {
        target == 0 && !(self.zero_is_address && self.is_listed(at))
    }
}

/// Counts the NJS_MDATAn at `mdata` and returns their tables. The array ends before the next structure. If
/// the pointer list contains the array's pointers, the array also ends after the last listed one; many files
/// list null pointers too.
pub(crate) fn entries(
    source: &Source<'_>,
    mdata: u32,
    n: usize,
    warnings: &mut Warnings,
) -> Result<Entries, Error> {
    let body = source.body;
    body.aligned(mdata, 4, "NJS_MOTION.mdata")?;
    body.slice(mdata, n * 8, "NJS_MOTION.mdata")?;
    let end = if source.head > mdata {
        source.head
    } else {
        body.len() as u32
    };
    let in_array = |at: &u32| (mdata..end).contains(at);
    let listed: Vec<u32> = source.listed.iter().flatten().copied().filter(in_array).collect();
    let is_null = |at: &u32| !source.zero_is_address && body.u32(*at, "pointer") == Ok(0);
    let mut array = Array {
        source,
        mdata,
        n,
        end,
        lists_null: listed.iter().any(is_null),
        listed,
        found: Entries::default(),
    };
    // An array with no tables per node has no defined length.
    while n > 0 && array.next(warnings)? {}
    Ok(array.found)
}

/// Node array during counting.
struct Array<'a> {
    source: &'a Source<'a>,
    mdata: u32,
    /// Number of tables of a node.
    n: usize,
    /// Offset of the next known structure.
    end: u32,
    /// Listed offsets from `mdata` on.
    listed: Vec<u32>,
    /// True if the list contains null pointers.
    lists_null: bool,
    found: Entries,
}

impl Array<'_> {
    fn is_listed(&self, at: u32) -> bool {
        self.listed.binary_search(&at).is_ok()
    }

    /// Reads the next node; returns whether there was one.
    fn next(&mut self, warnings: &mut Warnings) -> Result<bool, Error> {
        let (body, stride) = (self.source.body, self.n as u32 * 8);
        let at = self.mdata + self.found.nodes as u32 * stride;
        let slots = (0..self.n as u32).map(|slot| at + slot * 4);
        if at + stride > self.end || (self.lists_null && slots.into_iter().all(|at| !self.is_listed(at))) {
            return Ok(false);
        }
        let (tables, null): (Vec<RawTable>, Vec<RawTable>) = self
            .tables(at)?
            .into_iter()
            .partition(|t| !self.source.is_null(t.at, t.target));
        if let Some(odd) = tables.iter().find(|table| !self.is_sound(table, at, stride)) {
            if self.found.nodes == 0 || self.is_listed(odd.at) {
                let body = body.for_node(self.found.nodes, at);
                let found = format!("pointer {:#x}", odd.target);
                return Err(body.fail(odd.at, "NJS_MDATA", found, "a table".into()));
            }
            warnings.push(body.warning(at, WarningKind::MdataEnd(self.found.nodes)));
            return Ok(false);
        }
        let ahead = tables
            .iter()
            .map(|table| table.target)
            .filter(|target| *target > self.mdata);
        self.end = ahead.fold(self.end, u32::min);
        let stray = null.iter().filter(|table| table.count > 0);
        let stray = stray.map(|table| ((table.node as u32, table.slot as u8), table.count));
        self.found.stray.extend(stray);
        self.found.tables.extend(tables);
        self.found.nodes += 1;
        Ok(true)
    }

    /// Reads the tables of the node at `at`, including null ones.
    fn tables(&self, at: u32) -> Result<Vec<RawTable>, Error> {
        let words = self.source.body.words32(at, 2 * self.n, "NJS_MDATA")?;
        let (targets, counts) = words.split_at(self.n);
        let table = |(slot, (target, count)): (usize, (&u32, &u32))| RawTable {
            node: self.found.nodes,
            slot,
            at: at + slot as u32 * 4,
            target: *target,
            count: *count,
        };
        Ok(targets.iter().zip(counts).enumerate().map(table).collect())
    }

    /// True if the pointer points to a valid position for a table, and is listed if others are.
    fn is_sound(&self, table: &RawTable, at: u32, stride: u32) -> bool {
        let free = table.target >= at + stride || table.target < self.mdata;
        let known = self.listed.is_empty() || self.is_listed(table.at);
        let inside = table.target as usize <= self.source.body.len();
        table.target.is_multiple_of(2) && inside && free && known
    }
}
