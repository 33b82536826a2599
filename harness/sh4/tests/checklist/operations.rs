//! Integer operations with details that emulators often get wrong, each compared with its formula in wider
//! arithmetic.

use super::*;

/// Runs one instruction on R1 and R2 with T; returns R2 and T.
fn on(word: u16, m: u32, n: u32, t: bool) -> (u32, bool) {
    let (cpu, ..) = run(&[word], 1, |cpu, _| (cpu.r[1], cpu.r[2], cpu.t) = (m, n, t));
    (cpu.r[2], cpu.t)
}

const VALUES: [u32; 9] = [
    0,
    1,
    2,
    0x7FFF_FFFF,
    0x8000_0000,
    0x8000_0001,
    0xFFFF_FFFE,
    u32::MAX,
    0x1234_5678,
];

#[test]
fn carries_and_overflows_in_all_combinations() {
    for m in VALUES {
        for n in VALUES {
            for t in [false, true] {
                let (wide, borrow) = (
                    u64::from(m) + u64::from(n) + u64::from(t),
                    i64::from(n) - i64::from(m) - i64::from(t),
                );
                assert_eq!(
                    on(0x321E, m, n, t),
                    (wide as u32, wide > u64::from(u32::MAX)),
                    "addc"
                );
                assert_eq!(on(0x321A, m, n, t), (borrow as u32, borrow < 0), "subc");
                let negative = -i64::from(m) - i64::from(t);
                assert_eq!(on(0x621A, m, n, t), (negative as u32, negative < 0), "negc");
                let (m, n) = (i64::from(m as i32), i64::from(n as i32));
                let fits = |value: i64| i64::from(value as i32) == value;
                assert_eq!(
                    on(0x321F, m as u32, n as u32, t),
                    ((n + m) as u32, !fits(n + m)),
                    "addv"
                );
                assert_eq!(
                    on(0x321B, m as u32, n as u32, t),
                    ((n - m) as u32, !fits(n - m)),
                    "subv"
                );
            }
        }
    }
}

/// DT, CMP/STR, XTRCT, MOVT, SETT, CLRT.
#[test]
fn small_operations() {
    assert_eq!(
        (on(0x4210, 0, 1, false), on(0x4210, 0, 0, true)),
        ((0, true), (u32::MAX, false))
    );
    for byte in 0..4 {
        let equal = 0xFFu32 << (8 * byte);
        assert!(
            on(
                0x221C,
                0x1234_5678 & equal,
                0x1234_5678 & equal | 0x0101_0101 & !equal,
                false
            )
            .1
        );
    }
    assert!(!on(0x221C, 0x1234_5678, 0x3412_7856, true).1);
    assert_eq!(on(0x221D, 0x1111_2222, 0x3333_4444, false).0, 0x2222_3333);
    assert_eq!((on(0x0229, 0, 9, true).0, on(0x0229, 0, 9, false).0), (1, 0));
    assert_eq!(
        (on(0x0018, 0, 0, false).1, on(0x0008, 0, 0, true).1),
        (true, false)
    );
}

/// AND.B, OR.B, XOR.B, TST.B work on GBR + R0, with an immediate that is not extended.
#[test]
fn byte_logic_uses_gbr_and_r0() {
    for (word, expected, t) in [
        (0xCD81u16, 0x81, false),
        (0xCF12, 0xF3 | 0x12, false),
        (0xCEFF, 0x0C, false),
        (0xCC0C, 0xF3, true),
    ] {
        let (cpu, mut bus, _) = run(&[word], 1, |cpu, bus| {
            (cpu.r[0], cpu.gbr) = (3, DATA);
            bus.write8(DATA + 3, 0xF3).unwrap();
        });
        assert_eq!(
            (bus.read8(DATA + 3), cpu.t, cpu.r[0]),
            (Ok(expected), t, 3),
            "{word:04X}"
        );
    }
}

/// DIV0S: Q = Rn sign, M = Rm sign, T = Q ^ M. DIV0U clears all three.
#[test]
fn division_set_up() {
    for (m, n) in [(0, 0), (0, 1 << 31), (1 << 31, 0), (1u32 << 31, 1u32 << 31)] {
        let (cpu, ..) = run(&[0x2217], 1, |cpu, _| (cpu.r[1], cpu.r[2]) = (m, n));
        let (q, divisor) = (n >> 31 != 0, m >> 31 != 0);
        assert_eq!(
            (cpu.sr() & sr::Q != 0, cpu.sr() & sr::M != 0, cpu.t),
            (q, divisor, q != divisor)
        );
    }
    let (cpu, ..) = run(&[0x0019], 1, |cpu, _| cpu.set_sr(sr::MD | sr::Q | sr::M | sr::T));
    assert_eq!(cpu.sr(), sr::MD);
}

