//! What SH-4 cores get wrong, a test each. Expected values are from the manual's formulas by hand.

// A failed unwrap or panic in a helper is how a test fails.
#![allow(clippy::unwrap_used, clippy::panic)]

use sh4::flat::FlatBus;
use sh4::{Bus, Cpu, Direction, FaultKind, MacLongSaturation, MacWordFlag, Settings, Stop, fpscr, sr};

const CODE: u32 = 0x8C00_0000;
const DATA: u32 = 0x8C00_1000;

/// A CPU at `CODE` in a memory holding `words`, privileged, nearest, DN = 1.
fn machine(words: &[u16], settings: Settings) -> (Cpu, FlatBus) {
    let mut bus = FlatBus::new(0x0C00_0000, 0x4000);
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(bus.load(CODE, &bytes), bytes.len());
    let mut cpu = Cpu::new(settings);
    cpu.set_sr(sr::MD);
    cpu.set_fpscr(fpscr::DN);
    cpu.pc = CODE;
    (cpu, bus)
}

/// Runs `words` after `setup`, and returns the CPU and the stop.
fn run(words: &[u16], count: u64, setup: impl FnOnce(&mut Cpu, &mut FlatBus)) -> (Cpu, FlatBus, Stop) {
    let (mut cpu, mut bus) = machine(words, Settings::default());
    setup(&mut cpu, &mut bus);
    let run = cpu.run(&mut bus, None, count, &mut ());
    (cpu, bus, run.stop)
}

fn fault(stop: Stop) -> FaultKind {
    match stop {
        Stop::Fault(fault) => fault.kind,
        other => panic!("{other}"),
    }
}

const NOP: u16 = 0x0009;

#[test]
fn pc_relative_loads() {
    // At +2, where PC & ~3 differs from PC: mov.w @(2,pc),r1 and mov.l @(4,pc),r2, mova @(4,pc),r0.
    let words = [NOP, 0x9101, NOP, NOP, 0x8001, NOP];
    let (cpu, ..) = run(&words, 2, |_, _| {});
    assert_eq!(cpu.r[1], 0xFFFF_8001);
    let words = [NOP, 0xD201, NOP, NOP, 0x5678, 0x1234];
    let (cpu, ..) = run(&words, 2, |_, _| {});
    assert_eq!(cpu.r[2], 0x1234_5678);
    let (cpu, ..) = run(&[NOP, 0xC701], 2, |_, _| {});
    assert_eq!(cpu.r[0], CODE + 8);
}

#[test]
fn conditional_branches_sample_t_before_the_slot() {
    // bt/s +4 with sett/clrt in the slot.
    let (cpu, ..) = run(&[0x8D01, 0x0008, NOP, NOP], 2, |cpu, _| cpu.t = true);
    assert_eq!((cpu.pc, cpu.t), (CODE + 6, false));
    let (cpu, ..) = run(&[0x8D01, 0x0018, NOP, NOP], 2, |cpu, _| cpu.t = false);
    assert_eq!((cpu.pc, cpu.t), (CODE + 4, true));
    // bf has no slot.
    let (cpu, ..) = run(&[0x8B01, 0x0018, NOP, NOP], 1, |cpu, _| cpu.t = false);
    assert_eq!((cpu.pc, cpu.t), (CODE + 6, false));
}

#[test]
fn register_branches_read_before_the_slot() {
    // braf r1; add #8,r1  and  jsr @r1; mov #0,r1.
    let (cpu, ..) = run(&[0x0123, 0x7108], 2, |cpu, _| cpu.r[1] = 0x10);
    assert_eq!(cpu.pc, CODE + 4 + 0x10);
    let (cpu, ..) = run(&[0x410B, 0xE100], 2, |cpu, _| cpu.r[1] = DATA);
    assert_eq!((cpu.pc, cpu.pr), (DATA, CODE + 4));
}

#[test]
fn pr_and_the_slot() {
    // bsr with sts pr,r2 in the slot sees the new PR; rts with lds r2,pr goes to the old one.
    let (cpu, ..) = run(&[0xB010, 0x022A], 2, |cpu, _| cpu.pr = 1);
    assert_eq!(cpu.r[2], CODE + 4);
    let (cpu, ..) = run(&[0x000B, 0x422A], 2, |cpu, _| (cpu.pr, cpu.r[2]) = (DATA, 0x40));
    assert_eq!((cpu.pc, cpu.pr), (DATA, 0x40));
}

