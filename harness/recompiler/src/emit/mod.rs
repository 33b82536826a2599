//! From a region's blocks to intermediate code.
//!
//! Every guest register that the region touches is a variable: loaded at the entry, stored at every exit. Exits are
//! emitted last, when it is known which registers have been written anywhere.

mod alone;
mod around;
mod branch;
mod float;
mod integer;
mod logic;
mod memory;
mod moves;

use around::Around;

use crate::host::{Call, Context, Shape, Thunks};
use crate::region::{self, Plan};
use crate::registers::{Reg, Regs};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, AbiParam, InstBuilder, MemFlags, Signature, Type, Value, types};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, Variable};
use sh4::table::Id;
use sh4::{Cpu, Op};
use std::collections::HashSet;
use std::mem::offset_of;

/// What compiled code returns: the program counter is at the next block, or a block is to be ended as
/// [`Context`] says.
pub(crate) const AT_BLOCK: i64 = 0;
/// See [`AT_BLOCK`].
pub(crate) const IN_BLOCK: i64 = 1;

/// What one function is emitted from.
pub(crate) struct Source<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) thunks: &'a Thunks,
    /// The bus's window, if it has one.
    pub(crate) shape: Option<Shape>,
    /// Whether FPU arithmetic may be inlined: no trap enabled, causes noted.
    pub(crate) inline_floats: bool,
    /// The host has a fused multiply-add.
    pub(crate) fma: bool,
    /// FTRV may be done by the runtime's vectors: that is the model it follows.
    pub(crate) transform: bool,
    /// Test only: what this instruction does comes out wrong.
    pub(crate) mutated: Option<Id>,
}

/// Where control leaves the region.
struct Exit {
    block: ir::Block,
    way: Way,
}

enum Way {
    /// At the head of the block at an address.
    Head(u32),
    /// Behind the block, or behind an operation that ends it early, at an address known at run time; so many
    /// instructions of it have not run.
    Behind { pc: Value, unfinished: i64 },
    /// In front of an operation, which the interpreter is to run.
    Rest(Place),
}

/// An operation in a block, and what has been decided before it.
#[derive(Clone, Copy)]
struct Place {
    block: usize,
    index: usize,
    /// Where execution goes on behind the block.
    next_pc: Value,
    /// Instructions skipped so far in the block.
    skipped: Option<Value>,
}

/// The function under construction.
pub(crate) struct Emitter<'a, 'f> {
    b: FunctionBuilder<'f>,
    source: &'a Source<'a>,
    context: Value,
    cpu: Value,
    heads: Vec<ir::Block>,
    registers: [Option<Variable>; Reg::COUNT],
    touched: Regs,
    written: Regs,
    /// Instructions that may still run, the present block's already taken off.
    left: Variable,
    /// The window's memory and its watched lines.
    memory: Variable,
    watched: Variable,
    exits: Vec<Exit>,
    /// Values known not to be denormal.
    normal: HashSet<Value>,
    /// Addresses of the present block as other values and a distance, and what is known around those.
    around: Around,
    /// The operation under way.
    place: Place,
    /// It is the one that is to come out wrong.
    mutating: bool,
    signatures: [Option<ir::SigRef>; Call::COUNT],
}

/// Memory accesses of compiled code never fault: addresses are checked before.
const PLAIN: MemFlags = MemFlags::new().with_notrap();

impl<'a, 'f> Emitter<'a, 'f> {
    /// Emits the whole function.
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
        let nowhere = Place {
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
            written: Regs::NONE,
            left,
            memory,
            watched,
            exits: Vec::new(),
            normal: HashSet::new(),
            around: Around::default(),
            place: nowhere,
            mutating: false,
            signatures: [None; Call::COUNT],
        };
        emitter.load_state();
        // Emitted last, when it is known what is touched.
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

    /// The window's addresses, which a call to the bus may have changed.
    fn reload_window(&mut self) {
        for (variable, at) in [
            (self.memory, offset_of!(Context, memory)),
            (self.watched, offset_of!(Context, watched)),
        ] {
            let value = self.b.ins().load(types::I64, PLAIN, self.context, at as i32);
            self.b.def_var(variable, value);
        }
        let nowhere = self.b.ins().iconst(types::I64, 0);
        for variable in self.around.variables() {
            self.b.def_var(variable, nowhere);
        }
    }

