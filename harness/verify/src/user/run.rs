//! Makes one call: puts arguments into the processor and reads the results.

pub(crate) use crate::limits::INSTRUCTIONS as MAX_INSTRUCTIONS;
use machine::MemoryError;
use sh4_kernels::Signature;
use thiserror::Error;

use super::case::{Input, UserCase};
use super::fpscr;
use super::program::Role;
use super::spec::{ArgKind, ArgSpec, Reads, UserKernel};
use crate::Element;
use crate::arena::{Arena, BufferPlace, GUARD, PlaceError, Zone};
use crate::processor::{Argument, Call, CallFailure, Port, Processor, RedZoneUse, Stray};

/// Default alignment of buffers. A case adds a skew to the aligned address.
const ALIGN: u32 = 32;

/// Reason why a call has no result.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Failure {
    /// The function did not return, or changed a register that it must keep.
    #[error("{0}")]
    Call(String),
    /// The function reached the limit of instructions.
    #[error("{what}; `limit` in [kernel.check] sets another limit than {limit}")]
    Limit {
        /// The processor's message.
        what: String,
        /// Instructions.
        limit: u64,
    },
    /// An instruction failed because of the settings in FPSCR.
    #[error("{what}; {advice}")]
    FpuMode {
        /// The processor's message.
        what: String,
        /// The current settings, and settings to try.
        advice: String,
    },
    /// The function loaded from outside of its buffers.
    #[error(
        "loaded {} bytes from {:08x}, outside of its buffers, its stack and the program ({near}), at {}; \
         `reads = \"line\"` in [kernel.check] allows the cache lines of buffers, \
         `reads = \"any\"` every load",
        .stray.size, .stray.address, .stray.place
    )]
    StrayLoad {
        /// The load.
        stray: Stray,
        /// The argument next to it.
        near: String,
    },
    /// The function failed after an access outside of its buffers.
    #[error("{stray}; then it failed: {then}")]
    StrayThen {
        /// The first such access.
        stray: Box<Failure>,
        /// The failure.
        then: Box<Failure>,
    },
    /// The function stored a value below the stack pointer and loaded it again.
    #[error(
        "keeps a value {} bytes below R15: stored at {}, loaded at {}; an interrupt may overwrite it; \
         `allow = [\"{RED_ZONE}\"]` in [kernel.check] permits it",
        .0.below, .0.store, .0.load
    )]
    RedZone(RedZoneUse),
    /// The function stored outside of its outputs.
    #[error(
        "stored {} bytes at {:08x}, outside of its outputs and its stack ({near}), at {}",
        .stray.size, .stray.address, .stray.place
    )]
    Stray {
        /// The store.
        stray: Stray,
        /// The argument next to it.
        near: String,
    },
    /// The function changed bytes next to an argument.
    #[error("changed the {GUARD} bytes {side} argument {name}")]
    Guard {
        /// Changed side: `before` or `after`.
        side: &'static str,
        /// The argument.
        name: String,
    },
    /// An input changed.
    #[error("changed argument {name}, which is `in`")]
    ReadOnly {
        /// The argument.
        name: String,
    },
    /// The built-in reference refuses the arguments.
    #[error(transparent)]
    Builtin(#[from] Signature),
    /// The arguments do not fit the memory.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// An address is outside of memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

impl Failure {
    /// The limit of instructions, if the call reached it.
    pub(crate) fn limit(&self) -> Option<u64> {
        match self {
            Failure::Limit { limit, .. } => Some(*limit),
            Failure::StrayThen { then, .. } => then.limit(),
            _ => None,
        }
    }
}

/// Value in the `allow` key that permits values below the stack pointer.
pub(crate) const RED_ZONE: &str = "red-zone";

/// Outputs of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Output {
    /// Bytes of every output, in the order of the prototype; empty for arguments that are not outputs.
    pub(crate) args: Vec<Vec<u8>>,
    /// The function's result, if it has one.
    pub(crate) result: Option<u64>,
    /// Instructions executed.
    pub(crate) instructions: u64,
    /// A value that the function kept below its stack pointer, if this is allowed.
    pub(crate) red_zone: Option<RedZoneUse>,
}

