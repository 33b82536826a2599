//! Runs the target under the model.

use super::target::{Code, Target};
use super::{Args, Cache};
use anyhow::{Context, Result, bail};
use machine::{CallError, Machine, Stop, dcload};
use profile::{CodeRelocation, Profile, Profiler};
use sh4::Observer;
use timing::{Counter, MemoryModel};

/// Common interface of the model's two modes: full profile, and counts only (`--count`).
trait Model: Observer {
    /// See [`Profiler::restart`].
    fn again(&mut self);
    fn memory(&mut self) -> &mut MemoryModel;
    fn close(self) -> Profile;
}

macro_rules! model {
    ($name:ty) => {
        impl Model for $name {
            fn again(&mut self) {
                self.restart();
            }

            fn memory(&mut self) -> &mut MemoryModel {
                self.memory_mut()
            }

            fn close(self) -> Profile {
                self.finish().into()
            }
        }
    };
}

model!(Profiler);
model!(Counter);

/// Runs the target once, or twice for warm caches.
pub(super) fn run(target: &mut Target, args: &Args) -> Result<Profile> {
    let setup = target.setup.clone();
    let profile = if args.count {
        settled(target, args, Counter::new(setup))?
    } else {
        settled(target, args, Profiler::new(setup))?
    };
    check(&profile, target)?;
    Ok(profile)
}

/// Executes the measured run.
fn settled<M: Model>(target: &mut Target, args: &Args, mut model: M) -> Result<Profile> {
    let before = target.code.machine().clone();
    if args.cache != Cache::Cold {
        shifted(target, args, &mut model)?;
        *target.code.machine() = before;
        model.again();
        match args.cache {
            Cache::CodeWarm => model.memory().drop_operand_cache(),
            Cache::DataWarm => model.memory().drop_instruction_cache(),
            Cache::Cold | Cache::Warm => {}
        }
    }
    shifted(target, args, &mut model)?;
    Ok(model.close())
}

/// Runs the target once to its end, with the code at its modelled addresses.
fn shifted<O: Observer>(target: &mut Target, args: &Args, observer: &mut O) -> Result<()> {
    if target.moved == 0 {
        return once(target, args.max_instructions, observer);
    }
    let mut moved = CodeRelocation {
        inner: observer,
        code: target.span.clone(),
        by: target.moved,
    };
    once(target, args.max_instructions, &mut moved)
}

fn once<O: Observer>(target: &mut Target, limit: u64, observer: &mut O) -> Result<()> {
    match &mut target.code {
        Code::Kernel(emulated, kernel, case) => {
            emulated.call_hooked(kernel, &mut case.clone().args(), observer)?;
        }
        Code::User(call) => call.run(observer)?,
        Code::Function(machine, entry, at) => {
            match machine.call_with(*entry, at, limit, observer) {
                // The call ran to its end, so its cost is known. The violated ABI is only a warning.
                Err(error @ CallError::Register { .. }) => eprintln!("swirl: warning: {error}"),
                result => drop(result?),
            }
        }
        Code::Program(machine, entry) => {
            program(machine, *entry, limit, observer).with_context(|| target.title.clone())?
        }
    }
    Ok(())
}

/// Runs a program to SLEEP or to its exit, and handles calls of dcload.
fn program<O: Observer>(machine: &mut Machine, entry: u32, limit: u64, observer: &mut O) -> Result<()> {
    let (mut at, end) = (entry, machine.cpu.retired().saturating_add(limit));
    loop {
        let left = end.saturating_sub(machine.cpu.retired());
        let halt = machine.emu_start_hooked(at, Some(dcload::ENTRY), left, observer);
        match halt.stop {
            Stop::Sleep => return Ok(()),
            Stop::Until => match dcload::serve(machine) {
                dcload::Call::Exit(_) => return Ok(()),
                dcload::Call::Unserved(number) => eprintln!(
                    "swirl: warning: dcload's call {number} fails without the console; --frames A..B runs \
                    the whole console"
                ),
                dcload::Call::Console(_) | dcload::Call::Done => {}
            },
            _ => bail!("reached neither SLEEP nor its exit: {halt}; --frames A..B runs the whole console"),
        }
        at = machine.cpu.pc;
    }
}

/// Rejects runs without a usable result, which would appear fast.
fn check(profile: &Profile, target: &Target) -> Result<()> {
    if let Some(pc) = profile.changed_code {
        bail!(
            "{}: the code at {pc:08x} ({}) changed while it ran: its costs cannot be separated",
            target.title,
            target.places.describe(pc)
        );
    }
    if profile.entered == 0 {
        bail!("{}: execution never reached the region", target.title);
    }
    Ok(())
}
