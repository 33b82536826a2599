//! The dependence between two adjacent instructions.

use sh4::table::{TABLE, flag};
use timing::Insn;
use timing::resource::{FLAGS, Resources, name};

/// Returns the reason why `first` and `second` have a different result in the other order; `None` if they can
/// be exchanged. The relation is symmetric.
///
/// Two accesses to memory count as dependent if one is a store, for any addresses. Exception flags of FPSCR
/// do not make instructions dependent, because they only accumulate.
#[must_use]
pub fn dependence(first: &Insn, second: &Insn) -> Option<String> {
    let all = |insn: &Insn| insn.reads | insn.written;
    let shared = Resources(
        (first.written & all(second)).0 & !Resources::one(FLAGS).0
            | (second.written & all(first)).0 & !Resources::one(FLAGS).0,
    );
    if !shared.is_empty() {
        let names: Vec<String> = shared.iter().map(name).collect();
        return Some(format!("they depend on each other through {}", names.join(", ")));
    }
    let rows = [first, second].map(|insn| &TABLE[insn.id as usize]);
    let has = |bit| rows.map(|row| row.has(bit));
    let accesses = rows.map(|row| row.has(flag::STORE) || row.syntax.contains('@'));
    if has(flag::STORE).contains(&true) && accesses == [true, true] {
        return Some("one of them stores, and the other can access the same address".to_owned());
    }
    let modes = has(flag::MODE).contains(&true);
    modes.then(|| "one of them can change the meaning of the other".to_owned())
}

#[cfg(test)]
mod tests {
    use super::dependence;
    use sh4::Mode;
    use timing::Insn;
    use timing::Parameters;

    fn of(first: u16, second: u16) -> Option<String> {
        let insn = |opcode| {
            let op = sh4::decode(opcode, 0, Mode::default())?;
            Some(Insn::new(op.id, op.n, op.m, opcode, &Parameters::default()))
        };
        let (first, second) = insn(first).zip(insn(second))?;
        assert_eq!(dependence(&first, &second), dependence(&second, &first));
        dependence(&first, &second)
    }

    #[test]
    fn neighbours() {
        // add r0,r1; add r2,r3
        assert_eq!(of(0x310C, 0x332C), None);
        // add r0,r1; add r1,r2: read after write. mov r0,r1; mov r2,r1: write after write.
        for (first, second) in [(0x310C, 0x321C), (0x6103, 0x6123)] {
            assert_eq!(
                of(first, second).as_deref(),
                Some("they depend on each other through r1")
            );
        }
        // fadd fr0,fr1; fadd fr2,fr3: both write only the flags of FPSCR.
        assert_eq!(of(0xF100, 0xF320), None);
        // mov.l r0,@r1; mov.l @r2,r3, and two loads.
        assert!(of(0x2102, 0x6322).is_some_and(|why| why.contains("stores")));
        assert_eq!(of(0x6012, 0x6322), None);
        // fschg; add r0,r1
        assert!(of(0xF3FD, 0x310C).is_some_and(|why| why.contains("meaning")));
    }
}
