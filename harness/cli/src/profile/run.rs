//! Running the target under the model.

use super::target::{Code, Target};
use super::{Args, Cache, check};
use anyhow::{Result, bail};
use machine::{CallError, Stop};
use profile::{Profile, Profiler};
use sh4::Observer;

/// Runs the target once, or twice if the caches are to be warm.
pub(super) fn run(target: &mut Target, args: &Args) -> Result<Profile> {
    let mut profiler = Profiler::new(target.setup.clone());
    if args.cache != Cache::Cold {
        let before = target.code.machine().clone();
        once(target, args.max_instructions, &mut profiler)?;
        *target.code.machine() = before;
        profiler.restart();
        match args.cache {
            Cache::CodeWarm => profiler.drop_operand_cache(),
            Cache::DataWarm => profiler.drop_instruction_cache(),
            Cache::Cold | Cache::Warm => {}
        }
    }
    once(target, args.max_instructions, &mut profiler)?;
    let profile = profiler.finish();
    check(&profile, target)?;
    Ok(profile)
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
