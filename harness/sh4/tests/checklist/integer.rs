//! Integer arithmetic, MAC, and loads and stores with update.

use super::*;

#[test]
fn carry_chains() {
    // addc r1,r2: FFFFFFFF + 0 + 1; the carry comes from the second addition.
    let set = |a, b, t| move |cpu: &mut Cpu, _: &mut FlatBus| (cpu.r[1], cpu.r[2], cpu.t) = (a, b, t);
    let (cpu, ..) = run(&[0x321E], 1, set(0xFFFF_FFFF, 0, true));
    assert_eq!((cpu.r[2], cpu.t), (0, true));
    // subc: 0 - FFFFFFFF - 1.
    let (cpu, ..) = run(&[0x321A], 1, set(0xFFFF_FFFF, 0, true));
    assert_eq!((cpu.r[2], cpu.t), (0, true));
    // negc r1,r2 of 0 with T.
    let (cpu, ..) = run(&[0x621A], 1, set(0, 7, true));
    assert_eq!((cpu.r[2], cpu.t), (0xFFFF_FFFF, true));
    // addv, subv.
    let (cpu, ..) = run(&[0x321F], 1, set(1, 0x7FFF_FFFF, false));
    assert_eq!((cpu.r[2], cpu.t), (0x8000_0000, true));
    let (cpu, ..) = run(&[0x321B], 1, set(1, 0x8000_0000, false));
    assert_eq!((cpu.r[2], cpu.t), (0x7FFF_FFFF, true));
}

#[test]
fn rotates_set_t() {
    let (cpu, ..) = run(&[0x4104], 1, |cpu, _| cpu.r[1] = 0x8000_0000);
    assert_eq!((cpu.r[1], cpu.t), (1, true));
    let (cpu, ..) = run(&[0x4105], 1, |cpu, _| cpu.r[1] = 2);
    assert_eq!((cpu.r[1], cpu.t), (1, false));
}

#[test]
fn dynamic_shifts() {
    // shad r1,r2 and shld r1,r2: value, amount, arithmetic, logical.
    let cases = [
        (0x8000_0001u32, 32u32, 0x8000_0001u32, 0x8000_0001u32),
        (0x8000_0001, 4, 0x10, 0x10),
        (0x8000_0001, 4u32.wrapping_neg(), 0xF800_0000, 0x0800_0000),
        (0x8000_0001, 32u32.wrapping_neg(), 0xFFFF_FFFF, 0),
        (0x4000_0001, 0x8000_0000, 0, 0),
    ];
    for (value, amount, arithmetic, logical) in cases {
        let set = |cpu: &mut Cpu, _: &mut FlatBus| (cpu.r[1], cpu.r[2]) = (amount, value);
        assert_eq!(run(&[0x421C], 1, set).0.r[2], arithmetic);
        assert_eq!(run(&[0x421D], 1, set).0.r[2], logical);
    }
}

#[test]
fn div1_captures_the_divisor_before_the_shift() {
    // div1 r1,r1 after div0u, R1 = 3: 6 - 3 = 3. If the step read R1 after the shift, the result would be 0.
    let (cpu, ..) = run(&[0x0019, 0x3114], 2, |cpu, _| cpu.r[1] = 3);
    assert_eq!((cpu.r[1], cpu.t), (3, true));
}

#[test]
fn mac_reads_rn_first_and_steps_twice_when_equal() {
    let put = |bus: &mut FlatBus| {
        for (i, value) in [3u32, 5, 7].into_iter().enumerate() {
            bus.write32(DATA + 4 * i as u32, value).unwrap();
        }
    };
    // mac.l @r1+,@r1+
    let (cpu, ..) = run(&[0x011F], 1, |cpu, bus| {
        put(bus);
        cpu.r[1] = DATA;
    });
    assert_eq!((cpu.macl, cpu.r[1]), (15, DATA + 8));
    // The access by @Rn faults first: mac.l @r1+,@r2+ with both unmapped.
    let (_, _, stop) = run(&[0x021F], 1, |cpu, _| (cpu.r[1], cpu.r[2]) = (0x1000, 0x2000));
    assert!(matches!(stop, Stop::Fault(fault) if fault.address == Some(0x2000)));
}

