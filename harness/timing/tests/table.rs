//! Compares the timing table with collected latencies, and its registers with execution.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing helper fails its test"
)]

use sh4::flat::FlatBus;
use sh4::table::{Id, TABLE, Variant};
use sh4::{Bus, Cpu, Op, Settings, decode, fpscr, sr};
use std::path::Path;
use timing::resource::{self, Resources, resources};
use timing::table::{InstructionTiming, Operand, Stage, timing};
use timing::{Insn, Parameters, Table, likely};

/// Returns the numbers in a cell.
fn numbers(cell: &str) -> Vec<u8> {
    let parts = cell
        .split(|c: char| !c.is_ascii_digit())
        .filter(|part| !part.is_empty());
    parts.map(|part| part.parse().unwrap()).collect()
}

/// Compares a row with its collected latencies; uncertain latencies are compared only with their range.
fn agrees(row: &InstructionTiming, cells: &[&str]) -> Result<(), String> {
    let fail = |what: &str, found: String, expected: &str| Err(format!("{what} {found}, facts {expected}"));
    if row.issue.to_string() != cells[3] {
        return fail("issue", row.issue.to_string(), cells[3]);
    }
    let low = cells[10].starts_with("low");
    let latency = numbers(cells[4]);
    let latencies = match row.id {
        Id::bt | Id::bf | Id::bt_s | Id::bf_s => row.latencies == [2],
        Id::movca_l_r0_at_rn | Id::ocbi_at_rn | Id::ocbp_at_rn | Id::ocbwb_at_rn => {
            row.latencies == [latency[0]]
        }
        _ if low => latency.contains(&row.latencies[0]),
        _ => row.latencies == latency,
    };
    if !latencies {
        return fail("latency", format!("{:?}", row.latencies), cells[4]);
    }
    if row.pattern != numbers(cells[5])[0] {
        return fail("pattern", row.pattern.to_string(), cells[5]);
    }
    if cells[6] == "-" || low {
        return if row.locks.is_empty() {
            Ok(())
        } else {
            fail("locks", format!("{:?}", row.locks), "none")
        };
    }
    let column = |i: usize| cells[i].split(';').collect::<Vec<_>>();
    let (stages, starts, lengths) = (column(6), column(7), column(8));
    let within = |range: &str, value: u8| {
        let ends = numbers(range);
        (ends[0]..=*ends.last().unwrap()).contains(&value)
    };
    let same = row.locks.len() == stages.len()
        && row.locks.iter().enumerate().all(|(i, lock)| {
            let stage = match lock.stage {
                Stage::F0 => "F0",
                Stage::F1 => "F1",
                Stage::F3 => "F3",
                Stage::SX => "SX",
                Stage::MA => "MA",
            };
            stage == stages[i] && within(starts[i], lock.start) && within(lengths[i], lock.cycles)
        });
    if same {
        Ok(())
    } else {
        fail("locks", format!("{:?}", row.locks), cells[6])
    }
}

#[test]
fn every_row_is_that_of_the_facts() {
    for row in TABLE {
        assert_eq!(timing(row.id).unwrap().id, row.id, "{}", row.syntax);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/facts/sh4-timing.tsv");
    let Ok(facts) = std::fs::read_to_string(path) else {
        println!("timing table: 0 rows compared, the facts are not present");
        return;
    };
    let mut wrong = 0;
    let mut compared = 0;
    for line in facts.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let row = TABLE
            .iter()
            .find(|row| row.syntax == cells[0] && row.pattern == cells[1]);
        let row = row.unwrap_or_else(|| panic!("{line}: not in the instruction table"));
        assert_eq!(format!("{:?}", row.group), cells[2], "{}", row.syntax);
        if let Err(difference) = agrees(timing(row.id).unwrap(), &cells) {
            println!("{}: {difference}", row.syntax);
            wrong += 1;
        }
        compared += 1;
    }
    println!("timing table: {compared} rows compared, {wrong} differ");
    assert_eq!((compared, wrong), (TABLE.len(), 0));
}

#[test]
fn parameters_are_set_by_name() {
    let mut parameters = Parameters::default();
    for row in parameters.rows() {
        let [low, high] = likely(&row);
        assert!((low..=high).contains(&row.default), "{}", row.name);
        parameters.set(row.name, &row.text(high)).unwrap();
        assert_eq!(parameters.number(row.name), Some(high), "{}", row.name);
    }
    assert_eq!(Parameters::default().changed(), Vec::<String>::new());
    parameters.set("bus_turnaround", "7.5").unwrap();
    assert_eq!(parameters.bus_turnaround, 750);
    let error = parameters.set("fsrra_latency", "fast").unwrap_err().to_string();
    assert_eq!(
        error,
        "fsrra_latency: found 'fast', expected a number from 0 to 64 cycles"
    );
}

/// A random generator; the constants are Knuth's MMIX.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 32) as u32
    }
}

const RAM: u32 = 0x0C00_0000;
const RAM_BYTES: usize = 0x1000;
const CODE: u32 = 0xC00;