    fn block(&mut self, index: usize) {
        let code = &source_block(self.source, index);
        self.b.switch_to_block(self.heads[index]);
        self.normal.clear();
        self.around = Around::of(code);
        self.begin_block(code.start(), code.ops().len() as i64);
        let end = self.b.ins().iconst(types::I32, i64::from(code.end() as i32));
        let straight = code.ops().len()
            - match region::branch(code) {
                Some(_) => 1 + usize::from(code.has_slot()),
                None => 0,
            };
        self.place = Place {
            block: index,
            index: 0,
            next_pc: end,
            skipped: None,
        };
        let mut at = 0;
        while at < straight {
            let op = code.ops()[at];
            self.place.index = at;
            self.mutating = self.source.mutated == Some(op.id);
            match op.skips() {
                Some(branch) => {
                    self.skip(branch == Id::bt, code.ops()[at + 1]);
                    at += 2;
                }
                None if self.operation(op) => at += 1,
                None => return self.stop_here(),
            }
        }
        self.end_block(index, straight);
    }

    /// Takes the block's instructions off, or leaves if there is no room for them.
    fn begin_block(&mut self, start: u32, count: i64) {
        let left = self.b.use_var(self.left);
        let room = self
            .b
            .ins()
            .icmp_imm(IntCC::UnsignedGreaterThanOrEqual, left, count);
        let (body, exit) = (self.b.create_block(), self.exit(Way::Head(start)));
        self.b.ins().brif(room, body, &[], exit, &[]);
        self.b.seal_block(body);
        self.b.switch_to_block(body);
        let left = self.b.ins().iadd_imm(left, -count);
        self.b.def_var(self.left, left);
    }

    /// An operation that only the interpreter runs.
    fn stop_here(&mut self) {
        let exit = self.exit(Way::Rest(self.place));
        self.b.ins().jump(exit, &[]);
    }

    /// Emits one operation that is no branch. False if it has to be left to the interpreter.
    fn operation(&mut self, op: Op) -> bool {
        self.integer(op) || self.logic(op) || self.moves(op) || self.float(op) || self.alone(op)
    }

    /// A branch over one operation that only writes its register `n`.
    fn skip(&mut self, when: bool, op: Op) {
        let t = self.get(Reg::T);
        let taken = if when { t } else { self.not(t) };
        let target = Reg::r(op.n);
        let before = self.get(target);
        self.mutating |= self.source.mutated == Some(op.id);
        self.operation(op);
        let after = self.get(target);
        let value = self.b.ins().select(taken, before, after);
        self.set(target, value);
        let count = self.b.ins().uextend(types::I64, taken);
        let left = self.b.use_var(self.left);
        let left = self.b.ins().iadd(left, count);
        self.b.def_var(self.left, left);
        self.place.skipped = Some(match self.place.skipped {
            Some(before) => self.b.ins().iadd(before, count),
            None => count,
        });
    }

    /// A block, sealed by its one predecessor, that leaves the region.
    fn exit(&mut self, way: Way) -> ir::Block {
        let block = self.b.create_block();
        self.b.set_cold_block(block);
        self.exits.push(Exit { block, way });
        block
    }

    fn finish(mut self, load: ir::Block) {
        // Variables of exits are looked up while blocks are open, so that the written set is complete here.
        let exits = std::mem::take(&mut self.exits);
        for exit in &exits {
            self.b.switch_to_block(exit.block);
            self.leave(&exit.way);
        }
        self.b.switch_to_block(load);
        for reg in self.touched.iter() {
            let value = self.load_register(reg);
            let variable = self.variable(reg);
            self.b.def_var(variable, value);
        }
        let head = self.heads[0];
        self.b.ins().jump(head, &[]);
        self.b.seal_all_blocks();
        self.b.finalize();
    }

    fn leave(&mut self, way: &Way) {
        for reg in self.written.iter() {
            // They lie together.
            if reg != Reg::CAUSE || !self.written.has(Reg::FPSCR) {
                self.store_register(reg);
            }
        }
        let mut left = self.b.use_var(self.left);
        let mut answer = AT_BLOCK;
        match way {
            Way::Head(pc) => {
                let pc = self.b.ins().iconst(types::I32, i64::from(*pc as i32));
                self.store_pc(pc);
            }
            Way::Behind { pc, unfinished } => {
                left = self.b.ins().iadd_imm(left, *unfinished);
                self.store_pc(*pc);
            }
            Way::Rest(place) => {
                left = self.leave_inside(*place, left);
                answer = IN_BLOCK;
            }
        }
        self.store_context(left, offset_of!(Context, left));
        let answer = self.b.ins().iconst(types::I32, answer);
        self.b.ins().return_(&[answer]);
    }