/// A function, FPSCR at its entry, and its limit of instructions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Function {
    pub(crate) role: Role,
    pub(crate) entry: u32,
    /// `None` on a processor without FPSCR.
    pub(crate) fpscr: Option<u32>,
    /// The specification's key for `fpscr`.
    pub(crate) fpscr_key: &'static str,
    pub(crate) limit: u64,
}

/// Calls `function` on `processor` with the arguments of `case`.
pub(crate) fn call(
    processor: &mut dyn Processor,
    function: Function,
    kernel: &UserKernel,
    case: &UserCase,
) -> Result<Output, Failure> {
    prepared(processor, function, kernel, case, |processor, call, placed| {
        let called = processor
            .call(call)
            .map_err(|failure| Failure::of(failure, function, kernel, placed))?;
        let strict = function.role == Role::Candidate && kernel.abi && !kernel.allows(RED_ZONE);
        if let Some(used) = called.red_zone.clone().filter(|_| strict) {
            return Err(Failure::RedZone(used));
        }
        let args = (0..placed.len())
            .map(|index| take(processor, kernel, case, index, placed[index]))
            .collect::<Result<_, _>>()?;
        Ok(Output {
            args,
            result: called.result,
            instructions: called.instructions,
            red_zone: called.red_zone,
        })
    })
}

impl Failure {
    /// Converts the processor's `failure` and adds argument names and keys of the specification.
    pub(crate) fn of(
        failure: CallFailure,
        function: Function,
        kernel: &UserKernel,
        placed: &[BufferPlace],
    ) -> Self {
        match failure {
            CallFailure::Broken(why) => Failure::Call(why),
            CallFailure::Limit(what) => Failure::Limit {
                what,
                limit: function.limit,
            },
            CallFailure::FpuMode { what, fpscr } => Failure::FpuMode {
                what,
                advice: fpscr::advice(function.fpscr.unwrap_or(fpscr), function.fpscr_key),
            },
            CallFailure::Stray(stray) => Failure::Stray {
                near: near(kernel, placed, stray.address),
                stray,
            },
            CallFailure::StrayLoad(stray) => Failure::StrayLoad {
                near: near(kernel, placed, stray.address),
                stray,
            },
            CallFailure::StrayThen(stray, then) => {
                let [stray, then] =
                    [stray, then].map(|failure| Box::new(Failure::of(*failure, function, kernel, placed)));
                Failure::StrayThen { stray, then }
            }
        }
    }
}

