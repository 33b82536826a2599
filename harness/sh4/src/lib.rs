//! The SH-4 CPU: one instruction table, decode, execute, disassemble.
