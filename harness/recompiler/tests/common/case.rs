//! Initial states of random runs.

use super::{BASE, CODE, Random, SIZE};
use sh4::Cpu;

/// Random float. A `tame` float is a normal number for which sums of products are finite.
fn float(random: &mut Random, tame: bool) -> u32 {
    let sign = random.word() & 0x8000_0000;
    if tame {
        return sign
            | match random.below(6) {
                0 => 0,
                1 | 2 => (random.below(256) as f32).to_bits(),
                3 => 0x3F80_0000 + (random.below(64) << 17),
                _ => 0x3A00_0000 + random.below(0x0B00_0000),
            };
    }
    sign | match random.below(12) {
        0 => 0,
        1 => 0x7F80_0000,
        2 => 0x7F80_0000 | random.word() & 0x007F_FFFF,
        3 => random.word() & 0x007F_FFFF,
        4 => 0x0080_0000 + random.below(4),
        5 => 0x7F7F_FFFF - random.below(4),
        6 | 7 => (random.below(256) as f32).to_bits(),
        8 => 0x3F80_0000 + random.below(4),
        9 => random.word() & 0x7FFF_FFFF,
        _ => 0x3C00_0000 + random.below(0x0700_0000),
    }
}

/// Random double: also near the ends of the range, and near 2^-900 and its root, where the rules of compiled
/// code change.
fn double(random: &mut Random) -> u64 {
    let word = u64::from(random.word()) << 32 | u64::from(random.word());
    let (sign, fraction) = (word & 1 << 63, word & ((1 << 52) - 1));
    let fraction = match random.below(4) {
        0 => 0,
        1 => u64::from(random.below(4)),
        2 => (1 << 52) - 1 - u64::from(random.below(4)),
        _ => fraction,
    };
    let near = |random: &mut Random, exponent: u64| exponent - 2 + u64::from(random.below(5));
    let exponent = match random.below(12) {
        0 => 0,
        1 => 1,
        2 => 2046,
        3 => 2047,
        4 => near(random, 1023 - 900),
        5 => near(random, 1023 - 450),
        6 => near(random, 1023 + 511),
        7 => near(random, 1023 + 31),
        8 => near(random, 1023 + 53),
        9 => return (f64::from(random.below(256)) / 2.0).to_bits() | sign,
        10 => u64::from(random.below(2047)),
        _ => near(random, 1023),
    };
    sign | exponent << 52 | fraction
}

fn register(random: &mut Random) -> u32 {
    let segment = [0x8C00_0000, 0x8C00_0000, 0x8C00_0000, 0xAC00_0000, 0x0C00_0000][random.below(5) as usize];
    match random.below(8) {
        0 => random.word(),
        1 => random.below(64),
        2 => random.below(64).wrapping_neg(),
        3 => segment + random.below(SIZE),
        4 => segment + (random.below(SIZE) & !3),
        _ => segment + 0x800 + (random.below(0x700) & !7),
    }
}

/// Initial state and limits of a run.
#[derive(Debug)]
pub(crate) struct Case {
    pub(super) r: [u32; 16],
    pub(super) bank: [u32; 8],
    pub(super) fr: [u32; 16],
    pub(super) xf: [u32; 16],
    pub(super) others: [u32; 8],
    pub(super) sr: u32,
    pub(super) fpscr: u32,
    pub(super) data: Vec<u32>,
    pub(super) start: u32,
    pub(super) limit: u64,
    pub(super) until: Option<u32>,
}

