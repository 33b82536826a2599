//! All tests of this folder as one program, which builds faster than one for each file.

mod against_qemu;
mod checklist;
mod division;
mod opcodes;
mod programs;
mod sst;
mod tlb;
mod translated_code;
