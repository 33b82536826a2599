! SPDX-License-Identifier: MIT OR Apache-2.0
! Code that is measured by a performance counter, and the measurement.
!
! Registers of the manual: PMCR1 FF000084, PMCTR1L FF100008 (docs/hardware/sh4.md, "Performance counters").

! u32 measure(const u32 arguments[4], void (*code)(void), u32 event): how often `event` happened in `code`, with the
! entry and the exit of a call. R4 to R7 are the arguments, R0 to R3 are 0, all FPU registers are 1.0, DRn are normal
! numbers. The code may change R0 to R7, MACH, MACL, FPUL, FPSCR and the FPU registers.
    .section .text.measure, "ax"
    .global measure
    .align  5
measure:
    .irp    n, 8, 9, 10, 11, 12, 13
    mov.l   r\n, @-r15
    .endr
    sts.l   pr, @-r15
    sts.l   fpscr, @-r15
    mov     r4, r0
    mov     r5, r8
    mov.l   counter_control, r9
    mov.l   counter_value, r10
    mov.l   counter_start, r11
    or      r6, r11
    mov     r6, r12
    mov.l   clean_fpscr, r1
    lds     r1, fpscr
    .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    fldi1   fr\n
    .endr
    frchg
    .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    fldi1   fr\n
    .endr
    frchg
    mov.l   @(0,r0), r4
    mov.l   @(4,r0), r5
    mov.l   @(8,r0), r6
    mov.l   @(12,r0), r7
    mov.w   r12, @r9
    mov.w   r11, @r9
    ! The bus becomes idle.
    mov     #100, r0
0:  dt      r0
    bf      0b
    mov     #0, r1
    mov     #0, r2
    mov     #0, r3
    clrt
    bra     1f
     nop
    .align  5
1:  mov.l   @r10, r12
    jsr     @r8
     nop
    mov.l   @r10, r13
    mov.w   counter_stop, r0
    and     r0, r11
    mov.w   r11, @r9
    mov     r13, r0
    sub     r12, r0
    lds.l   @r15+, fpscr
    lds.l   @r15+, pr
    .irp    n, 13, 12, 11, 10, 9
    mov.l   @r15+, r\n
    .endr
    rts
     mov.l  @r15+, r8
    .align  2
counter_control:    .long 0xFF000084
counter_value:      .long 0xFF100008
counter_start:      .long 0x0000C000
clean_fpscr:        .long 0x00040000
counter_stop:       .word 0x3F

! void prepare_caches(void): writes all dirty lines back; then both caches on, P1 copied back, no cache RAM, no index
! mode; the instruction cache empty. It runs from P2, where CCR may be written.
    .section .text.prepare_caches, "ax"
    .global prepare_caches
    .align  2
prepare_caches:
    mova    0f, r0
    mov.l   3f, r1
    or      r1, r0
    jmp     @r0
     nop
    .align  2
0:  mov.l   4f, r0
    mov.w   5f, r1
    mov     #0, r2
1:  mov.l   r2, @r0
    dt      r1
    bf/s    1b
     add    #32, r0
    mov.l   6f, r0
    mov.l   7f, r1
    mov.l   r1, @r0
    .rept   16
    nop
    .endr
    rts
     nop
    .align  2
3:  .long   0x20000000
4:  .long   0xF4000000
6:  .long   0xFF00001C
7:  .long   0x00000905
5:  .word   512

.macro code name
    .section .text.code_\name, "ax"
    .global code_\name
    .align  5
code_\name:
.endm
.macro ends
    rts
     nop
.endm
.macro nops count
    .rept   \count
    nop
    .endr
