//! An instruction with its operands, prepared for the pipeline.

use crate::parameters::Parameters;
use crate::resource::{FR, Resources, resources};
use crate::table::{self, Lock, Operand, Stage};
use sh4::table::{Group, Id, TABLE, flag};

/// Kind of producer (special rules of the manual's table 8.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Producer {
    /// No special rule.
    #[default]
    Plain,
    /// Group LS with a memory read.
    Load,
    /// Other instructions of group LS.
    Move,
    /// FPU arithmetic.
    Fpu,
    /// FDIV and FSQRT.
    Divide,
    /// Single FTRC.
    Ftrc,
    /// MAC, MUL, DMUL.
    Multiply,
    /// CLRMAC and loads of MACH or MACL.
    LoadMac,
}

/// Kind of consumer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Consumer {
    /// No special rule.
    #[default]
    Plain,
    /// FIPR, FTRV and double precision: producers of group LS have a latency of at least 3.
    Wide,
    /// SHAD, SHLD: a load of the shift count, [`Insn::special`], has one more cycle of latency.
    Shift,
    /// FMOV to memory, STS.L FPUL: arithmetic has one cycle less of latency.
    FpuStore,
    /// STS FPUL,Rn: arithmetic has one cycle less of latency; a single FTRC has 1.
    StsFpul,
    /// STS.L MACH or MACL.
    StoreMac,
    /// MAC, MUL, DMUL.
    Multiply,
}

/// Stages as sets of cycles; bit 0 is the first decode cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Stages {
    /// F0.
    pub f0: u64,
    /// F1 of arithmetic.
    pub f1: u64,
    /// F1 of integer multiplications. They exclude arithmetic and are excluded by it. They do not exclude
    /// each other here.
    pub multiplier: u64,
    /// F3.
    pub f3: u64,
    /// SX.
    pub sx: u64,
}

/// A written register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Write {
    /// Bit of the register.
    pub bit: u8,
    /// Number of cycles from issue until a consumer may issue.
    pub latency: u8,
}

/// One instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Insn {
    /// Instruction id.
    pub id: Id,
    /// Pairing group.
    pub group: Group,
    /// Number of decode cycles.
    pub issue: u8,
    /// Registers that it reads.
    pub reads: Resources,
    /// Registers that it writes, with latencies.
    pub writes: Vec<Write>,
    /// Registers that it writes, as a set.
    pub written: Resources,
    /// Kind of producer.
    pub producer: Producer,
    /// Kind of consumer.
    pub consumer: Consumer,
    /// Registers to which [`Consumer::Shift`] applies.
    pub special: Resources,
    /// Number of cycles by which a later write to a register that this instruction reads must be delayed.
    pub rereads: u8,
    /// Stages that must not be locked when it enters them.
    pub(crate) enters: Stages,
    /// Stages that it locks.
    pub(crate) locks: Stages,
    /// For a taken branch: number of cycles from its issue to the target's issue.
    pub branch: u8,
    /// True if it has a delay slot.
    pub delayed: bool,
    /// True if its displacement is 0, so that it only skips the next instruction.
    pub skips: bool,
    /// True if it is an FPU instruction.
    pub fpu: bool,
}

impl Insn {
    /// Creates the instruction `id` with fields `n` and `m`; `opcode` gives the displacement of branches.
    #[must_use]
    pub fn new(id: Id, n: u8, m: u8, opcode: u16, parameters: &Parameters) -> Insn {
        let (Some(row), Some(timing)) = (TABLE.get(id as usize), table::timing(id)) else {
            return Insn::nothing(id);
        };
        let latencies = parameters.latencies(timing);
        let set = |operand: Operand| resources(operand, n, m);
        let writes = timing.writes.iter().flat_map(|(operand, figure)| {
            let latency = latencies[usize::from(*figure)];
            set(*operand).iter().map(move |bit| Write { bit, latency })
        });
        let writes: Vec<Write> = writes.collect();
        let reads = timing
            .reads
            .iter()
            .fold(Resources::NONE, |all, operand| all | set(*operand));
        let wide = is_wide(id, timing.pattern);
        let (enters, locks) = stages(timing.pattern, &parameters.locks(timing));
        let conditional = matches!(id, Id::bt | Id::bf);
        Insn {
            id,
            group: row.group,
            issue: timing.issue,
            reads,
            written: writes
                .iter()
                .fold(Resources::NONE, |all, w| all | Resources::one(w.bit)),
            writes,
            producer: producer(id, row.group, timing.pattern),
            consumer: consumer(id, timing.pattern, wide, reads),
            special: resources(Operand::Rm, n, m),
            rereads: rereads(id),
            enters,
            locks,
            branch: if row.has(flag::BRANCH) { latencies[0] } else { 0 },
            delayed: row.has(flag::DELAYED),
            skips: conditional && opcode & 0xFF == 0,
            fpu: row.has(flag::FPU),
        }
    }

