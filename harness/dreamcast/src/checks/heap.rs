//! Rules for the heap and stacks. The allocator of the C library is found by its symbols.
//!
//! The bus rejects fetches at the allocator's entries, so that the run stops there and the arguments can be
//! read. It also rejects fetches at the return address, to read the result. Closed bytes must not be
//! accessed: a block's size word, the bytes from its end to the next size word, and the whole block once it
//! is freed. The bytes after the program's image are closed too. The initial stack grows down from the end of
//! RAM and reaches them before it overwrites variables.

mod saved;

use super::functions::Function::{self, Calloc, Divide, Free, Malloc, Memalign, Other, Realloc};
use super::functions::{DIVISIONS, FUNCTIONS};
use super::{Checks, Finding, Rule, RuleSet, counted};
use crate::system::{RAM_BYTES, System, ram_offset};
use machine::Image;
use sh4::{BusError, Cpu};
use std::collections::BTreeMap;
use std::ops::Range;

/// Bytes of the size word that precedes a block (newlib's `_mallocr.c`, `SIZE_SZ`).
const SIZE_WORD: u32 = 4;
/// Alignment of blocks and their sizes (newlib's `_mallocr.c`, `MALLOC_ALIGNMENT`).
const ALIGNMENT: u32 = 8;
/// Maximum number of tracked calls. Calls by threads that never return would otherwise accumulate.
const CALLS: usize = 64;
/// Bytes above R15 that count as a function's arguments and variables.
const FRAME: u32 = 1024;
/// Bytes after the image that a stack must not reach. Several small stack frames fit, so that a recursion
/// cannot jump over them.
const GUARD: u32 = 256;

/// A call that has not returned yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Call {
    function: Function,
    arguments: [u32; 3],
    return_address: u32,
    /// Stack pointer after the return.
    stack: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Block {
    size: u32,
    /// Address of the call that freed the block.
    freed: Option<u32>,
}

/// Blocks of a program.
#[derive(Clone)]
pub(super) struct Heap {
    entries: Vec<(u32, Function)>,
    calls: Vec<Call>,
    /// Entry or return address that the CPU may fetch once without a stop.
    unwatched_entry: Option<u32>,
    /// Blocks by their offset in RAM.
    blocks: BTreeMap<u32, Block>,
    /// Set for closed bytes of RAM, one bit each.
    closed: Vec<u64>,
    /// Closed bytes after the image. Empty if the program stores data there that is not a stack.
    guard: Range<u32>,
}

impl std::fmt::Debug for Heap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} blocks", self.blocks.len())
    }
}

pub(super) fn offset_of(address: u32) -> Option<u32> {
    ram_offset(address).map(|offset| offset as u32)
}

/// Returns the first bytes after the last segment, as offsets in RAM.
fn after_image(image: &Image) -> Range<u32> {
    let end = |address: u32, size: u32| offset_of(address)?.checked_add(size);
    let ends = image
        .segments
        .iter()
        .filter_map(|segment| end(segment.address, segment.size));
    let end = ends.max().unwrap_or(RAM_BYTES as u32);
    end..end.saturating_add(GUARD).min(RAM_BYTES as u32)
}

/// Rules that track the allocator.
const MEMORY: [Rule; 3] = [Rule::UseAfterFree, Rule::HeapOverflow, Rule::StackOverflow];

impl Heap {
    fn of(image: &Image, rules: RuleSet) -> Self {
        // The compiler's configuration decides whether C names have an underscore.
        let address = |name: &str| {
            let symbols = &image.symbols;
            let plain = || symbols.address(name.strip_prefix('_')?);
            symbols.address(name).or_else(plain)
        };
        let entry = |&(name, function): &(&str, Function)| Some((address(name)?, function));
        let guard = after_image(image);
        let memory: &[_] = if rules.has_any(&MEMORY) { &FUNCTIONS } else { &[] };
        let divisions: &[_] = if rules.has(Rule::DivisionByZero) {
            &DIVISIONS
        } else {
            &[]
        };
        let watched = memory.iter().chain(divisions);
        let mut heap = Self {
            entries: watched.filter_map(entry).collect(),
            calls: Vec::new(),
            unwatched_entry: None,
            blocks: BTreeMap::new(),
            closed: vec![0; RAM_BYTES / 64],
            guard: guard.clone(),
        };
        if rules.has_any(&MEMORY) {
            heap.set(guard.start, guard.end, true);
        }
        heap
    }

