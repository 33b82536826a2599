//! The instruction set, one row an instruction. Decoding, disassembly and dispatch follow from it.
//!
//! Source: SH7750 manual, sections 7 (instruction set) and 8.3 (groups), and the SH-4A additions
//! FSRRA and FSCA which this chip has. The rows cover 59,001 of the 65,536 opcodes; only FPU rows
//! overlap, and FPSCR's SZ or PR picks one of the pair.

use crate::stop::Direction;

/// How instructions pair in the two-way pipeline (SH7750 manual, table 8.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// Moves and compares that pair with everything but CO.
    MT,
    /// One-step integer operations.
    EX,
    /// Branches by displacement.
    BR,
    /// Loads, stores and register moves of the FPU.
    LS,
    /// FPU arithmetic.
    FE,
    /// Instructions that issue alone.
    CO,
}

/// Which state of FPSCR makes a row valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Always.
    Any,
    /// PR = 0, single precision.
    Pr0,
    /// PR = 1, double precision.
    Pr1,
    /// SZ = 0, FMOV moves 32 bits.
    Sz0,
    /// SZ = 1, FMOV moves 64 bits.
    Sz1,
}

/// How the `i` or `d` bits of a pattern become the immediate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Immediate {
    /// There is none.
    None,
    /// 8 bits, sign extended.
    Signed,
    /// 8 bits, zero extended.
    Unsigned,
    /// Zero extended, in bytes.
    Disp1,
    /// Zero extended, times 2.
    Disp2,
    /// Zero extended, times 4.
    Disp4,
    /// The address PC + 4 + 2d.
    PcWord,
    /// The address (PC & ~3) + 4 + 4d.
    PcLong,
    /// The address PC + 4 + 2d, d of 8 bits, signed.
    Branch8,
    /// The address PC + 4 + 2d, d of 12 bits, signed.
    Branch12,
}

/// Properties that decoding and the run loop need, as a bit set.
pub mod flag {
    /// Nothing special.
    pub const PLAIN: u8 = 0;
    /// May continue elsewhere than at the next instruction.
    pub const BRANCH: u8 = 1;
    /// Has a delay slot.
    pub const DELAYED: u8 = 2;
    /// Returns control to the caller: TRAPA, SLEEP.
    pub const LAST: u8 = 4;
    /// May change what later opcodes mean (PR, SZ, FD, MD).
    pub const MODE: u8 = 8;
    /// Illegal in a delay slot.
    pub const NO_SLOT: u8 = 16;
    /// Illegal in user mode.
    pub const PRIVILEGED: u8 = 32;
    /// Needs SR.FD = 0.
    pub const FPU: u8 = 64;
    /// May write memory.
    pub const STORE: u8 = 128;
}

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Which one.
    pub id: Id,
    /// 16 characters, bit 15 first: `0`, `1`, or the letter of a field.
    pub pattern: &'static str,
    /// Mnemonic and operands as in the manual.
    pub syntax: &'static str,
    /// Pairing group.
    pub group: Group,
    /// Required FPSCR state.
    pub variant: Variant,
    /// Immediate form.
    pub immediate: Immediate,
    /// See [`flag`].
    pub flags: u8,
}

impl Row {
    /// Whether any bit of `flags` is set.
    #[must_use]
    pub const fn has(&self, flags: u8) -> bool {
        self.flags & flags != 0
    }

    /// How many data accesses it makes: one for each operand in memory, two where that is read and written.
    #[must_use]
    pub fn accesses(&self) -> usize {
        let operands = self.syntax.bytes().filter(|c| *c == b'@').count();
        match self.id {
            // What stands behind @ is where execution goes, or an address that is only computed.
            Id::mova_disp_pc_r0 => 0,
            _ if self.has(flag::BRANCH) => 0,
            Id::and_b_imm_idx_gbr | Id::or_b_imm_idx_gbr | Id::xor_b_imm_idx_gbr | Id::tas_b_at_rn => 2,
            _ => operands,
        }
    }

    /// What the access number `which` of those is: its bytes, and whether it reads or writes, as an observer is told of it.
    #[must_use]
    pub fn access(&self, which: usize) -> (u8, Direction) {
        let bytes = match self.syntax.split_whitespace().next() {
            Some(mnemonic) if mnemonic.ends_with(".b") => 1,
            Some(mnemonic) if mnemonic.ends_with(".w") => 2,
            Some(mnemonic) if mnemonic.ends_with(".d") => 8,
            Some(mnemonic) if mnemonic.contains('.') => 4,
            _ => 32,
        };
        let writes = match self.id {
            Id::pref_at_rn => false,
            Id::ocbi_at_rn | Id::ocbp_at_rn | Id::ocbwb_at_rn => true,
            // What is read and written is read first.
            _ => self.has(flag::STORE) && which + 1 == self.accesses(),
        };
        (bytes, if writes { Direction::Write } else { Direction::Read })
    }
}