.endm

    code    empty
    ends

    code    fsrra
    .rept   16
    fsrra   fr0
    .endr
    ends

    code    fsca
    .rept   8
    fsca    fpul, dr0
    flds    fr0, fpul
    .endr
    ends

    code    fsca_busy
    .rept   4
    fsca    fpul, dr0
    fadd    fr8, fr9
    fsca    fpul, dr2
    fadd    fr10, fr11
    .endr
    ends

    code    ftrv
    .rept   8
    ftrv    xmtrx, fv0
    fmov    fr0, fr8
    nops    4
    .endr
    ends

    code    ftrv_vectors
    .rept   4
    .irp    n, 0, 4, 8, 12
    ftrv    xmtrx, fv\n
    .endr
    .endr
    ends

! FPSCR.PR = 1; `measure` restores it.
.macro double
    mov.l   9f, r0
    lds     r0, fpscr
    bra     8f
     nop
    .align  2
9:  .long   0x000C0000
    .align  5
8:
.endm

    code    fdiv_d
    double
    .rept   4
    fdiv    dr0, dr2
    fdiv    dr4, dr6
    .endr
    ends

    code    fsqrt_d
    double
    .rept   4
    fsqrt   dr0
    fsqrt   dr2
    .endr
    ends

! Double additions keep F1 for six cycles each: they meet the end of the division at one of six distances.
.macro tail name, instruction:vararg
    .irp    n, 0, 1, 2, 3, 4, 5
    code    \name\()_tail_\n
    double
    .rept   3
    \instruction
    nops    \n * 2
    fadd    dr4, dr6
    fadd    dr8, dr10
    fadd    dr4, dr6
    fadd    dr8, dr10
    fadd    dr4, dr6
    .endr
    ends
    .endr
.endm
    tail    fdiv_d, fdiv dr0, dr2
    tail    fsqrt_d, fsqrt dr0

    code    float
    .rept   8
    float   fpul, fr0
    fadd    fr4, fr5
    .endr
    ends

    code    lds_fpscr
    .rept   8
    lds.l   @r4+, fpscr
    sts     fpscr, r0
    .endr
    ends

    code    fsqrt_output
    .rept   4
    fsqrt   fr0
    fmov    fr1, fr0
    .endr
    ends

    code    fdiv_output
    .rept   4
    fdiv    fr2, fr0
    fmov    fr1, fr0
    .endr
    ends

    code    loop_even
    mov     #32, r0
    .align  2
0:  add     #1, r1
    dt      r0
    bf/s    0b
     nop
    ends

    code    loop_odd
    mov     #32, r0
    .align  2
    nop
0:  add     #1, r1
    dt      r0
    bf/s    0b
     nop
    ends

! The instruction at the odd halfword could issue with the next one.
    code    loop_odd_pair
    mov     #32, r0
    .align  2
    nop
0:  nop
    add     #1, r1
    dt      r0
    bf      0b
    ends

    code    slot
    .rept   16
    nop
    bra     0f
     nop
0:
    .endr
    ends

! R4: lines that hit, R6: another line that hits.
    code    ocbi
    .rept   8
    ocbi    @r4
    mov.l   @r6, r0
    add     #32, r4
    nops    6
    .endr
    ends

! R4: dirty lines, R7: a line that misses.
    code    ocbp
    .rept   4
    ocbp    @r4
    ocbi    @r7
    add     #32, r4
    nops    60
    .endr
    ends

    code    ocbwb_read
    .rept   4
    ocbwb   @r4
    nops    12
    mov.l   @r6, r0
    add     #32, r4
    nops    60
    .endr
    ends

! R4: lines that miss, R6: a line that hits.
    code    movca
    .rept   4
    movca.l r0, @r4
    mov.l   @r6, r1
    add     #32, r4
    nops    60
    .endr
    ends

! Lines from memory, and lines to memory by a store queue. R4: lines that miss, R5: a store queue.
.macro patterns name, read:vararg
    code    \name\()_rw
    .rept   8
    \read
    add     #32, r4
    pref    @r5
    .endr
    ends
    code    \name\()_rrww
    .rept   4
    .rept   2
    \read
    add     #32, r4
    .endr
    .rept   2
    pref    @r5
    .endr
    .endr
    ends
    code    \name\()_rrrrwwww
    .rept   2
    .rept   4
    \read
    add     #32, r4
    .endr
    .rept   4
    pref    @r5
    .endr
    .endr
    ends