    /// Notes where in a block the interpreter goes on; returns what was left when it began.
    fn leave_inside(&mut self, place: Place, left: Value) -> Value {
        let whole = source_block(self.source, place.block).ops().len() as i64;
        self.store_context(place.next_pc, offset_of!(Context, next_pc));
        for (number, at) in [
            (place.block, offset_of!(Context, rest_block)),
            (place.index, offset_of!(Context, rest_index)),
        ] {
            let number = self.b.ins().iconst(types::I32, number as i64);
            self.store_context(number, at);
        }
        let left = self.b.ins().iadd_imm(left, whole);
        let none = self.b.ins().iconst(types::I64, 0);
        let skipped = place.skipped.unwrap_or(none);
        self.store_context(skipped, offset_of!(Context, skipped));
        self.b.ins().isub(left, skipped)
    }

    fn store_context(&mut self, value: Value, at: usize) {
        self.b.ins().store(PLAIN, value, self.context, at as i32);
    }

    fn store_pc(&mut self, pc: Value) {
        self.b
            .ins()
            .store(PLAIN, pc, self.cpu, offset_of!(Cpu, pc) as i32);
    }

    fn variable(&mut self, reg: Reg) -> Variable {
        let slot = &mut self.registers[reg.index()];
        *slot.get_or_insert_with(|| self.b.declare_var(reg.ty()))
    }

    fn get(&mut self, reg: Reg) -> Value {
        self.touched.add(reg);
        let variable = self.variable(reg);
        self.b.use_var(variable)
    }

    fn set(&mut self, reg: Reg, value: Value) {
        self.touched.add(reg);
        self.written.add(reg);
        let value = self.mutate(value);
        let variable = self.variable(reg);
        self.b.def_var(variable, value);
    }

    /// Test only: the value, made wrong if the operation under way is to be.
    fn mutate(&mut self, value: Value) -> Value {
        if !self.mutating {
            return value;
        }
        match self.type_of(value) {
            types::F32 => self.b.ins().fneg(value),
            _ => self.b.ins().bxor_imm(value, 1),
        }
    }

    fn type_of(&self, value: Value) -> Type {
        self.b.func.dfg.value_type(value)
    }

    /// A register from the CPU's own place for it.
    fn load_register(&mut self, reg: Reg) -> Value {
        let value = self.b.ins().load(reg.ty(), PLAIN, self.cpu, reg.offset());
        match reg {
            Reg::FPSCR => self.and(value, !float::CAUSES),
            Reg::CAUSE => self.and(value, float::CAUSES),
            _ => value,
        }
    }

    /// A register to the CPU's own place for it.
    fn store_register(&mut self, reg: Reg) {
        let mut value = self.get(reg);
        if matches!(reg, Reg::FPSCR | Reg::CAUSE) {
            value = self.whole_fpscr();
        }
        self.b.ins().store(PLAIN, value, self.cpu, reg.offset());
    }

    fn whole_fpscr(&mut self) -> Value {
        let (rest, cause) = (self.get(Reg::FPSCR), self.get(Reg::CAUSE));
        self.b.ins().bor(rest, cause)
    }

    fn word(&mut self, value: u32) -> Value {
        self.b.ins().iconst(types::I32, i64::from(value as i32))
    }

    fn and(&mut self, value: Value, mask: u32) -> Value {
        let mask = self.word(mask);
        self.b.ins().band(value, mask)
    }

    /// A truth value, turned.
    fn not(&mut self, truth: Value) -> Value {
        self.b.ins().bxor_imm(truth, 1)
    }

    /// T as a word.
    fn t_word(&mut self) -> Value {
        let t = self.get(Reg::T);
        self.b.ins().uextend(types::I32, t)
    }

    /// Calls into the runtime; its answer.
    fn call(&mut self, call: Call, arguments: &[Value]) -> Value {
        let pointer = self.source.thunks.address(call);
        let signature = match self.signatures[call as usize] {
            Some(signature) => signature,
            None => {
                let mut signature = Signature::new(CallConv::SystemV);
                let context = std::iter::once(types::I64);
                let types = context.chain(arguments.iter().map(|&value| self.type_of(value)));
                signature.params = types.map(AbiParam::new).collect();
                signature.returns = vec![AbiParam::new(call.answer())];
                let signature = self.b.import_signature(signature);
                *self.signatures[call as usize].insert(signature)
            }
        };
        let pointer = self.b.ins().iconst(types::I64, pointer);
        let mut all = vec![self.context];
        all.extend(arguments);
        let call = self.b.ins().call_indirect(signature, pointer, &all);
        self.b.inst_results(call)[0]
    }

    /// Goes on in `block`, whose predecessors are all known.
    fn go_on(&mut self, block: ir::Block) {
        self.b.seal_block(block);
        self.b.switch_to_block(block);
    }
}

fn source_block<'a>(source: &Source<'a>, index: usize) -> &'a sh4::accelerate::Straight {
    &source.plan.blocks[index]
}
