//! The program that our CPU and qemu run. Blocks of code under test are between two routines that load and
//! store the state visible to a user program. The routines work on records.
//!
//! A record is in memory in the order of [`FIELDS`]. The routine before a block reads it upwards; the routine
//! after the block writes it downwards to the same address.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use sh4::flat::FlatBus;
use sh4::table::Id;
use sh4::{Bus, Cpu, Settings};

use super::asm::Assembler;

pub(crate) const BASE: u32 = 0x0040_0000;
const LOAD: u32 = BASE + 0x40;
const STORE: u32 = BASE + 0x140;
const BLOCKS: u32 = BASE + 0x300;
/// Bytes of a block: code, then the literals.
const STRIDE: u32 = 512;
/// Offset in bytes of the literals of a block. PC-relative loads reach them from everywhere in the block.
const LITERALS: u32 = 448;
/// The driver uses the first literals; the other literals are random and for the code under test.
const DRIVERS_LITERALS: u32 = 4;
/// Memory for the code under test. R14 points to its middle.
pub(crate) const SCRATCH: usize = 4096;

/// Words of a record: the bank that FPSCR.FR = 1 makes active, the other bank, FPSCR (not loaded), FPUL,
/// MACH, MACL, GBR, Q, M, S, T, R14 down to R0, PR. In the results, the word of M is a division step that
/// shows whether Q equals M. The word of Q is the T of this step, and the word of S is the result of a
/// saturating MAC.W.
pub(crate) const FIELDS: usize = 57;
pub(crate) const FPSCR: usize = 32;
pub(crate) const FPUL: usize = 33;
pub(crate) const GBR: usize = 36;
/// Index of R14; the index of R0 is greater by 14.
pub(crate) const R14: usize = 41;

pub(crate) fn name(field: usize) -> String {
    match field {
        0..16 => format!("bank 1 fr{field}"),
        16..32 => format!("bank 0 fr{}", field - 16),
        41..56 => format!("r{}", 55 - field),
        _ => ["fpscr", "fpul", "mach", "macl", "gbr", "q", "m and q", "s", "t"]
            .get(field - 32)
            .unwrap_or(&"pr")
            .to_string(),
    }
}

pub(crate) type Record = [u32; FIELDS];

/// A program with room for `blocks` blocks.
pub(crate) struct Image {
    pub(crate) bus: FlatBus,
    blocks: u32,
}

impl Image {
    pub(crate) fn new(blocks: u32, scratch: &[u8]) -> Image {
        let mut image = Image {
            bus: FlatBus::new(BASE, (BLOCKS - BASE + (blocks + 1) * STRIDE) as usize),
            blocks,
        };
        image.bus = FlatBus::new(BASE, (image.end() - BASE) as usize);
        let mut start = Assembler::new(BASE);
        start.literal(0, BASE + 8);
        start.op(Id::jmp_at_rm, 0, 0, 0);
        start.op(Id::nop, 0, 0, 0);
        start.op(Id::nop, 0, 0, 0);
        start.long(BLOCKS);
        image.place(&start);
        image.place(&load_routine());
        image.place(&store_routine());
        let at = image.scratch();
        image.write(at, scratch);
        image
    }

    fn place(&mut self, code: &Assembler) {
        self.write(code.base, &code.bytes());
    }

    pub(crate) fn write(&mut self, address: u32, bytes: &[u8]) {
        assert_eq!(self.bus.load(address, bytes), bytes.len());
    }

    pub(crate) fn block(&self, index: u32) -> u32 {
        BLOCKS + index * STRIDE
    }

    fn literals(&self, index: u32) -> u32 {
        self.block(index) + LITERALS
    }

    /// Addresses of the literals that code under test may read.
    pub(crate) fn free_literals(&self, index: u32) -> std::ops::Range<u32> {
        self.literals(index) + 4 * DRIVERS_LITERALS..self.block(index + 1)
    }

    pub(crate) fn records(&self) -> u32 {
        // A page of its own: code and written data in one page would be slow.
        (self.block(self.blocks + 1) + 0x1FFF) & !0xFFF
    }

    fn record(&self, index: u32) -> u32 {
        self.records() + index * 4 * FIELDS as u32
    }

    pub(crate) fn scratch(&self) -> u32 {
        (self.record(self.blocks) + 0xFFF) & !0xFFF
    }

    fn end(&self) -> u32 {
        self.scratch() + SCRATCH as u32
    }

    /// Address in R14.
    pub(crate) fn middle(&self) -> u32 {
        self.scratch() + SCRATCH as u32 / 2
    }