    fn nothing(id: Id) -> Insn {
        Insn {
            id,
            group: Group::CO,
            issue: 1,
            reads: Resources::NONE,
            writes: Vec::new(),
            written: Resources::NONE,
            producer: Producer::Plain,
            consumer: Consumer::Plain,
            special: Resources::NONE,
            rereads: 0,
            enters: Stages::default(),
            locks: Stages::default(),
            branch: 0,
            delayed: false,
            skips: false,
            fpu: false,
        }
    }
}

/// True for FIPR, FTRV and double precision.
fn is_wide(id: Id, pattern: u8) -> bool {
    let single_divide = matches!(id, Id::fdiv_frm_frn | Id::fsqrt_frn);
    matches!(pattern, 38..=43) && !single_divide
}

fn producer(id: Id, group: Group, pattern: u8) -> Producer {
    match (id, group, pattern) {
        (Id::ftrc_frm_fpul, ..) => Producer::Ftrc,
        (_, _, 37 | 41) => Producer::Divide,
        (_, _, 34 | 35) => Producer::Multiply,
        (_, _, 28 | 29) => Producer::LoadMac,
        (_, Group::LS, 2 | 3) => Producer::Load,
        (_, Group::LS, _) => Producer::Move,
        (_, Group::FE, _) | (_, _, 40) => Producer::Fpu,
        _ => Producer::Plain,
    }
}

fn consumer(id: Id, pattern: u8, wide: bool, reads: Resources) -> Consumer {
    let float_registers = Resources(0xFFFF_FFFF << FR);
    match id {
        Id::shad_rm_rn | Id::shld_rm_rn => Consumer::Shift,
        Id::sts_fpul_rn => Consumer::StsFpul,
        Id::sts_l_fpul_pre_rn => Consumer::FpuStore,
        Id::sts_l_mach_pre_rn | Id::sts_l_macl_pre_rn => Consumer::StoreMac,
        _ if wide => Consumer::Wide,
        _ if matches!(pattern, 34 | 35) => Consumer::Multiply,
        // Among the instructions with this pattern, only FMOV to memory reads float registers.
        _ if pattern == 2 && !(reads & float_registers).is_empty() => Consumer::FpuStore,
        _ => Consumer::Plain,
    }
}

/// Number of cycles by which a later write to an operand is delayed. FTRV reads its operands in three further
/// cycles, double addition and multiplication in four. The later instruction writes three cycles after its
/// own issue, and this write must follow the reads. The delays are derived from the manual's two examples,
/// with one and two stalls.
fn rereads(id: Id) -> u8 {
    match id {
        Id::ftrv_xmtrx_fvn => 1,
        Id::fadd_drm_drn | Id::fsub_drm_drn | Id::fmul_drm_drn => 2,
        _ => 0,
    }
}

/// Returns the stages that a pattern enters, and those that it locks.
fn stages(pattern: u8, locks: &[Lock]) -> (Stages, Stages) {
    let span = |lock: &Lock| ((1_u64 << lock.cycles) - 1) << (lock.start - 1);
    let of = |stage: Stage| {
        let mine = locks.iter().filter(|lock| lock.stage == stage);
        mine.map(span).fold(0, std::ops::BitOr::bitor)
    };
    let mut all = Stages {
        f0: of(Stage::F0),
        f1: of(Stage::F1),
        multiplier: 0,
        f3: of(Stage::F3),
        sx: of(Stage::SX),
    };
    match pattern {
        // Integer multiplication uses the multiplier from its second cycle on.
        34 | 35 => (all.f1, all.multiplier) = (0, 0b1_1110),
        // Loads of MACH and MACL use F1 like multiplications, so a multiplication may follow at once.
        28 | 29 => (all.multiplier, all.f1) = (all.f1, 0),
        36..=39 | 41 => all.f1 |= 0b10,
        42 => all.f0 |= 0b10,
        _ => {}
    }
    // The lock on SX affects only instructions that use SX themselves.
    let enters_sx = match pattern {
        3 | 5 | 6 | 20..=23 => 0b10,
        _ => 0,
    };
    (Stages { sx: enters_sx, ..all }, all)
}
