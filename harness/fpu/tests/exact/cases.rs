//! Seeded operands; difficult ones are over-represented.

use sh4_fpu::{Control, Rounding, Tininess};

use crate::exact::rational::Layout;

/// Number of cases for each function; `SWIRL_FPU_CASES` sets another number.
pub(crate) fn count() -> u64 {
    const USUAL: u64 = 200_000;
    match std::env::var("SWIRL_FPU_CASES") {
        Ok(text) => text.parse().expect("SWIRL_FPU_CASES is a number"),
        Err(_) => USUAL,
    }
}

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
pub(crate) struct Source(u64);

impl Source {
    /// Starts a separate sequence for every name.
    pub(crate) fn new(name: &str) -> Source {
        let seed = name.bytes().fold(0x5357_4952, |seed: u64, byte| {
            seed.rotate_left(7) ^ u64::from(byte)
        });
        Source(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    pub(crate) fn flip(&mut self) -> bool {
        self.next() & 1 == 1
    }

    pub(crate) fn control(&mut self) -> Control {
        Control {
            rounding: if self.flip() {
                Rounding::Nearest
            } else {
                Rounding::Zero
            },
            flush: self.flip(),
            tininess: if self.below(4) == 0 {
                Tininess::BeforeRounding
            } else {
                Tininess::AfterRounding
            },
        }
    }

    /// Returns a fraction: random, with few bits at either end, a run of ones, or nearly half a unit of some
    /// place.
    fn fraction(&mut self, layout: Layout) -> u64 {
        let mask = (1 << layout.fraction) - 1;
        let place = self.below(layout.fraction.into());
        let near = self.below(5).wrapping_sub(2);
        mask & match self.below(8) {
            0 => 0,
            1 => mask,
            2 => near,
            3 => 1u64 << place,
            4 => (1u64 << place).wrapping_neg(),
            5 => (1u64 << place).wrapping_add(near),
            6 => self.next() << place,
            _ => self.next(),
        }
    }

    /// Returns a biased exponent, sometimes infinity's.
    fn exponent(&mut self, layout: Layout) -> i64 {
        let top = (1i64 << layout.exponent) - 1;
        let bias = top / 2;
        let near = self.below(7) as i64 - 3;
        let width = i64::from(layout.fraction);
        // The ends, the middle, a fraction's width from the middle, and the limits of the trap rules.
        let centre = match self.below(10) {
            0 => 0,
            1 => top,
            2 => bias,
            3 => bias + width,
            4 => bias - width,
            5 => self.pick(&[0x18, 0x2E, 0x35, 0xFC]),
            6 => self.pick(&[bias / 2, bias + bias / 2]),
            _ => self.below(top as u64) as i64,
        };
        (centre + near).clamp(0, top)
    }

    fn compose(&mut self, layout: Layout, exponent: i64) -> u64 {
        let top = (1i64 << layout.exponent) - 1;
        let fraction = self.fraction(layout);
        let magnitude = (exponent.clamp(0, top) as u64) << layout.fraction | fraction;
        layout.signed(self.flip(), magnitude)
    }

    fn special(&mut self, layout: Layout) -> u64 {
        let infinity = layout.infinity();
        let quiet_bit = 1 << (layout.fraction - 1);
        let magnitude = self.pick(&[
            0,
            1,
            (1 << layout.fraction) - 1,
            1 << layout.fraction,
            infinity - 1,
            infinity,
            infinity | 1,
            infinity | quiet_bit,
            infinity | quiet_bit | 1,
            layout.nan,
            infinity / 2,
        ]);
        layout.signed(self.flip(), magnitude)
    }

    pub(crate) fn operand(&mut self, layout: Layout) -> u64 {
        match self.below(8) {
            0 => self.special(layout),
            1 => self.next() >> (63 - layout.fraction - layout.exponent),
            _ => {
                let exponent = self.exponent(layout);
                self.compose(layout, exponent)
            }
        }
    }

    /// Returns a second operand, often related to the first: the product or quotient reaches the ends of the
    /// range, the sum is within a fraction's width, or the operands nearly cancel.
    pub(crate) fn partner(&mut self, layout: Layout, a: u64) -> u64 {
        let top = (1i64 << layout.exponent) - 1;
        let bias = top / 2;
        let exponent = ((a & layout.infinity()) >> layout.fraction) as i64;
        let width = i64::from(layout.fraction);
        let near = self.below(5) as i64 - 2;
        match self.below(8) {
            0 => self.compose(layout, bias - exponent + near),
            1 => {
                let lowest = -(self.below(width as u64 + 4) as i64);
                self.compose(layout, bias - exponent + lowest + 2)
            }
            2 => self.compose(layout, bias - exponent + top + near),
            3 => {
                let end = self.pick(&[1, top]);
                self.compose(layout, exponent + bias - end + near)
            }
            4 => {
                let gap = self.below(2 * width as u64 + 8) as i64 - width - 4;
                self.compose(layout, exponent + gap)
            }
            5 => {
                let sign = if self.flip() { layout.sign() } else { 0 };
                (a ^ sign).wrapping_add(self.below(5)).wrapping_sub(2) & (layout.sign() | (layout.sign() - 1))
            }
            _ => self.operand(layout),
        }
    }

    /// Returns an addend for `a * b`: often near the product, or near half a unit of it.
    pub(crate) fn addend(&mut self, a: u32, b: u32) -> u32 {
        let product = f64::from(f32::from_bits(a)) * f64::from(f32::from_bits(b));
        let near = (product as f32).to_bits();
        let sign = (self.next() as u32) & 0x8000_0000;
        let gap = (self.below(52) as u32) << 23;
        let changed = match self.below(6) {
            0 => near,
            1 => near.wrapping_add(self.below(5) as u32).wrapping_sub(2),
            2 => {
                near.saturating_sub(gap) & 0xFF80_0000 | self.fraction(crate::exact::rational::SINGLE) as u32
            }
            3 => near.wrapping_add(gap),
            // Rounding error of the product, so that the sum is a tie or close to one.
            4 => ((product - f64::from(product as f32)) as f32)
                .to_bits()
                .wrapping_add(self.below(3) as u32),
            _ => return self.operand(crate::exact::rational::SINGLE) as u32,
        };
        changed ^ sign
    }

    /// Returns two vectors. Half of them are within a few powers of two of each other, so that all products
    /// contribute.
    pub(crate) fn vectors(&mut self) -> ([u32; 4], [u32; 4]) {
        let centre = 1 + self.below(250) as i64;
        let spread = self.pick(&[1, 4, 16, 40]);
        let close = self.flip();
        let mut vector = |other: i64| {
            std::array::from_fn(|_| {
                if close && self.below(12) != 0 {
                    let exponent = centre + other + self.below(spread) as i64;
                    self.compose(crate::exact::rational::SINGLE, exponent.clamp(1, 254)) as u32
                } else {
                    self.operand(crate::exact::rational::SINGLE) as u32
                }
            })
        };
        let a = vector(0);
        let b: [u32; 4] = vector(127 - centre);
        if self.below(4) != 0 {
            return (a, b);
        }
        // The second half nearly cancels the first.
        let low = self.below(3) as u32;
        let cancelled = |v: [u32; 4], flip: u32| [v[0], v[1], v[0] ^ flip, v[1].wrapping_add(low) ^ flip];
        (cancelled(a, 0x8000_0000), cancelled(b, 0))
    }
}