#[test]
fn rte_restores_sr_for_the_slot() {
    // The slot adds with the restored T: addc r1,r2.
    let (cpu, ..) = run(&[0x002B, 0x321E], 2, |cpu, _| {
        (cpu.ssr, cpu.spc, cpu.r[1], cpu.r[2]) = (sr::MD | sr::T, DATA, 1, 1);
    });
    assert_eq!((cpu.pc, cpu.r[2]), (DATA, 3));
}

#[test]
fn trapa_and_sleep_stop_behind_themselves() {
    let (cpu, _, stop) = run(&[0xC322], 9, |_, _| {});
    assert_eq!((stop, cpu.pc), (Stop::Trapa { imm: 0x22 }, CODE + 2));
    let (cpu, _, stop) = run(&[0x001B], 9, |_, _| {});
    assert_eq!((stop, cpu.pc), (Stop::Sleep, CODE + 2));
}

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
    // div1 r1,r1 after div0u, R1 = 3: 6 - 3 = 3; taken after the shift it would be 0.
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
    // The one that faults first is @Rn: mac.l @r1+,@r2+ with both unmapped.
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
    cpu.step(&mut bus).unwrap();
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
    // The negative accumulator counts as 0000FFFF_FFFFFFFF there, and MACH[31:16] stays.
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
        cpu.step(&mut bus).unwrap();
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
    // sts.l pr,@-r1 to nowhere.
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
fn banks() {
    // ldc r9,r0_bank reaches the other bank; setting RB exchanges them.
    let (mut cpu, ..) = run(&[0x498E], 1, |cpu, _| (cpu.r[0], cpu.r[9]) = (1, 2));
    assert_eq!((cpu.r[0], cpu.r_bank[0]), (1, 2));
    cpu.set_sr(sr::MD | sr::RB);
    assert_eq!((cpu.r[0], cpu.r_bank[0]), (2, 1));
    cpu.set_sr(sr::RB);
    assert_eq!((cpu.r[0], cpu.r_bank[0]), (1, 2));
    assert_eq!(
        {
            cpu.set_sr(u32::MAX);
            cpu.sr()
        },
        0x7000_83F3
    );
}

#[test]
fn tas() {
    let (cpu, mut bus, _) = run(&[0x411B], 1, |cpu, _| cpu.r[1] = DATA + 1);
    assert_eq!((cpu.t, bus.read32(DATA)), (true, Ok(0x8000)));
}

#[test]
fn fpscr_banks_and_mask() {
    let (mut cpu, ..) = run(&[0xFBFD], 1, |cpu, _| cpu.fr[3] = 7);
    assert_eq!((cpu.fr[3], cpu.xf[3]), (0, 7));
    assert_eq!(cpu.fpscr(), fpscr::FR | fpscr::DN);
    assert_eq!(
        {
            cpu.set_fpscr(u32::MAX);
            cpu.fpscr()
        },
        0x003F_FFFF
    );
}

#[test]
fn moves_keep_nan_bits() {
    // flds fr1,fpul; fsts fpul,fr2; fmov fr2,fr3; fneg fr3; fabs fr2
    let (cpu, ..) = run(&[0xF11D, 0xF20D, 0xF32C, 0xF34D, 0xF25D], 5, |cpu, _| {
        cpu.fr[1] = 0xFFC0_1234
    });
    assert_eq!((cpu.fr[3], cpu.fr[2]), (0x7FC0_1234, 0x7FC0_1234));
}

#[test]
fn fmov_pairs() {
    // With SZ = 1: fmov.d @r1,dr2 takes the word at the lower address to FR2; xd2 is the other bank.
    let (cpu, ..) = run(&[0xF3FD, 0xF218, 0xF318], 3, |cpu, bus| {
        bus.write32(DATA, 0x1111_1111).unwrap();
        bus.write32(DATA + 4, 0x2222_2222).unwrap();
        cpu.r[1] = DATA;
    });
    assert_eq!((cpu.fr[2], cpu.fr[3]), (0x1111_1111, 0x2222_2222));
    assert_eq!((cpu.xf[2], cpu.xf[3]), (0x1111_1111, 0x2222_2222));
}

