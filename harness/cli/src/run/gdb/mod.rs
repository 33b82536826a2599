//! A GDB server, based on the remote protocol of the crate `gdbstub`. It serves one connection after the
//! other.

mod debuggee;
mod history;
mod link;
mod monitor;
mod packets;
mod points;
mod program;
mod registers;
mod resume;
mod threads;
mod watch;

use super::debug::{DebugInfo, kos};
use super::session::{End, Session};
use super::window::{DebugWindow, Shown};
use crate::signals;
use anyhow::{Context, Result, anyhow};
use debuggee::{Debuggee, Pause, exception_signal, fault_signal};
use gdbstub::common::Signal;
use gdbstub::conn::ConnectionExt;
use gdbstub::stub::state_machine::GdbStubStateMachine;
use gdbstub::stub::{DisconnectReason, GdbStub, GdbStubBuilder, MultiThreadStopReason};
use gdbstub::target::ext::base::reverse_exec::ReplayLogPosition;
use link::{Framer, Input, Link, framed};
use packets::Checked;
use std::io::{self, Read};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// Maximum bytes of a packet.
const PACKET: usize = 16 << 10;
/// Time limit for the first packet of a connection.
const GREETING: Duration = Duration::from_secs(5);

/// Time between two polls of a connection while a window is shown.
const WAIT: Duration = Duration::from_millis(1);
/// Time in which the debugger must close its connection after the program has ended.
const FAREWELL: Duration = Duration::from_secs(1);
/// Time between two polls for a new connection.
const WAIT_FOR_GDB: Duration = Duration::from_millis(10);

/// A program to debug.
pub(crate) struct Program<'a> {
    pub(crate) bytes: &'a [u8],
    /// Absolute path.
    pub(crate) path: String,
    pub(crate) max_instructions: u64,
    /// Maximum bytes of history; 0 disables it.
    pub(crate) history: usize,
    /// `monitor` commands may read and write files of the host.
    pub(crate) may_use_files: bool,
}

/// Serves the debuggers that connect to the local `port` (0 chooses one), and lets them control the program
/// until it ends or a debugger kills it. Returns `None` if a debugger has killed it. Closes connections that
/// do not begin with a packet. After a detach the program runs; after a lost connection it is stopped.
pub(crate) fn serve(
    session: &mut Session,
    program: &Program<'_>,
    port: u16,
    mut window: Option<DebugWindow>,
) -> Result<Option<End>> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).with_context(|| format!("port {port}"))?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let waits = || eprintln!("swirl: waiting for gdb: target remote {address}");
    waits();
    let mut debuggee = debuggee(session, program);
    // `Some` while the program runs without a debugger.
    let mut alone: Option<signals::Run> = None;
    loop {
        if let Some(stream) = accept(&listener)? {
            drop(alone.take());
            let socket = stream.try_clone()?;
            alone = match attend(&mut debuggee, stream, window.as_mut())? {
                Departure::Ended => {
                    finish(&socket);
                    return Ok(debuggee.end);
                }
                Departure::Detached => Some(signals::Run::begin()),
                Departure::Lost => None,
            };
            waits();
        }
        let shown = match &mut window {
            Some(window) => debuggee.show(window, alone.is_some())?,
            None => Shown::Picture,
        };
        if alone.is_none() || matches!(shown, Shown::Held | Shown::Back) {
            std::thread::sleep(WAIT_FOR_GDB);
            continue;
        }
        match debuggee.run()? {
            Pause::End(end) => return Ok(Some(end)),
            Pause::Check => return Ok(Some(End::Check)),
            _ => debuggee.messages.clear(),
        }
    }
}

/// Waits until the debugger closes the connection. If this side closed it first, with received bytes still
/// unread, the debugger could lose the last packet.
fn finish(mut socket: &TcpStream) {
    let begin = Instant::now();
    let mut rest = [0; 256];
    let ready = socket
        .shutdown(Shutdown::Write)
        .and(socket.set_read_timeout(Some(FAREWELL)));
    while ready.is_ok() && begin.elapsed() < FAREWELL && socket.read(&mut rest).is_ok_and(|count| count > 0) {
    }
}