/// Registers for which every addressing mode accesses RAM.
fn cpu(random: &mut Random, row: &sh4::table::Row) -> Cpu {
    let mut cpu = Cpu::new(Settings::default());
    cpu.set_sr(0x4000_0000 | random.next() & (sr::T | sr::S | sr::Q | sr::M));
    // Without an address operand: numbers close to each other, so that comparisons have both results.
    let memory = row.syntax.contains('@');
    let close = random.next() & 1 == 0;
    for i in 0..16 {
        cpu.r[i] = match (memory, close) {
            (true, _) => RAM + 0x200 + (random.next() & 0x7F8),
            (false, true) => random.next() & 0x8,
            (false, false) => random.next(),
        };
        let range = if close { 1 } else { 0xFFFF };
        cpu.fr[i] = (5.0 + (random.next() & range) as f32 / 2.0).to_bits();
        cpu.xf[i] = (5.0 + (random.next() & range) as f32).to_bits();
    }
    if memory {
        cpu.r[0] = random.next() & 0x78;
    }
    cpu.r_bank = [0; 8].map(|_: u32| random.next());
    (cpu.mach, cpu.macl) = (random.next() & 0x7FFF, random.next());
    // FSCA, FLOAT and FCNVSD read it; a number in each interpretation.
    cpu.fpul = (1.0 + (random.next() & 0xFFFF) as f32).to_bits();
    (cpu.pr, cpu.gbr, cpu.vbr) = (random.next() & !1, RAM + 0x300, random.next());
    (cpu.ssr, cpu.spc, cpu.sgr, cpu.dbr) = (0x4000_0000, random.next() & !1, random.next(), random.next());
    let mode = match row.variant {
        Variant::Pr1 => fpscr::PR,
        Variant::Sz1 => fpscr::SZ,
        _ => 0,
    };
    cpu.set_fpscr(mode | fpscr::DN);
    cpu.pc = RAM + CODE;
    cpu
}

fn get(cpu: &Cpu, bit: u8) -> u64 {
    match resource::name(bit).as_str() {
        "t" => cpu.t.into(),
        "fpul" => cpu.fpul.into(),
        "fpscr" if bit == resource::FLAGS => (cpu.fpscr() & 0x0003_F07C).into(),
        "fpscr" => (cpu.fpscr() & !0x0003_F07C).into(),
        "mach" => cpu.mach.into(),
        "macl" => cpu.macl.into(),
        "pr" => cpu.pr.into(),
        "gbr" => cpu.gbr.into(),
        "sr" => (cpu.sr() & !sr::T).into(),
        "vbr" => cpu.vbr.into(),
        "ssr" => cpu.ssr.into(),
        "spc" => cpu.spc.into(),
        "sgr" => cpu.sgr.into(),
        "dbr" => cpu.dbr.into(),
        "r_bank" => cpu
            .r_bank
            .iter()
            .fold(0, |sum: u64, word| sum.wrapping_mul(31) + u64::from(*word)),
        _ if bit < resource::FR => cpu.r[usize::from(bit)].into(),
        _ if bit < resource::XF => cpu.fr[usize::from(bit - resource::FR)].into(),
        _ => cpu.xf[usize::from(bit - resource::XF)].into(),
    }
}

/// Changes a register; FPSCR only in its rounding mode, SR only in S, Q or M.
fn disturb(cpu: &mut Cpu, bit: u8, random: &mut Random) {
    let mask = if random.next() & 1 == 0 { 8 } else { 0x8000_8000 };
    let flip = |word: &mut u32| *word ^= mask;
    match resource::name(bit).as_str() {
        "t" => cpu.t = !cpu.t,
        "fpul" => cpu.fpul ^= 0x0040_4000,
        "fpscr" if bit == resource::FLAGS => cpu.set_fpscr(cpu.fpscr() ^ 0x10),
        "fpscr" => cpu.set_fpscr(cpu.fpscr() ^ 1),
        "mach" => flip(&mut cpu.mach),
        "macl" => flip(&mut cpu.macl),
        "pr" => flip(&mut cpu.pr),
        "gbr" => flip(&mut cpu.gbr),
        "sr" => cpu.set_sr(cpu.sr() ^ [sr::S, sr::Q, sr::M][random.next() as usize % 3]),
        "vbr" => flip(&mut cpu.vbr),
        "ssr" => flip(&mut cpu.ssr),
        "spc" => flip(&mut cpu.spc),
        "sgr" => flip(&mut cpu.sgr),
        "dbr" => flip(&mut cpu.dbr),
        "r_bank" => cpu.r_bank.iter_mut().for_each(flip),
        _ if bit < resource::FR => flip(&mut cpu.r[usize::from(bit)]),
        _ if bit < resource::XF => cpu.fr[usize::from(bit - resource::FR)] ^= 0x0040_0000,
        _ => cpu.xf[usize::from(bit - resource::XF)] ^= 0x0040_0000,
    }
}

