//! What a run that failed, or did not end by itself, is looked at for: back-trace, branches, and what it
//! waits for.
//!
//! The last instructions run once more, observed: see `debug::branches`.

use super::debug::{Branch, DebugInfo, Failure, Registers, Spin, Trail, is_abort, peek_word, threads};
use super::session::{End, Session};
use dreamcast::input::Script;
use dreamcast::map;
use machine::Symbols;

/// Instructions at the end that are run again for the last branches.
const BRANCHES: u64 = 4096;
/// Instructions at the end that are run again to see where a program spins.
const SPINS: u64 = 20_000;
/// Instructions between two looks for the text of `--fail-on`, when its place is searched.
const CHUNK: u64 = 64;
/// Host time of a run, in seconds, beyond which it is not run again.
const LONGEST: f64 = 60.0;
/// Bytes above the stack pointer that count as local variables.
const LOCALS: u32 = 4096;
/// SLEEP.
const SLEEP: u32 = 0x001B;

/// Makes the console of the run once more, with its input.
pub(super) type Again<'a> = dyn Fn(Script) -> anyhow::Result<Session> + 'a;

/// A run that has ended.
pub(super) struct Aftermath<'a> {
    pub(super) program: &'a [u8],
    pub(super) end: &'a End,
    /// Host seconds.
    pub(super) seconds: f64,
    /// Nothing if the run cannot be repeated, with the reason.
    pub(super) again: Result<&'a Again<'a>, String>,
}

impl Aftermath<'_> {
    /// What is known of a failure; nothing if the program did not fail.
    pub(super) fn failure(&self, session: &mut Session) -> Option<Failure> {
        match self.end {
            End::Fault(_) => Some(self.fault(session)),
            End::Forbidden => Some(self.print(session)),
            End::Exit(code) if *code != 0 => self.abort(session),
            _ => None,
        }
    }

    /// A fault: the registers of the instruction, before an exception changes some of them.
    fn fault(&self, session: &mut Session) -> Failure {
        let replayed = self.replay(session, BRANCHES);
        let (registers, cpu) = (session.registers(), session.stopped_cpu().clone());
        let mut failure = Failure::of(&mut session.console, self.program, registers, &cpu);
        failure.set_branches(branches(replayed), session.console.symbols());
        failure
    }

    /// The text of `--fail-on`: where it was printed, as far as the run can be repeated.
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

    /// An exit by abort or panic. Another exit code is a result that the program has chosen.
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

    fn may_repeat(&self) -> Result<&Again<'_>, String> {
        if self.seconds > LONGEST {
            return Err(format!(
                "not made: they take a second run, and the first took more than {LONGEST} s"
            ));
        }
        self.again.clone()
    }

    /// Runs to `last` instructions before the end, and observed to the end.
    fn replay(&self, session: &Session, last: u64) -> Result<Replayed, String> {
        let failed = |error: anyhow::Error| format!("not made: {error:#}");
        let mut again = self.may_repeat()?(session.script().clone()).map_err(failed)?;
        let (end, mut trail) = (session.executed(), Trail::default());
        again.go(end.saturating_sub(last), &mut ()).map_err(failed)?;
        let mut ended = None;
        while again.executed() < end && ended.is_none() {
            ended = again.go(end - again.executed(), &mut trail).map_err(failed)?;
        }
        if matches!(self.end, End::Fault(_)) && ended.is_none() {
            again.go(1, &mut trail).map_err(failed)?;
        }
        if again.executed() != end || again.registers() != session.registers() {
            return Err("not made: the second run differs from the first".to_owned());
        }
        Ok(Replayed {
            session: again,
            trail,
        })
    }

    /// Runs to where the text of `--fail-on` is printed.
    fn to_text(&self, session: &Session) -> Result<Replayed, String> {
        let failed = |error: anyhow::Error| format!("not made: {error:#}");
        let mut again = self.may_repeat()?(session.script().clone()).map_err(failed)?;
        let (end, mut trail) = (session.executed(), Trail::default());
        again.go(session.looked(), &mut ()).map_err(failed)?;
        while again.executed() < end && again.go(CHUNK, &mut trail).map_err(failed)?.is_none() {}
        Ok(Replayed {
            session: again,
            trail,
        })
    }

    /// What a program that did not end by itself was doing, in a line, and a line for each of its threads.
    pub(super) fn waits(&self, session: &mut Session) -> Vec<String> {
        let info = DebugInfo::of(self.program);
        let spin = match self.replay(session, SPINS) {
            Ok(replayed) => replayed.trail.spin(is_local(session.registers().r[15])),
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

/// The end of a run that was made again.
struct Replayed {
    session: Session,
    trail: Trail,
}

fn branches(replayed: Result<Replayed, String>) -> Result<Vec<Branch>, String> {
    replayed.map(|Replayed { session, trail }| trail.branches(session.registers().pc))
}

fn is_local(stack: u32) -> impl Fn(u32) -> bool {
    move |address| address.wrapping_sub(stack) < LOCALS
}

/// Whether the last instruction was SLEEP.
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

fn spinning(session: &Session, info: &DebugInfo<'_>, spin: &Spin) -> String {
    let place = place(session, info, spin.pc);
    let Spin {
        read, instructions, ..
    } = spin;
    match read {
        Some((address, times)) => {
            let what = address_name(session.console.symbols(), *address);
            format!("{place}, where it has read {what} {times} times in its last {instructions} instructions")
        }
        None => format!("{place}, the place of most of its last {instructions} instructions"),
    }
}

/// `at 8c010042 (_main+0x12, main.c:7)`.
fn place(session: &Session, info: &DebugInfo<'_>, address: u32) -> String {
    let symbol = session.console.symbols().describe(address);
    let places = info.places(address);
    let line = places
        .first()
        .and_then(|place| Some((place.file.as_ref()?, place.line?)));
    let line = line.map_or(String::new(), |(file, line)| format!(", {file}:{line}"));
    format!("at {address:08x} ({symbol}{line})")
}

/// A register or a variable.
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
