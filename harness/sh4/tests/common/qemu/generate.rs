//! Generates random code instruction by instruction, while our CPU runs it.
//!
//! The generator runs each proposed instruction at once and undoes it if [`exclude`](super::exclude) rejects
//! it. So it can choose branches and addresses that fit the state, and count every reason.

use sh4::table::{Id, Row, TABLE, flag};
use sh4::{Cpu, Mode, Stop, decode};

use super::asm::{fill, long_displacement, op};
use super::exclude::{self, Reason, Skips};
use super::image::{FIELDS, FPSCR, FPUL, GBR, Image, R14, Record};

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
pub(crate) struct Source(pub(crate) u64);

impl Source {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    pub(crate) fn below(&mut self, limit: u32) -> u32 {
        (self.next() % u64::from(limit)) as u32
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }

    /// An integer: any, small, or near a power of two.
    fn integer(&mut self) -> u32 {
        let any = self.next() as u32;
        match self.below(4) {
            0 => any,
            1 => self.below(64).wrapping_sub(32),
            2 => (1u32 << self.below(32))
                .wrapping_add(self.below(3))
                .wrapping_sub(1),
            _ => any >> self.below(32),
        }
    }

    /// A single, mostly a number of usual size.
    fn single(&mut self) -> u32 {
        let bits = self.next() as u32;
        let with_exponent = |exponent: u32| bits & 0x807F_FFFF | exponent << 23;
        match self.below(16) {
            0 => self.pick(&[
                0,
                0x8000_0000,
                0x7F80_0000,
                0xFF80_0000,
                0x7FBF_FFFF,
                0x7FC0_0001,
                0x3F80_0000,
            ]),
            1 => with_exponent(1 + self.below(254)),
            2 => with_exponent(self.pick(&[1, 2, 0xFD, 0xFE])),
            3 => self.below(1000).wrapping_sub(500) as f32 as u32,
            4 => (self.below(2000) as f32 - 1000.0).to_bits(),
            5 => with_exponent(127 + self.below(40)) & 0xFFFF_0000,
            _ => with_exponent(117 + self.below(20)),
        }
    }

    /// The high word of a double.
    fn high_word(&mut self) -> u32 {
        let bits = self.next() as u32;
        let with_exponent = |exponent: u32| bits & 0x800F_FFFF | exponent << 20;
        match self.below(16) {
            0 => self.pick(&[0x7FF0_0000, 0xFFF0_0000, 0x7FF7_FFFF, 0x7FF8_0000, 0x3FF0_0000]),
            1 => with_exponent(1 + self.below(2046)),
            2 => with_exponent(self.pick(&[1, 2, 0x380, 0x381, 0x47E, 0x7FD, 0x7FE])),
            3 => with_exponent(1023 + self.below(40)),
            _ => with_exponent(1013 + self.below(20)),
        }
    }

    /// FPSCR: nearest or to zero, any flags, no exception enabled.
    fn fpscr(&mut self) -> u32 {
        let (pr, sz) = self.pick(&[(0, 0), (0, 0), (0, 0), (1, 0), (1, 0), (0, 1)]);
        let dn = u32::from(self.below(4) == 0);
        let fr = self.below(2);
        let flags = if self.below(4) == 0 { self.below(32) } else { 0 };
        fr << 21 | sz << 20 | pr << 19 | dn << 18 | flags << 2 | self.below(2)
    }

    fn record(&mut self, image: &Image) -> Record {
        let mut record: Record = std::array::from_fn(|_| self.integer());
        let fpscr = self.fpscr();
        let double = fpscr >> 19 & 1 == 1;
        for (i, word) in record[..FPSCR].iter_mut().enumerate() {
            *word = match (double, i % 2) {
                (true, 0) => self.high_word(),
                (true, _) => self.integer(),
                _ => self.single(),
            };
        }
        record[FPUL] = if self.below(2) == 0 {
            self.single()
        } else {
            self.integer()
        };
        record[GBR] = image.middle();
        record[R14] = image.middle();
        record[R14 + 1] = fpscr;
        assert_eq!(record.len(), FIELDS);
        record
    }
}

/// A unit of code: preparation of an instruction, the instruction, its delay slot, and the code that a branch
/// may skip.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub(crate) words: Vec<u16>,
    /// Index of the word of the instruction itself.
    pub(crate) at: usize,
    pub(crate) id: Id,
}

/// A generated block.
pub(crate) struct Block {
    pub(crate) record: Record,
    pub(crate) literals: Vec<u32>,
    pub(crate) scratch: Vec<u8>,
    pub(crate) units: Vec<Unit>,
}