/// DIV1 in all states of Q, M, T, also with m = n, against 33-bit arithmetic.
#[test]
fn division_step() {
    for state in 0..8u32 {
        let (q, m, t) = (state & 1 != 0, state & 2 != 0, state & 4 != 0);
        for divisor in VALUES {
            for dividend in VALUES.into_iter().chain([divisor]) {
                for same in [false, true] {
                    let dividend = if same { divisor } else { dividend };
                    let word = if same { 0x3224 } else { 0x3214 };
                    let (cpu, ..) = run(&[word], 1, |cpu, _| {
                        let bits = if q { sr::Q } else { 0 } | if m { sr::M } else { 0 } | u32::from(t);
                        cpu.set_sr(sr::MD | bits);
                        (cpu.r[1], cpu.r[2]) = (divisor, dividend);
                    });
                    let shifted = i64::from(dividend << 1 | u32::from(t));
                    let sum = if q == m {
                        shifted - i64::from(divisor)
                    } else {
                        shifted + i64::from(divisor)
                    };
                    let carried = !(0..=i64::from(u32::MAX)).contains(&sum);
                    let new_q = (dividend >> 31 != 0) ^ m ^ carried;
                    assert_eq!(
                        (cpu.r[2], cpu.sr() & sr::Q != 0, cpu.t),
                        (sum as u32, new_q, new_q == m),
                        "{divisor:08X} {dividend:08X} {state}"
                    );
                }
            }
        }
    }
}

/// SHAD and SHLD by every amount from -64 to 64.
#[test]
fn shifts_by_every_amount() {
    for amount in -64i32..=64 {
        for value in VALUES {
            let low = (amount & 31) as u32;
            let down = (32 - low) % 32;
            let (arithmetic, logical) = match (amount < 0, low) {
                (false, _) => (value << low, value << low),
                (true, 0) => (if (value as i32) < 0 { u32::MAX } else { 0 }, 0),
                (true, _) => (((value as i32) >> down) as u32, value >> down),
            };
            assert_eq!(
                on(0x421C, amount as u32, value, false).0,
                arithmetic,
                "shad {amount}"
            );
            assert_eq!(
                on(0x421D, amount as u32, value, false).0,
                logical,
                "shld {amount}"
            );
        }
    }
}

/// MAC.L and MAC.W with S = 0: a 64-bit sum, signed products.
#[test]
fn mac_without_saturation() {
    let mac = |word: u16, size: u32, a: u32, b: u32, start: u64| {
        let (cpu, ..) = run(&[word], 1, |cpu, bus| {
            bus.write32(DATA, a).unwrap();
            bus.write32(DATA + 4, b).unwrap();
            (cpu.r[1], cpu.r[2]) = (DATA, DATA + 4);
            (cpu.mach, cpu.macl) = ((start >> 32) as u32, start as u32);
        });
        assert_eq!((cpu.r[1], cpu.r[2]), (DATA + size, DATA + 4 + size));
        u64::from(cpu.mach) << 32 | u64::from(cpu.macl)
    };
    for start in [0u64, 1, 0x7FFF_FFFF_FFFF_FFFF, u64::MAX, 0x0000_7FFF_FFFF_FFFF] {
        for a in VALUES {
            for b in VALUES {
                let long = i64::from(a as i32) * i64::from(b as i32);
                assert_eq!(mac(0x021F, 4, a, b, start), start.wrapping_add(long as u64));
                let word = i64::from(a as i16) * i64::from(b as i16);
                assert_eq!(mac(0x421F, 2, a, b, start), start.wrapping_add(word as u64));
            }
        }
    }
}

/// MAC.W with S = 1: only MACL changes, with both limits; without overflow MACH stays. SH7750 manual, MAC.W.
#[test]
fn mac_w_saturates_both_ways() {
    let mac = |a: u16, b: u16, macl: u32| {
        let (cpu, ..) = run(&[0x421F], 1, |cpu, bus| {
            bus.write16(DATA, a).unwrap();
            bus.write16(DATA + 4, b).unwrap();
            cpu.set_sr(sr::MD | sr::S);
            (cpu.r[1], cpu.r[2], cpu.mach, cpu.macl) = (DATA, DATA + 4, 0xAA00, macl);
        });
        (cpu.mach, cpu.macl)
    };
    assert_eq!(mac(0x7FFF, 0x7FFF, 0x7000_0000), (0xAA01, 0x7FFF_FFFF));
    assert_eq!(mac(0x8000, 0x7FFF, 0x9000_0000), (0xAA01, 0x8000_0000));
    assert_eq!(mac(3, 5, 0x7000_0000), (0xAA00, 0x7000_000F));
}

/// TAS.B: T is 1 if the byte was 0; bit 7 is set in both cases.
#[test]
fn test_and_set() {
    for byte in [0u8, 1, 0x7F, 0x80] {
        let (cpu, mut bus, _) = run(&[0x411B], 1, |cpu, bus| {
            bus.write8(DATA + 3, byte).unwrap();
            cpu.r[1] = DATA + 3;
        });
        assert_eq!((cpu.t, bus.read8(DATA + 3)), (byte == 0, Ok(byte | 0x80)));
    }
}