.endm
    patterns bus_load, mov.l @r4, r0
    patterns bus_pref, pref @r4

    code    loads
    .rept   16
    mov.l   @r4, r0
    add     #32, r4
    .endr
    ends

    code    prefs
    .rept   16
    pref    @r4
    add     #32, r4
    .endr
    ends

! A store under a fill waits for it.
    code    store_in_fill
    .rept   8
    pref    @r4
    mov.l   r0, @r6
    add     #32, r4
    .endr
    ends

    code    hit_in_fill
    .rept   8
    pref    @r4
    mov.l   @r6, r0
    add     #32, r4
    .endr
    ends

! Each load evicts a line.
    code    stores
    .rept   16
    mov.l   r0, @r4
    add     #32, r4
    .endr
    ends

    code    alternate
    .rept   8
    mov.l   @r4, r0
    mov.l   @r6, r0
    .endr
    ends

    code    reads
    .rept   8
    mov.l   @r4, r0
    .endr
    ends

    code    writes
    .rept   8
    mov.l   r0, @r4
    .endr
    ends

    code    byte_reads
    .rept   8
    mov.b   @r4, r0
    .endr
    ends

! R5, R6: the store queues.
    code    queues
    .rept   4
    .irp    queue, 5, 6
    mov     r\queue, r0
    add     #32, r0
    mov.l   r1, @-r0
    mov.l   r1, @-r0
    mov.l   r1, @-r0
    mov.l   r1, @-r0
    mov.l   r1, @-r0
    mov.l   r1, @-r0
    mov.l   r1, @-r0
    mov.l   r1, @-r0
    pref    @r0
    .endr
    .endr
    ends

    code    traps
    .rept   4
    trapa   #1
    .endr
    ends

! R7 lines that miss, one after the other. R5: a timer's start register. An emulator that divides time into steps ends
! one where a timer starts.
    code    many
    mov.b   @r5, r1
    mov.b   r1, @r5
0:  mov.l   @r4, r0
    dt      r7
    bf/s    0b
     add    #32, r4
    mov.b   r1, @r5
    ends

! Pairs, single issues, a taken and an untaken branch, FPU instructions, loads, stores, a call, a trap.
    code    mixture
    sts     pr, r3
    nop
    add     #1, r1
    mov.l   @r4, r0
    mov.l   @(4,r4), r2
    mov.l   r2, @r4
    fadd    fr0, fr1
    fmul    fr2, fr3
    fmov    fr0, fr4
    bt      0f
    sett
    bt      0f
    nop
0:  bsr     1f
     nop
    lds     r3, pr
    ends
1:  rts
     nop

! The T bit is a source and a destination: DIV1, ADDC and SHLL in chains.
    code    div1
    .rept   16
    div1    r5, r4
    .endr
    ends

    code    mul
    .rept   8
    mul.l   r4, r5
    sts     macl, r4
    .endr
    ends

    code    mac
    clrmac
    .rept   8
    mac.l   @r4+, @r4+
    .endr
    sts     macl, r0
    ends

    code    load_use
    .rept   8
    mov.l   @r4, r0
    add     #1, r0
    .endr
    ends

    code    fdiv
    .rept   4
    fdiv    fr0, fr2
    fdiv    fr4, fr6
    .endr
    ends

    code    fsqrt
    .rept   4
    fsqrt   fr0
    fsqrt   fr2
    .endr
    ends

    code    fipr
    .rept   8
    fipr    fv0, fv4
    fmov    fr7, fr0
    .endr
    ends

    code    fmac
    .rept   8
    fmac    fr0, fr1, fr2
    .endr
    ends

    .section .note.GNU-stack, "", %progbits
