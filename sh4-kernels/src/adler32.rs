//! `void adler32(const uint32_t data[], uint32_t n, uint32_t sum[1])`: continues the checksum of zlib (RFC
//! 1950) over `n` bytes. The low half is 1 plus the sum of all bytes. The high half is the sum of all low
//! halves. Both are modulo 65521.

use crate::bytes::byte;
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "adler32",
    symbol: "_adler32",
    summary: "Adler-32 of bytes",
    params: &[Param::words("data"), Param::value("n"), Param::words_mut("sum")],
    reference,
    generate,
    deviation,
};

/// Returns the checksum after `n` more bytes. `sum` is the checksum of the earlier bytes; it is 1 at the
/// start. The lowest byte of a word is the first. Both halves of `sum` are below 65521.
///
/// # Errors
/// See [`KernelError`]; a signature error if `data` is too short.
pub fn adler32(kernels: &mut dyn Kernels, sum: u32, data: &[u32], n: usize) -> Result<u32, KernelError> {
    let mut out = [sum];
    let mut args = [Arg::Words(data), Arg::Value(n as u32), Arg::WordsMut(&mut out)];
    kernels.call(&KERNEL, &mut args)?;
    Ok(out[0])
}

const PRIME: u32 = 65521;

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [Arg::Words(data), Arg::Value(n), Arg::WordsMut(sum)] = args else {
        return Err(KERNEL.signature("data, n, sum"));
    };
    let n = *n as usize;
    let ([sum], true) = (&mut **sum, n <= 4 * data.len()) else {
        return Err(KERNEL.signature("data is too short, or sum is not one word"));
    };
    let (mut low, mut high) = (*sum & 0xFFFF, *sum >> 16);
    if low >= PRIME || high >= PRIME {
        return Err(KERNEL.signature("both halves of sum are below 65521"));
    }
    for i in 0..n {
        low = (low + u32::from(byte(data, i))) % PRIME;
        high = (high + low) % PRIME;
    }
    *sum = high << 16 | low;
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let largest = PRIME - 1;
    let shape = rng.below(8);
    let (n, ones, zeros) = match shape {
        // All bytes are 255 and both sums begin at their maximum: they overflow unless reduced in time.
        0 => (5500 + rng.below(6000), 0xFFFF_FFFF, 0),
        1 | 2 => (1 + rng.below(4), 0, 0xFCFC_FCFC),
        5 | 6 => (1, 0, 0),
        _ => (rng.below(200), 0, 0),
    };
    let data: Vec<u32> = (0..n.div_ceil(4)).map(|_| (rng.word() | ones) & !zeros).collect();
    let (low, high) = match shape {
        0 => (largest, largest),
        // In these cases the low sum ends near the prime; in cases 5 and 6 the high sum does.
        1 | 2 => (largest - rng.below(8), rng.below(PRIME)),
        5 | 6 => {
            let low = rng.below(60_000);
            let wanted = PRIME - 6 + rng.below(20);
            (low, (wanted - low - u32::from(byte(&data, 0))).min(largest))
        }
        _ => (rng.below(PRIME), rng.below(PRIME)),
    };
    Case(vec![
        Value::Words(data),
        Value::Value(n),
        Value::WordsMut(vec![high << 16 | low]),
    ])
}

/// Computes both sums by their definition: each byte counts once per step, with one reduction at the end.
fn deviation(before: &Case, case: &Case) -> Deviation {
    let n = u64::from(case.value(1));
    let start = before.words(2)[0];
    let (mut low, mut high) = (u64::from(start & 0xFFFF), u64::from(start >> 16));
    high += n * low;
    for i in 0..n {
        let byte = u64::from(byte(case.words(0), i as usize));
        low += byte;
        high += (n - i) * byte;
    }
    let [low, high] = [low, high].map(|sum| (sum % u64::from(PRIME)) as u32);
    Deviation::of_words(case.words(2), [high << 16 | low].into_iter())
}

#[cfg(test)]
mod tests {
    use super::adler32;
    use crate::Reference;

    /// "Wikipedia" is the example in the article on the checksum.
    #[test]
    fn the_worked_example_is_right() {
        let text = [0x696B_6957, 0x6964_6570, 0x61];
        assert_eq!(adler32(&mut Reference, 1, &text, 9).unwrap(), 0x11E6_0398);
    }
}