    /// Removes the guard if it contains the address: the program uses the memory after its image.
    fn open_guard_at(&mut self, address: u32) {
        if !offset_of(address).is_some_and(|at| self.guard.contains(&at) && !self.is_near_block(at)) {
            return;
        }
        let guard = std::mem::take(&mut self.guard);
        for at in guard {
            if !self.is_near_block(at) {
                self.set(at, at + 1, false);
            }
        }
    }

    fn is_near_block(&self, at: u32) -> bool {
        let below = self.blocks.range(..=at).next_back();
        let above = self.blocks.range(at..).next();
        below.is_some_and(|(begin, block)| at < Self::end(*begin, block.size))
            || above.is_some_and(|(begin, _)| begin - at <= SIZE_WORD)
    }

    fn is_watched(&self, address: u32) -> bool {
        let entry = self.entries.iter().any(|(entry, _)| *entry == address);
        (entry || self.calls.iter().any(|call| call.return_address == address))
            && self.unwatched_entry != Some(address)
    }

    #[inline]
    fn is_closed(&self, offset: usize, bytes: usize) -> bool {
        let bit = |at: usize| {
            self.closed
                .get(at / 64)
                .is_some_and(|word| word >> (at % 64) & 1 != 0)
        };
        (offset..offset + bytes).any(bit)
    }

    fn set(&mut self, from: u32, to: u32, closed: bool) {
        let mut at = from as usize;
        while at < to as usize {
            let Some(word) = self.closed.get_mut(at / 64) else {
                return;
            };
            let count = (64 - at % 64).min(to as usize - at);
            let mask = (u64::MAX >> (64 - count)) << (at % 64);
            *word = if closed { *word | mask } else { *word & !mask };
            at += count;
        }
    }

    /// Returns the end of a block's memory: the end of the next block's size word.
    fn end(at: u32, size: u32) -> u32 {
        let needed = (size + SIZE_WORD).next_multiple_of(ALIGNMENT).max(2 * ALIGNMENT);
        at + needed
    }

    fn add(&mut self, address: u32, size: u32) {
        let Some(at) = offset_of(address).filter(|_| size as usize <= RAM_BYTES) else {
            return;
        };
        let before = self.blocks.range(..at).next_back();
        let first = before
            .filter(|(begin, block)| *begin + block.size > at)
            .map_or(at, |(begin, _)| *begin);
        let over: Vec<u32> = self
            .blocks
            .range(first..at + size.max(1))
            .map(|(at, _)| *at)
            .collect();
        over.iter().for_each(|at| self.remove(*at));
        let next = self.blocks.range(at + 1..).next().map_or(u32::MAX, |(at, _)| *at);
        self.set(at.saturating_sub(SIZE_WORD), at, true);
        self.set(at, at + size, false);
        self.set(at + size, Self::end(at, size).min(next), true);
        self.blocks.insert(at, Block { size, freed: None });
    }

    /// Removes a block that a new one overlaps.
    fn remove(&mut self, at: u32) {
        if let Some(block) = self.blocks.remove(&at) {
            self.set(at.saturating_sub(SIZE_WORD), at + block.size, false);
        }
    }

    /// Frees a block. Returns false if it was already free.
    fn free(&mut self, address: u32, by: u32) -> bool {
        let Some(at) = offset_of(address) else {
            return true;
        };
        let Some(block) = self.blocks.get_mut(&at) else {
            return true;
        };
        let (size, before) = (block.size, block.freed.replace(by));
        self.set(at, at + size, true);
        before.is_none()
    }

    /// Returns the rule that an access to a closed byte breaks, and a description of the byte.
    fn closed_by(&self, offset: u32) -> (Rule, String) {
        if self.guard.contains(&offset) && !self.is_near_block(offset) {
            let end = 0x8C00_0000 | self.guard.start;
            return (
                Rule::StackOverflow,
                format!("the program's image ends at {end:08x}"),
            );
        }
        let below = self.blocks.range(..=offset).next_back();
        let above = self.blocks.range(offset..).next();
        match (below, above) {
            (
                Some((
                    at,
                    Block {
                        size,
                        freed: Some(by),
                    },
                )),
                _,
            ) if offset < at + size => {
                let by = format!("that the call at {by:08x} freed");
                let inside = offset - at;
                let block = named(*at, *size);
                (Rule::UseAfterFree, format!("byte {inside} of {block} {by}"))
            }
            (_, Some((at, block))) if at - offset <= SIZE_WORD => {
                let (before, block) = (at - offset, named(*at, block.size));
                (
                    Rule::HeapOverflow,
                    format!("{} before {block}", counted(before, "byte")),
                )
            }
            (Some((at, block)), _) => {
                let (distance, block) = (offset - at - block.size, named(*at, block.size));
                (
                    Rule::HeapOverflow,
                    match distance {
                        0 => format!("directly after {block}"),
                        _ => format!("{} past the end of {block}", counted(distance, "byte")),
                    },
                )
            }
            _ => (Rule::HeapOverflow, "outside every block".to_owned()),
        }
    }