/// Carries out a decoded operation and then, by a call in tail position, the others behind it. Returns how many
/// did not run to their end: not 0 if one left the block, and `Cpu::exit` then says why; after a store also
/// because it hit watched code.
///
/// Optimised, the calls are jumps, each instruction's own, which predict better than one jump for all. Where they
/// are calls, a block's length bounds their depth.
pub(crate) type Handler<B> = fn(&mut crate::Cpu, &mut B, &crate::decode::Op, &[crate::decode::Op]) -> usize;

/// The operations for one bus.
pub(crate) struct Handlers<B>(std::marker::PhantomData<B>);

macro_rules! instructions {
    ($($name:ident $pattern:literal $syntax:literal $group:ident $variant:ident $immediate:ident $($flag:ident)|+;)+) => {
        /// An instruction's name: that of the operation in `exec` which carries it out.
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Id {
            $(#[doc = $syntax] $name,)+
            /// Not an instruction: stands in a decoded block where executing means a fault.
            illegal,
            /// Not an instruction: BT over the operation behind it, which then runs or is taken back.
            skip_if_true,
            /// The same for BF.
            skip_if_false,
        }

        /// The instruction set. A row's position is its `id as usize`.
        pub const TABLE: &[Row] = &[$(Row {
            id: Id::$name,
            pattern: $pattern,
            syntax: $syntax,
            group: Group::$group,
            variant: Variant::$variant,
            immediate: Immediate::$immediate,
            flags: $(flag::$flag)|+,
        },)+];

        /// The operations behind one signature, so that a table can hold them.
        mod handlers {
            $(#[doc = $syntax] pub(super) fn $name<B: crate::Bus>(
                cpu: &mut crate::Cpu,
                bus: &mut B,
                op: &crate::decode::Op,
                behind: &[crate::decode::Op],
            ) -> usize {
                const STORES: bool = {
                    use super::flag;
                    ($(flag::$flag)|+) & flag::STORE != 0
                };
                match crate::exec::$name(cpu, bus, *op) {
                    Ok(()) if STORES && bus.code_epoch() != cpu.epoch => {
                        cpu.leave_with(crate::stop::Exit::CodeWritten);
                        behind.len() + 1
                    }
                    Ok(()) => super::Handlers::next(cpu, bus, behind),
                    Err(exit) => {
                        cpu.leave_with(exit);
                        behind.len() + 1
                    }
                }
            })+

            pub(super) fn illegal<B: crate::Bus>(
                cpu: &mut crate::Cpu,
                _: &mut B,
                op: &crate::decode::Op,
                behind: &[crate::decode::Op],
            ) -> usize {
                cpu.leave_with(crate::exec::illegal(*op));
                behind.len() + 1
            }

            /// Runs the operation behind, which only writes its register `n`, and takes that back if T is `WHEN`.
            pub(super) fn skip<B: crate::Bus, const WHEN: bool>(
                cpu: &mut crate::Cpu,
                bus: &mut B,
                _: &crate::decode::Op,
                behind: &[crate::decode::Op],
            ) -> usize {
                let Some((op, behind)) = behind.split_first() else {
                    return 0;
                };
                let before = cpu.r[op.n()];
                let skipped = u32::from(cpu.t == WHEN);
                super::Handlers::next(cpu, bus, std::slice::from_ref(op));
                bus.skipped(skipped);
                // Without a branch, which is the point.
                let changed = (cpu.r[op.n()] ^ before) & skipped.wrapping_sub(1);
                cpu.r[op.n()] = before ^ changed;
                cpu.skipped += skipped;
                super::Handlers::next(cpu, bus, behind)
            }
        }

        impl<B: crate::Bus> Handlers<B> {
            /// By `id as usize`; an operation that does not exist is illegal.
            pub(crate) const ALL: [Handler<B>; 256] = {
                let mut all = [handlers::illegal::<B> as Handler<B>; 256];
                $(all[Id::$name as usize] = handlers::$name::<B>;)+
                all[Id::skip_if_true as usize] = handlers::skip::<B, true>;
                all[Id::skip_if_false as usize] = handlers::skip::<B, false>;
                all
            };

            /// Runs `ops`; see [`Handler`].
            #[inline(always)]
            pub(crate) fn next(cpu: &mut crate::Cpu, bus: &mut B, ops: &[crate::decode::Op]) -> usize {
                let all = const { &Self::ALL };
                match ops.split_first() {
                    Some((op, behind)) => all[op.id as usize](cpu, bus, op, behind),
                    None => 0,
                }
            }
        }
    };
}

