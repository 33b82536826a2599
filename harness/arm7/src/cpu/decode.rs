//! Decoder from opcodes to operations and operands; `execute` defines the operations.
//!
//! The formats are from figure 6 of the ARM7DI data sheet. The result depends only on the opcode.

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Condition, bits 31 to 28.
    pub condition: Condition,
    /// Operation, executed if the condition is true.
    pub operation: Operation,
}

/// A condition (data sheet, "The condition field"). Bit n is the condition's result for flags with the value
/// n, where N, Z, C and V are bits 3 to 0 of n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition(u16);

/// Operation of an instruction. Register numbers are 0 to 15.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Data processing without S (data sheet, "Data processing").
    Data(Data),
    /// Data processing with S, which sets the condition codes.
    DataFlags(Data),
    /// Data processing with an operand shifted by a register, which takes one more cycle.
    DataByRegister {
        /// S.
        set_flags: bool,
        /// Operands.
        data: Data,
    },
    /// MUL, MLA ("Multiply and multiply-accumulate").
    Multiply(Multiply),
    /// MRS ("PSR transfer"): Rd = PSR.
    ReadPsr {
        /// Selects SPSR instead of CPSR.
        spsr: bool,
        /// Destination.
        rd: u8,
    },
    /// MSR ("PSR transfer"): the fields of the PSR that the mask selects.
    WritePsr {
        /// Selects SPSR instead of CPSR.
        spsr: bool,
        /// Bits of the PSR that change, from the field mask.
        mask: u32,
        /// New value.
        operand: Operand,
    },
    /// LDR ("Single data transfer").
    Load(Single),
    /// STR.
    Store(Single),
    /// LDM, STM ("Block data transfer").
    Block(Block),
    /// SWP ("Single data swap").
    Swap {
        /// Transfers a byte instead of a word.
        byte: bool,
        /// Register with the address.
        rn: u8,
        /// Receives the old value.
        rd: u8,
        /// Register with the new value.
        rm: u8,
    },
    /// B, BL ("Branch and branch with link").
    Branch {
        /// Stores the return address in R14.
        link: bool,
        /// Byte offset from R15, which is 8 ahead.
        offset: i32,
    },
    /// SWI ("Software interrupt").
    SoftwareInterrupt,
    /// Takes the undefined instruction trap. This applies to "Undefined instruction", to coprocessor
    /// instructions without a coprocessor ("Coprocessor data operations" to "Coprocessor register
    /// transfers"), and to encodings that later architectures defined (`docs/hardware/aica.md`, "Instructions
    /// after ARMv3").
    Undefined,
}

/// Operands of data processing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Data {
    /// The operation.
    pub op: DataOp,
    /// First operand.
    pub rn: u8,
    /// Destination.
    pub rd: u8,
    /// Second operand.
    pub operand: Operand,
}

/// Operations of data processing, in the order of bits 24 to 21.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names are the mnemonics")]
pub enum DataOp {
    And,
    Eor,
    Sub,
    Rsb,
    Add,
    Adc,
    Sbc,
    Rsc,
    Tst,
    Teq,
    Cmp,
    Cmn,
    Orr,
    Mov,
    Bic,
    Mvn,
}

const DATA_OPS: [DataOp; 16] = [
    DataOp::And,
    DataOp::Eor,
    DataOp::Sub,
    DataOp::Rsb,
    DataOp::Add,
    DataOp::Adc,
    DataOp::Sbc,
    DataOp::Rsc,
    DataOp::Tst,
    DataOp::Teq,
    DataOp::Cmp,
    DataOp::Cmn,
    DataOp::Orr,
    DataOp::Mov,
    DataOp::Bic,
    DataOp::Mvn,
];

impl DataOp {
    /// TST, TEQ, CMP and CMN: these write no result.
    pub fn compares(self) -> bool {
        matches!(self, DataOp::Tst | DataOp::Teq | DataOp::Cmp | DataOp::Cmn)
    }
}

/// The second operand, before the shifter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// An immediate value, already rotated.
    Immediate {
        /// The value.
        value: u32,
        /// True if the value was rotated: bit 31 is then the shifter's carry.
        rotated: bool,
    },
    /// An unshifted register (LSL #0).
    Register(u8),
    /// A register shifted by a constant.
    Shifted {
        /// The register.
        rm: u8,
        /// Kind of shift.
        shift: Shift,
        /// 1 to 31; also 32 for LSR and ASR.
        amount: u8,
    },
    /// A register shifted right by one bit, with C as bit 31 (RRX).
    Extended(u8),
    /// A register shifted by a register.
    ShiftedByRegister {
        /// The register.
        rm: u8,
        /// Kind of shift.
        shift: Shift,
        /// Register with the amount in its low byte.
        rs: u8,
    },
}

