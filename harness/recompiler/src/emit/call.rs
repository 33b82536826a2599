//! Calls into the runtime.

use super::Emitter;
use crate::host::Call;
use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, Value, types};
use cranelift_codegen::isa::CallConv;

impl Emitter<'_, '_> {
    /// Calls a thunk. Returns its result.
    pub(super) fn call(&mut self, call: Call, arguments: &[Value]) -> Value {
        if !matches!(call, Call::Product(_)) {
            self.lanes.is_written();
        }
        let pointer = self.source.thunks.address(call);
        let signature = match self.signatures[call.index()] {
            Some(signature) => signature,
            None => {
                let mut signature = Signature::new(CallConv::SystemV);
                let context = std::iter::once(types::I64);
                let types = context.chain(arguments.iter().map(|&value| self.type_of(value)));
                signature.params = types.map(AbiParam::new).collect();
                signature.returns = vec![AbiParam::new(call.answer())];
                let signature = self.b.import_signature(signature);
                *self.signatures[call.index()].insert(signature)
            }
        };
        let pointer = self.b.ins().iconst(types::I64, pointer);
        let mut all = vec![self.context];
        all.extend(arguments);
        let call = self.b.ins().call_indirect(signature, pointer, &all);
        self.b.inst_results(call)[0]
    }
}
