//! Numbers from a fuzzer's bytes.

/// Numbers: first from the input's bytes, then from a random generator.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    bytes: &'a [u8],
    random: Random,
}

impl<'a> Source<'a> {
    /// Returns the numbers of `bytes`, and after them random numbers with the length as seed.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let random = Random(bytes.len() as u64);
        Self { bytes, random }
    }

    /// Returns true if all bytes are used up.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the bytes that are not used yet.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes
    }

    /// Four bytes, little-endian.
    pub(crate) fn word(&mut self) -> u32 {
        match self.bytes.split_first_chunk::<4>() {
            Some((head, rest)) => {
                self.bytes = rest;
                u32::from_le_bytes(*head)
            }
            None => {
                self.bytes = &[];
                self.random.next() as u32
            }
        }
    }

    /// Returns a number below `bound`, or 0 if `bound` is 0.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        self.word() % bound.max(1)
    }

    /// Returns true with a probability of 1 to `of`.
    pub(crate) fn chance(&mut self, of: u32) -> bool {
        self.below(of) == 0
    }

    /// Returns an element of a list that is not empty.
    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Clone, Copy)]
pub struct Random(pub u64);

impl Random {
    /// The next number.
    #[allow(clippy::should_implement_trait, reason = "it never ends")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// Returns a number below `bound`, or 0 if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}