    /// Handles the return of a call, with its block.
    fn returned(&mut self, call: &Call, result: u32) {
        let [first, second, _] = call.arguments;
        let size = match call.function {
            Malloc(_) => first,
            Calloc(_) => first.saturating_mul(second),
            Realloc(_) | Memalign(_) => second,
            Free(_) | Other | Divide(_) => return,
        };
        if result == 0 {
            return;
        }
        if matches!(call.function, Realloc(_)) && first != 0 && first != result {
            self.free(first, call.return_address.wrapping_sub(4));
        }
        self.add(result, size);
    }
}

fn named(offset: u32, size: u32) -> String {
    format!(
        "the block of {} at {:08x}",
        counted(size, "byte"),
        0x8C00_0000 | offset
    )
}

impl Checks {
    fn heap(&self) -> Option<&Heap> {
        self.heap.as_deref()
    }

    /// Reclassifies new findings once the registers are known. A heap finding near R15 is a thread's stack
    /// that has left its block. A store far from R15 does not come from a stack.
    pub(super) fn sort_stacks(&mut self) {
        if !self.rules.has(Rule::StackOverflow) {
            return;
        }
        for index in (self.settled..self.findings.len()).rev() {
            let finding = &mut self.findings[index];
            match (finding.rule, is_near_stack(finding)) {
                (Rule::HeapOverflow, true) => finding.rule = Rule::StackOverflow,
                (Rule::StackOverflow, near) => {
                    let address = finding.addresses.first().copied().unwrap_or_default();
                    if let Some(heap) = &mut self.heap {
                        heap.open_guard_at(address);
                    }
                    if !near {
                        self.remove(index);
                    }
                }
                _ => {}
            }
        }
    }

    fn remove(&mut self, index: usize) {
        self.findings.remove(index);
        self.places.retain(|_, at| *at != index);
        let later = self.places.values_mut().filter(|at| **at > index);
        later.for_each(|at| *at -= 1);
    }
}

/// Returns whether the access was at most [`FRAME`] bytes above R15, among a function's arguments and
/// variables.
fn is_near_stack(finding: &Finding) -> bool {
    let (stack, address) = (finding.registers[15], finding.addresses.first());
    address.is_some_and(|address| address.wrapping_sub(stack) < FRAME)
}

impl System {
    /// Finds the allocator of a program, and the end of its image.
    pub(crate) fn find_heap(&mut self, image: &Image) {
        if let Some(checks) = &mut self.checks {
            let rules = checks.rules;
            let any = rules.has_any(&MEMORY) || rules.has(Rule::DivisionByZero);
            checks.heap = any.then(|| Box::new(Heap::of(image, rules)));
            if let Some(watch) = &mut checks.stack_watch {
                watch.image_end = after_image(image).start;
            }
        }
    }

    /// Returns whether the run must stop before this instruction.
    pub(crate) fn is_heap_watched(&self, address: u32) -> bool {
        let heap = self.checks.as_ref().and_then(|checks| checks.heap());
        heap.is_some_and(|heap| heap.is_watched(address))
    }

    /// Handles a call or return of the allocator at the CPU's program counter. Returns false if there is
    /// none.
    pub(crate) fn at_heap(&mut self, cpu: &Cpu) -> bool {
        if !self.is_heap_watched(cpu.pc) {
            return false;
        }
        let Some(mut heap) = self.checks.as_mut().and_then(|checks| checks.heap.take()) else {
            return false;
        };
        let (pc, stack) = (cpu.pc, cpu.r[15]);
        let here = |call: &Call| (call.return_address, call.stack) == (pc, stack);
        let (ended, left): (Vec<Call>, Vec<Call>) =
            std::mem::take(&mut heap.calls).into_iter().partition(here);
        heap.calls = left;
        ended.iter().for_each(|call| heap.returned(call, cpu.r[0]));
        let entry = heap.entries.iter().find(|(entry, _)| *entry == pc).copied();
        let divides = match entry {
            Some((_, Divide(words))) => Some(words),
            _ => None,
        };
        let allocates = entry.filter(|_| divides.is_none());
        let twice = allocates.and_then(|(_, function)| self.enter_heap(&mut heap, function, cpu));
        heap.unwatched_entry = heap.is_watched(pc).then_some(pc);
        if let Some(checks) = &mut self.checks {
            checks.heap = Some(heap);
        }
        let divisor = divides.and_then(|words| cpu.r.get(4 + words..4 + 2 * words));
        if divisor.is_some_and(|divisor| divisor.iter().all(|word| *word == 0)) {
            self.pc = cpu.pr.wrapping_sub(4);
            let dividend = cpu.r[4];
            self.broken(Rule::DivisionByZero, &[], || {
                format!("divides {dividend:08x} by zero")
            });
        }
        if let Some(address) = twice {
            self.pc = cpu.pr.wrapping_sub(4);
            self.broken(Rule::UseAfterFree, &[address], || {
                format!("frees the block at {address:08x}, which is already free")
            });
        }
        true
    }

