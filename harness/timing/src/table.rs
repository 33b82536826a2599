//! Timing table, one row per instruction: issue rate, execution pattern, latencies, registers, stage locks.
//!
//! Pairing groups are columns of [`sh4::table`]; all other instruction costs are here. Source: SH7750
//! hardware manual, table 8.3 and latencies 8.1 to 8.3. Numbers about which sources disagree are fields of
//! [`Parameters`](crate::Parameters); the table has their defaults.

use sh4::table::Id;

/// An operand. `n` and `m` are the fields of the opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the manual's")]
pub enum Operand {
    Rn,
    Rm,
    R0,
    FRn,
    FRm,
    FR0,
    DRn,
    DRm,
    XDm,
    /// FR\[n\]: the high word of DRn.
    DRnHigh,
    /// FR\[n+1\]: the low word, which arithmetic computes first.
    DRnLow,
    XDnHigh,
    XDnLow,
    FVn,
    FVm,
    /// FR\[n\] to FR\[n+3\], individually.
    V0,
    V1,
    V2,
    V3,
    Xmtrx,
    T,
    Fpul,
    /// FPSCR's cause and flag fields.
    Flags,
    /// FPSCR's mode bits.
    Mode,
    Mach,
    Macl,
    Pr,
    Gbr,
    /// SR without T.
    Sr,
    Vbr,
    Ssr,
    Spc,
    Sgr,
    Dbr,
    /// R0 to R7 of the other bank.
    Banked,
    /// Program counter. Its latency is the time of a taken branch, from issue to the target's fetch.
    Pc,
}

/// A pipeline stage that an instruction can lock, so that later instructions cannot enter it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Vector stage of FIPR and FTRV.
    F0,
    /// First stage of FPU arithmetic.
    F1,
    /// Divider and square root.
    F3,
    /// Address stage of instructions on control registers.
    SX,
    /// Memory access.
    MA,
}

/// A stage that blocks later instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lock {
    /// Locked stage.
    pub stage: Stage,
    /// First locked cycle; the instruction's first decode cycle is 1.
    pub start: u8,
    /// Length in cycles.
    pub cycles: u8,
}

/// Timing of one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstructionTiming {
    /// Instruction id.
    pub id: Id,
    /// Number of cycles in the decode stage.
    pub issue: u8,
    /// Execution pattern, 1 to 43 (figure 8.2).
    pub pattern: u8,
    /// Latencies in cycles, in the order of the manual: one for each written register, if the manual
    /// distinguishes them.
    pub latencies: &'static [u8],
    /// Registers that it reads.
    pub reads: &'static [Operand],
    /// Registers that it writes, with their index in `latencies`.
    pub writes: &'static [(Operand, u8)],
    /// Locked stages.
    pub locks: &'static [Lock],
}

macro_rules! timing {
    ($($id:ident $issue:literal $pattern:literal [$($figure:literal)*] [$($read:ident)*]
        [$($write:ident@$index:literal)*] [$($stage:ident:$start:literal:$cycles:literal)*];)+) => {
        /// Returns the timing of an instruction; `None` for [`Id::illegal`]. A missing row is a compile
        /// error.
        #[must_use]
        pub const fn timing(id: Id) -> Option<&'static InstructionTiming> {
            match id {
                $(Id::$id => Some(&InstructionTiming {
                    id: Id::$id,
                    issue: $issue,
                    pattern: $pattern,
                    latencies: &[$($figure),*],
                    reads: &[$(Operand::$read),*],
                    writes: &[$((Operand::$write, $index)),*],
                    locks: &[$(Lock { stage: Stage::$stage, start: $start, cycles: $cycles }),*],
                }),)+
                Id::skip_if_true => timing(Id::bt),
                Id::skip_if_false => timing(Id::bf),
                Id::illegal => None,
            }
        }
    };
}