/// Returns all bits and the memory after one instruction; `None` if it cannot run.
fn after(mut cpu: Cpu, memory: &FlatBus, opcode: u16) -> Option<(Vec<u64>, Vec<u64>)> {
    let mut bus = memory.clone();
    bus.load(cpu.pc, &opcode.to_le_bytes());
    cpu.step(&mut bus).ok()?;
    let bits = (0..resource::COUNT as u8).map(|bit| get(&cpu, bit)).collect();
    let bytes = (0..CODE)
        .step_by(8)
        .map(|i| bus.read64(RAM + i).unwrap())
        .collect();
    Some((bits, bytes))
}

/// True for instructions with effects other than on registers and memory, for those that leave the sequence,
/// and for those that rename registers.
fn leaves(id: Id) -> bool {
    use sh4::table::flag;
    let renames = TABLE[id as usize].has(flag::MODE) && id != Id::fschg || id == Id::frchg;
    TABLE[id as usize].has(flag::BRANCH | flag::LAST) || id == Id::ldtlb || renames
}

/// Returns a random opcode of the row, with operands other than R0 and R15.
fn opcode(row: &sh4::table::Row, random: &mut Random) -> Option<(u16, Op)> {
    let bits = row.pattern.bytes().fold(0_u16, |bits, c| {
        bits << 1
            | match c {
                b'0' | b'1' => u16::from(c - b'0'),
                _ => random.next() as u16 & 1,
            }
    });
    let mode = sh4::Mode {
        pr: row.variant == Variant::Pr1,
        sz: row.variant == Variant::Sz1,
    };
    let op = decode(bits, RAM + CODE, mode)?;
    let general = |name: &str, field: u8| !row.syntax.contains(name) || field != 0;
    let one = op.n == op.m && row.pattern.contains('n') && row.pattern.contains('m');
    (general("Rn", op.n) && general("Rm", op.m) && !one).then_some((bits, op))
}

#[test]
fn registers_are_those_that_execution_uses() {
    let mut random = Random(1);
    let mut memory = FlatBus::new(RAM, RAM_BYTES);
    let bytes: Vec<u8> = (0..CODE)
        .map(|i| if i % 4 == 3 { 0x40 } else { random.next() as u8 })
        .collect();
    memory.load(RAM, &bytes);
    let (mut rows, mut runs, mut idle) = (0, 0, Vec::new());
    for row in TABLE.iter().filter(|row| !leaves(row.id)) {
        let mut unseen: Vec<Operand> = timing(row.id).unwrap().reads.to_vec();
        for trial in 0..2000 {
            if trial >= 12 && unseen.iter().all(|operand| *operand == Operand::Mode) {
                break;
            }
            let Some((opcode, op)) = opcode(row, &mut random) else {
                continue;
            };
            let insn = Insn::new(op.id, op.n, op.m, opcode, &Parameters::default());
            let start = cpu(&mut random, row);
            let Some((base, base_memory)) = after(start.clone(), &memory, opcode) else {
                continue;
            };
            runs += 1;
            for bit in 0..resource::COUNT as u8 {
                let name = resource::name(bit);
                if !insn.written.has(bit) {
                    assert_eq!(
                        base[usize::from(bit)],
                        get(&start, bit),
                        "{} writes {name}",
                        row.syntax
                    );
                }
                // A register that is not read needs few trials; a register that is read must affect the
                // result.
                if trial >= 12
                    && !unseen
                        .iter()
                        .any(|operand| resources(*operand, op.n, op.m).has(bit))
                {
                    continue;
                }
                let mut other = start.clone();
                disturb(&mut other, bit, &mut random);
                let Some((mut found, found_memory)) = after(other.clone(), &memory, opcode) else {
                    continue;
                };
                // An instruction may write a part of these registers.
                if !insn.written.has(bit) || matches!(bit, resource::FLAGS | resource::SR | resource::BANKED)
                {
                    found[usize::from(bit)] = base[usize::from(bit)];
                }
                let differs = found != base || found_memory != base_memory;
                if differs && bit == resource::MODE && row.syntax.starts_with('f') {
                    continue;
                }
                assert!(!differs || insn.reads.has(bit), "{} reads {name}", row.syntax);
                if differs {
                    unseen.retain(|operand| !resources(*operand, op.n, op.m).has(bit));
                }
            }
        }
        rows += 1;
        unseen.retain(|operand| *operand != Operand::Mode);
        // Excludes effects that only the cache or the store queues show, and saturation, which random sums
        // hardly ever reach.
        let hidden = row.syntax.starts_with("ocb") || row.id == Id::pref_at_rn;
        let saturates = row.syntax.starts_with("mac");
        unseen.retain(|operand| !(hidden || saturates && *operand == Operand::Sr));
        idle.extend(unseen.iter().map(|operand| format!("{} {operand:?}", row.syntax)));
    }
    println!("registers: {rows} rows, {runs} runs; read without effect: {idle:?}");
    assert!(idle.is_empty());
    assert_eq!(Resources::NONE.iter().count(), 0);
}
