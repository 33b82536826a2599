//! DIV0/DIV1 sequences against the host's division.

// A failed unwrap or panic in a helper is how a test fails.
#![allow(clippy::unwrap_used, clippy::panic)]

use proptest::prelude::*;
use sh4::flat::FlatBus;
use sh4::{Cpu, Settings, Stop, sr};

/// div0u, then 32 times rotcl r2 and div1 r1,r3, then rotcl r2: R3:R2 / R1, unsigned 64 by 32.
fn unsigned(words: &mut Vec<u16>) {
    words.push(0x0019);
    for _ in 0..32 {
        words.extend([0x4224, 0x3314]);
    }
    words.extend([0x4224, 0x001B]);
}

/// The manual's signed 32 by 32 division: R2 / R1, quotient in R2.
fn signed(words: &mut Vec<u16>) {
    // mov r2,r3; rotcl r3; subc r3,r3; mov #0,r0; subc r0,r2; div0s r1,r3
    words.extend([0x6323, 0x4324, 0x333A, 0xE000, 0x320A, 0x2317]);
    for _ in 0..32 {
        words.extend([0x4224, 0x3314]);
    }
    // rotcl r2; addc r0,r2; sleep
    words.extend([0x4224, 0x320E, 0x001B]);
}

fn run(fill: fn(&mut Vec<u16>), registers: [(usize, u32); 3]) -> u32 {
    let mut words = Vec::new();
    fill(&mut words);
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut bus = FlatBus::new(0, 0x1000);
    bus.load(0, &bytes);
    let mut cpu = Cpu::new(Settings::default());
    cpu.set_sr(sr::MD);
    cpu.pc = 0;
    for (register, value) in registers {
        cpu.r[register] = value;
    }
    assert_eq!(cpu.run(&mut bus, None, 1000, &mut ()).stop, Stop::Sleep);
    cpu.r[2]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn unsigned_division(dividend in any::<u64>(), divisor in 1u32..) {
        // The quotient must fit: the high half is smaller than the divisor.
        let dividend = dividend % (u64::from(divisor) << 32);
        let quotient = run(unsigned, [(1, divisor), (2, dividend as u32), (3, (dividend >> 32) as u32)]);
        prop_assert_eq!(u64::from(quotient), dividend / u64::from(divisor));
    }

    #[test]
    fn signed_division(dividend in any::<i32>(), divisor in any::<i32>()) {
        prop_assume!(divisor != 0 && (dividend, divisor) != (i32::MIN, -1));
        let quotient = run(signed, [(1, divisor as u32), (2, dividend as u32), (3, 0)]);
        prop_assert_eq!(quotient as i32, dividend / divisor);
    }
}