#[test]
fn slot_illegal() {
    // bra with each of: bra, bt, trapa, ldc r1,sr, mov.w @(0,pc), mova, FFFD, rts.
    for slot in [
        0xA000, 0x8900, 0xC300, 0x410E, 0x9100, 0xD100, 0xC700, 0xFFFD, 0x000B, 0x0023, 0x002B,
    ] {
        let (cpu, _, stop) = run(&[0xA000, slot], 9, |_, _| {});
        let Stop::Fault(found) = stop else {
            panic!("{slot:04X}: {stop}")
        };
        assert_eq!(
            (found.kind, found.pc, found.in_slot),
            (FaultKind::SlotIllegal, CODE + 2, true)
        );
        assert_eq!((cpu.pc, found.opcode), (CODE, slot));
    }
}

#[test]
fn user_mode() {
    let user = |words: &[u16], address| {
        run(words, 9, |cpu, bus| {
            cpu.set_sr(0);
            cpu.pc = 0x0C00_0000;
            cpu.r[1] = address;
            bus.write32(DATA, 5).unwrap();
        })
    };
    // stc sr,r0; sleep; in a slot; a load from P1; a store to the store queues; a plain load.
    assert_eq!(fault(user(&[0x0002], 0).2), FaultKind::Privileged);
    assert_eq!(fault(user(&[0x001B], 0).2), FaultKind::Privileged);
    assert_eq!(fault(user(&[0xA000, 0x0002], 0).2), FaultKind::SlotIllegal);
    assert_eq!(
        fault(user(&[0x6212], DATA).2),
        FaultKind::Forbidden {
            direction: Direction::Read
        }
    );
    let (cpu, ..) = user(&[0x2122, 0x0012, 0x001B], 0xE000_0000);
    assert_eq!(cpu.pc, 0x0C00_0004);
    assert_eq!(user(&[0x6212, 0x001B], DATA & 0x1FFF_FFFF).0.r[2], 5);
}

#[test]
fn address_errors() {
    let misaligned = |direction, size| FaultKind::Misaligned { direction, size };
    let at = |words: &[u16], address: u32| fault(run(words, 2, |cpu, _| cpu.r[1] = address).2);
    assert_eq!(at(&[0x6212], DATA + 2), misaligned(Direction::Read, 4));
    assert_eq!(at(&[0x2121], DATA + 1), misaligned(Direction::Write, 2));
    assert_eq!(at(&[0xF3FD, 0xF218], DATA + 4), misaligned(Direction::Read, 8));
    // A jump to an odd address faults when it is fetched from.
    let (mut cpu, mut bus) = machine(&[0x412B, NOP], Settings::default());
    cpu.r[1] = DATA + 1;
    let stop = cpu.run(&mut bus, None, 9, &mut ()).stop;
    assert_eq!(fault(stop), misaligned(Direction::Fetch, 2));
}

#[test]
fn fpu_disabled_and_undefined() {
    let disabled = |words: &[u16]| fault(run(words, 2, |cpu, _| cpu.set_sr(sr::MD | sr::FD)).2);
    assert_eq!(disabled(&[0xF100]), FaultKind::FpuDisabled);
    assert_eq!(disabled(&[0x415A]), FaultKind::FpuDisabled);
    assert_eq!(disabled(&[0xA000, 0xF100]), FaultKind::FpuDisabled);
    // Misaligned as well: the disabled FPU is seen first.
    let (_, _, stop) = run(&[0xF118], 1, |cpu, _| {
        cpu.set_sr(sr::MD | sr::FD);
        cpu.r[1] = 1;
    });
    assert_eq!(fault(stop), FaultKind::FpuDisabled);
    let double = |word| fault(run(&[word], 1, |cpu, _| cpu.set_fpscr(fpscr::PR)).2);
    for word in [0xF0ED, 0xF1FD, 0xF0FD, 0xF07D, 0xF12E, 0xF08D, 0xF09D, 0xF3FD] {
        assert_eq!(double(word), FaultKind::FpuUndefined, "{word:04X}");
    }
    assert_eq!(fault(run(&[0xF0BD], 1, |_, _| {}).2), FaultKind::FpuUndefined);
}