/// Accepts a connection of a debugger, if one waits.
fn accept(listener: &TcpListener) -> Result<Option<TcpStream>> {
    let (stream, from) = match listener.accept() {
        Ok(accepted) => accepted,
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    stream.set_nonblocking(false)?;
    match greeting(&stream) {
        Ok(()) => {
            stream.set_nodelay(true)?;
            Ok(Some(stream))
        }
        Err(why) => {
            eprintln!("swirl: warning: closed the connection of {from}: {why}");
            Ok(None)
        }
    }
}

/// Checks the first byte of a connection without consuming it.
fn greeting(stream: &TcpStream) -> Result<(), String> {
    let mut first = [0];
    let read = stream
        .set_read_timeout(Some(GREETING))
        .and_then(|()| stream.peek(&mut first));
    let forever = stream.set_read_timeout(None);
    match (read, first) {
        (Ok(0), _) => Err("found its end, expected a packet of gdb".to_owned()),
        (Ok(_), [b'$' | b'+' | b'-' | 3]) => forever.map_err(|error| error.to_string()),
        (Ok(_), [byte]) => Err(format!("found the byte {byte:02x}, expected a packet of gdb")),
        (Err(error), _) => Err(format!("found no packet of gdb: {error}")),
    }
}

/// Creates the state of a debugged program.
fn debuggee<'a>(session: &'a mut Session, program: &Program<'a>) -> Debuggee<'a> {
    let layout = kos::Layout::of(&DebugInfo::of(program.bytes), session.console.symbols());
    let why = session.console.why_not_repeatable();
    if let Some(why) = why.filter(|_| program.history > 0) {
        session.warn(format!("no reverse execution: {why}"));
    }
    let history = if why.is_none() { program.history } else { 0 };
    Debuggee::new(session, program, history, layout)
}

/// Lets the debugger on `connection` control the program.
pub(crate) fn drive<C: ConnectionExt<Error = io::Error>>(
    session: &mut Session,
    program: &Program<'_>,
    connection: C,
) -> Result<()> {
    attend(&mut debuggee(session, program), connection, None).map(|_| ())
}

/// The reason why a debugger no longer controls the program.
enum Departure {
    /// The program has ended, or the debugger has killed it.
    Ended,
    /// The program runs without the debugger.
    Detached,
    /// The connection is lost.
    Lost,
}

/// Lets a debugger control the program until it leaves.
fn attend<C: ConnectionExt<Error = io::Error>>(
    debuggee: &mut Debuggee<'_>,
    connection: C,
    window: Option<&mut DebugWindow>,
) -> Result<Departure> {
    debuggee.attach();
    let mut server = Server {
        link: Link::new(connection),
        framer: Framer::default(),
        handshake: Vec::new(),
        acknowledges: true,
        window,
    };
    let reason = server.run(debuggee);
    debuggee.release();
    match reason {
        Ok(DisconnectReason::Disconnect) if debuggee.end.is_none() => Ok(Departure::Detached),
        Ok(DisconnectReason::Kill) => {
            debuggee
                .session
                .warn("the debugger has killed the program".to_owned());
            debuggee.end = None;
            Ok(Departure::Ended)
        }
        Ok(_) => Ok(Departure::Ended),
        Err(Failed::Connection(error)) => {
            debuggee
                .session
                .warn(format!("the debugger has gone: {error}; the program is stopped"));
            Ok(Departure::Lost)
        }
        Err(Failed::Target(error)) => Err(error),
    }
}

/// Reason why a session cannot continue.
enum Failed {
    Connection(io::Error),
    Target(anyhow::Error),
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self::Connection(error)
    }
}

type Machine<'a, C> = GdbStubStateMachine<'static, Debuggee<'a>, Link<C>>;

/// Protocol state of a session.
struct Server<'s, C> {
    link: Link<C>,
    framer: Framer,
    /// Packets that negotiate features, for a new state machine.
    handshake: Vec<Vec<u8>>,
    /// Set if packets are acknowledged.
    acknowledges: bool,
    window: Option<&'s mut DebugWindow>,
}

