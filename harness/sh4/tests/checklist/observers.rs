//! The events that observers receive.

use std::collections::BTreeSet;

use super::{CODE, DATA, SLEEP, machine, put_code};
use sh4::table::{Id, TABLE};
use sh4::{Access, Mode, Observer, Retired, RetiredBlock, Settings, Stop, decode, sr};

/// An executed instruction, with all fields of its event.
type Told = (u32, u16, Id, u8, u8, bool, bool, Vec<Access>);

/// Records the events.
#[derive(Default)]
struct Trace(Vec<Told>);

impl Observer for Trace {
    fn retire(&mut self, event: &Retired<'_>) {
        let e = event;
        self.0.push((
            e.pc,
            e.opcode,
            e.id,
            e.n,
            e.m,
            e.in_slot,
            e.taken,
            e.accesses.to_vec(),
        ));
    }
}

/// Runs `words` to their SLEEP in one run and in steps; both must give the same events.
fn told(words: &[u16]) -> Vec<Told> {
    let (mut whole, mut stepped) = (Trace::default(), Trace::default());
    let (mut cpu, mut bus) = machine(words, Settings::default());
    cpu.r[8] = DATA;
    let (mut again, mut bus_again) = (cpu.clone(), bus.clone());
    assert_eq!(cpu.run(&mut bus, None, 1000, &mut whole).stop, Stop::Sleep);
    while again.run(&mut bus_again, None, 1, &mut stepped).stop == Stop::Limit {}
    assert!(cpu == again);
    assert_eq!(whole.0, stepped.0);
    whole.0
}

fn taken(words: &[u16]) -> Vec<bool> {
    let branches = told(words);
    let branches = branches
        .iter()
        .filter(|told| matches!(told.2, Id::bt | Id::bf | Id::bt_s | Id::bf_s));
    branches.map(|told| told.6).collect()
}

/// sett or clrt; then bt and bf over one instruction, which decoded blocks join with the branch.
#[test]
fn branches_inside_a_block_are_reported() {
    let program = |set| [set, 0x8900, 0x7101, 0x8B00, 0x7101, 0x7101, SLEEP];
    assert_eq!(taken(&program(0x0018)), [true, false]);
    assert_eq!(taken(&program(0x0008)), [false, true]);
    let addresses: Vec<u32> = told(&program(0x0018)).iter().map(|told| told.0 - CODE).collect();
    assert_eq!(addresses, [0, 2, 6, 8, 10, 12]);
}

/// bt/s to the address after its slot, which clears T, and bt to the next instruction: only T shows whether
/// they are taken.
#[test]
fn branches_to_the_next_instruction_are_taken_by_t() {
    for (set, expected) in [(0x0018, true), (0x0008, false)] {
        assert_eq!(taken(&[set, 0x8D00, 0x0008, SLEEP]), [expected]);
        assert_eq!(taken(&[set, 0x8D00, 0x0018, SLEEP]), [expected]);
        assert_eq!(taken(&[set, 0x89FF, SLEEP]), [expected]);
        assert_eq!(taken(&[set, 0x8F00, 0x0008, SLEEP]), [!expected]);
    }
}

/// A store into its own block ends the block; the executed instructions are reported once.
#[test]
fn a_written_block_is_reported_up_to_the_store() {
    // mova @(8,PC),r0; mov.w @(4,PC),r1; mov.w r1,@r0; nop; add #1,r2 (becomes add #2,r2); sleep
    let words = [0xC701, 0x9104, 0x2011, 0x0009, 0x7201, SLEEP, 0x7202, 0x7202];
    let told = told(&words);
    let opcodes: Vec<u16> = told.iter().map(|told| told.1).collect();
    assert_eq!(opcodes, [0xC701, 0x9104, 0x2011, 0x0009, 0x7202, SLEEP]);
}

/// Compares the accesses with the rows of the table.
#[derive(Default)]
struct Accesses {
    ran: BTreeSet<u8>,
}

impl Observer for Accesses {
    fn retire(&mut self, _event: &Retired<'_>) {}

    fn ran(&mut self, retired: &RetiredBlock<'_>) {
        let rows = retired.instructions().map(|event| &TABLE[event.id as usize]);
        let expected: Vec<_> = rows
            .flat_map(|row| (0..row.accesses()).map(|which| row.access(which)))
            .collect();
        let made = retired.accesses.iter();
        let made: Vec<_> = made.map(|access| (access.size, access.direction)).collect();
        assert_eq!(made, expected, "{:04x?}", retired.opcodes);
        self.ran
            .extend(retired.instructions().map(|event| event.id as u8));
    }
}

#[test]
fn every_instruction_makes_the_accesses_of_its_row() {
    let mut ids = BTreeSet::new();
    let mut seen = Accesses::default();
    for (opcode, mode) in (0..=u16::MAX).flat_map(|opcode| Mode::ALL.map(|mode| (opcode, mode))) {
        let Some(op) = decode(opcode, CODE, mode) else {
            continue;
        };
        // R0 added to another register gives the address of the data if R0 is 0.
        let row = &TABLE[op.id as usize];
        let indexed = row.syntax.contains("(R0,");
        let pair = row.syntax.contains("GBR") || op.n != 0 && op.m != 0;
        // The test uses some registers, because registers behave alike. Branches may go anywhere, because a
        // fault only occurs at the target.
        if indexed && !pair || !ids.insert((op.id as u8, opcode % 8)) {
            continue;
        }
        let (mut cpu, mut bus) = machine(&[], Settings::default());
        put_code(&mut bus, CODE, &[opcode, 0x0009]);
        cpu.set_sr(sr::MD);
        let fpscr = u32::from(mode.pr) << 19 | u32::from(mode.sz) << 20 | 1 << 18;
        cpu.set_fpscr(fpscr);
        cpu.r = [DATA; 16];
        cpu.r[0] = if indexed { 0 } else { DATA };
        cpu.gbr = DATA;
        cpu.run(&mut bus, None, 1, &mut seen);
    }
    println!("accesses: {} rows of {}", seen.ran.len(), TABLE.len());
    let missing = TABLE.iter().filter(|row| !seen.ran.contains(&(row.id as u8)));
    assert_eq!(missing.map(|row| row.syntax).collect::<Vec<_>>(), [""; 0]);
}
