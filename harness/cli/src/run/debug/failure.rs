//! Describes a failure as text and as JSON.

use super::kos::{self, Layout, Thread};
use super::{Branch, DebugInfo, Frame, Place, Registers, Source, Unwinder};
use dreamcast::Dreamcast;
use machine::{Image, Symbols};
use serde::Serialize;
use sh4::Cpu;
use std::ops::Range;

/// Maximum distance of an address from the symbol that names it: the 16 MB of RAM.
const MOST_OFFSET: u32 = 16 << 20;
/// Functions that end a failed program, by their C names in KallistiOS and the compiler's library.
const ABORTS: [&str; 7] = [
    "abort",
    "arch_abort",
    "arch_panic",
    "__assert",
    "__assert_func",
    "__stack_chk_fail",
    "panic",
];
/// Registers, back-trace, thread and branches at a failure.
#[derive(Serialize)]
pub(crate) struct Failure {
    /// General registers, followed by the others, by name.
    #[serde(serialize_with = "as_object")]
    registers: Vec<(&'static str, u32)>,
    /// Running thread of KallistiOS.
    thread: Option<String>,
    frames: Vec<NamedFrame>,
    branches: Vec<NamedBranch>,
    /// Reason for missing branches.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// The program's segments.
    #[serde(skip)]
    segments: Segments,
}

/// Addresses of a program's segments.
struct Segments(Vec<Range<u32>>);

impl Segments {
    /// The segments of an ELF file; other programs may use all of RAM.
    fn of(program: &[u8]) -> Self {
        Self(match Image::parse(program) {
            Ok(image) => {
                let range = |segment: &machine::Segment| {
                    segment.address..segment.address.saturating_add(segment.size)
                };
                image.segments.iter().map(range).collect()
            }
            Err(_) => std::iter::once(0x8C00_0000..0x8D00_0000).collect(),
        })
    }