impl<C: ConnectionExt<Error = io::Error>> Server<'_, C> {
    fn run<'a>(&mut self, debuggee: &mut Debuggee<'a>) -> Result<DisconnectReason, Failed> {
        let mut machine = self.machine(debuggee)?;
        loop {
            machine = match machine {
                // gdb may begin the program again with `run`.
                GdbStubStateMachine::Disconnected(inner)
                    if debuggee.extended && has_ended(&inner.get_reason()) =>
                {
                    self.machine(debuggee)?
                }
                GdbStubStateMachine::Disconnected(inner) => return Ok(inner.get_reason()),
                GdbStubStateMachine::CtrlCInterrupt(inner) => {
                    let reason = MultiThreadStopReason::SignalWithThread {
                        tid: debuggee.running(),
                        signal: Signal::SIGINT,
                    };
                    let next = inner.interrupt_handled(debuggee, Some(reason));
                    self.recover(debuggee, next)?
                }
                GdbStubStateMachine::Running(inner) if !self.link.is_ready() => {
                    let pause = match self.show(debuggee, true)? {
                        Shown::Held | Shown::Back => {
                            std::thread::sleep(WAIT);
                            Pause::Slice
                        }
                        Shown::Picture | Shown::Loaded => debuggee.run().map_err(Failed::Target)?,
                    };
                    let reason = stop_reason(&pause, debuggee);
                    self.tell(debuggee)?;
                    match reason {
                        Some(reason) => {
                            let next = inner.report_stop(debuggee, reason);
                            self.recover(debuggee, next)?
                        }
                        None => inner.into(),
                    }
                }
                machine => self.read(debuggee, machine)?,
            };
        }
    }

    /// Creates a state machine with the negotiated features.
    fn machine<'a>(&mut self, debuggee: &mut Debuggee<'a>) -> Result<Machine<'a, C>, Failed> {
        let stub: GdbStub<'static, Debuggee<'a>, Link<C>> = GdbStubBuilder::new(self.link.clone())
            .packet_buffer_size(PACKET)
            .build()
            .map_err(|error| Failed::Target(anyhow!("{error}")))?;
        let started = stub.run_state_machine(debuggee);
        let mut machine = started.map_err(|error| Failed::Target(anyhow!("{error}")))?;
        self.link.mute(true);
        let handshake: Vec<u8> = self.handshake.iter().flat_map(|packet| framed(packet)).collect();
        for byte in handshake {
            machine = match machine {
                GdbStubStateMachine::Idle(inner) => match inner.incoming_data(debuggee, byte) {
                    Ok(next) => next,
                    // A malformed packet does not change the negotiated features.
                    Err(_) => {
                        self.handshake.clear();
                        self.link.mute(false);
                        return self.machine(debuggee);
                    }
                },
                other => other,
            };
        }
        self.link.mute(false);
        Ok(machine)
    }

    /// Recovers from a packet that the state machine rejects: sends an error to the debugger, and continues
    /// with a new state machine.
    fn recover<'a>(
        &mut self,
        debuggee: &mut Debuggee<'a>,
        next: Result<Machine<'a, C>, gdbstub::stub::GdbStubError<anyhow::Error, io::Error>>,
    ) -> Result<Machine<'a, C>, Failed> {
        match next {
            Ok(machine) => Ok(machine),
            Err(error) if error.is_connection_error() => {
                Err(Failed::Connection(io::ErrorKind::BrokenPipe.into()))
            }
            Err(error) if error.is_target_error() => Err(Failed::Target(
                error
                    .into_target_error()
                    .unwrap_or_else(|| anyhow!("the debuggee has failed")),
            )),
            Err(_) => {
                self.link.send(&framed(b"E16"))?;
                self.machine(debuggee)
            }
        }
    }

    fn show(&mut self, debuggee: &mut Debuggee<'_>, runs: bool) -> Result<Shown, Failed> {
        match &mut self.window {
            Some(window) => debuggee.show(window, runs).map_err(Failed::Target),
            None => Ok(Shown::Picture),
        }
    }

    /// Processes a byte from the connection.
    fn read<'a>(
        &mut self,
        debuggee: &mut Debuggee<'a>,
        machine: Machine<'a, C>,
    ) -> Result<Machine<'a, C>, Failed> {
        while self.window.is_some() && !self.link.is_ready() {
            self.show(debuggee, false)?;
            std::thread::sleep(WAIT);
        }
        let byte = self.link.next()?;
        let body = match self.framer.push(byte) {
            None | Some(Input::Foreign(_)) => return Ok(machine),
            Some(Input::Interrupt) => return self.feed(debuggee, machine, &[3]),
            Some(Input::Damaged) => {
                self.link.send(b"-")?;
                return Ok(machine);
            }
            Some(Input::Repeat) => {
                self.link.repeat()?;
                return Ok(machine);
            }
            Some(Input::Packet(body)) => body,
        };
        if body == b"QStartNoAckMode" {
            self.acknowledges = false;
        }
        if body == b"QStartNoAckMode" || body.starts_with(b"qSupported") {
            self.handshake.push(body.clone());
            self.handshake.truncate(4);
        }
        match packets::check(body) {
            Checked::Forward(body, pc) => {
                if let Some(pc) = pc {
                    debuggee.set_pc(pc);
                }
                self.feed(debuggee, machine, &framed(&body))
            }
            Checked::Answer(text) => {
                let acknowledged: &[u8] = if self.acknowledges { b"+" } else { b"" };
                self.link
                    .send(&[acknowledged, &framed(text.as_bytes())].concat())?;
                Ok(machine)
            }
        }
    }

    fn feed<'a>(
        &mut self,
        debuggee: &mut Debuggee<'a>,
        mut machine: Machine<'a, C>,
        bytes: &[u8],
    ) -> Result<Machine<'a, C>, Failed> {
        for byte in bytes {
            let next = match machine {
                GdbStubStateMachine::Idle(inner) => inner.incoming_data(debuggee, *byte),
                GdbStubStateMachine::Running(inner) => inner.incoming_data(debuggee, *byte),
                other => return Ok(other),
            };
            machine = self.recover(debuggee, next)?;
        }
        self.link.send(b"")?;
        Ok(machine)
    }

    /// Sends messages for the user of the debugger, and prints them.
    fn tell(&self, debuggee: &mut Debuggee<'_>) -> Result<(), Failed> {
        for text in debuggee.messages.drain(..) {
            let hex = |byte: u8| format!("{byte:02x}");
            let line: String = format!("swirl: {text}\n").bytes().map(hex).collect();
            self.link.send(&framed(format!("O{line}").as_bytes()))?;
            eprintln!("swirl: {text}");
        }
        Ok(())
    }
}

