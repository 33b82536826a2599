//! DIV0/DIV1 sequences against the host's division: one million seeded cases, half unsigned, half signed.
//!
//! The method is the same as in washingtondc's sh4div_test, which captured the same sequences on a console;
//! here the host computes the expected values.

// A failed unwrap or panic in a helper fails the test.
#![allow(clippy::unwrap_used, clippy::panic)]

use sh4::flat::FlatBus;
use sh4::{Cpu, Settings, Stop, sr};

const CASES: u32 = 500_000;

/// div0u, then 32 times rotcl r2 and div1 r1,r3, then rotcl r2: R3:R2 / R1, unsigned 64 by 32.
fn unsigned() -> Vec<u16> {
    let mut words = vec![0x0019];
    for _ in 0..32 {
        words.extend([0x4224, 0x3314]);
    }
    words.extend([0x4224, 0x001B]);
    words
}

/// The manual's signed 32 by 32 division: R2 / R1, quotient in R2.
fn signed() -> Vec<u16> {
    // mov r2,r3; rotcl r3; subc r3,r3; mov #0,r0; subc r0,r2; div0s r1,r3
    let mut words = vec![0x6323, 0x4324, 0x333A, 0xE000, 0x320A, 0x2317];
    for _ in 0..32 {
        words.extend([0x4224, 0x3314]);
    }
    // rotcl r2; addc r0,r2; sleep
    words.extend([0x4224, 0x320E, 0x001B]);
    words
}

/// A CPU that runs one of the sequences repeatedly.
struct Divider {
    cpu: Cpu,
    bus: FlatBus,
}

impl Divider {
    fn new(words: &[u16]) -> Divider {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut bus = FlatBus::new(0, 0x1000);
        bus.load(0, &bytes);
        let mut cpu = Cpu::new(Settings::default());
        cpu.set_sr(sr::MD);
        Divider { cpu, bus }
    }

    fn divide(&mut self, divisor: u32, low: u32, high: u32) -> u32 {
        self.cpu.pc = 0;
        self.cpu.r[1..4].copy_from_slice(&[divisor, low, high]);
        assert_eq!(self.cpu.run(&mut self.bus, None, 1000, &mut ()).stop, Stop::Sleep);
        self.cpu.r[2]
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// Words of every magnitude, and one in eight at an edge.
    fn word(&mut self) -> u32 {
        const EDGES: [u32; 8] = [
            0,
            1,
            2,
            0x7FFF_FFFF,
            0x8000_0000,
            0x8000_0001,
            u32::MAX - 1,
            u32::MAX,
        ];
        let (value, choice) = (self.next() as u32, self.next());
        if choice & 7 == 0 {
            EDGES[(choice >> 3 & 7) as usize]
        } else {
            value >> (choice >> 8 & 31)
        }
    }
}

#[test]
fn unsigned_division() {
    let (mut divider, mut random) = (Divider::new(&unsigned()), Random(1));
    for case in 0..CASES {
        let divisor = random.word().max(1);
        // The quotient must fit: the high half is smaller than the divisor.
        let (low, high) = (random.word(), random.word() % divisor);
        let dividend = u64::from(high) << 32 | u64::from(low);
        let quotient = divider.divide(divisor, low, high);
        assert_eq!(
            u64::from(quotient),
            dividend / u64::from(divisor),
            "case {case}: {dividend} / {divisor}"
        );
    }
    println!("division: {CASES} unsigned cases equal");
}

#[test]
fn signed_division() {
    let (mut divider, mut random) = (Divider::new(&signed()), Random(2));
    let mut done = 0;
    while done < CASES {
        let (dividend, divisor) = (random.word() as i32, random.word() as i32);
        let dividend = if random.next() & 1 == 0 {
            dividend
        } else {
            dividend.wrapping_neg()
        };
        // The sequence does not support division by zero, or a quotient that does not fit.
        let Some(expected) = dividend.checked_div(divisor) else {
            continue;
        };
        let quotient = divider.divide(divisor as u32, dividend as u32, 0);
        assert_eq!(quotient as i32, expected, "case {done}: {dividend} / {divisor}");
        done += 1;
    }
    println!("division: {CASES} signed cases equal");
}