#[test]
fn fpu_causes_flags_and_traps() {
    // fdiv fr1,fr2: 1/0 sets Z in cause and flag; with enable.Z it traps and leaves FR2.
    let set = |enable: u32| {
        move |cpu: &mut Cpu, _: &mut FlatBus| {
            cpu.set_fpscr(fpscr::DN | enable << fpscr::ENABLE_SHIFT);
            (cpu.fr[1], cpu.fr[2]) = (0, 0x3F80_0000);
        }
    };
    let (cpu, ..) = run(&[0xF213], 1, set(0));
    assert_eq!(
        (cpu.fr[2], cpu.fpscr()),
        (0x7F80_0000, fpscr::DN | 8 << 12 | 8 << 2)
    );
    let (cpu, _, stop) = run(&[0xF213], 1, set(8));
    assert!(matches!(fault(stop), FaultKind::FpuException(_)));
    assert_eq!((cpu.fr[2], cpu.pc), (0x3F80_0000, CODE));
    // enable.I: fadd 0 + 1 is exact and traps all the same.
    let (cpu, _, stop) = run(&[0xF210], 1, set(1));
    assert!(matches!(fault(stop), FaultKind::FpuException(_)));
    assert_eq!(cpu.fr[2], 0x3F80_0000);
    // A denormal operand with DN = 0 needs no enable bit.
    let (_, _, stop) = run(&[0xF210], 1, |cpu, _| {
        cpu.set_fpscr(0);
        cpu.fr[1] = 1;
    });
    assert!(matches!(fault(stop), FaultKind::FpuException(_)));
}

#[test]
fn early_traps_look_at_exponents() {
    let trap = |word, enable: u32, a: u32, b: u32| {
        let (_, _, stop) = run(&[word], 1, |cpu, _| {
            cpu.set_fpscr(fpscr::DN | enable << fpscr::ENABLE_SHIFT);
            (cpu.fr[1], cpu.fr[2]) = (a, b);
        });
        stop != Stop::Limit
    };
    let (overflow, underflow) = (4, 2);
    let exponent = |e: u32| e << 23;
    // fadd, fsub, fmul, fdiv fr1,fr2
    assert!(trap(0xF210, overflow, exponent(0xFE), exponent(0x7F)));
    assert!(!trap(0xF210, overflow, exponent(0xFD), exponent(0x7F)));
    assert!(!trap(0xF211, overflow, exponent(0xFE), exponent(0x7F)));
    assert!(trap(0xF211, underflow, exponent(0x18), exponent(0x17)));
    assert!(!trap(0xF211, underflow, exponent(0x19), exponent(0x17)));
    assert!(trap(0xF212, overflow, exponent(0xFE), exponent(0x7F)));
    assert!(!trap(0xF212, overflow, exponent(0xFD), exponent(0x7F)));
    assert!(trap(0xF213, underflow, exponent(0xFE), exponent(0x80)));
    assert!(!trap(0xF213, underflow, exponent(0xFD), exponent(0x80)));
}

#[test]
fn step_takes_a_branch_and_its_slot() {
    let (mut cpu, mut bus) = machine(&[0xA000, 0x7101, 0x7102], Settings::default());
    cpu.step(&mut bus).unwrap();
    assert_eq!((cpu.pc, cpu.r[1]), (CODE + 4, 1));
    cpu.step(&mut bus).unwrap();
    assert_eq!((cpu.pc, cpu.r[1]), (CODE + 6, 3));
}

#[test]
fn until_and_limit() {
    let (mut cpu, mut bus) = machine(&[NOP; 100], Settings::default());
    let run = cpu.run(&mut bus, Some(CODE + 20), 1000, &mut ());
    assert_eq!((run.stop, run.executed, cpu.pc), (Stop::Until, 10, CODE + 20));
    let run = cpu.run(&mut bus, None, 7, &mut ());
    assert_eq!((run.stop, run.executed, cpu.pc), (Stop::Limit, 7, CODE + 34));
}

#[test]
fn writes_to_code_are_seen() {
    // r1 points at the nop two ahead; r2 holds add #1,r3: mov.w r2,@r1; nop; nop(patched); bra back; nop
    let words = [0x2121, NOP, NOP, 0xAFFB, NOP];
    let (cpu, ..) = run(&words, 5, |cpu, _| (cpu.r[1], cpu.r[2]) = (CODE + 4, 0x7301));
    assert_eq!(cpu.r[3], 1, "within the block that writes");
    let (mut cpu, mut bus) = machine(&[0x7301, 0xAFFD, NOP], Settings::default());
    cpu.run(&mut bus, None, 30, &mut ());
    assert_eq!(cpu.r[3], 10);
    bus.write16(CODE, 0x7302).unwrap();
    cpu.run(&mut bus, None, 30, &mut ());
    assert_eq!(cpu.r[3], 30);
}
