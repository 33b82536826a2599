//! The operations: one for every row of the table, under the row's name.
//!
//! Every operation has the same parameters: the CPU, the bus (`_` for operations without a memory access) and
//! the decoded operands. The comment of each operation has its formula. An operation writes registers only
//! after all steps that can fault.

pub(crate) mod branch;
pub(crate) mod fpu;
pub(crate) mod fpu_move;
pub(crate) mod integer;
pub(crate) mod load;
pub(crate) mod logic;
pub(crate) mod multiply;
pub(crate) mod store;
pub(crate) mod system;

use crate::block;
use crate::decode::Op;
use crate::stop::Exit;

/// Defines operations of the common shape.
macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident($cpu:ident, $bus:pat, $op:pat) $body:block)+) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub(crate) fn $name<B: crate::Bus>(
            $cpu: &mut crate::Cpu,
            $bus: &mut B,
            $op: crate::decode::Op,
        ) -> Result<(), crate::stop::Exit> {
            $body
            Ok(())
        }
    )+};
}
use operations;

/// Defines single-precision operations that the host can nearly always compute: `sh4_fpu::host` first,
/// `sh4_fpu::single` if the host has no answer. `[c.control]` if the latter depends on FPSCR.
macro_rules! host_arithmetic {
    ($($(#[$doc:meta])* $name:ident($cpu:ident, $op:ident) {
        $target:expr, $function:ident($($operand:expr),+)[$($control:expr)?]
    })+) => {
        $crate::exec::operations! {$(
            $(#[$doc])*
            $name($cpu, _, $op) {
                #[cold]
                #[inline(never)]
                fn uncommon($cpu: &mut crate::Cpu, $op: crate::decode::Op) -> Result<(), crate::stop::Exit> {
                    $target = $cpu.settle($op, sh4_fpu::single::$function($($operand,)+ $($control)?))?;
                    Ok(())
                }
                match sh4_fpu::host::$function($($operand),+) {
                    Some((value, inexact)) if $cpu.host_fpu => {
                        $cpu.note(inexact);
                        $target = value;
                    }
                    _ => uncommon($cpu, $op)?,
                }
            }
        )+}
    };
}
use host_arithmetic;

/// Leaves the block at an instruction that is illegal there.
#[cold]
pub(crate) fn illegal(op: Op) -> Exit {
    block::illegal_kind(op).into()
}
