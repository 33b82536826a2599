//! Dispatch: runs decoded operations, each of which goes on to the next by a jump.

use crate::table::{Id, with_instructions};

/// Carries out a decoded operation and then, by a call in tail position, the others behind it. Returns how
/// many did not run to their end: not 0 if one left the block, and `Cpu::exit` then says why; after a store
/// also because it hit watched code.
///
/// Optimised, the calls are jumps, each instruction's own, which predict better than one jump for all. Where
/// they are calls, a block's length bounds their depth.
pub(crate) type Handler<B> = fn(&mut crate::Cpu, &mut B, &crate::decode::Op, &[crate::decode::Op]) -> usize;

/// The operations for one bus.
pub(crate) struct Handlers<B>(std::marker::PhantomData<B>);

/// Defines the handlers of all rows, and [`Handlers::ALL`].
macro_rules! define_handlers {
    ($(
        $name:ident $pattern:literal $syntax:literal $group:ident $variant:ident $immediate:ident
        $memory:ident $($flag:ident)|+;
    )+) => {
        /// The operations of `exec` under one roof.
        mod operations {
            use crate::exec::{branch::*, fpu::*, fpu_move::*, integer::*, load::*, logic::*};
            use crate::exec::{multiply::*, store::*, system::*};

        /// The operations behind one signature, so that a table can hold them.
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

            /// Runs the operation behind, which only writes its register `n`, and takes that back if T is
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
                // Without a branch, which is the point.
                let changed = (cpu.r[op.n()] ^ before) & skipped.wrapping_sub(1);
                cpu.r[op.n()] = before ^ changed;
                cpu.skipped += skipped;
                crate::dispatch::Handlers::next(cpu, bus, behind)
            }
        }
        }
        use operations::handlers;

        impl<B: crate::Bus> Handlers<B> {
            /// By `id as usize`; an operation that does not exist is illegal.
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
