//! Every branch: its target, the registers that it reads before its slot, and the registers that the slot
//! sees.

use super::*;

/// Returns the program counter after a branch and its slot, with R3 = 10 and the given T.
fn target(word: u16, slot: u16, t: bool) -> (u32, Cpu) {
    let (cpu, ..) = run(&[NOP, word, slot, NOP, NOP], 3, |cpu, _| {
        (cpu.t, cpu.r[3], cpu.pr) = (t, 0x10, DATA);
    });
    (cpu.pc, cpu)
}

/// BT, BF: PC + 4 + 2d without slot. BT/S, BF/S: with it, T from before it. The branch is at CODE + 2.
#[test]
fn conditional_branches() {
    let (clrt, sett) = (0x0008, 0x0018);
    for (word, taken_if) in [(0x8910u16, true), (0x8B10, false)] {
        // If the branch is not taken, the next two instructions run; if it is taken, the run ends after two
        // nops at the target.
        let (mut cpu, mut bus) = machine(&[NOP, word], Settings::default());
        cpu.t = taken_if;
        let end = engine::run(&mut cpu, &mut bus, Some(CODE + 2 + 4 + 0x20), 9);
        assert_eq!((end.stop, end.executed), (Stop::Until, 2), "{word:04X}");
        (cpu.pc, cpu.t) = (CODE, !taken_if);
        engine::run(&mut cpu, &mut bus, None, 2);
        assert_eq!(cpu.pc, CODE + 4, "{word:04X}");
    }
    for (word, taken_if) in [(0x8D10u16, true), (0x8F10, false)] {
        for slot in [clrt, sett] {
            let (pc, cpu) = target(word, slot, taken_if);
            assert_eq!((pc, cpu.t), (CODE + 2 + 4 + 0x20, slot == sett), "{word:04X}");
            assert_eq!(target(word, slot, !taken_if).0, CODE + 6, "{word:04X}");
        }
    }
    // Backwards: d = -1.
    assert_eq!(target(0x8DFF, NOP, true).0, CODE + 2 + 4 - 2);
}

/// BRA, BSR: d of 12 bits, signed. BRAF, BSRF: PC + 4 + Rn. JMP, JSR: Rn. Rn is read before the slot changes
/// it.
#[test]
fn unconditional_branches() {
    let clobber = 0xE300; // mov #0,r3
    for (word, to, links) in [
        (0xA010u16, CODE + 6 + 0x20, false),
        (0xAFFF, CODE + 6 - 2, false),
        (0xB010, CODE + 6 + 0x20, true),
        (0x0323, CODE + 6 + 0x10, false),
        (0x0303, CODE + 6 + 0x10, true),
        (0x432B, 0x10, false),
        (0x430B, 0x10, true),
        (0x000B, DATA, false),
    ] {
        let (pc, cpu) = target(word, clobber, false);
        assert_eq!((pc, cpu.r[3]), (to, 0), "{word:04X}");
        assert_eq!(cpu.pr, if links { CODE + 6 } else { DATA }, "{word:04X}");
    }
}

/// STS PR in the slot of BSR, BSRF, JSR sees the new PR; LDS PR in the slot of RTS does not redirect it.
#[test]
fn pr_around_the_slot() {
    let (sts, lds) = (0x022A, 0x432A); // sts pr,r2; lds r3,pr
    for word in [0xB010u16, 0x0303, 0x430B] {
        assert_eq!(target(word, sts, false).1.r[2], CODE + 6, "{word:04X}");
    }
    let (pc, cpu) = target(0x000B, lds, false);
    assert_eq!((pc, cpu.pr), (DATA, 0x10));
}

/// The slot of an RTE to user mode was fetched in privileged mode: STC SR works in it, and sees the new SR.
#[test]
fn the_slot_of_rte_is_fetched_under_the_old_mode() {
    let (cpu, ..) = run(&[RTE, 0x0202], 2, |cpu, _| {
        (cpu.ssr, cpu.spc) = (sr::T, 0x0C00_1000)
    });
    assert_eq!((cpu.pc, cpu.r[2], cpu.sr()), (0x0C00_1000, sr::T, sr::T));
}
