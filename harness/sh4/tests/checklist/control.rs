//! Branches, delay slots, TRAPA and SLEEP, privilege, banks, and how a run ends.

use super::*;

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
fn step_takes_a_branch_and_its_slot() {
    let (mut cpu, mut bus) = machine(&[0xA000, 0x7101, 0x7102], Settings::default());
    engine::step(&mut cpu, &mut bus).unwrap();
    assert_eq!((cpu.pc, cpu.r[1]), (CODE + 4, 1));
    engine::step(&mut cpu, &mut bus).unwrap();
    assert_eq!((cpu.pc, cpu.r[1]), (CODE + 6, 3));
}

#[test]
fn until_and_limit() {
    let (mut cpu, mut bus) = machine(&[NOP; 100], Settings::default());
    let run = engine::run(&mut cpu, &mut bus, Some(CODE + 20), 1000);
    assert_eq!((run.stop, run.executed, cpu.pc), (Stop::Until, 10, CODE + 20));
    let run = engine::run(&mut cpu, &mut bus, None, 7);
    assert_eq!((run.stop, run.executed, cpu.pc), (Stop::Limit, 7, CODE + 34));
}

#[test]
fn writes_to_code_are_seen() {
    // r1 points at the nop two ahead; r2 holds add #1,r3: mov.w r2,@r1; nop; nop(patched); bra back; nop
    let words = [0x2121, NOP, NOP, 0xAFFB, NOP];
    let (cpu, ..) = run(&words, 5, |cpu, _| (cpu.r[1], cpu.r[2]) = (CODE + 4, 0x7301));
    assert_eq!(cpu.r[3], 1, "within the block that writes");
    let (mut cpu, mut bus) = machine(&[0x7301, 0xAFFD, NOP], Settings::default());
    engine::run(&mut cpu, &mut bus, None, 30);
    assert_eq!(cpu.r[3], 10);
    bus.write16(CODE, 0x7302).unwrap();
    engine::run(&mut cpu, &mut bus, None, 30);
    assert_eq!(cpu.r[3], 30);
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
    let stop = engine::run(&mut cpu, &mut bus, None, 9).stop;
    assert_eq!(fault(stop), misaligned(Direction::Fetch, 2));
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