    /// Formats an address as `symbol+offset`. Absolute symbols with small values precede every address, so a
    /// large offset counts as no symbol.
    fn describe(&self, symbols: &Symbols, address: u32) -> String {
        match symbols.before(address) {
            Some((_, offset)) if offset < MOST_OFFSET => symbols.describe(address),
            _ if self.0.iter().any(|segment| segment.contains(&address)) => "no symbol".to_owned(),
            _ => "outside the program".to_owned(),
        }
    }
}

fn as_object<S: serde::Serializer>(rows: &[(&'static str, u32)], out: S) -> Result<S::Ok, S::Error> {
    out.collect_map(rows.iter().copied())
}

#[derive(Serialize)]
struct NamedFrame {
    address: String,
    symbol: String,
    /// Places of the frame, starting with the innermost inlined call.
    places: Vec<Place>,
    source: Source,
}

#[derive(Serialize)]
struct NamedBranch {
    from: String,
    to: String,
    times: u64,
}

/// Names of R0 to R15; the next constant names the others.
const NAMES: [&str; 16] = [
    "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
];

impl Failure {
    /// Describes a console stopped at `registers`; `cpu` has the other registers.
    pub(crate) fn of(console: &mut Dreamcast, elf: &[u8], registers: Registers, cpu: &Cpu) -> Self {
        let info = DebugInfo::of(elf);
        let symbols = console.symbols().clone();
        let frames = frames(console, &info, elf, registers);
        let segments = Segments::of(elf);
        let thread = running(console, &info, &symbols).map(|thread| thread.describe());
        Self {
            registers: named_registers(cpu, registers),
            thread,
            frames: frames
                .iter()
                .map(|frame| NamedFrame::of(*frame, &info, &symbols, &segments))
                .collect(),
            branches: Vec::new(),
            note: None,
            segments,
        }
    }

    /// Returns the functions of the back-trace, without C's leading underscore.
    pub(crate) fn functions(&self) -> impl Iterator<Item = &str> {
        self.frames.iter().map(NamedFrame::function)
    }

    /// Adds the last branches, or the reason why they are missing.
    pub(crate) fn set_branches(&mut self, branches: Result<Vec<Branch>, String>, symbols: &Symbols) {
        let segments = &self.segments;
        let name = |address: u32| format!("{address:08x} ({})", segments.describe(symbols, address));
        match branches {
            Ok(branches) => {
                let named = |branch: &Branch| NamedBranch {
                    from: name(branch.from),
                    to: name(branch.to),
                    times: branch.times,
                };
                self.branches = branches.iter().map(named).collect();
            }
            Err(why) => self.note = Some(why),
        }
    }

    pub(crate) fn text(&self) -> String {
        let mut text = "registers:\n".to_owned();
        for row in self.registers.chunks(4) {
            let row: Vec<String> = row
                .iter()
                .map(|(name, value)| format!("{name:>5} {value:08x}"))
                .collect();
            text += &format!("  {}\n", row.join("  "));
        }
        if let Some(thread) = &self.thread {
            text += &format!("thread: {thread}\n");
        }
        text += "back-trace, the innermost call first:\n";
        let mut number = 0;
        for calls in self.frames.chunk_by(|one, next| one.address == next.address) {
            let [frame, rest @ ..] = calls else { continue };
            text += frame.text(number).trim_end();
            text += &match rest.len() {
                0 => "\n".to_owned(),
                more => format!("  [{} times]\n", more + 1),
            };
            number += calls.len();
        }
        if self.frames.iter().any(|frame| frame.source == Source::Guess) {
            text += "  (a guessed frame is the first word on the stack that is the address after a call, \
                because the function above it has no call-frame information)\n";
        }
        if !self.branches.is_empty() {
            text += "last branches, the newest last:\n";
        }
        for NamedBranch { from, to, times } in &self.branches {
            let times = if *times > 1 {
                format!("  [{times} times]")
            } else {
                String::new()
            };
            text += &format!("  {from} -> {to}{times}\n");
        }
        if let Some(note) = &self.note {
            text += &format!("last branches: {note}\n");
        }
        text
    }
}

/// Returns the function in `symbol+offset`. C++ operators can contain a `+`.
pub(crate) fn function_of(symbol: &str) -> &str {
    symbol.rsplit_once("+0x").map_or(symbol, |(function, _)| function)
}

/// Returns whether a function ends a failed program.
pub(crate) fn is_abort(function: &str) -> bool {
    ABORTS.contains(&function)
}

impl NamedFrame {
    fn of(frame: Frame, info: &DebugInfo<'_>, symbols: &Symbols, segments: &Segments) -> Self {
        Self {
            address: format!("{:08x}", frame.pc),
            symbol: segments.describe(symbols, frame.inside()),
            places: info.places(frame.inside()),
            source: frame.source,
        }
    }

    /// Returns the function of the symbol.
    fn function(&self) -> &str {
        let symbol = function_of(&self.symbol);
        symbol.strip_prefix('_').unwrap_or(symbol)
    }

    fn text(&self, number: usize) -> String {
        let how = match self.source {
            Source::Registers | Source::Cfi => "",
            Source::Exception => "  [interrupted by an exception]",
            Source::Guess => "  [guessed]",
        };
        let Self {
            address,
            symbol,
            places,
            ..
        } = self;
        let mut text = String::new();
        let (inlined, outer) = places.split_at(places.len().saturating_sub(1));
        for place in inlined {
            text += &format!("  #{number:<2} {address}  {}\n", place.text(" (inlined)"));
        }
        let at = outer.first().map_or(String::new(), |place| match &place.file {
            Some(_) => format!("  {}", place.line_text()),
            None => String::new(),
        });
        text + &format!("  #{number:<2} {address}  {symbol}{at}{how}\n")
    }
}

impl Place {
    fn line_text(&self) -> String {
        let line = self.line.map_or(String::new(), |line| format!(":{line}"));
        self.file
            .as_ref()
            .map_or(String::new(), |file| format!("{file}{line}"))
    }

    fn text(&self, suffix: &str) -> String {
        let function = self.function.as_deref().unwrap_or("?");
        format!("{function}{suffix}  {}", self.line_text())
    }
}

/// Reads a word like the CPU, but without side effects.
pub(crate) fn peek_word(console: &mut Dreamcast, address: u32) -> Option<u32> {
    let mut word = 0;
    for n in 0..4 {
        word |= u32::from(console.peek(address.wrapping_add(n))?) << (8 * n);
    }
    Some(word)
}

fn frames(console: &mut Dreamcast, info: &DebugInfo<'_>, elf: &[u8], registers: Registers) -> Vec<Frame> {
    let tracer = Tracer::new(info, elf, console.symbols());
    tracer.frames(registers, &mut |address| peek_word(console, address))
}

/// Data of a program for back-traces.
pub(crate) struct Tracer<'a, 'i> {
    info: &'i DebugInfo<'a>,
    code: Vec<Range<u32>>,
    outermost: Range<u32>,
    /// Address range of KallistiOS's exception handlers.
    handlers: Option<(u32, u32)>,
}

impl<'a, 'i> Tracer<'a, 'i> {
    pub(crate) fn new(info: &'i DebugInfo<'a>, elf: &[u8], symbols: &Symbols) -> Self {
        Self {
            info,
            code: code(elf),
            outermost: outermost(elf, symbols),
            handlers: symbols
                .address("irq_save_regs")
                .zip(symbols.address("irq_srt_addr")),
        }
    }

    /// Returns the frames, starting with the innermost.
    pub(crate) fn frames(
        &self,
        registers: Registers,
        memory: &mut dyn FnMut(u32) -> Option<u32>,
    ) -> Vec<Frame> {
        // KallistiOS's handlers (its entry.s) save the registers at the address in irq_srt_addr, which
        // follows them in memory.
        let saved = self
            .handlers
            .and_then(|(begin, end)| Some((begin..end, memory(end)?)));
        let exception = |address: u32| {
            let (handlers, context) = saved.as_ref()?;
            handlers.contains(&address).then_some(*context)
        };
        let mut unwinder = Unwinder {
            info: self.info,
            memory,
            code: self.code.clone(),
            outermost: self.outermost.clone(),
            exception: &exception,
        };
        unwinder.frames(registers)
    }
}

/// Returns the physical address ranges of a program's code.
fn code(elf: &[u8]) -> Vec<Range<u32>> {
    match machine::Image::parse(elf) {
        Ok(image) => {
            let segments = image.segments.iter().filter(|segment| segment.executable);
            let physical = |address: u32| address & 0x1FFF_FFFF;
            segments
                .map(|code| physical(code.address)..physical(code.address).saturating_add(code.size))
                .collect()
        }
        // A raw binary counts as code completely.
        Err(_) => {
            let size = u32::try_from(elf.len()).unwrap_or(0);
            std::iter::once(0x0C01_0000..0x0C01_0000_u32.saturating_add(size)).collect()
        }
    }
}

/// Returns the function at the entry, which has no caller.
fn outermost(elf: &[u8], symbols: &Symbols) -> Range<u32> {
    let Ok(image) = machine::Image::parse(elf) else {
        return 0..0;
    };
    let next = symbols
        .iter()
        .map(|(address, _)| address)
        .find(|address| *address > image.entry);
    image.entry..next.unwrap_or(image.entry)
}

fn running(console: &mut Dreamcast, info: &DebugInfo<'_>, symbols: &Symbols) -> Option<Thread> {
    let layout = Layout::of(info, symbols)?;
    let threads = layout.threads(&mut |address| peek_word(console, address));
    threads.into_iter().find(|thread| thread.running)
}

/// Returns the threads of a KallistiOS program.
pub(crate) fn threads(console: &mut Dreamcast, info: &DebugInfo<'_>) -> Vec<Thread> {
    let symbols = console.symbols().clone();
    let layout = kos::Layout::of(info, &symbols);
    layout.map_or_else(Vec::new, |layout| {
        layout.threads(&mut |address| peek_word(console, address))
    })
}

fn named_registers(cpu: &Cpu, registers: Registers) -> Vec<(&'static str, u32)> {
    let general = NAMES.into_iter().zip(registers.r);
    let others = [
        ("pc", registers.pc),
        ("pr", cpu.pr),
        ("sr", cpu.sr()),
        ("gbr", cpu.gbr),
        ("vbr", cpu.vbr),
        ("mach", cpu.mach),
        ("macl", cpu.macl),
        ("fpul", cpu.fpul),
        ("fpscr", cpu.fpscr()),
        ("ssr", cpu.ssr),
        ("spc", cpu.spc),
        ("sgr", cpu.sgr),
    ];
    general.chain(others).collect()
}
