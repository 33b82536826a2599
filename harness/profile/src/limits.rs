//! Limits of the model. Every affected report prints them.

use sh4::table::Id;

/// One sentence per limit.
pub const NOT_MODELLED: &[&str] = &[
    "SDRAM refresh, DMA and other masters on the bus.",
    "Address translation and its misses; the cost of taking interrupts and exceptions.",
    "Access times of the chip's own registers (timers, serial port): they cost only an issue slot.",
    "Fetch ahead of decode: an instruction miss freezes the CPU in the cycle in which the instruction would \
     issue.",
    "Work during a memory stall: every stall stops the whole CPU, as measured for operands.",
    "Register banks exchanged by LDC SR and LDS FPSCR; exchanges by FRCHG are modelled.",
    "The memory stage of TST.B, AND.B and the like; the time in SLEEP.",
    "The work of the tile accelerator: it accepts a block in 7 bus cycles, however many tiles the block \
     touches.",
    "A fetch slot lost at a branch to an odd halfword, unless fetch_align_penalty is set.",
];

/// Instructions for which the model's cycles differ from console measurements by more than 5 %, with the
/// deviation. `tests/validation.rs` has the measurements.
pub(crate) const DEVIATIONS: &[(Id, &str)] = &[
    (Id::fsrra_frn, "a loop around FSRRA (-14 %)"),
    (Id::movca_l_r0_at_rn, "copies by MOVCA.L (-30 %)"),
    (Id::ocbp_at_rn, "flushing ranges by OCBP (-5 to +10 %)"),
];

/// Deviation for cache lines that evict each other repeatedly. On a console, alternating between SDRAM rows
/// takes less time than in the model.
pub(crate) const ROW_DEVIATION: &str =
    "buffers that share entries of the cache and a bank of the SDRAM (+13 to +41 %)";

/// Deviations for store queues.
pub(crate) const QUEUE_DEVIATION: &str = "store queues to video memory outside the burst window (+26 %)";
