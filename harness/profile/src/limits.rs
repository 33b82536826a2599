//! What the model leaves out: one list, printed with every report.

/// Each entry is a sentence.
pub const NOT_MODELLED: &[&str] = &[
    "SDRAM refresh, DMA and other masters on the bus.",
    "Address translation and its misses; the cost of taking interrupts and exceptions.",
    "Access times of the chip's own registers (timers, serial port): they cost an issue slot and nothing else.",
    "Fetch ahead of decode: an instruction miss freezes the CPU in the cycle in which the instruction would issue.",
    "Work that goes on under a freeze: every wait for memory stops the whole CPU, as measured for operands.",
    "Other names for registers after LDC SR and LDS FPSCR; FRCHG is followed.",
    "The memory stage of TST.B, AND.B and the like; the time in SLEEP.",
    "A fetch slot lost at a branch to an odd halfword, unless fetch_align_penalty is set.",
];
