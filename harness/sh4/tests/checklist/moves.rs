//! Loads, stores and status transfers that change their own address register or a bank.

use super::*;

/// MOV.x @Rm+,Rn with m = n: the loaded value wins, for all three sizes.
#[test]
fn post_increment_into_itself() {
    for (word, value) in [
        (0x6114u16, 0xFFFF_FF88u32),
        (0x6115, 0x7788),
        (0x6116, 0x5566_7788),
    ] {
        let (cpu, ..) = run(&[word], 1, |cpu, bus| {
            bus.write32(DATA, 0x5566_7788).unwrap();
            cpu.r[1] = DATA;
        });
        assert_eq!(cpu.r[1], value, "{word:04X}");
    }
}

/// MOV.x Rm,@-Rn with m = n: the value before the decrement is stored, for all three sizes.
#[test]
fn pre_decrement_of_itself() {
    for (word, size) in [(0x2114u16, 1u32), (0x2115, 2), (0x2116, 4)] {
        let (cpu, mut bus, _) = run(&[word], 1, |cpu, _| cpu.r[1] = DATA + 0x14);
        assert_eq!(cpu.r[1], DATA + 0x14 - size);
        let mask = u32::MAX >> (32 - 8 * size);
        let stored = bus.read32(cpu.r[1] & !3).unwrap() >> (8 * (cpu.r[1] & 3)) & mask;
        assert_eq!(stored, (DATA + 0x14) & mask, "{word:04X}");
    }
}

/// STC.L, STS.L, MOV.L and FMOV.S @-Rn, and loads @Rm+: the register stays if the access faults.
#[test]
fn a_fault_leaves_the_address_register() {
    let stores = [
        0x4103u16, 0x4113, 0x4123, 0x4133, 0x4143, 0x4132, 0x41F2,
        0x4183, // stc.l sr..sgr, dbr, r0_bank
        0x4102, 0x4112, 0x4122, 0x4152, 0x4162, // sts.l mach, macl, pr, fpul, fpscr
        0x2106, 0x2105, 0xF10B, // mov.l, mov.w r0,@-r1; fmov.s fr0,@-r1
    ];
    let loads = [
        0x6016u16, 0x6015, 0x4117, 0x4127, 0x4137, 0x4147, 0x41F6, 0x4187, 0x4106, 0x4116, 0x4126, 0xF019,
    ];
    for word in stores.into_iter().chain(loads) {
        let (cpu, _, stop) = run(&[word], 1, |cpu, _| cpu.r[1] = DATA + 1);
        let kind = fault(stop);
        assert!(matches!(kind, FaultKind::Misaligned { .. }), "{word:04X} {kind}");
        assert_eq!(cpu.r[1], DATA + 1, "{word:04X}");
    }
}

/// MAC.L and MAC.W: the registers change only if both reads succeed.
#[test]
fn mac_leaves_both_registers_on_a_fault() {
    for word in [0x021Fu16, 0x421F] {
        let (cpu, _, stop) = run(&[word], 1, |cpu, _| (cpu.r[1], cpu.r[2]) = (DATA + 1, DATA));
        assert!(matches!(fault(stop), FaultKind::Misaligned { .. }));
        assert_eq!((cpu.r[1], cpu.r[2]), (DATA + 1, DATA));
    }
}

/// LDC, LDC.L, STC, STC.L Rn_BANK access the bank that is not in use, for both values of RB.
#[test]
fn bank_transfers_reach_the_other_bank() {
    for status in [sr::MD, sr::MD | sr::RB] {
        // ldc r9,r3_bank; stc r3_bank,r10; stc.l r3_bank,@-r11; ldc.l @r11+,r4_bank
        let (cpu, ..) = run(&[0x49BE, 0x0AB2, 0x4BB3, 0x4BC7], 4, |cpu, _| {
            cpu.set_sr(status);
            (cpu.r[3], cpu.r[4], cpu.r[9], cpu.r[11]) = (1, 2, 0x1234, DATA + 4);
        });
        assert_eq!((cpu.r[3], cpu.r[4], cpu.r[10]), (1, 2, 0x1234));
        assert_eq!((cpu.r_bank[3], cpu.r_bank[4]), (0x1234, 0x1234));
    }
}

/// RTE restores the bank before its slot: the slot writes R1 of the bank that SSR names.
#[test]
fn rte_restores_the_bank_for_its_slot() {
    let (cpu, ..) = run(&[RTE, 0xE107], 2, |cpu, _| {
        cpu.set_sr(sr::MD | sr::RB);
        (cpu.ssr, cpu.spc) = (sr::MD, DATA);
        (cpu.r[1], cpu.r_bank[1]) = (1, 2);
    });
    assert_eq!((cpu.r[1], cpu.r_bank[1], cpu.sr()), (7, 1, sr::MD));
}

/// RTE to user mode: the CPU fetches the slot as privileged code and the target as user code.
#[test]
fn rte_to_user_mode() {
    let (cpu, _, stop) = run(&[RTE, NOP], 9, |cpu, bus| {
        (cpu.ssr, cpu.spc) = (0, 0x0C00_1000);
        put_code(bus, DATA, &[NOP, 0x0002]); // stc sr,r0
    });
    assert_eq!((fault(stop), cpu.pc), (FaultKind::Privileged, 0x0C00_1002));
}