/// R8 to R12 serve as addresses; R13 holds the FPSCR of the block, R14 the scratch memory, R15 the record.
const POINTERS: [u32; 5] = [8, 9, 10, 11, 12];
/// Registers that code under test may write.
const WRITTEN: u32 = 13;

/// Instructions for delay slots: they neither fault nor jump, and each changes a register.
const SLOTS: [Id; 8] = [
    Id::add_imm_rn,
    Id::mov_rm_rn,
    Id::sts_pr_rn,
    Id::movt_rn,
    Id::xor_rm_rn,
    Id::dt_rn,
    Id::addc_rm_rn,
    Id::rotcl_rn,
];

/// Fills the blocks of `image` with code and returns their contents. `cpu` is then at the end of the program.
pub(crate) fn fill_image(
    image: &mut Image,
    cpu: &mut Cpu,
    blocks: u32,
    source: &mut Source,
    skips: &mut Skips,
) -> Vec<Block> {
    let generated = (0..blocks)
        .map(|index| block(image, cpu, index, source, skips))
        .collect();
    image.close();
    let run = cpu.run(&mut image.bus, None, 1_000_000, &mut ());
    assert_eq!(run.stop, Stop::Trapa { imm: 0x13 });
    generated
}

fn block(image: &mut Image, cpu: &mut Cpu, index: u32, source: &mut Source, skips: &mut Skips) -> Block {
    let mut made = Block {
        record: source.record(image),
        literals: (0..16).map(|_| source.integer()).collect(),
        scratch: image.scratch_now(),
        units: Vec::new(),
    };
    let mut here = image.open_block(index, &made.record, &made.literals);
    run_to(image, cpu, here);
    // A branch and its targets are at most ten words long.
    while here + 20 < image.limit(index) {
        match next_unit(image, cpu, index, here, source) {
            Ok(unit) => {
                here += 2 * unit.words.len() as u32;
                made.units.push(unit);
            }
            Err(reason) => *skips.entry(reason).or_default() += 1,
        }
    }
    image.close_block(index, here);
    run_to(image, cpu, image.block(index + 1));
    made
}

fn run_to(image: &mut Image, cpu: &mut Cpu, target: u32) {
    let run = cpu.run(&mut image.bus, Some(target), 1_000_000, &mut ());
    assert_eq!(run.stop, Stop::Until, "the driver's own code");
}

/// Proposes a unit and runs it. If there is a reason to exclude it, undoes all changes.
fn next_unit(
    image: &mut Image,
    cpu: &mut Cpu,
    index: u32,
    here: u32,
    source: &mut Source,
) -> Result<Unit, Reason> {
    let row = &TABLE[source.below(TABLE.len() as u32) as usize];
    if let Some(reason) = exclude::by_row(row) {
        return Err(reason);
    }
    let mut unit = propose(row, image, index, here, source);
    let mode = cpu.mode();
    let opcode = unit.words[unit.at];
    let Some(op) = decode(opcode, here, mode).filter(|op| op.id == row.id) else {
        return Err("not defined under the block's PR and SZ");
    };
    if mode.sz && row.syntax.starts_with("fmov.d") {
        return Err("qemu: FMOV of pairs has the words the other way round in little-endian memory");
    }
    if let Some(reason) = exclude::by_state(cpu, op) {
        return Err(reason);
    }
    if exclude::spoils_flags(op) {
        unit.words.push(self::op(Id::lds_rm_fpscr, 0, 13, 0));
    }
    if exclude::caches_fpscr(op) {
        unit.words
            .extend([self::op(Id::bra, 0, 0, 0), self::op(Id::nop, 0, 0, 0)]);
    }
    let before = cpu.clone();
    write_words(image, here, &unit.words);
    let end = here + 2 * unit.words.len() as u32;
    while cpu.pc != end {
        assert!((here..end).contains(&cpu.pc), "{row:?} jumped to {:08X}", cpu.pc);
        let at_instruction = cpu.pc == here + 2 * unit.at as u32;
        if let Err(stop) = cpu.step(&mut image.bus) {
            panic!("{row:?} {:?}: {stop}", unit.words);
        }
        if let Some(reason) = exclude::by_result(cpu, op).filter(|_| at_instruction) {
            *cpu = before;
            return Err(reason);
        }
    }
    Ok(unit)
}

pub(crate) fn write_words(image: &mut Image, address: u32, words: &[u16]) {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    image.write(address, &bytes);
}

