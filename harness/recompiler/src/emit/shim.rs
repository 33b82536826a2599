//! Calls that keep all registers: loops that seldom make them should not have to do without those that others write to.

use super::{Emitter, PLAIN};
use crate::host::{Call, Context, Thunks};
use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, Type, Value, types};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::FunctionBuilder;
use std::mem::offset_of;

/// The calls that go by a shim, and what they take behind the context.
pub(crate) const SHIMS: [(Call, &[Type]); 2] = [
    (
        Call::Step,
        &[types::I32, types::I32, types::I64, types::I32, types::I32],
    ),
    (Call::Wait, &[types::I64, types::I64, types::I64, types::I32]),
];

/// What takes the context and more, and keeps all registers.
pub(crate) fn keeping(more: &[Type]) -> Signature {
    let mut signature = Signature::new(CallConv::PreserveAll);
    signature.params = parameters(more);
    signature
}

fn parameters(more: &[Type]) -> Vec<AbiParam> {
    let all = std::iter::once(&types::I64).chain(more);
    all.map(|ty| AbiParam::new(*ty)).collect()
}

/// Begins a function; what it is given.
pub(super) fn begin(b: &mut FunctionBuilder<'_>) -> Vec<Value> {
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    b.seal_block(entry);
    b.block_params(entry).to_vec()
}

/// Emits the function that makes one of [`SHIMS`]; its answer is in [`Context::status`] if it has 32 bits.
pub(crate) fn shim(mut b: FunctionBuilder<'_>, thunks: &Thunks, call: Call, more: &[Type]) {
    let arguments = begin(&mut b);
    let mut signature = Signature::new(CallConv::SystemV);
    signature.params = parameters(more);
    signature.returns.push(AbiParam::new(call.answer()));
    let signature = b.import_signature(signature);
    let thunk = b.ins().iconst(types::I64, thunks.address(call));
    let made = b.ins().call_indirect(signature, thunk, &arguments);
    let answer = b.inst_results(made)[0];
    if call.answer() == types::I32 {
        let status = offset_of!(Context, status) as i32;
        b.ins().store(PLAIN, answer, arguments[0], status);
    }
    b.ins().return_(&[]);
    b.finalize();
}

impl Emitter<'_, '_> {
    /// Makes one of [`SHIMS`].
    pub(super) fn call_keeping(&mut self, call: Call, arguments: &[Value]) {
        self.count_accesses();
        self.lanes.is_written();
        let pointer = self.source.thunks.shim(call);
        let signature = match self.signatures[call.index()] {
            Some(signature) => signature,
            None => {
                let more: Vec<Type> = arguments.iter().map(|&value| self.type_of(value)).collect();
                let signature = self.b.import_signature(keeping(&more));
                *self.signatures[call.index()].insert(signature)
            }
        };
        let pointer = self.b.ins().iconst(types::I64, pointer);
        let mut all = vec![self.context];
        all.extend(arguments);
        self.b.ins().call_indirect(signature, pointer, &all);
    }
}
