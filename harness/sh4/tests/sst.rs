//! SingleStepTests/sh4: 233 files of single instructions between random states.
//!
//! The data come from an emulator's interpreter, not from hardware. The skip list below names the known
//! errors of the data; everything else must be equal to the last bit. `SWIRL_SST=DIR` selects another copy of
//! the data.

// A failed unwrap or panic in a helper fails the test.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "common/sst.rs"]
mod data;

use data::{Case, State};
use sh4::table::Id;
use sh4::{Cpu, Mode, Settings, decode};

/// Returns the reason why a case cannot be used, if there is one.
fn skip_reason(case: &Case, op: Option<sh4::Op>) -> Option<&'static str> {
    let Some(op) = op else {
        return Some("undefined under this PR and SZ");
    };
    let (n, m) = (op.n, op.m);
    let before = &case.initial;
    match op.id {
        Id::div1_rm_rn if n == m => Some("DIV1 with m = n: the data take the divisor after the shift"),
        Id::ftrc_frm_fpul if overflows(before.fr[usize::from(m)]) => {
            Some("FTRC: the data convert overflow and NaN as the host does")
        }
        Id::fipr_fvm_fvn | Id::ftrv_xmtrx_fvn => Some("FIPR and FTRV: the data add in the host's order"),
        Id::fsrra_frn => Some("FSRRA: the data round twice"),
        Id::trapa_imm => Some("TRAPA: does nothing in the data"),
        Id::ldc_rm_sr | Id::ldc_l_post_rm_sr if user_bank(case) => {
            Some("LDC SR with MD = 0, RB = 1: the data clear RB")
        }
        Id::rte if changes_bank(case) => {
            Some("RTE that changes the bank: the data run the slot in the old one")
        }
        Id::rte if case.initial.control[3] & 0x6000_0000 == 0x2000_0000 => {
            Some("RTE to MD = 0, RB = 1: the data clear RB")
        }
        Id::sleep => Some("SLEEP: does nothing in the data"),
        _ if makes_nan(case) => Some("a NaN result: the data have 7FC00000, which signals on the SH-4"),
        _ => None,
    }
}

/// Returns true if the case loads SR with RB but not MD. The manual's mask keeps RB, the data do not.
fn user_bank(case: &Case) -> bool {
    let m = usize::from(case.opcodes[1] as u16 >> 8 & 15);
    let loaded = case
        .cycles
        .iter()
        .find(|cycle| cycle.actions & 1 != 0)
        .map(|cycle| cycle.read.1 as u32);
    loaded.unwrap_or(case.initial.r[m]) & 0x6000_0000 == 0x2000_0000
}

/// Returns true if SSR selects another register bank than SR.
fn changes_bank(case: &Case) -> bool {
    let bank = |status: u32| status & 0x6000_0000 == 0x6000_0000;
    bank(case.initial.control[2]) != bank(case.initial.control[3])
}

/// Single-precision values that FTRC saturates upward, and NaNs.
fn overflows(bits: u32) -> bool {
    (0x4F00_0000..0x8000_0000).contains(&bits) || bits & 0x7FFF_FFFF > 0x7F80_0000
}

/// Returns true if the expected state has the host's NaN and the initial state has another value there.
fn makes_nan(case: &Case) -> bool {
    let host_nan = |bits: u32| matches!(bits & 0x7FFF_FFFF, 0x7FC0_0000 | 0x7FF8_0000);
    (0..16).any(|i| host_nan(case.expected.fr[i]) && case.initial.fr[i] != case.expected.fr[i])
}

fn settings() -> Settings {
    Settings {
        alignment_checks: false,
        privilege_checks: false,
        fpu_disable_checks: false,
        fcause_update: false,
        ..Settings::default()
    }
}

fn run(case: &Case) -> Result<(), String> {
    let mut cpu = Cpu::new(settings());
    case.initial.put(&mut cpu);
    let mut bus = data::TestBus::new(case);
    let mut trace = data::Trace::default();
    let run = cpu.run(&mut bus, None, 4, &mut trace);
    if run.executed != 4 {
        return Err(format!("ran {} instructions: {}", run.executed, run.stop));
    }
    let fetched: Vec<u32> = case.cycles.iter().map(|cycle| cycle.fetch_address).collect();
    if trace.addresses != fetched {
        return Err(format!("ran {:08X?}, expected {fetched:08X?}", trace.addresses));
    }
    if let Some(wrong) = bus.wrong {
        return Err(wrong);
    }
    State::take(&cpu).differs(&case.expected).map_or(Ok(()), Err)
}

#[test]
fn single_step_tests() {
    let Some(files) = data::files() else {
        corpus::absent("sst");
        return;
    };
    let (mut passed, mut failures) = (0, Vec::new());
    let mut skipped = std::collections::BTreeMap::<&str, usize>::new();
    for path in &files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mode = Mode {
            pr: name.contains("_pr1"),
            sz: name.contains("_sz1"),
        };
        for (number, case) in data::cases(path).iter().enumerate() {
            let opcode = case.opcodes[1] as u16;
            if let Some(reason) = skip_reason(case, decode(opcode, 0, mode)) {
                *skipped.entry(reason).or_default() += 1;
                continue;
            }
            match run(case) {
                Ok(()) => passed += 1,
                Err(why) => failures.push(format!("{name} case {number}, opcode {opcode:04X}: {why}")),
            }
        }
    }
    println!(
        "sst: {} files, {passed} cases equal, {} differ",
        files.len(),
        failures.len()
    );
    for (reason, count) in &skipped {
        println!("sst: {count} skipped: {reason}");
    }
    for failure in failures
        .iter()
        .take(if std::env::var_os("SWIRL_SST_ALL").is_some() {
            100_000
        } else {
            40
        })
    {
        println!("{failure}");
    }
    assert!(failures.is_empty());
    assert!(files.is_empty() || passed > 0);
}
