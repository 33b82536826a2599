//! Compilation from a plan to executable code.

use crate::emit::{Emitter, Source};
use crate::host::Code;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{AbiParam, Function, Signature, UserFuncName, types};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

/// Cranelift with its reusable state.
pub(crate) struct Compiler {
    isa: OwnedTargetIsa,
    context: cranelift_codegen::Context,
    builder: FunctionBuilderContext,
    control: ControlPlane,
    /// True if the host has a fused multiply-add.
    pub(crate) fma: bool,
}

/// Creates Cranelift's target for the host. The error is Cranelift's message about an unsupported host.
fn target() -> Result<OwnedTargetIsa, String> {
    let mut flags = settings::builder();
    let choices = [
        ("opt_level", "speed"),
        // Slow, so only builds for tests enable it.
        (
            "enable_verifier",
            if cfg!(debug_assertions) { "true" } else { "false" },
        ),
        ("unwind_info", "false"),
    ];
    for (name, value) in choices {
        flags.set(name, value).map_err(|error| error.to_string())?;
    }
    cranelift_native::builder()?
        .finish(settings::Flags::new(flags))
        .map_err(|error| error.to_string())
}

impl Compiler {
    /// Creates a compiler. The error is Cranelift's message about an unsupported host.
    pub(crate) fn new() -> Result<Compiler, String> {
        let isa = target()?;
        let fma = isa
            .isa_flags()
            .iter()
            .any(|flag| flag.name == "has_fma" && flag.as_bool() == Some(true));
        Ok(Compiler {
            isa,
            context: cranelift_codegen::Context::new(),
            builder: FunctionBuilderContext::new(),
            control: ControlPlane::default(),
            fma,
        })
    }

    /// Compiles one region. Fails if Cranelift does, or without memory for the code.
    pub(crate) fn compile(&mut self, source: &Source<'_>) -> Result<Code, String> {
        let mut signature = Signature::new(CallConv::SystemV);
        signature.params.push(AbiParam::new(types::I64));
        signature.returns.push(AbiParam::new(types::I32));
        Emitter::emit(self.begin(signature), source);
        self.end()
    }

    fn begin(&mut self, signature: Signature) -> FunctionBuilder<'_> {
        self.context.clear();
        self.context.func = Function::with_name_signature(UserFuncName::default(), signature);
        FunctionBuilder::new(&mut self.context.func, &mut self.builder)
    }

    fn end(&mut self) -> Result<Code, String> {
        let compiled = self
            .context
            .compile(&*self.isa, &mut self.control)
            .map_err(|error| format!("{:?}", error.inner))?;
        if !compiled.buffer.relocs().is_empty() {
            return Err("the code refers to functions that are not there".into());
        }
        Code::new(compiled.code_buffer()).map_err(|error| error.to_string())
    }
}
