//! `void ring_copy(const uint8_t *src, uint32_t n, uint8_t *ring, uint32_t size, uint32_t *at)`: copies `n`
//! bytes into a ring of `size` bytes from position `at` on, and advances `at` past the last byte.
//!
//! If `n` is greater than the size, later bytes overwrite earlier ones, as in a stream. The ring has at least
//! one byte, and the position must be inside it.

use sh4_kernels::{Arg, Case, Deviation, Kernel, Param, Rng, Signature, Value};

use super::{byte, signature};

/// The manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "ring_copy",
    symbol: "ring_copy",
    summary: "bytes into a ring buffer, around its end",
    params: &[
        Param::words("src"),
        Param::value("n"),
        Param::words_mut("ring"),
        Param::value("size"),
        Param::words_mut("at"),
    ],
    reference,
    generate,
    deviation,
};

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(src),
        Arg::Value(n),
        Arg::WordsMut(ring),
        Arg::Value(size),
        Arg::WordsMut(at),
    ] = args
    else {
        return Err(signature(&KERNEL, "src, n, ring, size, at"));
    };
    let (n, size) = (*n as usize, *size as usize);
    if 4 * src.len() < n || 4 * ring.len() < size {
        return Err(signature(&KERNEL, "n or size is beyond the buffers"));
    }
    if at.first().is_none_or(|at| *at as usize >= size) {
        return Err(signature(&KERNEL, "the position is not in the ring"));
    }
    for i in 0..n {
        let to = at[0] as usize;
        let mut bytes = ring[to / 4].to_le_bytes();
        bytes[to % 4] = byte(src, i);
        ring[to / 4] = u32::from_le_bytes(bytes);
        at[0] = if to + 1 == size { 0 } else { at[0] + 1 };
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let (n, size) = (rng.below(70), 1 + rng.below(48));
    // Many cases have sizes that allow copies by words, and copies that end at the end of the ring.
    let at = match rng.below(4) {
        0 => rng.below(size.div_ceil(4)) * 4,
        1 => size.saturating_sub(n).min(size - 1),
        _ => rng.below(size),
    };
    Case(vec![
        Value::Words((0..n.div_ceil(4).max(1)).map(|_| rng.word()).collect()),
        Value::Value(n),
        Value::output(size.div_ceil(4) as usize),
        Value::Value(size),
        Value::WordsMut(vec![at]),
    ])
}

/// Each byte of the ring must be the last byte that the stream writes there, or its old value.
fn deviation(before: &Case, after: &Case) -> Deviation {
    let (n, size) = (u64::from(before.value(1)), u64::from(before.value(3)));
    let start = u64::from(before.words(4)[0]);
    let mut worst = Deviation::default();
    for place in 0..4 * before.words(2).len() as u64 {
        // Index of the first byte that the stream writes to this position.
        let first = (place + size - start) % size;
        let expected = if place < size && first < n {
            byte(before.words(0), (first + (n - 1 - first) / size * size) as usize)
        } else {
            byte(before.words(2), place as usize)
        };
        worst.note_exact(
            place as usize / 4,
            byte(after.words(2), place as usize) == expected,
        );
    }
    worst.note_exact(0, u64::from(after.words(4)[0]) == (start + n) % size);
    worst
}