    /// Writes the record and the head of a block. Returns the address at which the code under test begins.
    pub(crate) fn open_block(&mut self, index: u32, record: &Record, literals: &[u32]) -> u32 {
        let bytes: Vec<u8> = record.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.write(self.record(index), &bytes);
        let pool = self.literals(index);
        let mut words = vec![self.record(index), LOAD, STORE, self.block(index + 1)];
        words.extend(literals);
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.write(pool, &bytes[..(STRIDE - LITERALS) as usize]);
        let mut head = Assembler::new(self.block(index));
        head.literal(15, pool);
        head.literal(0, pool + 4);
        head.op(Id::jsr_at_rm, 0, 0, 0);
        head.op(Id::nop, 0, 0, 0);
        head.op(Id::lds_l_post_rm_pr, 0, 15, 0);
        head.op(Id::lds_rm_fpscr, 0, 13, 0);
        self.place(&head);
        head.here()
    }

    /// Ends the code under test at `address`.
    pub(crate) fn close_block(&mut self, index: u32, address: u32) {
        let pool = self.literals(index);
        let mut tail = Assembler::new(address);
        tail.op(Id::sts_l_pr_pre_rn, 15, 0, 0);
        tail.op(Id::mov_l_rm_pre_rn, 15, 0, 0);
        tail.literal(0, pool + 8);
        tail.op(Id::jsr_at_rm, 0, 0, 0);
        tail.op(Id::nop, 0, 0, 0);
        tail.literal(0, pool + 12);
        tail.op(Id::jmp_at_rm, 0, 0, 0);
        tail.op(Id::nop, 0, 0, 0);
        assert!(tail.here() <= pool, "block too long");
        self.place(&tail);
    }

    /// Latest address at which the code under test must end.
    pub(crate) fn limit(&self, index: u32) -> u32 {
        self.literals(index) - 16
    }

    /// Code after the last block: writes records and scratch memory to standard output, and exits.
    pub(crate) fn close(&mut self) {
        let mut code = Assembler::new(self.block(self.blocks));
        let pool = code.base + 32;
        code.op(Id::mov_imm_rn, 3, 0, 4);
        code.op(Id::mov_imm_rn, 4, 0, 1);
        code.literal(5, pool);
        code.literal(6, pool + 4);
        code.op(Id::trapa_imm, 0, 0, 0x13);
        code.op(Id::mov_imm_rn, 3, 0, 1);
        code.op(Id::mov_imm_rn, 4, 0, 0);
        code.op(Id::trapa_imm, 0, 0, 0x11);
        code.pad_to(pool);
        code.long(self.records());
        code.long(self.end() - self.records());
        self.place(&code);
    }

    /// Returns a CPU at the start of the program, in the state visible to a user program.
    pub(crate) fn cpu(&self) -> Cpu {
        let mut cpu = Cpu::new(Settings::default());
        cpu.set_sr(0x4000_0000);
        cpu.set_fpscr(0);
        cpu.pc = BASE;
        cpu
    }

    /// The present contents of scratch memory.
    pub(crate) fn scratch_now(&mut self) -> Vec<u8> {
        let (from, to) = (self.scratch(), self.end());
        read(&mut self.bus, from, to)
    }

    /// The records and scratch memory that a run of this program left on `bus`.
    pub(crate) fn data(&self, bus: &mut FlatBus) -> Vec<u8> {
        read(bus, self.records(), self.end())
    }

    /// The records at the beginning of `data`, and the range of the scratch memory in it.
    pub(crate) fn split(&self, data: &[u8]) -> (Vec<Record>, usize) {
        let words: Vec<u32> = data
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
            .collect();
        let records = words.chunks_exact(FIELDS).take(self.blocks as usize);
        let records = records.map(|record| record.try_into().unwrap()).collect();
        (records, (self.scratch() - self.records()) as usize)
    }

    /// The program as an executable for Linux: one segment, readable, writable and executable.
    pub(crate) fn elf(&self) -> Vec<u8> {
        const HEADERS: u32 = 0x1000;
        const RENESAS_SH: u16 = 42;
        let memory = read(&mut self.bus.clone(), BASE, self.end());
        let size = memory.len() as u32;
        let mut elf = vec![0x7F, b'E', b'L', b'F', 1, 1, 1];
        elf.resize(16, 0);
        for half in [2, RENESAS_SH] {
            elf.extend(half.to_le_bytes());
        }
        // Version, entry, program headers, section headers, flags (SH4).
        for word in [1, BASE, 52, 0, 9] {
            elf.extend(u32::to_le_bytes(word));
        }
        for half in [52u16, 32, 1, 0, 0, 0] {
            elf.extend(half.to_le_bytes());
        }
        for word in [1, HEADERS, BASE, BASE, size, size, 7, 0x1000] {
            elf.extend(u32::to_le_bytes(word));
        }
        elf.resize(HEADERS as usize, 0);
        elf.extend(memory);
        elf
    }

