//! Compilation from a plan to executable code.

use crate::block_profile::Tier;
use crate::emit::{Emitter, Source};
use crate::host::Code;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{AbiParam, Function, Signature, UserFuncName, types};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

/// Cranelift, set up for the host.
pub(crate) struct Compiler {
    quick: OwnedTargetIsa,
    thorough: OwnedTargetIsa,
    context: cranelift_codegen::Context,
    builder: FunctionBuilderContext,
    control: ControlPlane,
    /// The host has a fused multiply-add.
    pub(crate) fma: bool,
}

/// Cranelift for the host with some settings. Errors, in Cranelift's words, if it does not support this host.
fn target(choices: [(&str, &str); 2]) -> Result<OwnedTargetIsa, String> {
    let mut flags = settings::builder();
    let common = [
        // Slow: for tests.
        (
            "enable_verifier",
            if cfg!(debug_assertions) { "true" } else { "false" },
        ),
        ("unwind_info", "false"),
    ];
    for (name, value) in choices.into_iter().chain(common) {
        flags.set(name, value).map_err(|error| error.to_string())?;
    }
    cranelift_native::builder()?
        .finish(settings::Flags::new(flags))
        .map_err(|error| error.to_string())
}

impl Compiler {
    /// Errors, in Cranelift's words, if Cranelift does not support this host.
    pub(crate) fn new() -> Result<Compiler, String> {
        let quick = target([("opt_level", "none"), ("regalloc_algorithm", "single_pass")])?;
        let thorough = target([("opt_level", "speed"), ("regalloc_algorithm", "backtracking")])?;
        let fma = thorough
            .isa_flags()
            .iter()
            .any(|flag| flag.name == "has_fma" && flag.as_bool() == Some(true));
        Ok(Compiler {
            quick,
            thorough,
            context: cranelift_codegen::Context::new(),
            builder: FunctionBuilderContext::new(),
            control: ControlPlane::default(),
            fma,
        })
    }

    /// Compiles one region. Errors if Cranelift refuses, or there is no memory for the code.
    pub(crate) fn compile(&mut self, source: &Source<'_>, tier: Tier) -> Result<Code, String> {
        let mut signature = Signature::new(CallConv::SystemV);
        signature.params.push(AbiParam::new(types::I64));
        signature.returns.push(AbiParam::new(types::I32));
        Emitter::emit(self.begin(signature), source);
        self.end(tier)
    }

    fn begin(&mut self, signature: Signature) -> FunctionBuilder<'_> {
        self.context.clear();
        self.context.func = Function::with_name_signature(UserFuncName::default(), signature);
        FunctionBuilder::new(&mut self.context.func, &mut self.builder)
    }

    fn end(&mut self, tier: Tier) -> Result<Code, String> {
        let isa = match tier {
            Tier::Quick => &self.quick,
            Tier::Thorough => &self.thorough,
        };
        let compiled = self
            .context
            .compile(&**isa, &mut self.control)
            .map_err(|error| format!("{:?}", error.inner))?;
        if !compiled.buffer.relocs().is_empty() {
            return Err("the code refers to functions that are not there".into());
        }
        Code::new(compiled.code_buffer()).map_err(|error| error.to_string())
    }
}
