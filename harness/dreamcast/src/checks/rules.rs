//! The table of rules.

/// Severity of a broken rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Harmless on existing consoles, but not portable.
    Note,
    /// Wrong picture or timing.
    Warning,
    /// Wrong data, a lost transfer, or a hang.
    Error,
}

impl Severity {
    /// Returns the name used in SARIF.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// Confidence that a console behaves as described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confidence {
    /// Based on a manual, or on measurements on a console.
    High,
    /// Based on one careful public source.
    Medium,
    /// A guess, disabled by default.
    Low,
}

impl Confidence {
    /// Returns the name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Confidence::High => "high",
            Confidence::Medium => "medium",
            Confidence::Low => "low",
        }
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// The name on the command line.
    pub name: &'static str,
    /// Group of the rule; a group's name selects all its rules.
    pub group: &'static str,
    /// Description of the program's error.
    pub what: &'static str,
    /// Effect on a real console.
    pub why: &'static str,
    /// Instructions for fixing the program.
    pub mend: &'static str,
    /// Severity.
    pub severity: Severity,
    /// Source of the rule.
    pub source: &'static str,
    /// Confidence in the rule.
    pub confidence: Confidence,
    /// Set if `all` selects the rule.
    pub by_default: bool,
}

macro_rules! rules {
    ($($id:ident $name:literal $group:literal $severity:ident $confidence:ident $default:literal
        what $what:literal why $why:literal mend $mend:literal source $source:literal;)+) => {
        /// A rule, in the order of the table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs, reason = "the table says what each is")]
        pub enum Rule { $($id,)+ }

        impl Rule {
            /// All rules.
            pub const ALL: &[Rule] = &[$(Rule::$id,)+];

            /// Returns the rule's row.
            #[must_use]
            pub const fn info(self) -> Info {
                match self {
                    $(Rule::$id => Info {
                        name: $name, group: $group, what: $what, why: $why, mend: $mend,
                        severity: Severity::$severity, source: $source,
                        confidence: Confidence::$confidence, by_default: $default,
                    },)+
                }
            }
        }
    };
}

