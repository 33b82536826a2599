//! Random code on both engines.

use sh4::flat::FlatBus;
use sh4::table::{Id, Row, TABLE, flag};
use sh4::{Bus, Cpu, Exceptions, Settings};
use sh4_fpu::inner::InnerProduct;
use sh4_recompiler::{Options, Recompiler};
use std::fmt::Write;

#[path = "case.rs"]
mod case;
pub(crate) use case::Case;

/// Number from an environment variable, or `default`.
pub(crate) fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

/// SplitMix64.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    pub(crate) fn word(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ z >> 31) as u32
    }

    pub(crate) fn below(&mut self, limit: u32) -> u32 {
        self.word() % limit
    }

    pub(crate) fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }
}

const BASE: u32 = 0x8C00_0000;
const SIZE: u32 = 0x1000;
/// Offset of the code in the middle of memory, so that random accesses reach it.
const CODE: u32 = 0x400;

/// Returns an opcode of `row` with random fields.
pub(crate) fn opcode(row: &Row, random: &mut Random) -> u16 {
    let fill = random.word() as u16;
    filled(row, fill)
}

const NOP: [u8; 2] = [0x09, 0x00];

/// Returns true if `opcode` is an instruction of `row`.
fn is_of(row: &Row, opcode: u16) -> bool {
    let fixed = |letter| matches!(letter, b'0' | b'1');
    let mut bits = row
        .pattern
        .bytes()
        .enumerate()
        .filter(|(_, letter)| fixed(*letter));
    bits.all(|(place, letter)| opcode >> (15 - place) & 1 == u16::from(letter == b'1'))
}

pub(crate) fn filled(row: &Row, fill: u16) -> u16 {
    row.pattern
        .bytes()
        .enumerate()
        .fold(0, |opcode, (place, letter)| {
            let bit = match letter {
                b'0' => 0,
                b'1' => 1,
                _ => fill >> (15 - place) & 1,
            };
            opcode << 1 | bit
        })
}

/// Shortens the displacement of a branch.
fn near(opcode: u16, random: &mut Random) -> u16 {
    let distance = (random.below(24) as i32 - 14) as u16;
    if opcode >> 12 == 8 {
        opcode & 0xFF00 | distance & 0xFF
    } else {
        opcode & 0xF000 | distance & 0xFFF
    }
}

/// Code that loads vectors register by register, multiplies and stores them, sometimes with other
/// instructions between.
fn vectors(random: &mut Random) -> Vec<u16> {
    let mut words = Vec::new();
    for _ in 0..1 + random.below(3) {
        let (n, [source, target]) = (
            4 * random.below(4) as u16,
            [(); 2].map(|()| random.below(4) as u16),
        );
        words.extend((n..n + 4).map(|fr| 0xF009 | fr << 8 | source << 4));
        if random.chance(20) {
            // Registers from elsewhere.
            words.push(0xF00C | (n + random.below(4) as u16) << 8 | (random.below(16) as u16) << 4);
        }
        match random.below(4) {
            0 => words.push(0xF0ED | n << 8 | (random.below(4) as u16) << 8),
            _ => words.push(0xF1FD | n << 8),
        }
        if random.chance(50) {
            words.extend((n..n + 4).rev().map(|fr| 0xF00B | target << 8 | fr << 4));
        } else {
            words.extend((n..n + 4).flat_map(|fr| [0xF00A | target << 8 | fr << 4, 0x7004 | target << 8]));
        }
    }
    for _ in 0..random.below(5) {
        let at = random.below(words.len() as u32) as usize;
        match random.below(6) {
            0 => words.rotate_left(at),
            1 => words[at] ^= random.word() as u16 & 0x0130,
            // Integer accesses at the vectors' addresses or after them.
            kind => {
                let row = [0x6002, 0x6006, 0x2002, 0x2006][kind as usize - 2];
                words.insert(at, row | random.word() as u16 & 0x0330);
            }
        }
    }
    // dt rn; bf to the beginning
    words.push(0x4010 | (random.below(4) as u16) << 8);
    let back = (words.len() as u16 + 2).wrapping_neg();
    words.push(0x8B00 | back & 0xFF);
    words
}

