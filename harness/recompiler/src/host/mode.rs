//! MXCSR of the host. Compiled code sets DAZ under DN = 1, so that denormal operands are zeros, and rounds
//! toward zero under RM = 1.
//!
//! Rust code must run with the initial MXCSR. So only assembly changes MXCSR: [`enter`] for compiled code,
//! and [`switched`] for each call from compiled code.

use super::code::Entry;
use super::links::{self, Link};
use super::{AT_MODE, Context};
use sh4::accelerate::offset;
use sh4::{Cpu, fpscr};
use std::arch::{asm, naked_asm};
use std::mem::offset_of;

/// Bit DAZ (denormals are zeros) of MXCSR.
const DAZ: u32 = 1 << 6;
/// Value 3 of the field RC (rounding control) of MXCSR: toward zero.
const TOWARD_ZERO: u32 = 3 << 13;
/// Bit 0 of FPSCR.RM. The reserved modes 2 and 3 round like 0 and 1.
const RM: u32 = 1;

/// Values of MXCSR, at fixed offsets for assembly.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Modes {
    host: u32,
    compiled: u32,
}

/// Offset of the host's MXCSR in [`Context`].
pub(super) const HOST: usize = offset_of!(Context, modes) + offset_of!(Modes, host);
/// Offset of compiled code's MXCSR in [`Context`].
pub(super) const COMPILED: usize = offset_of!(Context, modes) + offset_of!(Modes, compiled);

impl Modes {
    /// Returns the host's current MXCSR for both values.
    pub(super) fn of_host() -> Modes {
        let mut host = 0_u32;
        // SAFETY: stores MXCSR in the local variable.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut host, options(nostack, preserves_flags)) };
        Modes { host, compiled: host }
    }

    /// Sets the mode of compiled code to the mode in FPSCR.
    pub(super) fn follow(&mut self, fpscr: u32) {
        let flush = if fpscr & fpscr::DN != 0 { DAZ } else { 0 };
        let rounding = if fpscr & RM != 0 { TOWARD_ZERO } else { 0 };
        self.compiled = self.host | flush | rounding;
    }

    /// Returns true if compiled code rounds toward zero.
    pub(super) fn is_toward_zero(&self) -> bool {
        self.compiled & TOWARD_ZERO == TOWARD_ZERO
    }
}

/// Calls compiled code with its MXCSR. If the code ends at an address with a link, calls the linked code too.
///
/// # Safety
/// [`Running::run`](super::Running::run) must have prepared `context` for the region with this `entry`.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn enter(context: *mut Context, entry: Entry) -> u32 {
    naked_asm!(
        "push rbx",
        "mov rbx, rdi",
        "ldmxcsr [rbx + {compiled}]",
        "2:",
        "call rsi",
        "test eax, eax",
        "jne 4f",
        "mov rcx, [rbx + {cpu}]",
        "5:",
        "mov ecx, [rcx + {pc}]",
        "mov rdx, [rbx + {stamp}]",
        "mov r8, rdx",
        "shr r8, 32 + {spread}",
        "or rdx, rcx",
        "xor r8d, ecx",
        "shr ecx, {fold}",
        "xor ecx, r8d",
        "and ecx, {mask}",
        "shl rcx, {shift}",
        "add rcx, [rbx + {links}]",
        "cmp rdx, [rcx + {tag}]",
        "jne 3f",
        "mov rsi, [rcx + {entry}]",
        "mov rdx, [rcx + {body}]",
        "mov [rbx + {present}], rdx",
        "mov rdx, [rcx + {region}]",
        "mov [rbx + {index}], rdx",
        "inc qword ptr [rbx + {hops}]",
        "mov rdi, rbx",
        "jmp 2b",
        // The mode may have changed.
        "4:",
        "cmp eax, {at_mode}",
        "jne 3f",
        "mov r8d, [rbx + {stamp} + 4]",
        "cmp r8d, {unlinked}",
        "je 3f",
        "mov rcx, [rbx + {cpu}]",
        "mov edx, [rcx + {key}]",
        "shl edx, {key_shift}",
        "mov r9d, [rcx + {fpscr}]",
        "and r9d, {fpscr_mask}",
        "or edx, r9d",
        "xor r8d, edx",
        "mov [rbx + {stamp} + 4], edx",
        "test r8d, {dn} | {rm}",
        "je 5b",
        // `Modes::follow` computes the same value.
        "mov r9d, [rbx + {host}]",
        "test edx, {dn}",
        "je 6f",
        "or r9d, {daz}",
        "6:",
        "test edx, {rm}",
        "je 7f",
        "or r9d, {toward_zero}",
        "7:",
        "mov [rbx + {compiled}], r9d",
        "ldmxcsr [rbx + {compiled}]",
        "jmp 5b",
        "3:",
        "ldmxcsr [rbx + {host}]",
        "pop rbx",
        "ret",
        host = const HOST,
        compiled = const COMPILED,
        cpu = const offset_of!(Context, cpu),
        pc = const offset_of!(Cpu, pc),
        stamp = const offset_of!(Context, stamp),
        links = const offset_of!(Context, links),
        mask = const links::MASK,
        shift = const links::SHIFT,
        tag = const offset_of!(Link, tag),
        entry = const offset_of!(Link, entry),
        body = const offset_of!(Link, body),
        region = const offset_of!(Link, region),
        present = const offset_of!(Context, body),
        index = const offset_of!(Context, region),
        hops = const offset_of!(Context, hops),
        spread = const links::SPREAD,
        fold = const links::FOLD,
        at_mode = const AT_MODE,
        unlinked = const links::UNLINKED as i32,
        key = const offset::KEY,
        key_shift = const links::KEY_SHIFT,
        fpscr = const offset::FPSCR,
        fpscr_mask = const links::FPSCR,
        dn = const fpscr::DN,
        rm = const RM,
        daz = const DAZ,
        toward_zero = const TOWARD_ZERO,
    )
}

/// Address of a function that calls `$target` with the host's MXCSR. The first argument of `$target` is the
/// context. `$parameters` and `$arguments` are its generic parameters and arguments.
macro_rules! switched {
    ($target:expr, [$($parameters:tt)*], [$($arguments:tt)*]) => {{
        #[unsafe(naked)]
        unsafe extern "sysv64" fn call<$($parameters)*>() {
            std::arch::naked_asm!(
                "push rdi",
                "ldmxcsr [rdi + {host}]",
                "call {target}",
                "pop rdi",
                "ldmxcsr [rdi + {compiled}]",
                "ret",
                host = const $crate::host::mode::HOST,
                compiled = const $crate::host::mode::COMPILED,
                target = sym $target,
            )
        }
        call::<$($arguments)*> as *const () as usize
    }};
}

pub(super) use switched;