rules! {
    DirtyLine "dma-dirty-line" "cache" Error High true
        what "a DMA reads memory while the operand cache holds newer bytes"
        why "the device gets the old bytes: DMA does not see the cache"
        mend "write the lines back before the DMA starts (OCBWB; dcache_flush_range in KallistiOS)"
        source "SH7750 manual 4.3, coherency between cache and memory";
    StaleLine "stale-line" "cache" Error High true
        what "the CPU reads a cached line after the memory has changed"
        why "the CPU reads the old bytes: DMA, store queues and uncached stores do not change the cache"
        mend "invalidate the lines before reading (OCBI; dcache_inval_range), or read by the uncached address"
        source "SH7750 manual 4.3, coherency between cache and memory";
    LostWrite "write-back-over-dma" "cache" Error High true
        what "a dirty line is written back over memory that changed after the line was filled"
        why "the new bytes are lost: a line is written back as a whole"
        mend "invalidate or write back the lines before the DMA; give DMA buffers separate cache lines"
        source "SH7750 manual 4.3.3, write-back";
    UncachedDirty "uncached-dirty-read" "cache" Error High true
        what "the CPU reads memory by an uncached address while a dirty line holds newer bytes"
        why "the CPU reads the old bytes"
        mend "write the line back first, or use one kind of address for the data"
        source "SH7750 manual 4.3, coherency between cache and memory";
    StaleCode "stale-code" "cache" Error High true
        what "the CPU executes code that was changed without invalidating the instruction cache"
        why "the CPU may execute the old instructions: stores and DMA do not change the instruction cache"
        mend "write the lines back, then invalidate the instruction cache (CCR.ICI or its address array; \
              icache_flush_range)"
        source "SH7750 manual 4.4, instruction cache";
    QueueTarget "sq-target-changed" "store-queue" Error Medium true
        what "QACR changes between the words of a store queue and the PREF that sends them"
        why "the words go to a different area than the one they were written for"
        mend "send or fill the queue anew after a change of QACR; lock the store queues (sq_lock) against \
          other threads"
        source "SH7750 manual 4.6.3, transfer by PREF; Kazade/GLdc, issue 23";
    QueueHalf "sq-half-filled" "store-queue" Note Low false
        what "a store queue is sent after only some of its eight words were written"
        why "the other words come from an earlier burst"
        mend "write all eight words"
        source "SH7750 manual 4.6.2, writing to the store queues";
    DmaBusy "dma-busy" "dma" Error High true
        what "a DMA channel is set up or started while it transfers"
        why "the running transfer is damaged, or the new one is lost; programs that wait for its end then \
          hang"
        mend "wait for the end of the transfer (its event, or the start register reading 0)"
        source "SH7750 manual 14.2 (registers must not be changed during a transfer); KallistiOS, issues \
          878 and 879";
    DmaAlignment "dma-alignment" "dma" Error High true
        what "an address or length of a DMA is not a multiple of 32 bytes"
        why "the low five bits do not exist: the transfer begins and ends elsewhere"
        mend "align the buffer to 32 bytes and round its length up"
        source "lxdream, test/testregs.c: the bits that read back on a console";
    DmaRange "dma-range" "dma" Error Medium true
        what "a DMA leaves the protection window, or names memory that it cannot reach"
        why "the transfer ends with an error event, and its data do not arrive"
        mend "open the window (SB_G2APRO, SB_PDAPRO, SB_MDAPRO with their keys) or correct the address"
        source "KallistiOS, g2dma.c and maple_init: the windows must be opened with a key";
    TaClosedList "ta-closed-list" "ta" Error High true
        what "a parameter opens a list that was closed in this frame"
        why "the object list restarts: its earlier content is lost"
        mend "send all polygons of a list between its first parameter and its end of list"
        source "docs/hardware/pvr2.md, Object lists";
    TaNoBin "ta-list-disabled" "ta" Warning High true
        what "polygons go to a list that TA_ALLOC_CTRL gives no space"
        why "the parameters are stored and nothing is drawn"
        mend "enable the list (pvr_init's opb_sizes) or send the polygons to another one"
        source "docs/hardware/pvr2.md, Object lists: size code 0";
    TaOverflow "ta-overflow" "ta" Error High true
        what "the tile accelerator runs out of space for parameters or object lists"
        why "the polygons from there on are missing or drawn in the wrong tiles"
        mend "give the lists more space (TA_ISP_LIMIT, TA_OL_LIMIT) or send fewer polygons"
        source "docs/hardware/pvr2.md, Limits";
    TaOpenStrip "ta-open-strip" "ta" Error High true
        what "a polygon or the end of the list comes before the last vertex of a strip"
        why "the strip is cut or padded; after an end of list, all input is ignored until TA_LIST_INIT"
        mend "set the end-of-strip bit of the last vertex"
        source "docs/hardware/pvr2.md, Errors";
    TaOpenList "ta-open-list" "ta" Error High true
        what "the lists are restarted while one is open"
        why "its event never occurs; programs that wait for it hang"
        mend "send the end of list before TA_LIST_INIT"
        source "docs/hardware/pvr2.md, Events: a list's event follows its end";
    TaNoHeader "ta-vertex-without-header" "ta" Error High true
        what "a vertex precedes all polygon parameters of its list"
        why "the tile accelerator writes garbage"
        mend "send the polygon's parameter first"
        source "docs/hardware/pvr2.md, Errors";
    TaDepth "ta-depth" "ta" Warning Medium true
        what "a vertex has a depth that is not a number, or negative"
        why "the depth is 1/w: the triangle is drawn at a wrong depth, or over the whole screen"
        mend "clip polygons at the near plane before the division"
        source "docs/hardware/pvr2.md, ISP; Kazade/GLdc, issue 17";
    RenderBusy "render-busy" "pvr" Error High true
        what "STARTRENDER is written while the core renders"
        why "the current render is damaged, and its event may not occur"
        mend "wait for the end-of-render event first"
        source "docs/hardware/pvr2.md, Events";
    RenderOverwrite "render-overwrite" "pvr" Warning High true
        what "the region array or a texture is overwritten while the core reads it"
        why "some tiles are drawn from the new bytes, depending on the timing"
        mend "wait for the end of the render, or alternate between two buffers"
        source "docs/hardware/pvr2.md, Core input";
    FramebufferShown "framebuffer-shown" "pvr" Warning High true
        what "the core draws into the frame buffer that the display shows"
        why "the picture flickers or tears"
        mend "draw into a second frame buffer and show it at the next vertical blank"
        source "docs/hardware/pvr2.md, Video output";
    MapleOverlap "maple-overlap" "maple" Error Medium true
        what "the reply of a Maple transfer overlaps the list that is sent"
        why "frames after the first reply are overwritten before they are sent"
        mend "use separate memory for the replies"
        source "buhman/dreamcast, notes on Maple";
    MapleAlignment "maple-alignment" "maple" Error High true
        what "the list or a reply address of a Maple transfer is not a multiple of 32 bytes"
        why "the low five bits do not exist: the transfer uses the preceding memory"
        mend "align list and replies to 32 bytes"
        source "lxdream, test/testregs.c: the bits that read back on a console";
    G2Fifo "g2-fifo" "g2" Note Low false
        what "more than eight words are written to the sound block without reading the FIFO's state"
        why "the CPU stops until there is room, and data may be lost"
        mend "read SB_FFST (005F688C) until bits 0 and 4 are 0, before every eight words (g2_fifo_wait)"
        source "KallistiOS, g2bus.c: waits for the FIFO every eight writes";
    AccessWidth "access-width" "g2" Error Medium true
        what "a device is accessed with a size that it does not support"
        why "the write is lost, or the read gives other bytes"
        mend "use the size of the device's registers"
        source "docs/hardware/console.md, 1. Memory map";
    SoundRange "sound-range" "sound" Warning Medium true
        what "a channel of the sound block starts a sample that ends outside sound RAM"
        why "the address wraps: other bytes are played"
        mend "keep start address and loop end within 2 MiB"
        source "docs/hardware/aica.md, Sample formats";
    SoundLoop "sound-loop" "sound" Warning Medium true
        what "a channel that loops starts with a loop start that is not before its loop end"
        why "the channel does not loop: past a later loop start it stops"
        mend "write the loop start below the loop end, both in samples"
        source "docs/hardware/aica.md, Positions; flycast 265c5c6c3, a test on a console";
    SoundKeyed "sound-keyed" "sound" Warning Medium true
        what "KYONEX with KYONB is written to a channel that is keyed on"
        why "the old sample continues, with its position and the state of its 4-bit decoder"
        mend "write KYONEX without KYONB first"
        source "docs/hardware/aica.md, Keys";
    SoundHeld "sound-held" "sound" Note Low false
        what "the SH4 starts a channel while the ARM7 is held in reset"
        why "no driver is running that changes or stops the channel"
        mend "start the driver first, or ignore the rule if the SH4 plays sounds itself"
        source "docs/hardware/aica.md, ARM7 reset";
    SoundUnderrun "sound-underrun" "sound" Warning Medium true
        what "a channel plays a part of a stream again, because no new data was written"
        why "old sound is heard again: a stutter"
        mend "fill the ring earlier or in larger parts; stop the channel at the end of the stream"
        source "KallistiOS, snd_stream.c: it refills each half of the ring before the channel returns to it";
    EventPending "event-pending" "interrupts" Warning High true
        what "an enabled event waits for a whole frame: interrupts are masked, or no handler acknowledges it"
        why "an unacknowledged event interrupts again at once; a second one is lost"
        mend "write the event's bit to SB_ISTNRM in the handler; do not mask interrupts for a frame"
        source "KallistiOS, asic.c: a handler writes back the bits that it has read";
    NullPage "null-page" "memory" Error High true
        what "data at address 0 to FFF is accessed: a null pointer"
        why "the boot ROM is at this address: reads return its bytes, writes are lost"
        mend "check the pointer"
        source "docs/hardware/console.md, 1. Memory map";
    Unmapped "unmapped" "memory" Error High true
        what "an address without a device is accessed"
        why "writes are lost, and reads return an undefined value"
        mend "correct the address"
        source "docs/hardware/console.md, 1. Memory map";
    Misaligned "misaligned" "memory" Error High true
        what "an access is not aligned to its size"
        why "the CPU raises an address error"
        mend "align the data, or access it byte by byte"
        source "SH7750 manual 5.6.2, address errors";
    Uninitialised "uninitialised-read" "memory" Note High false
        what "memory is read that was not written since power-on"
        why "RAM has any content at power-on"
        mend "write the memory first"
        source "SDRAM loses its content without power";
    UseAfterFree "heap-use-after-free" "memory" Error High true
        what "a block of the heap is accessed, or freed again, after it was freed"
        why "the bytes may be another block's or the allocator's: data change at random, or free() hangs"
        mend "free the block after its last use; set the pointer to null"
        source "ISO C11 7.22.3, memory management functions; blocks by the symbols of newlib's allocator";
    HeapOverflow "heap-overflow" "memory" Error High true
        what "bytes before or after a block of the heap are accessed"
        why "the next block or the allocator's size words change: a later malloc() or free() fails"
        mend "allocate all bytes that are used"
        source "newlib, _mallocr.c: a size word before each block, sizes are multiples of 8; ISO C11 7.22.3";
    StackOverflow "stack-overflow" "memory" Error High true
        what "a thread's stack leaves its block of the heap, or a stack comes within 256 bytes of the image"
        why "the blocks, the code or the variables below are overwritten"
        mend "give the thread a larger stack (thd_attr_t.stack_size), or move large variables out of it"
        source "KallistiOS, thread.c: stacks of threads are blocks of the heap, the first ends with RAM";
    RedZone "red-zone" "memory" Error High true
        what "a value stored below R15 is loaded again"
        why "an interrupt may push onto the stack and overwrite the value"
        mend "lower R15 before the store, and raise it after the load"
        source "SH C ABI: memory below R15 belongs to no function; SH7750 manual 5.2, an interrupt comes \
          between any two instructions";
    DivisionByZero "division-by-zero" "undefined" Error High true
        what "an integer is divided by zero"
        why "the quotient depends on the compiler's division routine: the CPU raises no exception"
        mend "test the divisor"
        source "ISO C11 6.5.5, undefined behaviour; division routines by their symbols in GCC's libgcc";
    FpuUndefined "fpu-undefined" "undefined" Error High true
        what "an FPU instruction is executed with FPSCR bits for which it is undefined"
        why "the result is undefined"
        mend "set FPSCR.PR and SZ before the instruction (FSCHG needs PR = 0); C code of -m4 needs PR = 1 \
          at entry, of -m4-single PR = 0"
        source "docs/hardware/sh4.md, Undefined cases";
    SlotIllegal "delay-slot" "undefined" Error High true
        what "a delay slot contains an instruction that is illegal there"
        why "the CPU raises the slot illegal instruction exception"
        mend "put NOP or another instruction into the slot"
        source "SH7750 manual 5.6.2, slot illegal instruction";
    ReservedBits "reserved-bits" "undefined" Note Low false
        what "reserved bits of CCR or QACR are written as 1"
        why "existing chips ignore them; the manual requires 0"
        mend "mask the value"
        source "SH7750 manual 4.2.1, 4.6.1";
}