    /// The records and scratch memory of qemu at the end.
    pub(crate) fn run_in_qemu(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::write(path, self.elf())?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))?;
        }
        let output = Command::new("qemu-sh4").arg(path).stdin(Stdio::null()).output()?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(io::Error::other(format!("{}: {text}", output.status)));
        }
        Ok(output.stdout)
    }
}

fn read(bus: &mut FlatBus, from: u32, to: u32) -> Vec<u8> {
    (from..to).map(|address| bus.read8(address).unwrap()).collect()
}

fn load_routine() -> Assembler {
    let mut code = Assembler::new(LOAD);
    code.op(Id::mov_imm_rn, 0, 0, 0);
    code.op(Id::lds_rm_fpscr, 0, 0, 0);
    for _ in 0..2 {
        code.op(Id::frchg, 0, 0, 0);
        for n in 0..16 {
            code.op(Id::fmov_s_post_rm_frn, n, 15, 0);
        }
    }
    code.op(Id::add_imm_rn, 15, 0, 4);
    code.op(Id::lds_l_post_rm_fpul, 0, 15, 0);
    code.op(Id::lds_l_post_rm_mach, 0, 15, 0);
    code.op(Id::lds_l_post_rm_macl, 0, 15, 0);
    code.op(Id::ldc_l_post_rm_gbr, 0, 15, 0);
    code.op(Id::mov_l_post_rm_rn, 1, 15, 0);
    code.op(Id::mov_l_post_rm_rn, 2, 15, 0);
    code.op(Id::div0s_rm_rn, 1, 2, 0);
    code.op(Id::mov_l_post_rm_rn, 0, 15, 0);
    code.op(Id::tst_imm_r0, 0, 0, 1);
    code.op(Id::clrs, 0, 0, 0);
    // A branch over the next instruction if bit 0 is clear.
    code.op(Id::bt, 0, 0, 0);
    code.op(Id::sets, 0, 0, 0);
    code.op(Id::mov_l_post_rm_rn, 0, 15, 0);
    code.op(Id::shlr_rn, 0, 0, 0);
    for n in (1..15).rev() {
        code.op(Id::mov_l_post_rm_rn, n, 15, 0);
    }
    code.op(Id::rts, 0, 0, 0);
    code.op(Id::mov_l_post_rm_rn, 0, 15, 0);
    assert!(code.here() <= STORE);
    code
}

fn store_routine() -> Assembler {
    let mut code = Assembler::new(STORE);
    let pool = BLOCKS - 8;
    let push = |code: &mut Assembler, m| code.op(Id::mov_l_rm_pre_rn, 15, m, 0);
    for m in 1..15 {
        push(&mut code, m);
    }
    code.op(Id::movt_rn, 0, 0, 0);
    push(&mut code, 0);
    code.op(Id::sts_macl_rn, 3, 0, 0);
    code.op(Id::sts_mach_rn, 4, 0, 0);
    // S: the largest number plus 1 * 1.
    code.op(Id::clrmac, 0, 0, 0);
    code.literal(0, pool);
    code.op(Id::lds_rm_macl, 0, 0, 0);
    let here = code.here();
    code.op(
        Id::mova_disp_pc_r0,
        0,
        0,
        super::asm::long_displacement(here, pool + 4),
    );
    code.op(Id::mov_rm_rn, 1, 0, 0);
    code.op(Id::mac_w_post_rm_post_rn, 1, 1, 0);
    code.op(Id::sts_macl_rn, 0, 0, 0);
    push(&mut code, 0);
    // Q and M: one step of a division.
    code.op(Id::mov_imm_rn, 1, 0, 100);
    code.op(Id::mov_imm_rn, 2, 0, 17);
    code.op(Id::clrt, 0, 0, 0);
    code.op(Id::div1_rm_rn, 1, 2, 0);
    push(&mut code, 1);
    code.op(Id::movt_rn, 0, 0, 0);
    push(&mut code, 0);
    code.op(Id::stc_l_gbr_pre_rn, 15, 0, 0);
    push(&mut code, 3);
    push(&mut code, 4);
    code.op(Id::sts_l_fpul_pre_rn, 15, 0, 0);
    code.op(Id::sts_l_fpscr_pre_rn, 15, 0, 0);
    code.op(Id::mov_imm_rn, 0, 0, 0);
    code.op(Id::lds_rm_fpscr, 0, 0, 0);
    for _ in 0..2 {
        for m in (0..16).rev() {
            code.op(Id::fmov_s_frm_pre_rn, 15, m, 0);
        }
        code.op(Id::frchg, 0, 0, 0);
    }
    code.op(Id::rts, 0, 0, 0);
    code.op(Id::nop, 0, 0, 0);
    code.pad_to(pool);
    code.long(0x7FFF_FFFF);
    code.long(0x0001_0001);
    code
}