fn mac_l(settings: Settings, mac: u64, a: u32, b: u32) -> u64 {
    let (mut cpu, mut bus) = machine(&[0x021F], settings);
    bus.write32(DATA, a).unwrap();
    bus.write32(DATA + 4, b).unwrap();
    cpu.set_sr(sr::MD | sr::S);
    (cpu.r[1], cpu.r[2]) = (DATA, DATA + 4);
    (cpu.mach, cpu.macl) = ((mac >> 32) as u32, mac as u32);
    engine::step(&mut cpu, &mut bus).unwrap();
    u64::from(cpu.mach) << 32 | u64::from(cpu.macl)
}

#[test]
fn mac_l_saturates() {
    let prose = Settings::default();
    assert_eq!(
        mac_l(prose, 0x0000_7FFF_FFFF_FFF0, 0x7FFF_FFFF, 0x7FFF_FFFF),
        0x0000_7FFF_FFFF_FFFF
    );
    assert_eq!(
        mac_l(prose, 0xFFFF_8000_0000_0010, 0x7FFF_FFFF, 0x8000_0001),
        0xFFFF_8000_0000_0000
    );
    assert_eq!(mac_l(prose, 0xFFFF_FFFF_FFFF_FFFF, 2, 3), 5);
    let code = Settings {
        macl_saturate_mode: MacLongSaturation::LowHalf,
        ..prose
    };
    // In this mode the negative accumulator has the value 0000FFFF_FFFFFFFF, and MACH[31:16] stays.
    assert_eq!(mac_l(code, 0xFFFF_FFFF_FFFF_FFFF, 2, 3), 0xFFFF_7FFF_FFFF_FFFF);
}

#[test]
fn mac_w_saturates_macl() {
    for (flag, mach) in [
        (MacWordFlag::SetBit0, 0x11),
        (MacWordFlag::WriteOne, 1),
        (MacWordFlag::Unchanged, 0x10),
    ] {
        let (mut cpu, mut bus) = machine(
            &[0x421F],
            Settings {
                macw_mach_flag: flag,
                ..Settings::default()
            },
        );
        bus.write16(DATA, 0x7FFF).unwrap();
        bus.write16(DATA + 2, 0x7FFF).unwrap();
        cpu.set_sr(sr::MD | sr::S);
        (cpu.r[1], cpu.r[2], cpu.mach, cpu.macl) = (DATA, DATA + 2, 0x10, 0x7FFF_FFF0);
        engine::step(&mut cpu, &mut bus).unwrap();
        assert_eq!((cpu.macl, cpu.mach), (0x7FFF_FFFF, mach));
    }
}

#[test]
fn same_register_in_post_and_pre() {
    // mov.l @r1+,r1 keeps the loaded value; mov.l r1,@-r1 stores the old address.
    let (cpu, ..) = run(&[0x6116], 1, |cpu, bus| {
        bus.write32(DATA, 99).unwrap();
        cpu.r[1] = DATA;
    });
    assert_eq!(cpu.r[1], 99);
    let (cpu, mut bus, _) = run(&[0x2116], 1, |cpu, _| cpu.r[1] = DATA + 4);
    assert_eq!((cpu.r[1], bus.read32(DATA)), (DATA, Ok(DATA + 4)));
}

#[test]
fn a_faulting_store_leaves_the_register() {
    // sts.l pr,@-r1 to an unmapped address.
    let (cpu, _, stop) = run(&[0x4122], 1, |cpu, _| cpu.r[1] = 0x1000);
    assert!(matches!(
        fault(stop),
        FaultKind::Bus {
            direction: Direction::Write,
            ..
        }
    ));
    assert_eq!((cpu.r[1], cpu.pc), (0x1000, CODE));
}

#[test]
fn tas() {
    let (cpu, mut bus, _) = run(&[0x411B], 1, |cpu, _| cpu.r[1] = DATA + 1);
    assert_eq!((cpu.t, bus.read32(DATA)), (true, Ok(0x8000)));
}
