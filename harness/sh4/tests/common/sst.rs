//! Reader of the SingleStepTests/sh4 binary format, and the bus on which its cases run.
//!
//! A record is 756 bytes, little-endian: u32 size; two states of {u32 size, u32 tag, 69 u32}; cycles of
//! {12 bytes of header, 4 x 36 bytes}; opcodes of {u32 size, u32 tag, 5 u32}.

use std::path::{Path, PathBuf};

use sh4::{Bus, BusError, Cpu, FPSCR_MASK, Observer, Retired};

const RECORD: usize = 756;

/// The 69 words of a state. `fr` is the active bank of the FPU, `xf` the other.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    pub(crate) r: [u32; 16],
    pub(crate) bank: [u32; 8],
    pub(crate) fr: [u32; 16],
    pub(crate) xf: [u32; 16],
    /// PC, GBR, SR, SSR, SPC, VBR, SGR, DBR, MACL, MACH, PR, FPSCR, FPUL.
    pub(crate) control: [u32; 13],
}

const NAMES: [&str; 13] = [
    "PC", "GBR", "SR", "SSR", "SPC", "VBR", "SGR", "DBR", "MACL", "MACH", "PR", "FPSCR", "FPUL",
];

pub(crate) struct Cycle {
    pub(crate) actions: u32,
    pub(crate) fetch_address: u32,
    pub(crate) write: (u32, u64),
    pub(crate) read: (u32, u64),
}

pub(crate) struct Case {
    pub(crate) initial: State,
    pub(crate) expected: State,
    pub(crate) cycles: [Cycle; 4],
    pub(crate) opcodes: [u32; 5],
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn words<const N: usize>(bytes: &[u8], at: usize) -> [u32; N] {
    std::array::from_fn(|i| word(bytes, at + 4 * i))
}

impl State {
    fn read(bytes: &[u8]) -> State {
        State {
            r: words(bytes, 8),
            bank: words(bytes, 72),
            fr: words(bytes, 104),
            xf: words(bytes, 168),
            control: words(bytes, 232),
        }
    }

    /// The data keep bits of FPSCR that do not exist after LDS; the manual masks them.
    pub(crate) fn mask_fpscr(mut self) -> State {
        self.control[11] &= FPSCR_MASK;
        self
    }

    /// Sets the status registers first, because they exchange banks.
    pub(crate) fn put(&self, cpu: &mut Cpu) {
        let [pc, gbr, sr, ssr, spc, vbr, sgr, dbr, macl, mach, pr, fpscr, fpul] = self.control;
        cpu.set_sr(sr);
        cpu.set_fpscr(fpscr);
        (cpu.r, cpu.r_bank, cpu.fr, cpu.xf) = (self.r, self.bank, self.fr, self.xf);
        (cpu.pc, cpu.gbr, cpu.ssr, cpu.spc, cpu.vbr, cpu.sgr) = (pc, gbr, ssr, spc, vbr, sgr);
        (cpu.dbr, cpu.macl, cpu.mach, cpu.pr, cpu.fpul) = (dbr, macl, mach, pr, fpul);
    }

    pub(crate) fn take(cpu: &Cpu) -> State {
        State {
            r: cpu.r,
            bank: cpu.r_bank,
            fr: cpu.fr,
            xf: cpu.xf,
            control: [
                cpu.pc,
                cpu.gbr,
                cpu.sr(),
                cpu.ssr,
                cpu.spc,
                cpu.vbr,
                cpu.sgr,
                cpu.dbr,
                cpu.macl,
                cpu.mach,
                cpu.pr,
                cpu.fpscr(),
                cpu.fpul,
            ],
        }
    }

    /// The first register that differs.
    pub(crate) fn differs(&self, expected: &State) -> Option<String> {
        let banks = [
            ("R", &self.r[..], &expected.r[..]),
            ("R_BANK", &self.bank, &expected.bank),
            ("FR", &self.fr, &expected.fr),
            ("XF", &self.xf, &expected.xf),
        ];
        for (name, got, want) in banks {
            if let Some(i) = (0..got.len()).find(|&i| got[i] != want[i]) {
                return Some(format!("{name}{i} is {:08X}, expected {:08X}", got[i], want[i]));
            }
        }
        let i = (0..13).find(|&i| self.control[i] != expected.control[i])?;
        Some(format!(
            "{} is {:08X}, expected {:08X}",
            NAMES[i], self.control[i], expected.control[i]
        ))
    }
}

impl Case {
    fn read(bytes: &[u8]) -> Case {
        let cycle = |i: usize| {
            let at = 4 + 2 * 284 + 12 + 36 * i;
            let long = |at| u64::from(word(bytes, at)) | u64::from(word(bytes, at + 4)) << 32;
            Cycle {
                actions: word(bytes, at),
                fetch_address: word(bytes, at + 4),
                write: (word(bytes, at + 12), long(at + 16)),
                read: (word(bytes, at + 24), long(at + 28)),
            }
        };
        assert_eq!(word(bytes, 0), RECORD as u32);
        Case {
            initial: State::read(&bytes[4..]),
            expected: State::read(&bytes[4 + 284..]).mask_fpscr(),
            cycles: std::array::from_fn(cycle),
            opcodes: words(bytes, RECORD - 20),
        }
    }
}

/// The files in sorted order, or `None` if the corpus does not contain them.
pub(crate) fn files() -> Option<Vec<PathBuf>> {
    let folder = corpus::folder_or("SWIRL_SST", "sst");
    let entries = std::fs::read_dir(folder).ok()?;
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "bin"));
    files.sort();
    Some(files)
}

