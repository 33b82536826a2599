//! `void relocate(const uint8_t list[], uint32_t n, uint32_t body[], uint32_t base)`: converts the pointers
//! of a Ninja chunk to absolute addresses.
//!
//! The list is the body of a POF0 chunk. It contains the distances in words between pointers; the first
//! counts from the beginning of `body`. A distance has one, two or four bytes, selected by the top bits of
//! its first byte (01, 10, 11), high byte first (docs/formats/ninja.md, section 1.3). A byte below 0x40 ends
//! the list. Null pointers stay 0.

use crate::bytes::byte;
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "relocate",
    symbol: "_relocate",
    summary: "pointers of a chunk made absolute",
    params: &[
        Param::words("list"),
        Param::value("n"),
        Param::words_mut("body"),
        Param::value("base"),
    ],
    reference,
    generate,
    deviation,
};

/// Adds `base` to the pointers of `body` listed in the first `n` bytes of `list`. The lowest byte of a word
/// is the first.
///
/// # Errors
/// See [`KernelError`]; a signature error if the list is truncated or leaves `body`.
pub fn relocate(
    kernels: &mut dyn Kernels,
    list: &[u32],
    n: usize,
    body: &mut [u32],
    base: u32,
) -> Result<(), KernelError> {
    let mut args = [
        Arg::Words(list),
        Arg::Value(n as u32),
        Arg::WordsMut(body),
        Arg::Value(base),
    ];
    kernels.call(&KERNEL, &mut args)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(list),
        Arg::Value(n),
        Arg::WordsMut(body),
        Arg::Value(base),
    ] = args
    else {
        return Err(KERNEL.signature("list, n, body, base"));
    };
    let n = *n as usize;
    if n > 4 * list.len() {
        return Err(KERNEL.signature("list is too short"));
    }
    let (mut at, mut place) = (0, 0_usize);
    while at < n {
        let first = byte(list, at);
        let bytes = match first >> 6 {
            0 => return Ok(()),
            1 => 1,
            2 => 2,
            _ => 4,
        };
        if at + bytes > n {
            return Err(KERNEL.signature("list ends within a distance"));
        }
        let mut distance = usize::from(first & 0x3F);
        for i in 1..bytes {
            distance = distance << 8 | usize::from(byte(list, at + i));
        }
        (at, place) = (at + bytes, place + distance);
        match body.get_mut(place) {
            Some(0) => {}
            Some(pointer) => *pointer = pointer.wrapping_add(*base),
            None => return Err(KERNEL.signature("a pointer in list is outside body")),
        }
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let (mut list, mut words) = (Vec::new(), 0);
    for i in 0..rng.below(30) {
        // One distance in three has more bytes than necessary, as the format allows.
        let [form, distance] = [rng.below(6), rng.below(64)];
        let distance = match form {
            0 => distance << rng.below(5),
            _ => distance >> rng.below(5),
        };
        // Word 0 may be a pointer. No word may occur twice.
        let distance = distance.max(u32::from(i > 0));
        match form {
            0 => list.extend((distance | 0x8000).to_be_bytes().into_iter().skip(2)),
            1 => list.extend((distance | 0xC000_0000).to_be_bytes()),
            _ => list.push(distance as u8 | 0x40),
        }
        words += distance;
    }
    let n = list.len();
    // Bytes after a padding byte or after the end are ignored.
    let padding = if rng.below(2) == 0 {
        n.next_multiple_of(4) - n
    } else {
        0
    };
    let n = n + padding;
    list.resize(n, 0);
    list.resize(n.next_multiple_of(4), 0x41);
    let pointer = |rng: &mut Rng| if rng.below(4) == 0 { 0 } else { rng.word() };
    Case(vec![
        Value::Words(
            list.as_chunks()
                .0
                .iter()
                .map(|b| u32::from_le_bytes(*b))
                .collect(),
        ),
        Value::Value(n as u32),
        Value::WordsMut((0..=words).map(|_| pointer(rng)).collect()),
        Value::Value(rng.word()),
    ])
}

/// Converts the list to positions first, then checks each word against them.
fn deviation(before: &Case, case: &Case) -> Deviation {
    let bytes = case.words(0).iter().flat_map(|word| word.to_le_bytes());
    let mut bytes = bytes.take(case.value(1) as usize);
    let (mut places, mut place) = (std::collections::BTreeSet::new(), 0);
    while let Some(first) = bytes.next().filter(|first| *first >= 0x40) {
        let more = [0, 0, 1, 3][usize::from(first / 0x40)];
        let start = u64::from(first % 0x40);
        place += bytes
            .by_ref()
            .take(more)
            .fold(start, |sum, byte| sum * 256 + u64::from(byte));
        places.insert(place);
    }
    let moved = |(i, word): (usize, &u32)| match *word != 0 && places.contains(&(i as u64)) {
        true => word.wrapping_add(case.value(3)),
        false => *word,
    };
    Deviation::of_words(case.words(2), before.words(2).iter().enumerate().map(moved))
}