fn code(random: &mut Random) -> Vec<u16> {
    let count = 8 + random.below(40);
    let flavour = random.below(6);
    if flavour == 5 {
        return vectors(random);
    }
    let rows: Vec<&Row> = TABLE
        .iter()
        .filter(|row| match flavour {
            // Straight integer code, FPU arithmetic, accesses through few registers, or all instructions.
            0 => !row.has(flag::FPU | flag::PRIVILEGED | flag::LAST),
            1 => row.has(flag::FPU) && !row.has(flag::MODE) || row.id == Id::bt,
            2 => {
                Row::accesses(row) > 0 && !row.has(flag::PRIVILEGED | flag::MODE) || row.id == Id::add_imm_rn
            }
            _ => true,
        })
        .collect();
    (0..count)
        .map(|_| {
            let row = rows[random.below(rows.len() as u32) as usize];
            let mut word = opcode(row, random);
            if flavour == 2 {
                word = filled(row, word & 0xF31F);
            }
            if matches!(row.id, Id::bt | Id::bf | Id::bt_s | Id::bf_s | Id::bra | Id::bsr) {
                word = near(word, random);
            }
            if random.chance(12) {
                // Loops and short skips, which are rare among random displacements.
                let branch = [0x8900, 0x8B00, 0x8D00, 0x8F00][random.below(4) as usize];
                word = if random.chance(50) {
                    branch
                } else {
                    near(branch, random)
                };
            }
            if random.chance(1) {
                random.word() as u16
            } else {
                word
            }
        })
        .collect()
}

/// A piece of code with the state of both engines.
pub(crate) struct Machine {
    code: Vec<u8>,
    interpreted: (Cpu, FlatBus),
    compiled: (Cpu, FlatBus),
    pub(crate) recompiler: Recompiler<FlatBus>,
    /// Code of the interpreter, if it differs.
    replaced: Option<Vec<u8>>,
    pub(crate) executed: u64,
}

impl Machine {
    pub(crate) fn new(random: &mut Random) -> Machine {
        let exceptions = if random.chance(50) {
            Exceptions::Stop
        } else {
            Exceptions::Take
        };
        let settings = Settings {
            exceptions,
            fcause_update: random.chance(95),
            alignment_checks: random.chance(95),
            fipr_model: match random.below(10) {
                0..6 => InnerProduct::Hardware,
                6..9 => InnerProduct::Exact,
                _ => InnerProduct::Sequential,
            },
            ..Settings::default()
        };
        let code = code(random);
        Machine::with(code, 1 + random.below(4), settings)
    }

    /// Creates a machine for `code`, which is compiled after `hot` executions.
    pub(crate) fn with(code: Vec<u16>, hot: u32, settings: Settings) -> Machine {
        let mut bus = FlatBus::new(BASE, SIZE as usize);
        let code: Vec<u8> = code.into_iter().flat_map(u16::to_le_bytes).collect();
        bus.load(BASE + CODE, &code);
        let cpu = Cpu::new(settings);
        Machine {
            code,
            interpreted: (cpu.clone(), bus.clone()),
            compiled: (cpu, bus),
            recompiler: Recompiler::new(Options { hot }).unwrap(),
            replaced: None,
            executed: 0,
        }
    }

    /// Replaces the instruction `row` by NOP in the interpreter's code.
    pub(crate) fn leave_out(&mut self, row: &Row) {
        let words = self.code.as_chunks::<2>().0.iter();
        let words = words.map(|word| match is_of(row, u16::from_le_bytes(*word)) {
            true => NOP,
            false => *word,
        });
        self.replaced = Some(words.flatten().collect());
    }

    /// Writes the replaced code into the interpreter's memory, or the original code if `back`.
    fn exchange_code(&mut self, back: bool) {
        let Some(replaced) = &self.replaced else { return };
        let bus = &mut self.interpreted.1;
        for (place, (old, new)) in self.code.iter().zip(replaced).enumerate() {
            let [old, new] = if back { [new, old] } else { [old, new] };
            let at = CODE as usize + place;
            if bus.window().unwrap().bytes[at] == *old {
                bus.load(BASE + at as u32, &[*new]);
            }
        }
    }