/// Shifts, in the order of bits 6 and 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the mnemonics")]
pub enum Shift {
    Lsl,
    Lsr,
    Asr,
    Ror,
}

/// Operands of MUL and MLA: Rd = Rm x Rs (+ Rn).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the data sheet's")]
pub struct Multiply {
    pub accumulate: bool,
    pub set_flags: bool,
    pub rd: u8,
    pub rn: u8,
    pub rs: u8,
    pub rm: u8,
}

/// Operands of LDR and STR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Single {
    /// P: the base changes before the transfer.
    pub pre: bool,
    /// True if the base keeps its new value: W, or P = 0.
    pub write_back: bool,
    /// True if a register offset is subtracted; an immediate offset includes its sign.
    pub subtract: bool,
    /// Transfers a byte instead of a word.
    pub byte: bool,
    /// Base register.
    pub rn: u8,
    /// Source or destination.
    pub rd: u8,
    /// Offset of the base.
    pub offset: Operand,
}

/// Operands of LDM and STM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Direction and order.
    pub how: Addressing,
    /// S bit: transfers user registers or, if LDM loads R15, copies SPSR to CPSR.
    pub psr: bool,
    /// Base register.
    pub rn: u8,
    /// Bit n selects Rn.
    pub list: u16,
}

/// Direction and order of LDM and STM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Addressing {
    /// L: loads from memory.
    pub load: bool,
    /// P: the base changes before the transfer.
    pub pre: bool,
    /// U: adds the offset.
    pub up: bool,
    /// W: the base keeps its new value.
    pub write_back: bool,
}

impl Condition {
    /// Results of the conditions, by bits 31 to 28 of the opcode.
    const ALL: [u16; 16] = holds();

    /// Evaluates the condition with N, Z, C and V as bits 3 to 0.
    #[inline]
    pub fn holds(self, nzcv: u32) -> bool {
        self.0 >> (nzcv & 15) & 1 != 0
    }
}

const fn holds() -> [u16; 16] {
    let mut table = [0; 16];
    let mut at = 0;
    while at < 256 {
        let (condition, flags) = (at / 16, at % 16);
        table[condition] |= (holds_with(condition, flags) as u16) << flags;
        at += 1;
    }
    table
}

/// An odd condition is the opposite of the even one before it; 15 is never true (data sheet, "The condition
/// field").
const fn holds_with(condition: usize, flags: usize) -> bool {
    let (n, z, c, v) = (flags & 8 != 0, flags & 4 != 0, flags & 2 != 0, flags & 1 != 0);
    let even = match condition / 2 {
        0 => z,
        1 => c,
        2 => n,
        3 => v,
        4 => c && !z,
        5 => n == v,
        6 => !z && n == v,
        _ => true,
    };
    even != (condition % 2 == 1)
}

fn bit(opcode: u32, at: u32) -> bool {
    opcode >> at & 1 != 0
}

/// Register number with its lowest bit at position `low`.
fn register(opcode: u32, low: u32) -> u8 {
    (opcode >> low & 15) as u8
}

/// Decodes `opcode`.
pub fn decode(opcode: u32) -> Instruction {
    Instruction {
        condition: Condition(Condition::ALL[(opcode >> 28) as usize]),
        operation: operation(opcode),
    }
}

fn operation(opcode: u32) -> Operation {
    match opcode >> 25 & 7 {
        0b000 if bit(opcode, 4) && bit(opcode, 7) => multiply_or_swap(opcode),
        0b000 | 0b001 => data_or_psr(opcode),
        0b011 if bit(opcode, 4) => Operation::Undefined,
        0b010 | 0b011 if bit(opcode, 20) => Operation::Load(single(opcode)),
        0b010 | 0b011 => Operation::Store(single(opcode)),
        0b100 => Operation::Block(block(opcode)),
        0b101 => branch(opcode),
        0b111 if bit(opcode, 24) => Operation::SoftwareInterrupt,
        _ => Operation::Undefined,
    }
}

/// Decodes opcodes with bits 7 and 4 set. ARMv3 defines only 1001 in bits 7 to 4.
fn multiply_or_swap(opcode: u32) -> Operation {
    match (opcode >> 4 & 15, opcode >> 20 & 0xFF) {
        (0b1001, 0b0000_0000..=0b0000_0011) => Operation::Multiply(multiply(opcode)),
        (0b1001, 0b0001_0000 | 0b0001_0100) => Operation::Swap {
            byte: bit(opcode, 22),
            rn: register(opcode, 16),
            rd: register(opcode, 12),
            rm: register(opcode, 0),
        },
        _ => Operation::Undefined,
    }
}

fn multiply(opcode: u32) -> Multiply {
    Multiply {
        accumulate: bit(opcode, 21),
        set_flags: bit(opcode, 20),
        rd: register(opcode, 16),
        rn: register(opcode, 12),
        rs: register(opcode, 8),
        rm: register(opcode, 0),
    }
}