    /// Handles a call of an allocator function. Returns the block if it is freed twice.
    fn enter_heap(&mut self, heap: &mut Heap, function: Function, cpu: &Cpu) -> Option<u32> {
        let skipped = match function {
            Malloc(n) | Calloc(n) | Realloc(n) | Memalign(n) | Free(n) => n,
            Other | Divide(_) => 0,
        };
        let arguments = std::array::from_fn(|n| cpu.r[4 + n + skipped]);
        let call = Call {
            function,
            arguments,
            return_address: cpu.pr,
            stack: cpu.r[15],
        };
        // An interrupt before the function's first instruction makes the CPU reach the entry twice.
        if heap.calls.contains(&call) || heap.calls.len() == CALLS {
            return None;
        }
        let nested = heap.calls.iter().any(|outer| outer.function == function);
        heap.calls.push(call);
        self.forget_blocks_at(cpu.pr);
        let is_free = matches!(function, Free(_)) && arguments[0] != 0;
        let first = is_free && heap.free(arguments[0], cpu.pr.wrapping_sub(4));
        (is_free && !first && !nested && !inner_free(heap)).then_some(arguments[0])
    }

    /// Records that the CPU has left the entry, so that the next call stops there again.
    pub(crate) fn passed_heap(&mut self) {
        let heap = self.checks.as_mut().and_then(|checks| checks.heap.as_mut());
        if let Some(pc) = heap.and_then(|heap| heap.unwatched_entry.take()) {
            self.forget_blocks_at(pc);
        }
    }

    /// Returns whether the CPU must execute one instruction to get past a watched address.
    pub(crate) fn is_entering_heap(&self) -> bool {
        let heap = self.checks.as_ref().and_then(|checks| checks.heap());
        heap.is_some_and(|heap| heap.unwatched_entry.is_some())
    }

    fn forget_blocks_at(&mut self, address: u32) {
        if let Some(offset) = offset_of(address) {
            self.code.written(offset & !31, 32);
        }
    }

    /// Checks an access to RAM. For a read only the first byte counts, because string routines read whole
    /// words.
    #[inline]
    pub(crate) fn check_heap(&mut self, address: u32, bytes: u32, writes: bool) -> Result<(), BusError> {
        let counted = if writes { bytes as usize } else { 1 };
        let heap = self.checks.as_ref().and_then(|checks| checks.heap());
        let offset = ram_offset(address).filter(|_| address < 0xE000_0000);
        match (heap, offset) {
            (Some(heap), Some(offset)) if heap.is_closed(offset, counted) => {
                self.check_closed(address, offset, bytes, writes)
            }
            _ => Ok(()),
        }
    }

    #[cold]
    fn check_closed(
        &mut self,
        address: u32,
        offset: usize,
        bytes: u32,
        writes: bool,
    ) -> Result<(), BusError> {
        let heap = self.checks.as_ref().and_then(|checks| checks.heap());
        let Some(heap) = heap.filter(|heap| heap.calls.is_empty()) else {
            return Ok(());
        };
        let at = (offset..offset + bytes as usize).find(|at| heap.is_closed(*at, 1));
        let (mut rule, what) = heap.closed_by(at.unwrap_or(offset) as u32);
        if rule == Rule::HeapOverflow && !self.is_checked(rule) {
            // Possibly a thread's stack that has left its block; `sort_stacks` decides.
            rule = Rule::StackOverflow;
        }
        if !self.is_checked(rule) || (rule == Rule::StackOverflow && !writes) {
            return Ok(());
        }
        self.exactly()?;
        let does = if writes { "writes" } else { "reads" };
        self.broken(rule, &[address], || {
            format!("{does} {} at {address:08x}: {what}", counted(bytes, "byte"))
        });
        Ok(())
    }
}

/// Returns whether a free function was called by another one, which has already marked the block as free.
fn inner_free(heap: &Heap) -> bool {
    heap.calls
        .iter()
        .filter(|call| matches!(call.function, Free(_) | Realloc(_)))
        .count()
        > 1
}
