//! Examines a run that failed or did not end by itself: back-trace, last branches, and the reason for
//! waiting.
//!
//! Repeats the last instructions under observation: see `debug::branches`.

use super::debug::{
    Branch, DebugInfo, Failure, Registers, TailRecorder, WaitActivity, is_abort, peek_word, threads,
};
use super::session::{End, Session};
use dreamcast::input::Script;
use dreamcast::map;
use machine::Symbols;

/// Number of final instructions to repeat for the last branches.
const BRANCHES: u64 = 4096;
/// Number of final instructions to repeat for finding a loop.
const SPINS: u64 = 20_000;
/// Instructions between two searches for the text of `--fail-on` when locating it.
const CHUNK: u64 = 64;
/// Maximum host time of a run, in seconds, for repeating it.
const LONGEST: f64 = 60.0;
/// Bytes above the stack pointer that count as local variables.
const LOCALS: u32 = 4096;
/// SLEEP.
const SLEEP: u32 = 0x001B;

/// Creates the run's console again, with its input.
pub(super) type Restart<'a> = dyn Fn(Script) -> anyhow::Result<Session> + 'a;

/// A finished run.
pub(super) struct PostMortem<'a> {
    pub(super) program: &'a [u8],
    pub(super) end: &'a End,
    /// Host time in seconds.
    pub(super) seconds: f64,
    /// Repeats the run, or the reason why this is impossible.
    pub(super) restart: Result<&'a Restart<'a>, String>,
}

impl PostMortem<'_> {
    /// Examines a failure; `None` if the program did not fail.
    pub(super) fn failure(&self, session: &mut Session) -> Option<Failure> {
        match self.end {
            End::Fault(_) => Some(self.fault(session)),
            End::Forbidden => Some(self.print(session)),
            End::Exit(code) if *code != 0 => self.abort(session),
            _ => None,
        }
    }

    /// Examines a fault. Uses the registers at the instruction, before an exception changes them.
    fn fault(&self, session: &mut Session) -> Failure {
        let replayed = self.replay(session, BRANCHES);
        let (registers, cpu) = (session.registers(), session.stopped_cpu().clone());
        let mut failure = Failure::of(&mut session.console, self.program, registers, &cpu);
        failure.set_branches(branches(replayed), session.console.symbols());
        failure
    }

    /// Examines a match of `--fail-on`. If the run can be repeated, finds the place that printed it.
    fn print(&self, session: &mut Session) -> Failure {
        let mut replayed = self.to_text(session);
        let place = replayed
            .as_mut()
            .map_or(&mut *session, |replayed| &mut replayed.session);
        let (registers, cpu) = (place.registers(), place.console.cpu.clone());
        let mut failure = Failure::of(&mut place.console, self.program, registers, &cpu);
        failure.set_branches(branches(replayed), session.console.symbols());
        failure
    }

    /// Examines an exit by abort or panic. Any other exit code is a deliberate result.
    fn abort(&self, session: &mut Session) -> Option<Failure> {
        let (registers, cpu) = (session.registers(), session.console.cpu.clone());
        let mut failure = Failure::of(&mut session.console, self.program, registers, &cpu);
        if !failure.functions().any(is_abort) {
            return None;
        }
        let replayed = self.replay(session, BRANCHES);
        failure.set_branches(branches(replayed), session.console.symbols());
        Some(failure)
    }

    fn may_repeat(&self) -> Result<&Restart<'_>, String> {
        if self.seconds > LONGEST {
            return Err(format!(
                "not listed: they need a second run, and the first run took more than {LONGEST} s"
            ));
        }
        self.restart.clone()
    }

    /// Repeats the run up to `last` instructions before the end, then observes the rest.
    fn replay(&self, session: &Session, last: u64) -> Result<Replayed, String> {
        let failed = |error: anyhow::Error| format!("not listed: {error:#}");
        let mut replayed = self.may_repeat()?(Script::clone(session.script())).map_err(failed)?;
        let (end, mut tail) = (session.executed(), TailRecorder::default());
        replayed.go(end.saturating_sub(last), &mut ()).map_err(failed)?;
        let mut ended = None;
        while replayed.executed() < end && ended.is_none() {
            ended = replayed
                .go(end - replayed.executed(), &mut tail)
                .map_err(failed)?;
        }
        if matches!(self.end, End::Fault(_)) && ended.is_none() {
            replayed.go(1, &mut tail).map_err(failed)?;
        }
        if replayed.executed() != end || replayed.registers() != session.registers() {
            return Err("not listed: the second run differs from the first".to_owned());
        }
        Ok(Replayed {
            session: replayed,
            tail,
        })
    }

    /// Repeats the run up to the point that prints the text of `--fail-on`.
    fn to_text(&self, session: &Session) -> Result<Replayed, String> {
        let failed = |error: anyhow::Error| format!("not listed: {error:#}");
        let mut replayed = self.may_repeat()?(Script::clone(session.script())).map_err(failed)?;
        let (end, mut tail) = (session.executed(), TailRecorder::default());
        replayed.go(session.looked(), &mut ()).map_err(failed)?;
        while replayed.executed() < end && replayed.go(CHUNK, &mut tail).map_err(failed)?.is_none() {}
        Ok(Replayed {
            session: replayed,
            tail,
        })
    }

    /// Returns a line about the wait of a program that did not end by itself, and a line for each of its
    /// threads.
    pub(super) fn waits(&self, session: &mut Session) -> Vec<String> {
        let info = DebugInfo::of(self.program);
        let spin = match self.replay(session, SPINS) {
            Ok(replayed) => replayed.tail.spin(is_local(session.registers().r[15])),
            Err(_) => None,
        };
        let place = match spin {
            _ if is_asleep(session) => asleep(session, &info),
            Some(spin) => spinning(session, &info, &spin),
            None => session.waits_for(),
        };
        let mut lines = vec![format!("the program was still running {place}")];
        lines.extend(session.console.held_back());
        let threads = threads(&mut session.console, &info);
        lines.extend(
            threads
                .iter()
                .map(|thread| format!("thread {}", thread.describe())),
        );
        lines
    }
}