// Columns: instruction, issue rate, pattern, latencies, reads, writes@latency, locks stage:start:cycles.
#[rustfmt::skip]
timing! {
    mov_rm_rn             1  1 [0]         [Rm]                 [Rn@0]                        [];
    mov_imm_rn            1  1 [1]         []                   [Rn@0]                        [];
    mova_disp_pc_r0       1  1 [1]         []                   [R0@0]                        [];
    mov_w_disp_pc_rn      1  2 [2]         []                   [Rn@0]                        [];
    mov_l_disp_pc_rn      1  2 [2]         []                   [Rn@0]                        [];
    mov_b_at_rm_rn        1  2 [2]         [Rm]                 [Rn@0]                        [];
    mov_w_at_rm_rn        1  2 [2]         [Rm]                 [Rn@0]                        [];
    mov_l_at_rm_rn        1  2 [2]         [Rm]                 [Rn@0]                        [];
    mov_b_rm_at_rn        1  2 [1]         [Rm Rn]              []                            [];
    mov_w_rm_at_rn        1  2 [1]         [Rm Rn]              []                            [];
    mov_l_rm_at_rn        1  2 [1]         [Rm Rn]              []                            [];
    mov_b_post_rm_rn      1  2 [1 2]       [Rm]                 [Rm@0 Rn@1]                   [];
    mov_w_post_rm_rn      1  2 [1 2]       [Rm]                 [Rm@0 Rn@1]                   [];
    mov_l_post_rm_rn      1  2 [1 2]       [Rm]                 [Rm@0 Rn@1]                   [];
    mov_b_rm_pre_rn       1  2 [1 1]       [Rm Rn]              [Rn@0]                        [];
    mov_w_rm_pre_rn       1  2 [1 1]       [Rm Rn]              [Rn@0]                        [];
    mov_l_rm_pre_rn       1  2 [1 1]       [Rm Rn]              [Rn@0]                        [];
    mov_b_disp_rm_r0      1  2 [2]         [Rm]                 [R0@0]                        [];
    mov_w_disp_rm_r0      1  2 [2]         [Rm]                 [R0@0]                        [];
    mov_l_disp_rm_rn      1  2 [2]         [Rm]                 [Rn@0]                        [];
    mov_b_r0_disp_rn      1  2 [1]         [R0 Rn]              []                            [];
    mov_w_r0_disp_rn      1  2 [1]         [R0 Rn]              []                            [];
    mov_l_rm_disp_rn      1  2 [1]         [Rm Rn]              []                            [];
    mov_b_idx_rm_rn       1  2 [2]         [R0 Rm]              [Rn@0]                        [];
    mov_w_idx_rm_rn       1  2 [2]         [R0 Rm]              [Rn@0]                        [];
    mov_l_idx_rm_rn       1  2 [2]         [R0 Rm]              [Rn@0]                        [];
    mov_b_rm_idx_rn       1  2 [1]         [Rm R0 Rn]           []                            [];
    mov_w_rm_idx_rn       1  2 [1]         [Rm R0 Rn]           []                            [];
    mov_l_rm_idx_rn       1  2 [1]         [Rm R0 Rn]           []                            [];
    mov_b_disp_gbr_r0     1  3 [2]         [Gbr]                [R0@0]                        [];
    mov_w_disp_gbr_r0     1  3 [2]         [Gbr]                [R0@0]                        [];
    mov_l_disp_gbr_r0     1  3 [2]         [Gbr]                [R0@0]                        [];
    mov_b_r0_disp_gbr     1  3 [1]         [R0 Gbr]             []                            [];
    mov_w_r0_disp_gbr     1  3 [1]         [R0 Gbr]             []                            [];
    mov_l_r0_disp_gbr     1  3 [1]         [R0 Gbr]             []                            [];
    movt_rn               1  1 [1]         [T]                  [Rn@0]                        [];
    swap_b_rm_rn          1  1 [1]         [Rm]                 [Rn@0]                        [];
    swap_w_rm_rn          1  1 [1]         [Rm]                 [Rn@0]                        [];
    xtrct_rm_rn           1  1 [1]         [Rm Rn]              [Rn@0]                        [];
    add_rm_rn             1  1 [1]         [Rm Rn]              [Rn@0]                        [];
    add_imm_rn            1  1 [1]         [Rn]                 [Rn@0]                        [];
    addc_rm_rn            1  1 [1]         [Rm Rn T]            [Rn@0 T@0]                    [];
    addv_rm_rn            1  1 [1]         [Rm Rn]              [Rn@0 T@0]                    [];
    cmp_eq_imm_r0         1  1 [1]         [R0]                 [T@0]                         [];
    cmp_eq_rm_rn          1  1 [1]         [Rm Rn]              [T@0]                         [];
    cmp_hs_rm_rn          1  1 [1]         [Rm Rn]              [T@0]                         [];
    cmp_ge_rm_rn          1  1 [1]         [Rm Rn]              [T@0]                         [];
    cmp_hi_rm_rn          1  1 [1]         [Rm Rn]              [T@0]                         [];
    cmp_gt_rm_rn          1  1 [1]         [Rm Rn]              [T@0]                         [];
    cmp_pl_rn             1  1 [1]         [Rn]                 [T@0]                         [];
    cmp_pz_rn             1  1 [1]         [Rn]                 [T@0]                         [];
    cmp_str_rm_rn         1  1 [1]         [Rm Rn]              [T@0]                         [];
    div0s_rm_rn           1  1 [1]         [Rm Rn]              [T@0 Sr@0]                    [];
    div0u                 1  1 [1]         []                   [T@0 Sr@0]                    [];
    div1_rm_rn            1  1 [1]         [Rm Rn T Sr]         [Rn@0 T@0 Sr@0]               [];
    dmuls_l_rm_rn         2 34 [4 4]       [Rm Rn]              [Mach@0 Macl@1]               [F1:4:2];
    dmulu_l_rm_rn         2 34 [4 4]       [Rm Rn]              [Mach@0 Macl@1]               [F1:4:2];
    dt_rn                 1  1 [1]         [Rn]                 [Rn@0 T@0]                    [];
    exts_b_rm_rn          1  1 [1]         [Rm]                 [Rn@0]                        [];
    exts_w_rm_rn          1  1 [1]         [Rm]                 [Rn@0]                        [];
    extu_b_rm_rn          1  1 [1]         [Rm]                 [Rn@0]                        [];
    extu_w_rm_rn          1  1 [1]         [Rm]                 [Rn@0]                        [];
    mac_l_post_rm_post_rn 2 35 [2 2 4 4]   [Rm Rn Mach Macl Sr] [Rm@0 Rn@1 Mach@2 Macl@3]     [F1:4:2];
    mac_w_post_rm_post_rn 2 35 [2 2 4 4]   [Rm Rn Mach Macl Sr] [Rm@0 Rn@1 Mach@2 Macl@3]     [F1:4:2];
    mul_l_rm_rn           2 34 [4 4]       [Rm Rn]              [Macl@1]                      [F1:4:2];
    muls_w_rm_rn          2 34 [4 4]       [Rm Rn]              [Macl@1]                      [F1:4:2];
    mulu_w_rm_rn          2 34 [4 4]       [Rm Rn]              [Macl@1]                      [F1:4:2];
    neg_rm_rn             1  1 [1]         [Rm]                 [Rn@0]                        [];
    negc_rm_rn            1  1 [1]         [Rm T]               [Rn@0 T@0]                    [];
    sub_rm_rn             1  1 [1]         [Rm Rn]              [Rn@0]                        [];
    subc_rm_rn            1  1 [1]         [Rm Rn T]            [Rn@0 T@0]                    [];
    subv_rm_rn            1  1 [1]         [Rm Rn]              [Rn@0 T@0]                    [];
    and_rm_rn             1  1 [1]         [Rm Rn]              [Rn@0]                        [];
    and_imm_r0            1  1 [1]         [R0]                 [R0@0]                        [];
    and_b_imm_idx_gbr     4  6 [4]         [R0 Gbr]             []                            [];
    not_rm_rn             1  1 [1]         [Rm]                 [Rn@0]                        [];
    or_rm_rn              1  1 [1]         [Rm Rn]              [Rn@0]                        [];
    or_imm_r0             1  1 [1]         [R0]                 [R0@0]                        [];
    or_b_imm_idx_gbr      4  6 [4]         [R0 Gbr]             []                            [];
    tas_b_at_rn           5  7 [5]         [Rn]                 [T@0]                         [];
    tst_rm_rn             1  1 [1]         [Rm Rn]              [T@0]                         [];
    tst_imm_r0            1  1 [1]         [R0]                 [T@0]                         [];
    tst_b_imm_idx_gbr     3  5 [3]         [R0 Gbr]             [T@0]                         [];
    xor_rm_rn             1  1 [1]         [Rm Rn]              [Rn@0]                        [];
    xor_imm_r0            1  1 [1]         [R0]                 [R0@0]                        [];
    xor_b_imm_idx_gbr     4  6 [4]         [R0 Gbr]             []                            [];
    rotcl_rn              1  1 [1]         [Rn T]               [Rn@0 T@0]                    [];
    rotcr_rn              1  1 [1]         [Rn T]               [Rn@0 T@0]                    [];
    rotl_rn               1  1 [1]         [Rn]                 [Rn@0 T@0]                    [];
    rotr_rn               1  1 [1]         [Rn]                 [Rn@0 T@0]                    [];
    shad_rm_rn            1  1 [1]         [Rm Rn]              [Rn@0]                        [];
    shal_rn               1  1 [1]         [Rn]                 [Rn@0 T@0]                    [];
    shar_rn               1  1 [1]         [Rn]                 [Rn@0 T@0]                    [];
    shld_rm_rn            1  1 [1]         [Rm Rn]              [Rn@0]                        [];
    shll_rn               1  1 [1]         [Rn]                 [Rn@0 T@0]                    [];
    shll2_rn              1  1 [1]         [Rn]                 [Rn@0]                        [];
    shll8_rn              1  1 [1]         [Rn]                 [Rn@0]                        [];
    shll16_rn             1  1 [1]         [Rn]                 [Rn@0]                        [];
    shlr_rn               1  1 [1]         [Rn]                 [Rn@0 T@0]                    [];
    shlr2_rn              1  1 [1]         [Rn]                 [Rn@0]                        [];
    shlr8_rn              1  1 [1]         [Rn]                 [Rn@0]                        [];
    shlr16_rn             1  1 [1]         [Rn]                 [Rn@0]                        [];
    bf                    1  1 [2]         [T]                  [Pc@0]                        [];
    bf_s                  1  1 [2]         [T]                  [Pc@0]                        [];
    bt                    1  1 [2]         [T]                  [Pc@0]                        [];
    bt_s                  1  1 [2]         [T]                  [Pc@0]                        [];
    bra                   1  1 [2]         []                   [Pc@0]                        [];
    braf_rm               2  4 [3]         [Rm]                 [Pc@0]                        [];
    bsr                   1 14 [2]         []                   [Pc@0 Pr@0]                   [SX:3:2];
    bsrf_rm               2 24 [3]         [Rm]                 [Pc@0 Pr@0]                   [SX:3:2];
    jmp_at_rm             2  4 [3]         [Rm]                 [Pc@0]                        [];
    jsr_at_rm             2 24 [3]         [Rm]                 [Pc@0 Pr@0]                   [SX:3:2];
    rts                   2  4 [3]         [Pr]                 [Pc@0]                        [];
    clrmac                1 28 [3]         []                   [Mach@0 Macl@0]               [F1:3:2];
    clrs                  1  1 [1]         []                   [Sr@0]                        [];
    clrt                  1  1 [1]         []                   [T@0]                         [];
    ldc_rm_sr             4 16 [4]         [Rm]                 [Sr@0 T@0]                    [SX:3:2];
    ldc_l_post_rm_sr      4 19 [4 4]       [Rm]                 [Rm@0 Sr@1 T@1]               [SX:3:2];
    ldc_rm_gbr            3 15 [3]         [Rm]                 [Gbr@0]                       [SX:3:2];
    ldc_l_post_rm_gbr     3 18 [3 3]       [Rm]                 [Rm@0 Gbr@1]                  [SX:3:2];
    ldc_rm_vbr            1 14 [3]         [Rm]                 [Vbr@0]                       [SX:3:2];
    ldc_l_post_rm_vbr     1 17 [1 3]       [Rm]                 [Rm@0 Vbr@1]                  [SX:3:2];
    ldc_rm_ssr            1 14 [3]         [Rm]                 [Ssr@0]                       [SX:3:2];
    ldc_l_post_rm_ssr     1 17 [1 3]       [Rm]                 [Rm@0 Ssr@1]                  [SX:3:2];
    ldc_rm_spc            1 14 [3]         [Rm]                 [Spc@0]                       [SX:3:2];
    ldc_l_post_rm_spc     1 17 [1 3]       [Rm]                 [Rm@0 Spc@1]                  [SX:3:2];
    ldc_rm_dbr            1 14 [3]         [Rm]                 [Dbr@0]                       [SX:3:2];
    ldc_l_post_rm_dbr     1 17 [1 3]       [Rm]                 [Rm@0 Dbr@1]                  [SX:3:2];
    ldc_rm_rn_bank        1 14 [3]         [Rm]                 [Banked@0]                    [SX:3:2];
    ldc_l_post_rm_rn_bank 1 17 [1 3]       [Rm]                 [Rm@0 Banked@1]               [SX:3:2];
    lds_rm_mach           1 28 [3]         [Rm]                 [Mach@0]                      [F1:3:2];
    lds_l_post_rm_mach    1 29 [1 3]       [Rm]                 [Rm@0 Mach@1]                 [F1:3:2];
    lds_rm_macl           1 28 [3]         [Rm]                 [Macl@0]                      [F1:3:2];
    lds_l_post_rm_macl    1 29 [1 3]       [Rm]                 [Rm@0 Macl@1]                 [F1:3:2];
    lds_rm_pr             2 24 [3]         [Rm]                 [Pr@0]                        [SX:3:2];
    lds_l_post_rm_pr      2 25 [2 3]       [Rm]                 [Rm@0 Pr@1]                   [SX:3:2];
    ldtlb                 1  2 [1]         []                   []                            [];
    movca_l_r0_at_rn      1 12 [3]         [R0 Rn]              []                            [MA:4:3];
    nop                   1  1 [0]         []                   []                            [];
    ocbi_at_rn            1 10 [1]         [Rn]                 []                            [MA:4:1];
    ocbp_at_rn            1 11 [1]         [Rn]                 []                            [MA:4:1];
    ocbwb_at_rn           1 11 [1]         [Rn]                 []                            [MA:4:1];
    pref_at_rn            1  2 [1]         [Rn]                 []                            [];
    rte                   5  8 [5]         [Ssr Spc]            [Pc@0 Sr@0 T@0]               [];
    sets                  1  1 [1]         []                   [Sr@0]                        [];
    sett                  1  1 [1]         []                   [T@0]                         [];
    sleep                 4  9 [4]         []                   []                            [];
    stc_sr_rn             2 20 [2]         [Sr T]               [Rn@0]                        [];
    stc_l_sr_pre_rn       2 22 [2 2]       [Sr T Rn]            [Rn@0]                        [];
    stc_gbr_rn            2 20 [2]         [Gbr]                [Rn@0]                        [];
    stc_l_gbr_pre_rn      2 22 [2 2]       [Gbr Rn]             [Rn@0]                        [];
    stc_vbr_rn            2 20 [2]         [Vbr]                [Rn@0]                        [];
    stc_l_vbr_pre_rn      2 22 [2 2]       [Vbr Rn]             [Rn@0]                        [];
    stc_sgr_rn            3 21 [3]         [Sgr]                [Rn@0]                        [];
    stc_l_sgr_pre_rn      3 23 [3 3]       [Sgr Rn]             [Rn@0]                        [];
    stc_ssr_rn            2 20 [2]         [Ssr]                [Rn@0]                        [];
    stc_l_ssr_pre_rn      2 22 [2 2]       [Ssr Rn]             [Rn@0]                        [];
    stc_spc_rn            2 20 [2]         [Spc]                [Rn@0]                        [];
    stc_l_spc_pre_rn      2 22 [2 2]       [Spc Rn]             [Rn@0]                        [];
    stc_dbr_rn            2 20 [2]         [Dbr]                [Rn@0]                        [];
    stc_l_dbr_pre_rn      2 22 [2 2]       [Dbr Rn]             [Rn@0]                        [];
    stc_rm_bank_rn        2 20 [2]         [Banked]             [Rn@0]                        [];
    stc_l_rm_bank_pre_rn  2 22 [2 2]       [Banked Rn]          [Rn@0]                        [];
    sts_mach_rn           1 30 [3]         [Mach]               [Rn@0]                        [];
    sts_l_mach_pre_rn     1 31 [1 1]       [Mach Rn]            [Rn@0]                        [];
    sts_macl_rn           1 30 [3]         [Macl]               [Rn@0]                        [];
    sts_l_macl_pre_rn     1 31 [1 1]       [Macl Rn]            [Rn@0]                        [];
    sts_pr_rn             2 26 [2]         [Pr]                 [Rn@0]                        [];
    sts_l_pr_pre_rn       2 27 [2 2]       [Pr Rn]              [Rn@0]                        [];
    trapa_imm             7 13 [7]         []                   []                            [];
    fmov_frm_frn          1  1 [0]         [FRm Mode]           [FRn@0]                       [];
    fmov_s_at_rm_frn      1  2 [2]         [Rm Mode]            [FRn@0]                       [];
    fmov_s_frm_at_rn      1  2 [1]         [FRm Rn Mode]        []                            [];
    fmov_s_post_rm_frn    1  2 [1 2]       [Rm Mode]            [Rm@0 FRn@1]                  [];
    fmov_s_frm_pre_rn     1  2 [1 1]       [FRm Rn Mode]        [Rn@0]                        [];
    fmov_s_idx_rm_frn     1  2 [2]         [R0 Rm Mode]         [FRn@0]                       [];
    fmov_s_frm_idx_rn     1  2 [1]         [FRm R0 Rn Mode]     []                            [];
    fmov_drm_drn          1  1 [0]         [DRm Mode]           [DRnLow@0 DRnHigh@0]          [];
    fmov_drm_xdn          1  1 [0]         [DRm Mode]           [XDnLow@0 XDnHigh@0]          [];
    fmov_xdm_drn          1  1 [0]         [XDm Mode]           [DRnLow@0 DRnHigh@0]          [];
    fmov_xdm_xdn          1  1 [0]         [XDm Mode]           [XDnLow@0 XDnHigh@0]          [];
    fmov_d_at_rm_drn      1  2 [2]         [Rm Mode]            [DRnLow@0 DRnHigh@0]          [];
    fmov_d_at_rm_xdn      1  2 [2]         [Rm Mode]            [XDnLow@0 XDnHigh@0]          [];
    fmov_d_drm_at_rn      1  2 [1]         [DRm Rn Mode]        []                            [];
    fmov_d_xdm_at_rn      1  2 [1]         [XDm Rn Mode]        []                            [];
    fmov_d_post_rm_drn    1  2 [1 2]       [Rm Mode]            [Rm@0 DRnLow@1 DRnHigh@1]     [];
    fmov_d_post_rm_xdn    1  2 [1 2]       [Rm Mode]            [Rm@0 XDnLow@1 XDnHigh@1]     [];
    fmov_d_drm_pre_rn     1  2 [1 1]       [DRm Rn Mode]        [Rn@0]                        [];
    fmov_d_xdm_pre_rn     1  2 [1 1]       [XDm Rn Mode]        [Rn@0]                        [];
    fmov_d_idx_rm_drn     1  2 [2]         [R0 Rm Mode]         [DRnLow@0 DRnHigh@0]          [];
    fmov_d_idx_rm_xdn     1  2 [2]         [R0 Rm Mode]         [XDnLow@0 XDnHigh@0]          [];
    fmov_d_drm_idx_rn     1  2 [1]         [DRm R0 Rn Mode]     []                            [];
    fmov_d_xdm_idx_rn     1  2 [1]         [XDm R0 Rn Mode]     []                            [];
    fldi0_frn             1  1 [0]         [Mode]               [FRn@0]                       [];
    fldi1_frn             1  1 [0]         [Mode]               [FRn@0]                       [];
    flds_frm_fpul         1  1 [0]         [FRm Mode]           [Fpul@0]                      [];
    fsts_fpul_frn         1  1 [0]         [Fpul Mode]          [FRn@0]                       [];
    fabs_frn              1  1 [0]         [FRn Mode]           [FRn@0]                       [];
    fneg_frn              1  1 [0]         [FRn Mode]           [FRn@0]                       [];
    fadd_frm_frn          1 36 [3 4]       [FRm FRn Mode]       [FRn@0 Flags@1]               [];
    fsub_frm_frn          1 36 [3 4]       [FRm FRn Mode]       [FRn@0 Flags@1]               [];
    fmul_frm_frn          1 36 [3 4]       [FRm FRn Mode]       [FRn@0 Flags@1]               [];
    fmac_fr0_frm_frn      1 36 [3 4]       [FR0 FRm FRn Mode]   [FRn@0 Flags@1]               [];
    fdiv_frm_frn 1 37 [12 13] [FRm FRn Mode] [FRn@0 Flags@1] [F3:2:10 F1:11:1];
    fsqrt_frn 1 37 [11 12] [FRn Mode] [FRn@0 Flags@1] [F3:2:9 F1:10:1];
    fcmp_eq_frm_frn       1 36 [2 4]       [FRm FRn Mode]       [T@0 Flags@1]                 [];
    fcmp_gt_frm_frn       1 36 [2 4]       [FRm FRn Mode]       [T@0 Flags@1]                 [];
    float_fpul_frn        1 36 [3 4]       [Fpul Mode]          [FRn@0 Flags@1]               [];
    ftrc_frm_fpul         1 36 [3 4]       [FRm Mode]           [Fpul@0 Flags@1]              [];
    fipr_fvm_fvn          1 42 [4 5]       [FVm FVn Mode]       [V3@0 Flags@1]                [F1:3:1];
    ftrv_xmtrx_fvn        1 43 [5 5 6 7 8] [Xmtrx FVn Mode]     [V0@0 V1@1 V2@2 V3@3 Flags@4] [F0:2:4 F1:3:4];
    fabs_drn              1  1 [0]         [DRn Mode]           [DRnLow@0 DRnHigh@0]          [];
    fneg_drn              1  1 [0]         [DRn Mode]           [DRnLow@0 DRnHigh@0]          [];
    fadd_drm_drn          1 39 [7 8 9]     [DRm DRn Mode]       [DRnLow@0 DRnHigh@1 Flags@2]  [F1:2:6];
    fsub_drm_drn          1 39 [7 8 9]     [DRm DRn Mode]       [DRnLow@0 DRnHigh@1 Flags@2]  [F1:2:6];
    fmul_drm_drn          1 39 [7 8 9]     [DRm DRn Mode]       [DRnLow@0 DRnHigh@1 Flags@2]  [F1:2:6];
    fdiv_drm_drn 1 41 [24 25 26] [DRm DRn Mode] [DRnLow@0 DRnHigh@1 Flags@2] [F1:2:2 F3:2:22 F1:21:3];
    fsqrt_drn 1 41 [23 24 25] [DRn Mode] [DRnLow@0 DRnHigh@1 Flags@2] [F1:2:2 F3:2:21 F1:20:3];
    fcmp_eq_drm_drn       2 40 [3 5]       [DRm DRn Mode]       [T@0 Flags@1]                 [F1:2:2];
    fcmp_gt_drm_drn       2 40 [3 5]       [DRm DRn Mode]       [T@0 Flags@1]                 [F1:2:2];
    float_fpul_drn        1 38 [3 4 5]     [Fpul Mode]          [DRnLow@0 DRnHigh@1 Flags@2]  [F1:2:2];
    ftrc_drm_fpul         1 38 [4 5]       [DRm Mode]           [Fpul@0 Flags@1]              [F1:2:2];
    fcnvds_drm_fpul       1 38 [4 5]       [DRm Mode]           [Fpul@0 Flags@1]              [F1:2:2];
    fcnvsd_fpul_drn       1 38 [3 4 5]     [Fpul Mode]          [DRnLow@0 DRnHigh@1 Flags@2]  [F1:2:2];
    lds_rm_fpscr          1 32 [4]         [Rm]                 [Flags@0 Mode@0]              [F1:3:3];
    sts_fpscr_rn          1  1 [3]         [Flags Mode]         [Rn@0]                        [];
    lds_l_post_rm_fpscr   1 33 [1 4]       [Rm]                 [Rm@0 Flags@1 Mode@1]         [F1:3:3];
    sts_l_fpscr_pre_rn    1  2 [1 1]       [Flags Mode Rn]      [Rn@0]                        [];
    lds_rm_fpul           1  1 [1]         [Rm]                 [Fpul@0]                      [];
    sts_fpul_rn           1  1 [3]         [Fpul]               [Rn@0]                        [];
    lds_l_post_rm_fpul    1  2 [1 2]       [Rm]                 [Rm@0 Fpul@1]                 [];
    sts_l_fpul_pre_rn     1  2 [1 1]       [Fpul Rn]            [Rn@0]                        [];
    frchg                 1 36 [1 4]       [Mode]               [Mode@0 Flags@1]              [];
    fschg                 1 36 [1 4]       [Mode]               [Mode@0 Flags@1]              [];
    fsrra_frn             1 36 [4 5]       [FRn Mode]           [FRn@0 Flags@1]               [];
    fsca_fpul_drn         1 36 [3 4]       [Fpul Mode]          [DRnLow@0 DRnHigh@0 Flags@1]  [];
}
