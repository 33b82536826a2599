//! What the model leaves out: one list, printed with every report.

/// Each entry is a sentence.
pub const NOT_MODELLED: &[&str] = &[
    "SDRAM refresh, DMA and other masters on the bus.",
    "Address translation and its misses; interrupts and exceptions.",
    "The write of FPSCR or SR bank bits as a rename: registers keep their names across LDC SR and LDS FPSCR.",
    "Access times of the chip's own registers (timers, serial port): 0.",
    "Fetch running ahead of decode: an instruction miss freezes the CPU when the instruction would issue.",
    "TST.B's place in the memory stage; SLEEP's duration.",
    "Exceptions of the manual's figures on odd fetch addresses, unless fetch_align_penalty is set.",
];