    /// Runs a case on both engines.
    ///
    /// # Errors
    /// With the first difference.
    pub(crate) fn compare(&mut self, case: &Case) -> Result<(), String> {
        for (cpu, bus) in [&mut self.interpreted, &mut self.compiled] {
            self::fill(bus, &self.code, case);
            case.apply(cpu);
        }
        self.exchange_code(false);
        let (cpu, bus) = &mut self.interpreted;
        let run = cpu.run(bus, case.until, case.limit, &mut ());
        let (other, memory) = &mut self.compiled;
        let same = other.run_accelerated(memory, case.until, case.limit, &mut self.recompiler);
        self.executed += run.executed;
        self.exchange_code(true);
        let ((cpu, bus), (other, memory)) = (&mut self.interpreted, &mut self.compiled);
        let mut text = String::new();
        if run != same {
            let _ = write!(text, "{run:?} and {same:?}; ");
        }
        if cpu != other || cpu.retired() != other.retired() {
            let _ = write!(text, "state: {}", differences(cpu, other));
        }
        let (left, right) = (bus.window().unwrap(), memory.window().unwrap());
        if left.bytes != right.bytes {
            let at = left
                .bytes
                .iter()
                .zip(&*right.bytes)
                .position(|(left, right)| left != right);
            let _ = write!(text, "memory at {:x}; ", at.unwrap_or(0));
        }
        if text.is_empty() {
            return Ok(());
        }
        Err(format!("{text}\n{}", self.listing(case)))
    }

    fn listing(&self, case: &Case) -> String {
        let mut text = format!(
            "fpscr {:08x} sr {:08x} start {:x} until {:x?}\n",
            case.fpscr, case.sr, case.start, case.until
        );
        for (index, word) in self.code.as_chunks::<2>().0.iter().enumerate() {
            let pc = BASE + CODE + 2 * index as u32;
            let word = u16::from_le_bytes(*word);
            let _ = writeln!(
                text,
                "{pc:08x} {word:04x} {}",
                sh4::disassemble(word, pc, self.interpreted.0.mode())
            );
        }
        text
    }
}

/// Fills memory with random data and restores the code.
fn fill(bus: &mut FlatBus, code: &[u8], case: &Case) {
    let bytes: Vec<u8> = case.data.iter().flat_map(|word| word.to_le_bytes()).collect();
    let (first, end) = (
        CODE as usize & !63,
        (CODE as usize + code.len() + 2).next_multiple_of(64),
    );
    bus.load(BASE, &bytes[..first]);
    bus.load(BASE + end as u32, &bytes[end..]);
    let mut wanted = vec![0; end - first];
    wanted[CODE as usize - first..][..code.len()].copy_from_slice(code);
    if bus.window().unwrap().bytes[first..end] != wanted {
        bus.load(BASE + first as u32, &wanted);
    }
}

fn differences(left: &Cpu, right: &Cpu) -> String {
    let mut text = String::new();
    let mut note = |name: &str, left: &[u32], right: &[u32]| {
        for (index, (left, right)) in left
            .iter()
            .zip(right)
            .enumerate()
            .filter(|(_, (left, right))| left != right)
        {
            let _ = write!(text, "{name}{index} {left:08x} and {right:08x}; ");
        }
    };
    note("r", &left.r, &right.r);
    note("bank", &left.r_bank, &right.r_bank);
    note("fr", &left.fr, &right.fr);
    note("xf", &left.xf, &right.xf);
    let others = |cpu: &Cpu| {
        [
            cpu.pc,
            cpu.pr,
            cpu.gbr,
            cpu.mach,
            cpu.macl,
            cpu.fpul,
            cpu.sr(),
            cpu.fpscr(),
            cpu.retired() as u32,
            cpu.vbr,
            cpu.ssr,
            cpu.spc,
            cpu.sgr,
            cpu.dbr,
            cpu.expevt,
        ]
    };
    note(
        "pc pr gbr mach macl fpul sr fpscr retired vbr ssr spc sgr dbr expevt: ",
        &others(left),
        &others(right),
    );
    text
}