impl Case {
    pub(crate) fn new(random: &mut Random) -> Case {
        let sr = random.word() & 0x2000_0303 | if random.chance(95) { 0x4000_0000 } else { 0 };
        let tame = random.chance(40);
        let rare = |random: &mut Random, percent, bits| if random.chance(percent) { bits } else { 0 };
        let fpscr = rare(random, 70, 0x0004_0000)
            | rare(random, 10, 0x0008_0000)
            | rare(random, 20, 0x0010_0000)
            | rare(random, 20, 0x0020_0000)
            | rare(random, 20, random.0 as u32 & 3)
            | rare(random, 5, random.0 as u32 & 0xF80)
            | rare(random, 60, 0x0000_0004)
            | rare(random, 20, random.0 as u32 & 0x1F07C);
        Case {
            r: std::array::from_fn(|_| register(random)),
            bank: std::array::from_fn(|_| register(random)),
            fr: std::array::from_fn(|_| float(random, tame)),
            xf: std::array::from_fn(|_| float(random, tame)),
            others: std::array::from_fn(|_| register(random)),
            sr: sr | rare(random, 2, 0x8000),
            fpscr,
            data: (0..SIZE / 4)
                .map(|_| {
                    if random.chance(60) {
                        float(random, tame)
                    } else {
                        random.word()
                    }
                })
                .collect(),
            start: if random.chance(80) { 0 } else { 2 * random.below(8) },
            limit: if random.chance(80) {
                300
            } else {
                1 + u64::from(random.below(60))
            },
            until: random.chance(15).then(|| BASE + CODE + 2 * random.below(40)),
        }
    }

    /// Returns the case with the FPU mode of `other`: PR, SZ, RM and DN.
    pub(crate) fn in_mode_of(self, other: &Case) -> Case {
        const MODE: u32 = 0x001C_0003;
        let fpscr = self.fpscr & !MODE | other.fpscr & MODE;
        Case { fpscr, ..self }
    }

    /// Returns the case with an FPSCR, in privileged mode, at the beginning of the code.
    pub(crate) fn with_fpscr(self, fpscr: u32) -> Case {
        Case {
            fpscr,
            sr: self.sr & !0x8000 | 0x4000_0000,
            start: 0,
            ..self
        }
    }

    /// Returns the case for code that moves vectors from r1 to r2, r3 times. All data are small whole
    /// numbers, so that FTRV is exact. r2 may be near r1.
    pub(crate) fn with_vectors(self, random: &mut Random) -> Case {
        let mut whole = || (random.below(2_000) as f32 - 1_000.0).to_bits();
        let (fr, xf) = ([(); 16].map(|()| whole()), [(); 16].map(|()| whole()));
        let data = self.data.iter().map(|_| whole()).collect();
        let mut r = self.r;
        r[0] = whole();
        r[1] = BASE + 0x900 + 4 * random.below(64);
        r[2] = if random.chance(50) {
            r[1] + 4 * random.below(12)
        } else {
            BASE + 0xC00
        };
        r[3] = 1 + random.below(6);
        Case {
            r,
            fr,
            xf,
            data,
            ..self
        }
    }

    /// Returns the case with doubles in the FPU's registers, and a single or an integer in FPUL.
    pub(crate) fn with_doubles(self, random: &mut Random) -> Case {
        let mut fr = self.fr;
        for pair in fr.as_chunks_mut::<2>().0 {
            let bits = double(random);
            *pair = [(bits >> 32) as u32, bits as u32];
        }
        // Some operands are equal, or opposite, or a power of two apart.
        if random.chance(30) {
            (fr[4], fr[5]) = (fr[2] ^ random.word() & 0x8000_0000, fr[3]);
            fr[4] = fr[4].wrapping_add(random.below(3) * (random.below(60) << 20));
        }
        let mut others = self.others;
        others[6] = if random.chance(50) {
            float(random, false)
        } else {
            random.word()
        };
        Case { fr, others, ..self }
    }

    pub(super) fn apply(&self, cpu: &mut Cpu) {
        cpu.set_sr(self.sr);
        cpu.set_fpscr(self.fpscr);
        (cpu.r, cpu.r_bank, cpu.fr, cpu.xf) = (self.r, self.bank, self.fr, self.xf);
        [
            cpu.pr, cpu.gbr, cpu.ssr, cpu.spc, cpu.mach, cpu.macl, cpu.fpul, cpu.dbr,
        ] = self.others;
        cpu.vbr = BASE + 0x300;
        cpu.pc = BASE + CODE + self.start;
    }
}
