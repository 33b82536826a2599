//! Detection of a motion's key layouts from the distances between structures.

use super::entries::RawTable;
use super::keys::KeyForm;
use super::{Element, Motion};
use crate::bytes::Body;
use crate::settings::{KeyForms, Settings};

/// Start offsets of structures, for computing distances.
pub(super) struct Starts(pub(super) Vec<u32>);

impl Starts {
    pub(super) fn new(body: &Body<'_>, starts: impl Iterator<Item = u32>) -> Self {
        let mut starts: Vec<u32> = starts.chain([body.len() as u32]).collect();
        starts.sort_unstable();
        starts.dedup();
        Starts(starts)
    }

    /// Bytes from `at` to the next structure.
    pub(super) fn room(&self, at: u32) -> u32 {
        let next = self.0.partition_point(|start| *start <= at);
        self.0.get(next).map_or(0, |next| next - at)
    }
}

/// Returns the key layout of each element. Among several layouts it selects the one in which fewer tables
/// overlap the next structure or have descending frames (docs/formats/ninja.md 1.9). The expected layout wins
/// a draw.
pub(super) fn key_forms(
    body: &Body<'_>,
    motion: &Motion,
    elements: &[Element],
    tables: &[RawTable],
    starts: &Starts,
    settings: &Settings,
) -> Vec<KeyForm> {
    let choose = |(slot, element): (usize, &Element)| {
        let forms = element.forms(motion.kind);
        let mut own: Vec<(u32, u32)> = tables
            .iter()
            .filter(|t| t.slot == slot)
            .map(|t| (t.target, t.count))
            .collect();
        own.sort_unstable();
        own.dedup();
        let misfits = |form: KeyForm| {
            let misfit = |(at, count): &(u32, u32)| !fits(body, *at, *count, form, starts.room(*at));
            own.iter().filter(|table| misfit(table)).count()
        };
        match (settings.key_forms, forms) {
            (KeyForms::Expected, [form, ..]) | (KeyForms::Older, [.., form]) => *form,
            _ => forms
                .iter()
                .copied()
                .min_by_key(|form| misfits(*form))
                .unwrap_or(KeyForm::F),
        }
    };
    elements.iter().enumerate().map(choose).collect()
}

/// True if `count` keys fit into `room` bytes and have ascending frames.
fn fits(body: &Body<'_>, at: u32, count: u32, form: KeyForm, room: u32) -> bool {
    let bytes = u64::from(count) * form.bytes() as u64;
    if bytes > u64::from(room) {
        return false;
    }
    let Ok(bytes) = body.slice(at, bytes as usize, "keys") else {
        return false;
    };
    let frame = |key: &[u8]| match form.frame_bytes() {
        2 => u32::from(body.order.u16(key.first_chunk().copied().unwrap_or_default())),
        _ => body.order.u32(key.first_chunk().copied().unwrap_or_default()),
    };
    let frames: Vec<u32> = bytes.chunks_exact(form.bytes()).map(frame).collect();
    frames.windows(2).all(|pair| pair[0] < pair[1])
}