/// Chooses random fields for `row`, and the code that must surround it.
fn propose(row: &'static Row, image: &Image, index: u32, here: u32, source: &mut Source) -> Unit {
    if row.has(flag::BRANCH) {
        return branch(row, here, source);
    }
    if row.syntax.contains("(disp,PC)") {
        return from_literal(row, image, index, here, source);
    }
    let mut words = Vec::new();
    let mut m = source.below(15);
    let mut n = if general(row, 'n') {
        source.below(WRITTEN)
    } else {
        source.below(16)
    };
    if !general(row, 'm') {
        m = source.below(16);
    }
    let bits = source.next() as u32;
    if row.syntax.contains("GBR)") {
        words.push(op(Id::ldc_rm_gbr, 0, 14, 0));
    }
    if addresses(row, 'm') {
        m = source.pick(&POINTERS);
        words.push(op(Id::mov_rm_rn, m, 14, 0));
    }
    if addresses(row, 'n') {
        n = source.pick(&POINTERS);
        words.push(op(Id::mov_rm_rn, n, 14, 0));
    }
    if row.syntax.contains("(R0,") {
        words.push(op(Id::mov_imm_rn, 0, 0, 8 * source.below(16)));
    }
    if row.id == Id::lds_rm_fpscr {
        m = 13;
    }
    let opcode = fill(row, |letter| match letter {
        b'n' => n,
        b'm' => m,
        _ => bits,
    });
    let at = words.len();
    words.push(opcode);
    Unit {
        words,
        at,
        id: row.id,
    }
}

/// Returns true if the field `letter` is a general register.
fn general(row: &Row, letter: char) -> bool {
    let name = format!("R{letter}");
    row.syntax
        .split([' ', ',', '(', ')', '@', '-', '+'])
        .any(|part| part == name)
}

/// Returns true if the general register of `letter` is an address.
fn addresses(row: &Row, letter: char) -> bool {
    [
        format!("@R{letter}"),
        format!("@-R{letter}"),
        format!(",R{letter})"),
    ]
    .iter()
    .any(|form| row.syntax.contains(form))
}

/// MOVA and the PC-relative loads, which use the literals at the end of the block.
fn from_literal(row: &'static Row, image: &Image, index: u32, here: u32, source: &mut Source) -> Unit {
    let pool = image.free_literals(index);
    let target = pool.start + 4 * source.below((pool.end - pool.start) / 4);
    let displacement = if row.id == Id::mov_w_disp_pc_rn {
        (target - here - 4) / 2
    } else {
        long_displacement(here, target)
    };
    let n = source.below(WRITTEN);
    Unit {
        words: vec![op(row.id, n, 0, displacement)],
        at: 0,
        id: row.id,
    }
}

/// A branch over up to three instructions. Each of them changes a register if it runs by mistake.
fn branch(row: &'static Row, here: u32, source: &mut Source) -> Unit {
    let delayed = row.has(flag::DELAYED);
    let mut over = 1 + source.below(3);
    let by_address = matches!(row.id, Id::jmp_at_rm | Id::jsr_at_rm | Id::rts);
    let mut words = Vec::new();
    let mut m = 0;
    match row.id {
        Id::braf_rm | Id::bsrf_rm => {
            m = source.below(WRITTEN);
            words.push(op(Id::mov_imm_rn, m, 0, 2 * over));
        }
        _ if by_address => {
            let extra = u32::from(row.id == Id::rts);
            // MOVA finds multiples of four only.
            let end = |over: u32| here + 2 * (3 + extra + over);
            over += end(over) / 2 % 2;
            words.push(op(Id::mova_disp_pc_r0, 0, 0, long_displacement(here, end(over))));
            if row.id == Id::rts {
                words.push(op(Id::lds_rm_pr, 0, 0, 0));
            }
        }
        _ => {}
    }
    let at = words.len();
    let displacement = if delayed { over } else { over - 1 };
    words.push(fill(row, |letter| if letter == b'm' { m } else { displacement }));
    if delayed {
        words.push(slot(source));
    }
    for _ in 0..over {
        let n = source.below(WRITTEN);
        words.push(op(Id::add_imm_rn, n, 0, 1));
    }
    Unit {
        words,
        at,
        id: row.id,
    }
}

fn slot(source: &mut Source) -> u16 {
    let id = source.pick(&SLOTS);
    op(id, source.below(WRITTEN), source.below(15), source.next() as u32)
}

/// Returns a unit as text, in the block's mode.
pub(crate) fn text(unit: &Unit, address: u32, mode: Mode) -> String {
    let lines = unit.words.iter().enumerate().map(|(i, &word)| {
        let at = address + 2 * i as u32;
        format!("{word:04X} {}", sh4::disassemble(word, at, mode))
    });
    lines.collect::<Vec<_>>().join("; ")
}
