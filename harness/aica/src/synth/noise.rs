//! The noise register: 17 bits, advanced once per channel and sample ("Noise").

use std::sync::OnceLock;

/// Number of values before they repeat.
const LENGTH: u64 = (1 << 17) - 1;

/// The full cycle of values, starting at 1.
fn cycle() -> &'static [u32] {
    static CYCLE: OnceLock<Vec<u32>> = OnceLock::new();
    CYCLE.get_or_init(|| {
        let step = |r: &u32| Some(r >> 1 | ((r >> 5 ^ r) & 1) << 16).filter(|next| *next != 1);
        std::iter::successors(Some(1), step).collect()
    })
}

/// Returns the register's value for channel `n` in sample `count`.
pub(crate) fn noise(count: u64, n: usize) -> u32 {
    cycle()[((64 * count + n as u64) % LENGTH) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_register_takes_every_value_but_0() {
        assert_eq!(cycle().len() as u64, LENGTH);
        assert_eq!([0, 1, 2, 6].map(|n| noise(0, n)), [1, 0x1_0000, 0x8000, 0x0800]);
        assert_eq!(noise(1, 0), noise(0, 64));
    }
}
