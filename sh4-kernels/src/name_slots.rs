//! `void name_slots(const int16_t strips[], uint32_t count, uint32_t entry_halfwords, uint32_t
//! user_halfwords, uint8_t kinds[], uint32_t slots, uint32_t found[4])`: marks the slots of a vertex buffer
//! that the strips of a chunk use.
//!
//! `strips` is the strip data of a chunk model's polygon list. Each strip has a length, negative for a
//! reversed one, then its entries. An entry is a slot and other half-words; user half-words follow from a
//! strip's third entry on. Bit 0 of a byte in `kinds` means that the slot contains a vertex; the kernel sets
//! bit 5 for such slots that a strip uses. `found` is the lowest used slot (FFFFFFFF without any), the
//! highest (0 without any), the number of entries whose slot has no vertex, and the number of vertex
//! parameters. Strips of fewer than three entries have no parameters; a reversed strip has one more.

use crate::bytes::{byte, set_byte};
use crate::submit_strips::{generate_strips, strips};
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "name_slots",
    symbol: "_name_slots",
    summary: "slots that the strips of a chunk use",
    params: &[
        Param::halfwords("strips"),
        Param::value("count"),
        Param::value("entry_halfwords"),
        Param::value("user_halfwords"),
        Param::words_mut("kinds"),
        Param::value("slots"),
        Param::words_mut("found"),
    ],
    reference,
    generate,
    deviation,
};

/// Bit 0: the slot contains a vertex.
const FILLED: u8 = 1;
/// Bit 5: a strip uses the slot.
const USED: u8 = 32;

/// Slots that strips use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsedSlots {
    /// The lowest and the highest slot; `None` if strips use no slot with a vertex.
    pub range: Option<[u32; 2]>,
    /// Number of entries whose slot has no vertex.
    pub others: u32,
    /// Number of vertex parameters of all strips.
    pub blocks: u32,
}

/// Marks the slots that strips use. There are `count` strips with entries of `entry` half-words; from the
/// third entry on, `user` half-words follow. `kinds` has one byte for each of `slots` slots.
///
/// # Errors
/// See [`KernelError`]; a signature error if a strip exceeds the half-words.
pub fn name_slots(
    kernels: &mut dyn Kernels,
    halfwords: &[u16],
    [count, entry, user]: [usize; 3],
    kinds: &mut [u32],
    slots: usize,
) -> Result<UsedSlots, KernelError> {
    let mut found = [0; 4];
    let mut args = [
        Arg::Halfwords(halfwords),
        Arg::Value(count as u32),
        Arg::Value(entry as u32),
        Arg::Value(user as u32),
        Arg::WordsMut(kinds),
        Arg::Value(slots as u32),
        Arg::WordsMut(&mut found),
    ];
    kernels.call(&KERNEL, &mut args)?;
    let [first, last, others, blocks] = found;
    Ok(UsedSlots {
        range: (first != u32::MAX).then_some([first, last]),
        others,
        blocks,
    })
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Halfwords(halfwords),
        Arg::Value(count),
        Arg::Value(entry),
        Arg::Value(user),
        Arg::WordsMut(kinds),
        Arg::Value(slots),
        Arg::WordsMut(found),
    ] = args
    else {
        return Err(KERNEL.signature("strips, count, entry_halfwords, user_halfwords, kinds, slots, found"));
    };
    let strips = strips(halfwords, *count as usize, *entry as usize, *user as usize);
    let Some(strips) = strips.filter(|_| *entry > 0) else {
        return Err(KERNEL.signature("entry_halfwords is 0, or a strip is incomplete"));
    };
    if kinds.len() * 4 < *slots as usize || found.len() < 4 {
        return Err(KERNEL.signature("kinds or found is too short"));
    }
    let (mut first, mut last, mut others, mut blocks) = (u32::MAX, 0, 0, 0);
    for (entries, reversed) in strips {
        if entries.len() >= 3 {
            blocks += entries.len() as u32 + u32::from(reversed);
        }
        for entry in entries {
            let slot = u32::from(entry[0]);
            let kind = byte(kinds, slot as usize);
            if slot >= *slots || kind & FILLED == 0 {
                others += 1;
                continue;
            }
            set_byte(kinds, slot as usize, kind | USED);
            first = first.min(slot);
            last = last.max(slot);
        }
    }
    found[..4].copy_from_slice(&[first, last, others, blocks]);
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let (count, slots) = (rng.below(6), 4 * (1 + rng.below(20)));
    let (size, user) = ([1, 3, 5, 6][rng.below(4) as usize], rng.below(4));
    // Some strips use slots outside the buffer.
    let limit = slots + [0, 0, 3][rng.below(3) as usize];
    let halfwords = generate_strips(rng, count, size, user, limit);
    // Most slots contain a vertex.
    let filled = if rng.below(3) == 0 { 0 } else { 0x0101_0101 };
    Case(vec![
        Value::Halfwords(halfwords),
        Value::Value(count),
        Value::Value(size),
        Value::Value(user),
        Value::WordsMut((0..slots / 4 + 2).map(|_| rng.word() | filled).collect()),
        Value::Value(slots),
        Value::output(4),
    ])
}

/// Counts by slot instead of by entry. All results are integers, so they must be exact.
fn deviation(before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let Some(Value::Halfwords(halfwords)) = case.0.first() else {
        return worst;
    };
    let [count, size, user] = [1, 2, 3].map(|i| case.value(i) as usize);
    let Some(strips) = strips(halfwords, count, size, user) else {
        return worst;
    };
    let names: Vec<usize> = strips
        .iter()
        .flat_map(|(entries, _)| entries)
        .map(|e| usize::from(e[0]))
        .collect();
    let slots = case.value(5) as usize;
    let is_filled = |slot: usize| slot < slots && byte(before.words(4), slot) & FILLED != 0;
    for slot in 0..4 * case.words(4).len() {
        let mark = if is_filled(slot) && names.contains(&slot) {
            USED
        } else {
            0
        };
        let expected = byte(before.words(4), slot) | mark;
        worst.note_exact(slot / 4, byte(case.words(4), slot) == expected);
    }
    let is_used = |slot: &usize| is_filled(*slot) && names.contains(slot);
    let found = case.words(6);
    worst.note_exact(
        0,
        (0..slots).find(is_used).map_or(u32::MAX, |slot| slot as u32) == found[0],
    );
    worst.note_exact(1, (0..slots).rfind(is_used).unwrap_or(0) as u32 == found[1]);
    worst.note_exact(
        2,
        names.iter().filter(|slot| !is_filled(**slot)).count() as u32 == found[2],
    );
    let long = strips.iter().filter(|(entries, _)| entries.len() > 2);
    let blocks: usize = long
        .map(|(entries, reversed)| entries.len() + usize::from(*reversed))
        .sum();
    worst.note_exact(3, blocks as u32 == found[3]);
    worst
}