#[rustfmt::skip]
instructions! {
    mov_rm_rn             "0110nnnnmmmm0011" "mov Rm,Rn"                MT Any None     PLAIN;
    mov_imm_rn            "1110nnnniiiiiiii" "mov #imm,Rn"              EX Any Signed   PLAIN;
    mova_disp_pc_r0       "11000111dddddddd" "mova @(disp,PC),R0"       EX Any PcLong   NO_SLOT;
    mov_w_disp_pc_rn      "1001nnnndddddddd" "mov.w @(disp,PC),Rn"      LS Any PcWord   NO_SLOT;
    mov_l_disp_pc_rn      "1101nnnndddddddd" "mov.l @(disp,PC),Rn"      LS Any PcLong   NO_SLOT;
    mov_b_at_rm_rn        "0110nnnnmmmm0000" "mov.b @Rm,Rn"             LS Any None     PLAIN;
    mov_w_at_rm_rn        "0110nnnnmmmm0001" "mov.w @Rm,Rn"             LS Any None     PLAIN;
    mov_l_at_rm_rn        "0110nnnnmmmm0010" "mov.l @Rm,Rn"             LS Any None     PLAIN;
    mov_b_rm_at_rn        "0010nnnnmmmm0000" "mov.b Rm,@Rn"             LS Any None     STORE;
    mov_w_rm_at_rn        "0010nnnnmmmm0001" "mov.w Rm,@Rn"             LS Any None     STORE;
    mov_l_rm_at_rn        "0010nnnnmmmm0010" "mov.l Rm,@Rn"             LS Any None     STORE;
    mov_b_post_rm_rn      "0110nnnnmmmm0100" "mov.b @Rm+,Rn"            LS Any None     PLAIN;
    mov_w_post_rm_rn      "0110nnnnmmmm0101" "mov.w @Rm+,Rn"            LS Any None     PLAIN;
    mov_l_post_rm_rn      "0110nnnnmmmm0110" "mov.l @Rm+,Rn"            LS Any None     PLAIN;
    mov_b_rm_pre_rn       "0010nnnnmmmm0100" "mov.b Rm,@-Rn"            LS Any None     STORE;
    mov_w_rm_pre_rn       "0010nnnnmmmm0101" "mov.w Rm,@-Rn"            LS Any None     STORE;
    mov_l_rm_pre_rn       "0010nnnnmmmm0110" "mov.l Rm,@-Rn"            LS Any None     STORE;
    mov_b_disp_rm_r0      "10000100mmmmdddd" "mov.b @(disp,Rm),R0"      LS Any Disp1    PLAIN;
    mov_w_disp_rm_r0      "10000101mmmmdddd" "mov.w @(disp,Rm),R0"      LS Any Disp2    PLAIN;
    mov_l_disp_rm_rn      "0101nnnnmmmmdddd" "mov.l @(disp,Rm),Rn"      LS Any Disp4    PLAIN;
    mov_b_r0_disp_rn      "10000000nnnndddd" "mov.b R0,@(disp,Rn)"      LS Any Disp1    STORE;
    mov_w_r0_disp_rn      "10000001nnnndddd" "mov.w R0,@(disp,Rn)"      LS Any Disp2    STORE;
    mov_l_rm_disp_rn      "0001nnnnmmmmdddd" "mov.l Rm,@(disp,Rn)"      LS Any Disp4    STORE;
    mov_b_idx_rm_rn       "0000nnnnmmmm1100" "mov.b @(R0,Rm),Rn"        LS Any None     PLAIN;
    mov_w_idx_rm_rn       "0000nnnnmmmm1101" "mov.w @(R0,Rm),Rn"        LS Any None     PLAIN;
    mov_l_idx_rm_rn       "0000nnnnmmmm1110" "mov.l @(R0,Rm),Rn"        LS Any None     PLAIN;
    mov_b_rm_idx_rn       "0000nnnnmmmm0100" "mov.b Rm,@(R0,Rn)"        LS Any None     STORE;
    mov_w_rm_idx_rn       "0000nnnnmmmm0101" "mov.w Rm,@(R0,Rn)"        LS Any None     STORE;
    mov_l_rm_idx_rn       "0000nnnnmmmm0110" "mov.l Rm,@(R0,Rn)"        LS Any None     STORE;
    mov_b_disp_gbr_r0     "11000100dddddddd" "mov.b @(disp,GBR),R0"     LS Any Disp1    PLAIN;
    mov_w_disp_gbr_r0     "11000101dddddddd" "mov.w @(disp,GBR),R0"     LS Any Disp2    PLAIN;
    mov_l_disp_gbr_r0     "11000110dddddddd" "mov.l @(disp,GBR),R0"     LS Any Disp4    PLAIN;
    mov_b_r0_disp_gbr     "11000000dddddddd" "mov.b R0,@(disp,GBR)"     LS Any Disp1    STORE;
    mov_w_r0_disp_gbr     "11000001dddddddd" "mov.w R0,@(disp,GBR)"     LS Any Disp2    STORE;
    mov_l_r0_disp_gbr     "11000010dddddddd" "mov.l R0,@(disp,GBR)"     LS Any Disp4    STORE;
    movt_rn               "0000nnnn00101001" "movt Rn"                  EX Any None     PLAIN;
    swap_b_rm_rn          "0110nnnnmmmm1000" "swap.b Rm,Rn"             EX Any None     PLAIN;
    swap_w_rm_rn          "0110nnnnmmmm1001" "swap.w Rm,Rn"             EX Any None     PLAIN;
    xtrct_rm_rn           "0010nnnnmmmm1101" "xtrct Rm,Rn"              EX Any None     PLAIN;
    add_rm_rn             "0011nnnnmmmm1100" "add Rm,Rn"                EX Any None     PLAIN;
    add_imm_rn            "0111nnnniiiiiiii" "add #imm,Rn"              EX Any Signed   PLAIN;
    addc_rm_rn            "0011nnnnmmmm1110" "addc Rm,Rn"               EX Any None     PLAIN;
    addv_rm_rn            "0011nnnnmmmm1111" "addv Rm,Rn"               EX Any None     PLAIN;
    cmp_eq_imm_r0         "10001000iiiiiiii" "cmp/eq #imm,R0"           MT Any Signed   PLAIN;
    cmp_eq_rm_rn          "0011nnnnmmmm0000" "cmp/eq Rm,Rn"             MT Any None     PLAIN;
    cmp_hs_rm_rn          "0011nnnnmmmm0010" "cmp/hs Rm,Rn"             MT Any None     PLAIN;
    cmp_ge_rm_rn          "0011nnnnmmmm0011" "cmp/ge Rm,Rn"             MT Any None     PLAIN;
    cmp_hi_rm_rn          "0011nnnnmmmm0110" "cmp/hi Rm,Rn"             MT Any None     PLAIN;
    cmp_gt_rm_rn          "0011nnnnmmmm0111" "cmp/gt Rm,Rn"             MT Any None     PLAIN;
    cmp_pl_rn             "0100nnnn00010101" "cmp/pl Rn"                MT Any None     PLAIN;
    cmp_pz_rn             "0100nnnn00010001" "cmp/pz Rn"                MT Any None     PLAIN;
    cmp_str_rm_rn         "0010nnnnmmmm1100" "cmp/str Rm,Rn"            MT Any None     PLAIN;
    div0s_rm_rn           "0010nnnnmmmm0111" "div0s Rm,Rn"              EX Any None     PLAIN;
    div0u                 "0000000000011001" "div0u"                    EX Any None     PLAIN;
    div1_rm_rn            "0011nnnnmmmm0100" "div1 Rm,Rn"               EX Any None     PLAIN;
    dmuls_l_rm_rn         "0011nnnnmmmm1101" "dmuls.l Rm,Rn"            CO Any None     PLAIN;
    dmulu_l_rm_rn         "0011nnnnmmmm0101" "dmulu.l Rm,Rn"            CO Any None     PLAIN;
    dt_rn                 "0100nnnn00010000" "dt Rn"                    EX Any None     PLAIN;
    exts_b_rm_rn          "0110nnnnmmmm1110" "exts.b Rm,Rn"             EX Any None     PLAIN;
    exts_w_rm_rn          "0110nnnnmmmm1111" "exts.w Rm,Rn"             EX Any None     PLAIN;
    extu_b_rm_rn          "0110nnnnmmmm1100" "extu.b Rm,Rn"             EX Any None     PLAIN;
    extu_w_rm_rn          "0110nnnnmmmm1101" "extu.w Rm,Rn"             EX Any None     PLAIN;
    mac_l_post_rm_post_rn "0000nnnnmmmm1111" "mac.l @Rm+,@Rn+"          CO Any None     PLAIN;
    mac_w_post_rm_post_rn "0100nnnnmmmm1111" "mac.w @Rm+,@Rn+"          CO Any None     PLAIN;
    mul_l_rm_rn           "0000nnnnmmmm0111" "mul.l Rm,Rn"              CO Any None     PLAIN;
    muls_w_rm_rn          "0010nnnnmmmm1111" "muls.w Rm,Rn"             CO Any None     PLAIN;
    mulu_w_rm_rn          "0010nnnnmmmm1110" "mulu.w Rm,Rn"             CO Any None     PLAIN;
    neg_rm_rn             "0110nnnnmmmm1011" "neg Rm,Rn"                EX Any None     PLAIN;
    negc_rm_rn            "0110nnnnmmmm1010" "negc Rm,Rn"               EX Any None     PLAIN;
    sub_rm_rn             "0011nnnnmmmm1000" "sub Rm,Rn"                EX Any None     PLAIN;
    subc_rm_rn            "0011nnnnmmmm1010" "subc Rm,Rn"               EX Any None     PLAIN;
    subv_rm_rn            "0011nnnnmmmm1011" "subv Rm,Rn"               EX Any None     PLAIN;
    and_rm_rn             "0010nnnnmmmm1001" "and Rm,Rn"                EX Any None     PLAIN;
    and_imm_r0            "11001001iiiiiiii" "and #imm,R0"              EX Any Unsigned PLAIN;
    and_b_imm_idx_gbr     "11001101iiiiiiii" "and.b #imm,@(R0,GBR)"     CO Any Unsigned STORE;
    not_rm_rn             "0110nnnnmmmm0111" "not Rm,Rn"                EX Any None     PLAIN;
    or_rm_rn              "0010nnnnmmmm1011" "or Rm,Rn"                 EX Any None     PLAIN;
    or_imm_r0             "11001011iiiiiiii" "or #imm,R0"               EX Any Unsigned PLAIN;
    or_b_imm_idx_gbr      "11001111iiiiiiii" "or.b #imm,@(R0,GBR)"      CO Any Unsigned STORE;
    tas_b_at_rn           "0100nnnn00011011" "tas.b @Rn"                CO Any None     STORE;
    tst_rm_rn             "0010nnnnmmmm1000" "tst Rm,Rn"                MT Any None     PLAIN;
    tst_imm_r0            "11001000iiiiiiii" "tst #imm,R0"              MT Any Unsigned PLAIN;
    tst_b_imm_idx_gbr     "11001100iiiiiiii" "tst.b #imm,@(R0,GBR)"     CO Any Unsigned PLAIN;
    xor_rm_rn             "0010nnnnmmmm1010" "xor Rm,Rn"                EX Any None     PLAIN;
    xor_imm_r0            "11001010iiiiiiii" "xor #imm,R0"              EX Any Unsigned PLAIN;
    xor_b_imm_idx_gbr     "11001110iiiiiiii" "xor.b #imm,@(R0,GBR)"     CO Any Unsigned STORE;
    rotcl_rn              "0100nnnn00100100" "rotcl Rn"                 EX Any None     PLAIN;
    rotcr_rn              "0100nnnn00100101" "rotcr Rn"                 EX Any None     PLAIN;
    rotl_rn               "0100nnnn00000100" "rotl Rn"                  EX Any None     PLAIN;
    rotr_rn               "0100nnnn00000101" "rotr Rn"                  EX Any None     PLAIN;
    shad_rm_rn            "0100nnnnmmmm1100" "shad Rm,Rn"               EX Any None     PLAIN;
    shal_rn               "0100nnnn00100000" "shal Rn"                  EX Any None     PLAIN;
    shar_rn               "0100nnnn00100001" "shar Rn"                  EX Any None     PLAIN;
    shld_rm_rn            "0100nnnnmmmm1101" "shld Rm,Rn"               EX Any None     PLAIN;
    shll_rn               "0100nnnn00000000" "shll Rn"                  EX Any None     PLAIN;
    shll2_rn              "0100nnnn00001000" "shll2 Rn"                 EX Any None     PLAIN;
    shll8_rn              "0100nnnn00011000" "shll8 Rn"                 EX Any None     PLAIN;
    shll16_rn             "0100nnnn00101000" "shll16 Rn"                EX Any None     PLAIN;
    shlr_rn               "0100nnnn00000001" "shlr Rn"                  EX Any None     PLAIN;
    shlr2_rn              "0100nnnn00001001" "shlr2 Rn"                 EX Any None     PLAIN;
    shlr8_rn              "0100nnnn00011001" "shlr8 Rn"                 EX Any None     PLAIN;
    shlr16_rn             "0100nnnn00101001" "shlr16 Rn"                EX Any None     PLAIN;
    bf                    "10001011dddddddd" "bf label"                 BR Any Branch8  BRANCH|NO_SLOT;
    bf_s                  "10001111dddddddd" "bf/s label"               BR Any Branch8  BRANCH|DELAYED|NO_SLOT;
    bt                    "10001001dddddddd" "bt label"                 BR Any Branch8  BRANCH|NO_SLOT;
    bt_s                  "10001101dddddddd" "bt/s label"               BR Any Branch8  BRANCH|DELAYED|NO_SLOT;
    bra                   "1010dddddddddddd" "bra label"                BR Any Branch12 BRANCH|DELAYED|NO_SLOT;
    braf_rm               "0000mmmm00100011" "braf Rm"                  CO Any None     BRANCH|DELAYED|NO_SLOT;
    bsr                   "1011dddddddddddd" "bsr label"                BR Any Branch12 BRANCH|DELAYED|NO_SLOT;
    bsrf_rm               "0000mmmm00000011" "bsrf Rm"                  CO Any None     BRANCH|DELAYED|NO_SLOT;
    jmp_at_rm             "0100mmmm00101011" "jmp @Rm"                  CO Any None     BRANCH|DELAYED|NO_SLOT;
    jsr_at_rm             "0100mmmm00001011" "jsr @Rm"                  CO Any None     BRANCH|DELAYED|NO_SLOT;
    rts                   "0000000000001011" "rts"                      CO Any None     BRANCH|DELAYED|NO_SLOT;
    clrmac                "0000000000101000" "clrmac"                   CO Any None     PLAIN;
    clrs                  "0000000001001000" "clrs"                     CO Any None     PLAIN;
    clrt                  "0000000000001000" "clrt"                     MT Any None     PLAIN;
    ldc_rm_sr             "0100mmmm00001110" "ldc Rm,SR"                CO Any None     MODE|NO_SLOT|PRIVILEGED;
    ldc_l_post_rm_sr      "0100mmmm00000111" "ldc.l @Rm+,SR"            CO Any None     MODE|NO_SLOT|PRIVILEGED;
    ldc_rm_gbr            "0100mmmm00011110" "ldc Rm,GBR"               CO Any None     PLAIN;
    ldc_l_post_rm_gbr     "0100mmmm00010111" "ldc.l @Rm+,GBR"           CO Any None     PLAIN;
    ldc_rm_vbr            "0100mmmm00101110" "ldc Rm,VBR"               CO Any None     PRIVILEGED;
    ldc_l_post_rm_vbr     "0100mmmm00100111" "ldc.l @Rm+,VBR"           CO Any None     PRIVILEGED;
    ldc_rm_ssr            "0100mmmm00111110" "ldc Rm,SSR"               CO Any None     PRIVILEGED;
    ldc_l_post_rm_ssr     "0100mmmm00110111" "ldc.l @Rm+,SSR"           CO Any None     PRIVILEGED;
    ldc_rm_spc            "0100mmmm01001110" "ldc Rm,SPC"               CO Any None     PRIVILEGED;
    ldc_l_post_rm_spc     "0100mmmm01000111" "ldc.l @Rm+,SPC"           CO Any None     PRIVILEGED;
    ldc_rm_dbr            "0100mmmm11111010" "ldc Rm,DBR"               CO Any None     PRIVILEGED;
    ldc_l_post_rm_dbr     "0100mmmm11110110" "ldc.l @Rm+,DBR"           CO Any None     PRIVILEGED;
    ldc_rm_rn_bank        "0100mmmm1nnn1110" "ldc Rm,Rn_BANK"           CO Any None     PRIVILEGED;
    ldc_l_post_rm_rn_bank "0100mmmm1nnn0111" "ldc.l @Rm+,Rn_BANK"       CO Any None     PRIVILEGED;
    lds_rm_mach           "0100mmmm00001010" "lds Rm,MACH"              CO Any None     PLAIN;
    lds_l_post_rm_mach    "0100mmmm00000110" "lds.l @Rm+,MACH"          CO Any None     PLAIN;
    lds_rm_macl           "0100mmmm00011010" "lds Rm,MACL"              CO Any None     PLAIN;
    lds_l_post_rm_macl    "0100mmmm00010110" "lds.l @Rm+,MACL"          CO Any None     PLAIN;
    lds_rm_pr             "0100mmmm00101010" "lds Rm,PR"                CO Any None     PLAIN;
    lds_l_post_rm_pr      "0100mmmm00100110" "lds.l @Rm+,PR"            CO Any None     PLAIN;
    ldtlb                 "0000000000111000" "ldtlb"                    CO Any None     PRIVILEGED;
    movca_l_r0_at_rn      "0000nnnn11000011" "movca.l R0,@Rn"           LS Any None     STORE;
    nop                   "0000000000001001" "nop"                      MT Any None     PLAIN;
    ocbi_at_rn            "0000nnnn10010011" "ocbi @Rn"                 LS Any None     PLAIN;
    ocbp_at_rn            "0000nnnn10100011" "ocbp @Rn"                 LS Any None     PLAIN;
    ocbwb_at_rn           "0000nnnn10110011" "ocbwb @Rn"                LS Any None     PLAIN;
    pref_at_rn            "0000nnnn10000011" "pref @Rn"                 LS Any None     STORE;
    rte                   "0000000000101011" "rte"                      CO Any None     BRANCH|DELAYED|NO_SLOT|PRIVILEGED;
    sets                  "0000000001011000" "sets"                     CO Any None     PLAIN;
    sett                  "0000000000011000" "sett"                     MT Any None     PLAIN;
    sleep                 "0000000000011011" "sleep"                    CO Any None     LAST|PRIVILEGED;
    stc_sr_rn             "0000nnnn00000010" "stc SR,Rn"                CO Any None     PRIVILEGED;
    stc_l_sr_pre_rn       "0100nnnn00000011" "stc.l SR,@-Rn"            CO Any None     PRIVILEGED|STORE;
    stc_gbr_rn            "0000nnnn00010010" "stc GBR,Rn"               CO Any None     PLAIN;
    stc_l_gbr_pre_rn      "0100nnnn00010011" "stc.l GBR,@-Rn"           CO Any None     STORE;
    stc_vbr_rn            "0000nnnn00100010" "stc VBR,Rn"               CO Any None     PRIVILEGED;
    stc_l_vbr_pre_rn      "0100nnnn00100011" "stc.l VBR,@-Rn"           CO Any None     PRIVILEGED|STORE;
    stc_sgr_rn            "0000nnnn00111010" "stc SGR,Rn"               CO Any None     PRIVILEGED;
    stc_l_sgr_pre_rn      "0100nnnn00110010" "stc.l SGR,@-Rn"           CO Any None     PRIVILEGED|STORE;
    stc_ssr_rn            "0000nnnn00110010" "stc SSR,Rn"               CO Any None     PRIVILEGED;
    stc_l_ssr_pre_rn      "0100nnnn00110011" "stc.l SSR,@-Rn"           CO Any None     PRIVILEGED|STORE;
    stc_spc_rn            "0000nnnn01000010" "stc SPC,Rn"               CO Any None     PRIVILEGED;
    stc_l_spc_pre_rn      "0100nnnn01000011" "stc.l SPC,@-Rn"           CO Any None     PRIVILEGED|STORE;
    stc_dbr_rn            "0000nnnn11111010" "stc DBR,Rn"               CO Any None     PRIVILEGED;
    stc_l_dbr_pre_rn      "0100nnnn11110010" "stc.l DBR,@-Rn"           CO Any None     PRIVILEGED|STORE;
    stc_rm_bank_rn        "0000nnnn1mmm0010" "stc Rm_BANK,Rn"           CO Any None     PRIVILEGED;
    stc_l_rm_bank_pre_rn  "0100nnnn1mmm0011" "stc.l Rm_BANK,@-Rn"       CO Any None     PRIVILEGED|STORE;
    sts_mach_rn           "0000nnnn00001010" "sts MACH,Rn"              CO Any None     PLAIN;
    sts_l_mach_pre_rn     "0100nnnn00000010" "sts.l MACH,@-Rn"          CO Any None     STORE;
    sts_macl_rn           "0000nnnn00011010" "sts MACL,Rn"              CO Any None     PLAIN;
    sts_l_macl_pre_rn     "0100nnnn00010010" "sts.l MACL,@-Rn"          CO Any None     STORE;
    sts_pr_rn             "0000nnnn00101010" "sts PR,Rn"                CO Any None     PLAIN;
    sts_l_pr_pre_rn       "0100nnnn00100010" "sts.l PR,@-Rn"            CO Any None     STORE;
    trapa_imm             "11000011iiiiiiii" "trapa #imm"               CO Any Unsigned LAST|NO_SLOT;
    fmov_frm_frn          "1111nnnnmmmm1100" "fmov FRm,FRn"             LS Sz0 None     FPU;
    fmov_s_at_rm_frn      "1111nnnnmmmm1000" "fmov.s @Rm,FRn"           LS Sz0 None     FPU;
    fmov_s_frm_at_rn      "1111nnnnmmmm1010" "fmov.s FRm,@Rn"           LS Sz0 None     FPU|STORE;
    fmov_s_post_rm_frn    "1111nnnnmmmm1001" "fmov.s @Rm+,FRn"          LS Sz0 None     FPU;
    fmov_s_frm_pre_rn     "1111nnnnmmmm1011" "fmov.s FRm,@-Rn"          LS Sz0 None     FPU|STORE;
    fmov_s_idx_rm_frn     "1111nnnnmmmm0110" "fmov.s @(R0,Rm),FRn"      LS Sz0 None     FPU;
    fmov_s_frm_idx_rn     "1111nnnnmmmm0111" "fmov.s FRm,@(R0,Rn)"      LS Sz0 None     FPU|STORE;
    fmov_drm_drn          "1111nnn0mmm01100" "fmov DRm,DRn"             LS Sz1 None     FPU;
    fmov_drm_xdn          "1111nnn1mmm01100" "fmov DRm,XDn"             LS Sz1 None     FPU;
    fmov_xdm_drn          "1111nnn0mmm11100" "fmov XDm,DRn"             LS Sz1 None     FPU;
    fmov_xdm_xdn          "1111nnn1mmm11100" "fmov XDm,XDn"             LS Sz1 None     FPU;
    fmov_d_at_rm_drn      "1111nnn0mmmm1000" "fmov.d @Rm,DRn"           LS Sz1 None     FPU;
    fmov_d_at_rm_xdn      "1111nnn1mmmm1000" "fmov.d @Rm,XDn"           LS Sz1 None     FPU;
    fmov_d_drm_at_rn      "1111nnnnmmm01010" "fmov.d DRm,@Rn"           LS Sz1 None     FPU|STORE;
    fmov_d_xdm_at_rn      "1111nnnnmmm11010" "fmov.d XDm,@Rn"           LS Sz1 None     FPU|STORE;
    fmov_d_post_rm_drn    "1111nnn0mmmm1001" "fmov.d @Rm+,DRn"          LS Sz1 None     FPU;
    fmov_d_post_rm_xdn    "1111nnn1mmmm1001" "fmov.d @Rm+,XDn"          LS Sz1 None     FPU;
    fmov_d_drm_pre_rn     "1111nnnnmmm01011" "fmov.d DRm,@-Rn"          LS Sz1 None     FPU|STORE;
    fmov_d_xdm_pre_rn     "1111nnnnmmm11011" "fmov.d XDm,@-Rn"          LS Sz1 None     FPU|STORE;
    fmov_d_idx_rm_drn     "1111nnn0mmmm0110" "fmov.d @(R0,Rm),DRn"      LS Sz1 None     FPU;
    fmov_d_idx_rm_xdn     "1111nnn1mmmm0110" "fmov.d @(R0,Rm),XDn"      LS Sz1 None     FPU;
    fmov_d_drm_idx_rn     "1111nnnnmmm00111" "fmov.d DRm,@(R0,Rn)"      LS Sz1 None     FPU|STORE;
    fmov_d_xdm_idx_rn     "1111nnnnmmm10111" "fmov.d XDm,@(R0,Rn)"      LS Sz1 None     FPU|STORE;
    fldi0_frn             "1111nnnn10001101" "fldi0 FRn"                LS Pr0 None     FPU;
    fldi1_frn             "1111nnnn10011101" "fldi1 FRn"                LS Pr0 None     FPU;
    flds_frm_fpul         "1111mmmm00011101" "flds FRm,FPUL"            LS Any None     FPU;
    fsts_fpul_frn         "1111nnnn00001101" "fsts FPUL,FRn"            LS Any None     FPU;
    fabs_frn              "1111nnnn01011101" "fabs FRn"                 LS Pr0 None     FPU;
    fneg_frn              "1111nnnn01001101" "fneg FRn"                 LS Pr0 None     FPU;
    fadd_frm_frn          "1111nnnnmmmm0000" "fadd FRm,FRn"             FE Pr0 None     FPU;
    fsub_frm_frn          "1111nnnnmmmm0001" "fsub FRm,FRn"             FE Pr0 None     FPU;
    fmul_frm_frn          "1111nnnnmmmm0010" "fmul FRm,FRn"             FE Pr0 None     FPU;
    fmac_fr0_frm_frn      "1111nnnnmmmm1110" "fmac FR0,FRm,FRn"         FE Pr0 None     FPU;
    fdiv_frm_frn          "1111nnnnmmmm0011" "fdiv FRm,FRn"             FE Pr0 None     FPU;
    fsqrt_frn             "1111nnnn01101101" "fsqrt FRn"                FE Pr0 None     FPU;
    fcmp_eq_frm_frn       "1111nnnnmmmm0100" "fcmp/eq FRm,FRn"          FE Pr0 None     FPU;
    fcmp_gt_frm_frn       "1111nnnnmmmm0101" "fcmp/gt FRm,FRn"          FE Pr0 None     FPU;
    float_fpul_frn        "1111nnnn00101101" "float FPUL,FRn"           FE Pr0 None     FPU;
    ftrc_frm_fpul         "1111mmmm00111101" "ftrc FRm,FPUL"            FE Pr0 None     FPU;
    fipr_fvm_fvn          "1111nnmm11101101" "fipr FVm,FVn"             FE Pr0 None     FPU;
    ftrv_xmtrx_fvn        "1111nn0111111101" "ftrv XMTRX,FVn"           FE Pr0 None     FPU;
    fabs_drn              "1111nnn001011101" "fabs DRn"                 LS Pr1 None     FPU;
    fneg_drn              "1111nnn001001101" "fneg DRn"                 LS Pr1 None     FPU;
    fadd_drm_drn          "1111nnn0mmm00000" "fadd DRm,DRn"             FE Pr1 None     FPU;
    fsub_drm_drn          "1111nnn0mmm00001" "fsub DRm,DRn"             FE Pr1 None     FPU;
    fmul_drm_drn          "1111nnn0mmm00010" "fmul DRm,DRn"             FE Pr1 None     FPU;
    fdiv_drm_drn          "1111nnn0mmm00011" "fdiv DRm,DRn"             FE Pr1 None     FPU;
    fsqrt_drn             "1111nnn001101101" "fsqrt DRn"                FE Pr1 None     FPU;
    fcmp_eq_drm_drn       "1111nnn0mmm00100" "fcmp/eq DRm,DRn"          CO Pr1 None     FPU;
    fcmp_gt_drm_drn       "1111nnn0mmm00101" "fcmp/gt DRm,DRn"          CO Pr1 None     FPU;
    float_fpul_drn        "1111nnn000101101" "float FPUL,DRn"           FE Pr1 None     FPU;
    ftrc_drm_fpul         "1111mmm000111101" "ftrc DRm,FPUL"            FE Pr1 None     FPU;
    fcnvds_drm_fpul       "1111mmm010111101" "fcnvds DRm,FPUL"          FE Pr1 None     FPU;
    fcnvsd_fpul_drn       "1111nnn010101101" "fcnvsd FPUL,DRn"          FE Pr1 None     FPU;
    lds_rm_fpscr          "0100mmmm01101010" "lds Rm,FPSCR"             CO Any None     MODE|FPU;
    sts_fpscr_rn          "0000nnnn01101010" "sts FPSCR,Rn"             CO Any None     FPU;
    lds_l_post_rm_fpscr   "0100mmmm01100110" "lds.l @Rm+,FPSCR"         CO Any None     MODE|FPU;
    sts_l_fpscr_pre_rn    "0100nnnn01100010" "sts.l FPSCR,@-Rn"         CO Any None     FPU|STORE;
    lds_rm_fpul           "0100mmmm01011010" "lds Rm,FPUL"              LS Any None     FPU;
    sts_fpul_rn           "0000nnnn01011010" "sts FPUL,Rn"              LS Any None     FPU;
    lds_l_post_rm_fpul    "0100mmmm01010110" "lds.l @Rm+,FPUL"          CO Any None     FPU;
    sts_l_fpul_pre_rn     "0100nnnn01010010" "sts.l FPUL,@-Rn"          CO Any None     FPU|STORE;
    frchg                 "1111101111111101" "frchg"                    FE Pr0 None     FPU;
    fschg                 "1111001111111101" "fschg"                    FE Pr0 None     MODE|FPU;
    fsrra_frn             "1111nnnn01111101" "fsrra FRn"                FE Pr0 None     FPU;
    fsca_fpul_drn         "1111nnn011111101" "fsca FPUL,DRn"            FE Pr0 None     FPU;
}
