//! Reasons for lost issue slots.

use serde::Serialize;

macro_rules! causes {
    ($($name:ident $key:literal $text:literal;)+) => {
        /// Reason for a lost issue slot; there is exactly one.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
        #[serde(rename_all = "snake_case")]
        #[repr(u8)]
        pub enum Cause {
            $(#[doc = $text] $name,)+
        }

        impl Cause {
            /// All causes in the order of the ledger: pipeline first, then memory.
            pub const ALL: &[Cause] = &[$(Cause::$name,)+];

            /// Name in JSON and CSV.
            #[must_use]
            pub fn key(self) -> &'static str {
                match self { $(Cause::$name => $key,)+ }
            }

            /// Name in tables.
            #[must_use]
            pub fn text(self) -> &'static str {
                match self { $(Cause::$name => $text,)+ }
            }
        }

        /// Number of causes.
        pub const CAUSES: usize = Cause::ALL.len();
    };
}

causes! {
    Pair "pair" "groups that cannot pair";
    Decode "decode" "an instruction that decodes for several cycles";
    Flow "flow" "waiting for a CPU register";
    FlowFpu "flow_fpu" "waiting for an FPU register";
    Output "output" "writes kept in order";
    Anti "anti" "waiting for a long read";
    Fpu "fpu" "FPU stage taken";
    Control "control" "SX stage taken";
    Branch "branch" "taken branch";
    Align "align" "branch to an odd halfword";
    InstructionMiss "instruction_miss" "instruction cache miss";
    OperandMiss "operand_miss" "operand cache miss";
    PrefetchBusy "prefetch_busy" "prefetch in flight";
    WriteDuringFill "write_during_fill" "write under a line fill";
    StoreQueue "store_queue" "store queue busy";
    WriteBuffer "write_buffer" "write-back or write-through buffer busy";
    Turnaround "turnaround" "bus changing direction";
    RowMiss "row_miss" "SDRAM row miss";
    CacheOperation "cache_operation" "cache instruction in the memory stage";
    Uncached "uncached" "uncached access";
    End "end" "end of the measurement";
}

impl Cause {
    /// True if the cause is in the memory system.
    #[must_use]
    pub fn is_memory(self) -> bool {
        self >= Cause::InstructionMiss && self < Cause::End
    }
}