/// The encodings of TST, TEQ, CMP and CMN without S are MRS and MSR.
fn data_or_psr(opcode: u32) -> Operation {
    let op = DATA_OPS[(opcode >> 21 & 15) as usize];
    if op.compares() && !bit(opcode, 20) {
        return psr(opcode);
    }
    let data = Data {
        op,
        rn: register(opcode, 16),
        rd: register(opcode, 12),
        operand: operand(opcode),
    };
    match (data.operand, bit(opcode, 20)) {
        (Operand::ShiftedByRegister { .. }, set_flags) => Operation::DataByRegister { set_flags, data },
        (_, true) => Operation::DataFlags(data),
        (_, false) => Operation::Data(data),
    }
}

fn psr(opcode: u32) -> Operation {
    let (spsr, write, immediate) = (bit(opcode, 22), bit(opcode, 21), bit(opcode, 25));
    if write && (immediate || opcode & 0xFF0 == 0) {
        return Operation::WritePsr {
            spsr,
            mask: psr_mask(opcode),
            operand: operand(opcode),
        };
    }
    match !write && !immediate && opcode & 0xFFF == 0 {
        true => Operation::ReadPsr {
            spsr,
            rd: register(opcode, 12),
        },
        false => Operation::Undefined,
    }
}

/// Bits 19 to 16: bit 19 selects the flags, bit 16 the control byte. The data sheet draws 1001 (all) and 1000
/// (flags); KallistiOS's driver uses 0001 (`docs/hardware/aica.md`, "MSR field masks").
fn psr_mask(opcode: u32) -> u32 {
    let flags = if bit(opcode, 19) { 0xFF00_0000 } else { 0 };
    let control = if bit(opcode, 16) { 0x0000_00FF } else { 0 };
    flags | control
}

/// Decodes the second operand of data processing and MSR.
fn operand(opcode: u32) -> Operand {
    if bit(opcode, 25) {
        let rotation = 2 * (opcode >> 8 & 15);
        return Operand::Immediate {
            value: (opcode & 0xFF).rotate_right(rotation),
            rotated: rotation != 0,
        };
    }
    match bit(opcode, 4) {
        true => Operand::ShiftedByRegister {
            rm: register(opcode, 0),
            shift: shift(opcode),
            rs: register(opcode, 8),
        },
        false => shifted(opcode),
    }
}

/// Decodes a register shifted by a constant. An amount of 0 means 32 for LSR and ASR, and RRX for ROR.
fn shifted(opcode: u32) -> Operand {
    let (rm, shift, amount) = (register(opcode, 0), shift(opcode), (opcode >> 7 & 31) as u8);
    match (shift, amount) {
        (Shift::Lsl, 0) => Operand::Register(rm),
        (Shift::Ror, 0) => Operand::Extended(rm),
        (_, 0) => Operand::Shifted {
            rm,
            shift,
            amount: 32,
        },
        _ => Operand::Shifted { rm, shift, amount },
    }
}

fn shift(opcode: u32) -> Shift {
    match opcode >> 5 & 3 {
        0 => Shift::Lsl,
        1 => Shift::Lsr,
        2 => Shift::Asr,
        _ => Shift::Ror,
    }
}

fn addressing(opcode: u32) -> Addressing {
    Addressing {
        load: bit(opcode, 20),
        pre: bit(opcode, 24),
        up: bit(opcode, 23),
        write_back: bit(opcode, 21),
    }
}

/// Bit 25 of LDR and STR is inverted: 1 means a register.
fn single(opcode: u32) -> Single {
    let (pre, up) = (bit(opcode, 24), bit(opcode, 23));
    let register_offset = bit(opcode, 25);
    Single {
        pre,
        write_back: !pre || bit(opcode, 21),
        subtract: register_offset && !up,
        byte: bit(opcode, 22),
        rn: register(opcode, 16),
        rd: register(opcode, 12),
        offset: if register_offset {
            shifted(opcode)
        } else {
            immediate_offset(opcode, up)
        },
    }
}

fn immediate_offset(opcode: u32, up: bool) -> Operand {
    let offset = opcode & 0xFFF;
    Operand::Immediate {
        value: if up { offset } else { offset.wrapping_neg() },
        rotated: false,
    }
}

fn block(opcode: u32) -> Block {
    Block {
        how: addressing(opcode),
        psr: bit(opcode, 22),
        rn: register(opcode, 16),
        list: opcode as u16,
    }
}

/// Signed 24-bit offset in words.
fn branch(opcode: u32) -> Operation {
    Operation::Branch {
        link: bit(opcode, 24),
        offset: (opcode << 8) as i32 >> 6,
    }
}
