//! Adds names to findings of the checks: functions, lines, and callers.

use super::debug::{DebugInfo, Frame, Place, Registers, Tracer, function_of, peek_word};
use super::findings::{CheckReport, CodePlace};
use dreamcast::Dreamcast;
use dreamcast::checks::{Finding, Rule};
use profile::SourceLine;
use std::collections::BTreeMap;

/// Maps addresses to symbols and source lines.
pub(super) struct Names<'a, 'c> {
    console: &'c mut Dreamcast,
    info: &'c DebugInfo<'a>,
    tracer: Tracer<'a, 'c>,
    lines: BTreeMap<u32, Option<SourceLine>>,
}

impl<'a, 'c> Names<'a, 'c> {
    pub(super) fn new(console: &'c mut Dreamcast, elf: &[u8], info: &'c DebugInfo<'a>) -> Self {
        // Reports need no lines: a raw binary has none, and damaged debug information must not hide a report.
        let lines = profile::source_lines(elf).unwrap_or_default();
        let tracer = Tracer::new(info, elf, console.symbols());
        Self {
            console,
            info,
            tracer,
            lines,
        }
    }

    fn place(&self, address: u32) -> CodePlace {
        let row = self.lines.range(..=address).next_back();
        let line = row
            .and_then(|(_, line)| line.as_ref())
            .filter(|line| line.line > 0);
        CodePlace {
            address: format!("{address:08x}"),
            symbol: self.symbol(address),
            file: line.map(|line| line.file.to_string()),
            line: line.map(|line| line.line),
        }
    }

    /// Returns the symbol of an address. Symbols have P1 addresses, while devices access the same memory at
    /// other addresses.
    fn symbol(&self, address: u32) -> String {
        let at = match address >> 24 & 0x1F {
            0x0C..=0x0F if address < 0xE000_0000 => address & 0x00FF_FFFF | 0x8C00_0000,
            _ => return format!("{address:08x}"),
        };
        self.console.symbols().describe(at)
    }

    fn function(&self, address: u32) -> String {
        function_of(&self.symbol(address)).to_owned()
    }

    /// Returns the calling functions, innermost first, from call-frame information and the stack at the
    /// finding. Inlined functions have separate entries.
    fn callers(&mut self, finding: &Finding) -> Vec<CodePlace> {
        // The CPU decodes instructions ahead, and loads below R15 are detected later, so the registers do not
        // belong to the reported instruction.
        if [Rule::StaleCode, Rule::RedZone].contains(&finding.rule) {
            return Vec::new();
        }
        let frames = self.frames(finding);
        let inlined = self.info.places(finding.pc);
        let inlined = inlined.iter().skip(1);
        let mut callers: Vec<CodePlace> = inlined
            .map(|place| self.inlined_into(finding.pc, finding.pc, place))
            .collect();
        for frame in frames.iter().skip(1) {
            callers.extend(self.frame(*frame));
        }
        callers
    }

    fn frames(&mut self, finding: &Finding) -> Vec<Frame> {
        let stack = finding.registers[15];
        let inside = self.function(finding.pr) == self.function(finding.pc);
        let registers = Registers {
            r: finding.registers,
            pc: finding.pc,
            // After a function has made a call, PR holds an address in this function, not in its caller.
            pr: (!inside).then_some(finding.pr),
        };
        let console = &mut *self.console;
        self.tracer.frames(registers, &mut |address| {
            let at = address.wrapping_sub(stack) as usize;
            let kept = finding.stack.get(at..).and_then(|rest| rest.first_chunk());
            kept.map_or_else(
                || peek_word(console, address),
                |bytes| Some(u32::from_le_bytes(*bytes)),
            )
        })
    }

    /// Returns the functions of a frame, starting with those inlined at the call.
    fn frame(&self, frame: Frame) -> Vec<CodePlace> {
        let inside = frame.inside();
        let places = self.info.places(inside);
        if places.is_empty() {
            let mut place = self.place(inside);
            place.address = format!("{:08x}", frame.pc);
            return vec![place];
        }
        let named = |place| self.inlined_into(frame.pc, inside, place);
        let mut all: Vec<CodePlace> = places.iter().map(named).collect();
        if let Some(function) = all.last_mut() {
            function.symbol = self.symbol(inside);
        }
        for place in all.iter_mut().rev().skip(1) {
            place.symbol += " (inlined)";
        }
        all
    }

    fn inlined_into(&self, address: u32, inside: u32, place: &Place) -> CodePlace {
        CodePlace {
            address: format!("{address:08x}"),
            symbol: place.function.clone().unwrap_or_else(|| self.symbol(inside)),
            file: place.file.clone(),
            line: place.line,
        }
    }

    pub(super) fn report(&mut self, finding: &Finding, denied: bool) -> CheckReport {
        let info = finding.rule.info();
        let mut addresses = finding.addresses.clone();
        addresses.dedup_by_key(|address| *address & 0x1FFF_FFFF);
        addresses.retain(|address| *address >> 24 & 0x1C == 0x0C && *address != finding.pc);
        CheckReport {
            rule: info.name,
            severity: info.severity.name(),
            function: self.function(finding.pc),
            place: self.place(finding.pc),
            called_from: self.callers(finding),
            detail: finding.detail.clone(),
            addresses: addresses.into_iter().map(|address| self.place(address)).collect(),
            frame: finding.frame,
            cycle: finding.cycle,
            count: finding.count,
            also_at: Vec::new(),
            console: info.why,
            mend: info.mend,
            denied,
        }
    }
}