/// End of a repeated run.
struct Replayed {
    session: Session,
    tail: TailRecorder,
}

fn branches(replayed: Result<Replayed, String>) -> Result<Vec<Branch>, String> {
    replayed.map(|Replayed { session, tail }| tail.branches(session.registers().pc))
}

fn is_local(stack: u32) -> impl Fn(u32) -> bool {
    move |address| address.wrapping_sub(stack) < LOCALS
}

/// Returns whether the last instruction was SLEEP.
fn is_asleep(session: &mut Session) -> bool {
    let Registers { pc, .. } = session.registers();
    let at = pc.wrapping_sub(2);
    let word = peek_word(&mut session.console, at & !3);
    word.is_some_and(|word| (word >> (8 * (at & 2))) & 0xFFFF == SLEEP)
}

fn asleep(session: &Session, info: &DebugInfo<'_>) -> String {
    let place = place(session, info, session.registers().pc.wrapping_sub(2));
    format!("{place}: the CPU sleeps and waits for an interrupt")
}

fn spinning(session: &Session, info: &DebugInfo<'_>, spin: &WaitActivity) -> String {
    let place = place(session, info, spin.pc);
    let WaitActivity {
        read, instructions, ..
    } = spin;
    match read {
        Some((address, times)) => {
            let what = address_name(session.console.symbols(), *address);
            format!("{place}; it read {what} {times} times in its last {instructions} instructions")
        }
        None => format!("{place}; most of its last {instructions} instructions ran there"),
    }
}

/// Formats a place: `at 8c010042 (_main+0x12, main.c:7)`.
fn place(session: &Session, info: &DebugInfo<'_>, address: u32) -> String {
    let symbol = session.console.symbols().describe(address);
    let places = info.places(address);
    let line = places
        .first()
        .and_then(|place| Some((place.file.as_ref()?, place.line?)));
    let line = line.map_or(String::new(), |(file, line)| format!(", {file}:{line}"));
    format!("at {address:08x} ({symbol}{line})")
}

/// Names a register or variable.
fn address_name(symbols: &Symbols, address: u32) -> String {
    let physical = match address {
        0xE000_0000.. => address,
        _ => address & 0x1FFF_FFFF,
    };
    match physical {
        0x0C00_0000..0x1000_0000 => format!("the variable at {address:08x} ({})", symbols.describe(address)),
        _ => map::name(physical),
    }
}
