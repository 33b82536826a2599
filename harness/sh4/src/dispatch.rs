//! Runs decoded operations: each operation jumps to the next one.

use crate::table::{Id, with_instructions};

/// Executes a decoded operation and then, by a tail call, the operations that follow it. Returns the number
/// of operations that did not complete. It is 0 unless an operation left the block, with the reason in
/// `Cpu::exit`, or a store hit watched code.
///
/// In optimised builds, the compiler turns the tail calls into jumps. Each instruction has its own jump,
/// which the host predicts better than one common jump. In other builds, the calls nest as deeply as the
/// block is long.
pub(crate) type Handler<B> = fn(&mut crate::Cpu, &mut B, &crate::decode::Op, &[crate::decode::Op]) -> usize;

/// The operations for one bus.
pub(crate) struct Handlers<B>(std::marker::PhantomData<B>);

/// Defines the handlers of all rows, and [`Handlers::ALL`].
macro_rules! define_handlers {
    ($(
        $name:ident $pattern:literal $syntax:literal $group:ident $variant:ident $immediate:ident
        $memory:ident $($flag:ident)|+;
    )+) => {
        /// All operations of `exec` in one module.
        mod operations {
            use crate::exec::{branch::*, fpu::*, fpu_move::*, integer::*, load::*, logic::*};
            use crate::exec::{multiply::*, store::*, system::*};

        /// The operations with one common signature, so that a table can hold them.
        pub(in crate::dispatch) mod handlers {
            $(#[doc = $syntax] pub(in crate::dispatch) fn $name<B: crate::Bus>(
                cpu: &mut crate::Cpu,
                bus: &mut B,
                op: &crate::decode::Op,
                behind: &[crate::decode::Op],
            ) -> usize {
                const STORES: bool = {
                    use crate::table::flag;
                    ($(flag::$flag)|+) & flag::STORE != 0
                };
                match super::$name(cpu, bus, *op) {
                    Ok(()) if STORES && bus.code_epoch() != cpu.epoch => {
                        cpu.leave_with(crate::stop::Exit::CodeWritten);
                        behind.len() + 1
                    }
                    Ok(()) => crate::dispatch::Handlers::next(cpu, bus, behind),
                    Err(exit) => {
                        cpu.leave_with(exit);
                        behind.len() + 1
                    }
                }
            })+

            pub(in crate::dispatch) fn illegal<B: crate::Bus>(
                cpu: &mut crate::Cpu,
                _: &mut B,
                op: &crate::decode::Op,
                behind: &[crate::decode::Op],
            ) -> usize {
                cpu.leave_with(crate::exec::illegal(*op));
                behind.len() + 1
            }

            /// Runs the next operation, which only writes its register `n`, and restores the register if T is
            /// `WHEN`.
            pub(in crate::dispatch) fn skip<B: crate::Bus, const WHEN: bool>(
                cpu: &mut crate::Cpu,
                bus: &mut B,
                _: &crate::decode::Op,
                behind: &[crate::decode::Op],
            ) -> usize {
                let Some((op, behind)) = behind.split_first() else {
                    return 0;
                };
                let before = cpu.r[op.n()];
                let skipped = u32::from(cpu.t == WHEN);
                crate::dispatch::Handlers::next(cpu, bus, std::slice::from_ref(op));
                bus.skipped(skipped);
                // This code selects the result without a branch, because the host would often mispredict it.
                let changed = (cpu.r[op.n()] ^ before) & skipped.wrapping_sub(1);
                cpu.r[op.n()] = before ^ changed;
                cpu.skipped += skipped;
                crate::dispatch::Handlers::next(cpu, bus, behind)
            }
        }
        }
        use operations::handlers;

        impl<B: crate::Bus> Handlers<B> {
            /// Handlers by `id as usize`; unused places have the handler of the illegal operation.
            pub(crate) const ALL: [Handler<B>; 256] = {
                let mut all = [handlers::illegal::<B> as Handler<B>; 256];
                $(all[Id::$name as usize] = handlers::$name::<B>;)+
                all[Id::skip_if_true as usize] = handlers::skip::<B, true>;
                all[Id::skip_if_false as usize] = handlers::skip::<B, false>;
                all
            };

            /// Runs `ops`; see [`Handler`].
            #[inline(always)]
            pub(crate) fn next(cpu: &mut crate::Cpu, bus: &mut B, ops: &[crate::decode::Op]) -> usize {
                let all = const { &Self::ALL };
                match ops.split_first() {
                    Some((op, behind)) => all[op.id as usize](cpu, bus, op, behind),
                    None => 0,
                }
            }
        }
    };
}

with_instructions!(define_handlers);
