//! Running the target under the model.

use super::target::{Code, Target};
use super::{Args, Cache, check};
use anyhow::{Result, bail};
use machine::{CallError, Stop};
use profile::memory::MemoryModel;
use profile::{Counter, Profile, Profiler};
use sh4::Observer;

/// Runs the target once, or twice if the caches are to be warm.
pub(super) fn run(target: &mut Target, args: &Args) -> Result<Profile> {
    let profile = if args.count {
        let counter = Counter::new(target.setup.clone());
        settled(target, args, counter, Counter::restart, Counter::memory_mut)?.finish()
    } else {
        let profiler = Profiler::new(target.setup.clone());
        settled(target, args, profiler, Profiler::restart, Profiler::memory_mut)?.finish()
    };
    check(&profile, target)?;
    Ok(profile)
}

/// An observer that has seen the run which counts.
fn settled<O: Observer>(
    target: &mut Target,
    args: &Args,
    mut observer: O,
    restart: fn(&mut O),
    memory: fn(&mut O) -> &mut MemoryModel,
) -> Result<O> {
    if args.cache != Cache::Cold {
        let before = target.code.machine().clone();
        once(target, args.max_instructions, &mut observer)?;
        *target.code.machine() = before;
        restart(&mut observer);
        match args.cache {
            Cache::CodeWarm => memory(&mut observer).drop_operand_cache(),
            Cache::DataWarm => memory(&mut observer).drop_instruction_cache(),
            Cache::Cold | Cache::Warm => {}
        }
    }
    once(target, args.max_instructions, &mut observer)?;
    Ok(observer)
}

/// One run to its end.
fn once<O: Observer>(target: &mut Target, limit: u64, observer: &mut O) -> Result<()> {
    match &mut target.code {
        Code::Kernel(emulated, kernel, case) => {
            emulated.call_hooked(kernel, &mut case.clone().args(), observer)?;
        }
        Code::Function(machine, entry, args) => {
            match machine.call_hooked(*entry, args, limit, observer) {
                // It ran to its end: whoever wants to know its cost may know that it also breaks its promise.
                Err(error @ CallError::Register { .. }) => eprintln!("swirl: warning: {error}"),
                result => drop(result?),
            }
        }
        Code::Program(machine, entry) => {
            let halt = machine.emu_start_hooked(*entry, None, limit, observer);
            if halt.stop != Stop::Sleep {
                bail!("{}: did not come to its SLEEP: {halt}", target.title);
            }
        }
    }
    Ok(())
}
