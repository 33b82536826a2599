//! `void crc32(const uint32_t data[], uint32_t n, uint32_t crc[1])`: continues the CRC-32 of zlib, PNG and
//! ZIP (polynomial 0x04C11DB7, reflected, all bits inverted at start and end) over `n` bytes.

use crate::bytes::byte;
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "crc32",
    symbol: "_crc32",
    summary: "CRC-32 of bytes",
    params: &[Param::words("data"), Param::value("n"), Param::words_mut("crc")],
    reference,
    generate,
    deviation,
};

/// Returns the CRC after `n` more bytes. `crc` is the CRC of the earlier bytes; it is 0 at the start. The
/// lowest byte of a word is the first.
///
/// # Errors
/// See [`KernelError`]; a signature error if `data` is too short.
pub fn crc32(kernels: &mut dyn Kernels, crc: u32, data: &[u32], n: usize) -> Result<u32, KernelError> {
    let mut out = [crc];
    let mut args = [Arg::Words(data), Arg::Value(n as u32), Arg::WordsMut(&mut out)];
    kernels.call(&KERNEL, &mut args)?;
    Ok(out[0])
}

const POLYNOMIAL: u32 = 0xEDB8_8320;

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [Arg::Words(data), Arg::Value(n), Arg::WordsMut(crc)] = args else {
        return Err(KERNEL.signature("data, n, crc"));
    };
    let n = *n as usize;
    let ([crc], true) = (&mut **crc, n <= 4 * data.len()) else {
        return Err(KERNEL.signature("data is too short, or crc is not one word"));
    };
    *crc = !*crc;
    for i in 0..n {
        *crc ^= u32::from(byte(data, i));
        for _ in 0..8 {
            *crc = *crc >> 1 ^ if *crc & 1 == 1 { POLYNOMIAL } else { 0 };
        }
    }
    *crc = !*crc;
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let n = rng.below(200);
    Case(vec![
        Value::Words((0..n.div_ceil(4)).map(|_| rng.word()).collect()),
        Value::Value(n),
        Value::WordsMut(vec![rng.word()]),
    ])
}

/// Computes the remainder of a polynomial over GF(2): the message bits times x^32, divided bit by bit by the
/// unreflected polynomial. The earlier bytes invert some of the first 32 bits.
fn deviation(before: &Case, case: &Case) -> Deviation {
    const DIVISOR: u64 = 0x1_04C1_1DB7;
    let n = case.value(1) as usize;
    let bits = (0..8 * n).map(|i| byte(case.words(0), i / 8) >> (i % 8) & 1);
    let padding = std::iter::repeat_n(0, 32);
    let start = !before.words(2)[0];
    let mut remainder = 0_u64;
    for (i, bit) in bits.chain(padding).enumerate() {
        let turned = if i < 32 { (start >> i & 1) as u8 } else { 0 };
        remainder = remainder << 1 | u64::from(bit ^ turned);
        if remainder >> 32 == 1 {
            remainder ^= DIVISOR;
        }
    }
    let expected = !(remainder as u32).reverse_bits();
    Deviation::of_words(case.words(2), [expected].into_iter())
}

#[cfg(test)]
mod tests {
    use super::crc32;
    use crate::Reference;

    /// Check value in the catalogue of CRCs: the CRC of the digits 1 to 9.
    #[test]
    fn the_check_value_is_right() {
        let digits = [0x3433_3231, 0x3837_3635, 0x39];
        assert_eq!(crc32(&mut Reference, 0, &digits, 9).unwrap(), 0xCBF4_3926);
    }
}