pub(crate) fn cases(path: &Path) -> Vec<Case> {
    let bytes = std::fs::read(path).unwrap();
    assert_eq!(bytes.len() % RECORD, 0, "{}", path.display());
    bytes.chunks_exact(RECORD).map(Case::read).collect()
}

/// Addresses of the instructions that ran.
#[derive(Default)]
pub(crate) struct Trace {
    pub(crate) addresses: Vec<u32>,
}

impl Observer for Trace {
    fn retire(&mut self, event: &Retired<'_>) {
        self.addresses.push(event.pc);
    }
}

/// Answers the one read of a case and checks the one write.
pub(crate) struct TestBus<'a> {
    case: &'a Case,
    reads: usize,
    writes: usize,
    pub(crate) wrong: Option<String>,
}

const READ: u32 = 1;
const WRITE: u32 = 2;

impl<'a> TestBus<'a> {
    pub(crate) fn new(case: &'a Case) -> TestBus<'a> {
        TestBus {
            case,
            reads: 0,
            writes: 0,
            wrong: None,
        }
    }

    fn give(&mut self, address: u32, mask: u64) -> Result<u64, BusError> {
        let mut expected = self.case.cycles.iter().filter(|cycle| cycle.actions & READ != 0);
        match expected.nth(self.reads) {
            Some(cycle) if cycle.read.0 == address => {
                self.reads += 1;
                Ok(cycle.read.1 & mask)
            }
            other => {
                let other = other.map(|cycle| cycle.read.0);
                self.wrong = Some(format!("reads {address:08X}, expected {other:08X?}"));
                Ok(0)
            }
        }
    }

    fn check(&mut self, address: u32, value: u64, mask: u64) -> Result<(), BusError> {
        let mut expected = self.case.cycles.iter().filter(|cycle| cycle.actions & WRITE != 0);
        let write = expected
            .nth(self.writes)
            .map(|cycle| (cycle.write.0, cycle.write.1 & mask));
        self.writes += 1;
        if write != Some((address, value)) {
            self.wrong = Some(format!("writes {value:X} at {address:08X}, expected {write:X?}"));
        }
        Ok(())
    }
}

impl Bus for TestBus<'_> {
    fn read8(&mut self, address: u32) -> Result<u8, BusError> {
        Ok(self.give(address, 0xFF)? as u8)
    }
    fn read16(&mut self, address: u32) -> Result<u16, BusError> {
        Ok(self.give(address, 0xFFFF)? as u16)
    }
    fn read32(&mut self, address: u32) -> Result<u32, BusError> {
        Ok(self.give(address, 0xFFFF_FFFF)? as u32)
    }
    fn read64(&mut self, address: u32) -> Result<u64, BusError> {
        self.give(address, u64::MAX)
    }
    fn write8(&mut self, address: u32, value: u8) -> Result<(), BusError> {
        self.check(address, value.into(), 0xFF)
    }
    fn write16(&mut self, address: u32, value: u16) -> Result<(), BusError> {
        self.check(address, value.into(), 0xFFFF)
    }
    fn write32(&mut self, address: u32, value: u32) -> Result<(), BusError> {
        self.check(address, value.into(), 0xFFFF_FFFF)
    }
    fn write64(&mut self, address: u32, value: u64) -> Result<(), BusError> {
        self.check(address, value, u64::MAX)
    }
    fn fetch(&mut self, address: u32) -> Result<u16, BusError> {
        let start = self.case.initial.control[0];
        let slot = address.wrapping_sub(start) / 2;
        let odd = (address ^ start) & 1 != 0;
        let index = if slot < 4 && !odd { slot as usize } else { 4 };
        Ok(self.case.opcodes[index] as u16)
    }
    fn prefetch(&mut self, _address: u32) -> Result<(), BusError> {
        Ok(())
    }
    fn code_watch(&mut self, _address: u32, _bytes: u32) {}
    fn code_epoch(&self) -> u64 {
        0
    }
    fn code_version(&self, _address: u32) -> u64 {
        0
    }
}