/// Returns whether the program ended, and the connection has not.
fn has_ended(reason: &DisconnectReason) -> bool {
    matches!(
        reason,
        DisconnectReason::TargetExited(_) | DisconnectReason::TargetTerminated(_)
    )
}

fn stop_reason(pause: &Pause, target: &mut Debuggee<'_>) -> Option<MultiThreadStopReason<u32>> {
    if matches!(pause, Pause::Slice) {
        return None;
    }
    let tid = target.running();
    let signal = |signal| MultiThreadStopReason::SignalWithThread { tid, signal };
    Some(match pause {
        Pause::Slice => return None,
        Pause::HistoryBegin => MultiThreadStopReason::ReplayLog {
            tid: Some(tid),
            pos: ReplayLogPosition::Begin,
        },
        Pause::Stepped => signal(Signal::SIGTRAP),
        // If the breakpoint is in a delay slot, the program counter is at the branch. For SwBreak without a
        // breakpoint there, gdb would assume a breakpoint that it has removed.
        Pause::Breakpoint => {
            let pc = target.session.cpu().pc;
            match target.is_at_breakpoint(pc) {
                true => MultiThreadStopReason::SwBreak(tid),
                false => signal(Signal::SIGTRAP),
            }
        }
        Pause::Watchpoint(kind, addr) => MultiThreadStopReason::Watch {
            tid,
            kind: *kind,
            addr: *addr,
        },
        Pause::Exception(event) => signal(exception_signal(*event)),
        Pause::End(End::Sleep | End::Menu | End::Reset | End::Reached | End::Text | End::Closed) => {
            MultiThreadStopReason::Exited(0)
        }
        Pause::End(End::Forbidden) => MultiThreadStopReason::Exited(1),
        Pause::End(End::Exit(code)) => MultiThreadStopReason::Exited(*code as u8),
        Pause::End(End::Killed | End::Interrupted) => MultiThreadStopReason::Terminated(Signal::SIGKILL),
        Pause::End(End::Limit) => signal(Signal::SIGXCPU),
        Pause::Check | Pause::End(End::Check | End::Debug(_)) => signal(Signal::SIGTRAP),
        Pause::End(End::Fault(why)) => {
            target.messages.push(why.clone());
            signal(fault_signal(why))
        }
    })
}
