//! A GDB server: one connection, by the remote protocol of crate `gdbstub`.

mod debuggee;
mod points;
mod registers;
mod threads;
mod watch;

use super::debug::{DebugInfo, kos};
use super::session::{End, Session};
use anyhow::{Context, Result, anyhow};
use debuggee::{Debuggee, Pause, fault_signal};
use gdbstub::common::Signal;
use gdbstub::conn::ConnectionExt;
use gdbstub::stub::run_blocking::{BlockingEventLoop, Event, WaitForStopReasonError};
use gdbstub::stub::{DisconnectReason, GdbStub, MultiThreadStopReason};
use std::io;
use std::marker::PhantomData;
use std::net::{Ipv4Addr, TcpListener};

/// Waits for a debugger on `port` of this host (0 chooses one) and lets it drive the program. A debugger that
/// detaches lets it run on to its end; one that goes away without a word, or kills, ends it.
pub(crate) fn serve(
    session: &mut Session,
    program: &[u8],
    port: u16,
    max_instructions: u64,
) -> Result<Option<End>> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).with_context(|| format!("port {port}"))?;
    let address = listener.local_addr()?;
    eprintln!("swirl: waiting for gdb: target remote {address}");
    let (stream, _) = listener.accept()?;
    stream.set_nodelay(true)?;
    drive(session, program, stream, max_instructions)
}

/// Lets the debugger behind `connection` drive the program.
pub(crate) fn drive<C: ConnectionExt<Error = io::Error>>(
    session: &mut Session,
    program: &[u8],
    connection: C,
    max_instructions: u64,
) -> Result<Option<End>> {
    let layout = kos::Layout::of(&DebugInfo::of(program), session.console.symbols());
    let mut debuggee = Debuggee::new(session, max_instructions, layout);
    let reason = GdbStub::new(connection).run_blocking::<EventLoop<'_, C>>(&mut debuggee);
    let end = debuggee.end.take();
    match reason {
        Ok(DisconnectReason::Disconnect) => {
            let left = max_instructions.saturating_sub(session.executed());
            session.go(left, &mut ())
        }
        Ok(DisconnectReason::Kill) => {
            session.warn("the debugger has killed the program".to_owned());
            Ok(None)
        }
        Ok(DisconnectReason::TargetExited(_) | DisconnectReason::TargetTerminated(_)) => Ok(end),
        Err(error) if error.is_connection_error() => {
            session.warn("the debugger has gone".to_owned());
            Ok(end)
        }
        Err(error) => match error.into_target_error() {
            Some(error) => Err(error),
            None => Err(anyhow!("the debugger does not speak the protocol")),
        },
    }
}

/// The loop's types; nothing of it exists.
struct EventLoop<'a, C>(PhantomData<(&'a (), C)>);

type WaitError = WaitForStopReasonError<anyhow::Error, io::Error>;

impl<'a, C: ConnectionExt<Error = io::Error>> BlockingEventLoop for EventLoop<'a, C> {
    type Target = Debuggee<'a>;
    type Connection = C;
    type StopReason = MultiThreadStopReason<u32>;

    fn wait_for_stop_reason(
        target: &mut Debuggee<'a>,
        connection: &mut C,
    ) -> Result<Event<MultiThreadStopReason<u32>>, WaitError> {
        loop {
            let pause = target.run().map_err(WaitForStopReasonError::Target)?;
            if let Some(reason) = stop_reason(&pause, target) {
                return Ok(Event::TargetStopped(reason));
            }
            // An error of peek shows again when it is read.
            if connection.peek().map_or(true, |byte| byte.is_some()) {
                let byte = ConnectionExt::read(connection).map_err(WaitForStopReasonError::Connection)?;
                return Ok(Event::IncomingData(byte));
            }
        }
    }

    fn on_interrupt(target: &mut Debuggee<'a>) -> Result<Option<MultiThreadStopReason<u32>>, anyhow::Error> {
        Ok(Some(MultiThreadStopReason::SignalWithThread {
            tid: target.running(),
            signal: Signal::SIGINT,
        }))
    }
}

fn stop_reason(pause: &Pause, target: &mut Debuggee<'_>) -> Option<MultiThreadStopReason<u32>> {
    if matches!(pause, Pause::Slice) {
        return None;
    }
    let tid = target.running();
    let signal = |signal| MultiThreadStopReason::SignalWithThread { tid, signal };
    Some(match pause {
        Pause::Slice => return None,
        Pause::Stepped => signal(Signal::SIGTRAP),
        Pause::Breakpoint => MultiThreadStopReason::SwBreak(tid),
        Pause::Watchpoint(kind, addr) => MultiThreadStopReason::Watch {
            tid,
            kind: *kind,
            addr: *addr,
        },
        Pause::End(End::Sleep | End::Menu | End::Reset | End::Reached | End::Text | End::Closed) => {
            MultiThreadStopReason::Exited(0)
        }
        Pause::End(End::Forbidden) => MultiThreadStopReason::Exited(1),
        Pause::End(End::Exit(code)) => MultiThreadStopReason::Exited(*code as u8),
        Pause::End(End::Killed | End::Interrupted) => MultiThreadStopReason::Terminated(Signal::SIGKILL),
        Pause::End(End::Limit) => signal(Signal::SIGXCPU),
        Pause::End(End::Check) => signal(Signal::SIGTRAP),
        Pause::End(End::Fault(why)) => {
            eprintln!("swirl: {why}");
            signal(fault_signal(why))
        }
    })
}
