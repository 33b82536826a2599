//! Translation of a region's blocks to intermediate code.
//!
//! Every guest register that the region uses is a variable. The entry loads the variables. Changed registers
//! are stored to the CPU before the next operation that may exit, so exits need not store them. Only FPSCR is
//! stored at the exits, because most operations of the FPU change its cause.

mod address_check;
mod block;
mod branch;
mod call;
mod double;
mod exits;
mod fallback;
mod float;
mod float_range;
mod fuel;
mod inner;
mod integer;
mod lanes;
mod logic;
mod marked;
mod memory;
mod moves;
mod on_chip;
mod pairs;
mod variables;
mod waiting;
mod window;

pub(crate) use fallback::accesses_memory;
pub(crate) use fuel::Fuel;

use address_check::AddressCheckCache;
use exits::Exit;
use lanes::Lanes;
use waiting::WaitLoop;

use crate::block_profile::CompileMode;
use crate::host::{Call, Context, Sum, Thunks, WindowShape};
use crate::region::Plan;
use crate::registers::{Reg, Regs};
use cranelift_codegen::ir::{self, InstBuilder, MemFlags, Value, types};
use cranelift_frontend::{FunctionBuilder, Variable};
use std::collections::HashSet;
use std::mem::offset_of;

/// Input for the code of one region.
pub(crate) struct Source<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) thunks: &'a Thunks,
    /// Shape of the bus's window, if there is one.
    pub(crate) shape: Option<WindowShape>,
    /// True if FPU arithmetic may be inlined: FPSCR enables no trap, and the CPU records causes.
    pub(crate) inline_floats: bool,
    /// True if the host has a fused multiply-add.
    pub(crate) fma: bool,
    /// Model of the additions in FTRV and FIPR, if the runtime supports it.
    pub(crate) sum: Option<Sum>,
}

/// Position of an operation in a block.
#[derive(Clone, Copy)]
struct Place {
    block: usize,
    index: usize,
    /// Address of the next instruction after the block; valid only after a branch has determined it.
    next_pc: Value,
    /// Number of instructions skipped earlier in the block.
    skipped: Option<Value>,
}

impl Place {
    /// Number of the operation for the runtime: block << 16 | index.
    fn number(&self) -> i64 {
        (self.block << 16 | self.index) as i64
    }
}

/// Generator of a region's code.
pub(crate) struct Emitter<'a, 'f> {
    b: FunctionBuilder<'f>,
    source: &'a Source<'a>,
    context: Value,
    cpu: Value,
    heads: Vec<ir::Block>,
    registers: [Option<Variable>; Reg::COUNT],
    touched: Regs,
    /// Registers that were changed since they were last stored to the CPU, without FPSCR.
    unsaved: Regs,
    writes_fpscr: bool,
    /// Count of remaining instructions, see `fuel`.
    left: Variable,
    fuel: Fuel,
    /// Addresses of the window's memory and of the versions of its lines.
    memory: Variable,
    watched: Variable,
    exits: Vec<Exit>,
    /// Values that are not denormal.
    normal: HashSet<Value>,
    /// Shared address checks of the present block.
    address_checks: AddressCheckCache,
    /// Adjacent singles in memory or vectors, known in the present block.
    lanes: Lanes,
    /// Waiting loops that still need code for their ends.
    waiting: Vec<WaitLoop>,
    /// The present operation.
    place: Place,
    signatures: [Option<ir::SigRef>; Call::COUNT],
}

/// Flags of memory accesses. They never fault, because compiled code checks addresses first.
const PLAIN: MemFlags = MemFlags::new().with_notrap();

impl<'a, 'f> Emitter<'a, 'f> {
    /// Emits the code of a region.
    pub(crate) fn emit(mut b: FunctionBuilder<'f>, source: &'a Source<'a>) {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        let heads: Vec<ir::Block> = source.plan.blocks.iter().map(|_| b.create_block()).collect();
        let (left, memory, watched) = (
            b.declare_var(types::I64),
            b.declare_var(types::I64),
            b.declare_var(types::I64),
        );
        let context = b.block_params(entry)[0];
        b.switch_to_block(entry);
        let cpu = b
            .ins()
            .load(types::I64, PLAIN, context, offset_of!(Context, cpu) as i32);
        let start = Place {
            block: 0,
            index: 0,
            next_pc: cpu,
            skipped: None,
        };
        let mut emitter = Emitter {
            b,
            source,
            context,
            cpu,
            heads,
            registers: [None; Reg::COUNT],
            touched: Regs::NONE,
            unsaved: Regs::NONE,
            writes_fpscr: false,
            left,
            fuel: Fuel::of(source.plan),
            memory,
            watched,
            exits: Vec::new(),
            normal: HashSet::new(),
            address_checks: AddressCheckCache::default(),
            lanes: Lanes::default(),
            waiting: Vec::new(),
            place: start,
            signatures: [None; Call::COUNT],
        };
        if source.shape.is_some_and(|shape| shape.steady) {
            emitter.waiting = waiting::find(source.plan, |block| emitter.fuel.is_root(block));
        }
        emitter.load_state();
        // Emitted last, when all touched registers are known.
        let load = emitter.b.create_block();
        emitter.b.ins().jump(load, &[]);
        for index in 0..source.plan.blocks.len() {
            emitter.block(index);
        }
        emitter.finish(load);
    }

    fn load_state(&mut self) {
        let at = offset_of!(Context, left) as i32;
        let left = self.b.ins().load(types::I64, PLAIN, self.context, at);
        self.b.def_var(self.left, left);
        self.reload_window();
    }

    /// Reloads the window's addresses, which a call to the bus may have changed.
    fn reload_window(&mut self) {
        for (variable, at) in [
            (self.memory, offset_of!(Context, memory)),
            (self.watched, offset_of!(Context, watched)),
        ] {
            let value = self.b.ins().load(types::I64, PLAIN, self.context, at as i32);
            self.b.def_var(variable, value);
        }
        self.address_checks.forget();
    }

    fn word(&mut self, value: u32) -> Value {
        self.b.ins().iconst(types::I32, i64::from(value as i32))
    }

    fn and(&mut self, value: Value, mask: u32) -> Value {
        let mask = self.word(mask);
        self.b.ins().band(value, mask)
    }

    /// Inverts a truth value.
    fn not(&mut self, truth: Value) -> Value {
        self.b.ins().bxor_imm(truth, 1)
    }

    /// T extended to 32 bits.
    fn t_word(&mut self) -> Value {
        let t = self.get(Reg::T);
        self.b.ins().uextend(types::I32, t)
    }

    /// The compile mode of the present block.
    fn compile_mode(&self) -> CompileMode {
        self.source.plan.compile_modes[self.place.block]
    }

    /// Continues in `block` and seals it: no further branches to it follow.
    fn continue_in(&mut self, block: ir::Block) {
        self.b.seal_block(block);
        self.b.switch_to_block(block);
    }
}

fn source_block<'a>(source: &Source<'a>, index: usize) -> &'a sh4::accelerate::BasicBlock {
    &source.plan.blocks[index]
}