/// Puts the arguments of `case` into registers and memory, and lets `run` make the call.
pub(crate) fn prepared<P: Processor + ?Sized, R>(
    processor: &mut P,
    function: Function,
    kernel: &UserKernel,
    case: &UserCase,
    run: impl FnOnce(&mut P, &Call<'_>, &[BufferPlace]) -> Result<R, Failure>,
) -> Result<R, Failure> {
    // Reloading keeps memory changed by one call from affecting the next.
    processor.reload()?;
    let placed = place(processor, kernel, case)?;
    let arguments = arguments(kernel, case, &placed);
    let outputs = kernel
        .args
        .iter()
        .zip(&placed)
        .filter(|(a, _)| matches!(&a.kind, ArgKind::Buffer(b) if b.written));
    let writable: Vec<(u32, u32)> = outputs.map(|(_, p)| (p.address, p.bytes)).collect();
    let readable: Vec<(u32, u32)> = placed
        .iter()
        .map(|p| kernel.reads.around(p.address, p.bytes))
        .collect();
    let loads_checked = kernel.abi && kernel.reads != Reads::Any;
    let call = Call {
        returns: kernel.returns,
        writable: kernel.abi.then_some(&writable),
        readable: loads_checked.then_some(&readable),
        keeps: kernel.abi,
        allow: &kernel.allow,
        garbage: &case.garbage,
        unwatched: false,
        max_instructions: function.limit,
        fpscr: function.fpscr,
        xmtrx: xmtrx(kernel, case),
        ..Call::new(function.entry, &arguments)
    };
    run(processor, &call, &placed)
}

/// Copies the buffers into memory, each between two guard zones.
fn place<P: Processor + ?Sized>(
    processor: &mut P,
    kernel: &UserKernel,
    case: &UserCase,
) -> Result<Vec<BufferPlace>, PlaceError> {
    let mut placed: Vec<BufferPlace> = Vec::new();
    let mut arena = Arena::of(processor);
    for (index, (arg, input)) in kernel.args.iter().zip(&case.args).enumerate() {
        let same_as = case
            .aliased
            .filter(|(_, output)| *output == index)
            .map(|(input, _)| input);
        placed.push(match (&arg.kind, input, same_as) {
            (ArgKind::Buffer(_), _, Some(earlier)) if earlier < index => placed[earlier],
            (ArgKind::Buffer(buffer), Input::Buffer { bytes, skew }, _) => {
                arena.place(processor, bytes, buffer.align.max(ALIGN), *skew)?
            }
            (ArgKind::TileAccelerator, ..) => BufferPlace {
                address: processor.port(Port::TileAccelerator).unwrap_or_default(),
                bytes: 0,
            },
            _ => BufferPlace::default(),
        });
    }
    // An output that precedes its aliased input gets the input's address here.
    if let Some((input, output)) = case.aliased {
        placed[output] = placed[input];
    }
    Ok(placed)
}

/// Arguments in the order of the prototype.
fn arguments(kernel: &UserKernel, case: &UserCase, placed: &[BufferPlace]) -> Vec<Argument> {
    kernel
        .prototype_types()
        .zip(case.args.iter().zip(placed))
        .filter_map(|(element, (input, place))| {
            let bits = match input {
                Input::Value(bits) => *bits,
                _ => place.address.into(),
            };
            element.map(|element| Argument { element, bits })
        })
        .collect()
}

/// XMTRX at entry, if it is an argument.
fn xmtrx(kernel: &UserKernel, case: &UserCase) -> Option<[u32; 16]> {
    let mut all = kernel.args.iter().zip(&case.args);
    all.find_map(|(arg, input)| match (&arg.kind, input) {
        (ArgKind::Xmtrx { .. }, Input::Buffer { bytes, .. }) => {
            Some(std::array::from_fn(|i| Element::U32.bits(bytes, i) as u32))
        }
        _ => None,
    })
}

/// Returns the bytes of an output after the call. Checks every buffer.
fn take(
    processor: &mut dyn Processor,
    kernel: &UserKernel,
    case: &UserCase,
    index: usize,
    place: BufferPlace,
) -> Result<Vec<u8>, Failure> {
    let arg = &kernel.args[index];
    let mut port = |port| {
        Ok(processor
            .take(port)
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect())
    };
    match (&arg.kind, &case.args[index]) {
        (ArgKind::TileAccelerator, _) => port(Port::TileAccelerator),
        (ArgKind::Xmtrx { written: true, .. }, _) => port(Port::Xmtrx),
        (ArgKind::Buffer(buffer), Input::Buffer { bytes, .. }) => {
            let name = || arg.name.clone();
            let after = place.take(processor)?.map_err(|side| Failure::Guard {
                side: match side {
                    Zone::Before => "before",
                    Zone::After => "after",
                },
                name: name(),
            })?;
            let shared = case.aliased.is_some_and(|(input, _)| input == index);
            match buffer.written || shared || *after == *bytes {
                true if buffer.written => Ok(after.into_owned()),
                true => Ok(Vec::new()),
                false => Err(Failure::ReadOnly { name: name() }),
            }
        }
        _ => Ok(Vec::new()),
    }
}

/// Describes the position of `address` relative to the nearest buffer.
fn near(kernel: &UserKernel, placed: &[BufferPlace], address: u32) -> String {
    let gap = |p: &BufferPlace| match address.checked_sub(p.address) {
        Some(above) => above.saturating_sub(p.bytes),
        None => p.address - address,
    };
    let is_buffer = |arg: &ArgSpec| matches!(arg.kind, ArgKind::Buffer(_));
    let buffers = kernel.args.iter().zip(placed).filter(|(arg, _)| is_buffer(arg));
    match buffers
        .min_by_key(|(_, p)| gap(p))
        .filter(|(_, p)| gap(p) < 1 << 20)
    {
        Some((arg, p)) => {
            let byte = i64::from(address) - i64::from(p.address);
            format!("byte {byte} of {}, which has {}", arg.name, p.bytes)
        }
        None => "not near any argument".to_owned(),
    }
}