impl Rule {
    /// Returns the rule with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Rule> {
        Rule::ALL.iter().copied().find(|rule| rule.info().name == name)
    }

    pub(crate) fn bit(self) -> u64 {
        1 << self as u32
    }
}

/// A set of rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleSet(u64);

impl RuleSet {
    /// Returns whether the set is empty.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the set contains `rule`.
    #[must_use]
    pub fn has(self, rule: Rule) -> bool {
        self.0 & rule.bit() != 0
    }

    /// Returns whether the set contains any of `rules`.
    #[must_use]
    pub fn has_any(self, rules: &[Rule]) -> bool {
        rules.iter().any(|rule| self.has(*rule))
    }

    /// Adds a rule.
    pub fn add(&mut self, rule: Rule) {
        self.0 |= rule.bit();
    }

    /// Adds a rule by name, a group, or `all`. Returns false if the name is unknown.
    pub fn add_named(&mut self, name: &str) -> bool {
        let chosen = |rule: &&Rule| {
            let info = rule.info();
            info.name == name || info.by_default && (info.group == name || name == "all")
        };
        let before = self.0;
        let mut any = false;
        for rule in Rule::ALL.iter().filter(chosen) {
            any = true;
            self.add(*rule);
        }
        debug_assert!(any || before == self.0);
        any
    }

    /// Returns the names of the rules with commas between.
    pub(crate) fn names(self) -> String {
        let rules = Rule::ALL.iter().filter(|rule| self.has(**rule));
        rules.map(|rule| rule.info().name).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_select_their_rule() {
        for rule in Rule::ALL {
            assert_eq!(Rule::named(rule.info().name), Some(*rule));
            let mut set = RuleSet::default();
            assert!(set.add_named(rule.info().name) && set.has(*rule));
        }
        assert!(Rule::ALL.len() <= 64);
        assert!(!RuleSet::default().add_named("cachee"));
    }

    #[test]
    fn guesses_are_off_by_default() {
        let guessed = |rule: &&Rule| rule.info().confidence == Confidence::Low;
        assert!(
            Rule::ALL
                .iter()
                .filter(guessed)
                .all(|rule| !rule.info().by_default)
        );
        let mut all = RuleSet::default();
        assert!(all.add_named("all") && !all.has(Rule::QueueHalf) && all.has(Rule::DirtyLine));
    }
}
