! SPDX-License-Identifier: MIT OR Apache-2.0
! Single instructions with given operands and a given FPSCR, for the experiments in C. C code uses no FPU.
!
! Each function restores FPSCR. An FPU exception in between is skipped by the handler of truth.c.

! u32 step_NAME(u32 a, u32 fpscr, u32 *fpscr_after): FR0 = a; the instruction; result: FR0.
.macro unary name, instruction:vararg
    .section .text.step_\name, "ax"
    .global step_\name
    .align  2
step_\name:
    sts     fpscr, r1
    lds     r4, fpul
    fsts    fpul, fr0
    lds     r5, fpscr
    \instruction
    sts     fpscr, r2
    lds     r1, fpscr
    flds    fr0, fpul
    mov.l   r2, @r6
    rts
     sts    fpul, r0
.endm

! u32 step_NAME(u32 a, u32 b, u32 fpscr, u32 *fpscr_after): FR0 = a, FR1 = b; the instruction; result: FR1.
.macro binary name, instruction:vararg
    .section .text.step_\name, "ax"
    .global step_\name
    .align  2
step_\name:
    sts     fpscr, r1
    lds     r4, fpul
    fsts    fpul, fr0
    lds     r5, fpul
    fsts    fpul, fr1
    lds     r6, fpscr
    \instruction
    sts     fpscr, r2
    lds     r1, fpscr
    flds    fr1, fpul
    mov.l   r2, @r7
    rts
     sts    fpul, r0
.endm

    unary   fsrra, fsrra fr0
    unary   fsqrt, fsqrt fr0
    ! The high half of DR0 changes its sign if FPSCR.PR = 1 and the chip takes the even register.
    binary  fneg_odd, fneg fr1
    binary  fadd, fadd fr0, fr1
    binary  fsub, fsub fr0, fr1
    binary  fmul, fmul fr0, fr1
    binary  fdiv, fdiv fr0, fr1
    binary  fmac, fmac fr0, fr1, fr1
    binary  fschg, fschg

! u32 step_float(u32 a, u32 fpscr, u32 *fpscr_after): FLOAT FPUL, FR0.
    .section .text.step_float, "ax"
    .global step_float
    .align  2
step_float:
    sts     fpscr, r1
    lds     r4, fpul
    lds     r5, fpscr
    float   fpul, fr0
    sts     fpscr, r2
    lds     r1, fpscr
    flds    fr0, fpul
    mov.l   r2, @r6
    rts
     sts    fpul, r0

! void step_fsca(u32 angle, u32 *sine_and_cosine)
    .section .text.step_fsca, "ax"
    .global step_fsca
    .align  2
step_fsca:
    lds     r4, fpul
    fsca    fpul, dr0
    flds    fr0, fpul
    sts     fpul, r0
    mov.l   r0, @r5
    flds    fr1, fpul
    sts     fpul, r0
    rts
     mov.l  r0, @(4,r5)

! u32 step_fipr(const u32 vectors[8], u32 fpscr, u32 *fpscr_after): FIPR FV4, FV0.
    .section .text.step_fipr, "ax"
    .global step_fipr
    .align  2
step_fipr:
    sts     fpscr, r1
    fmov.s  @r4+, fr0
    fmov.s  @r4+, fr1
    fmov.s  @r4+, fr2
    fmov.s  @r4+, fr3
    fmov.s  @r4+, fr4
    fmov.s  @r4+, fr5
    fmov.s  @r4+, fr6
    fmov.s  @r4+, fr7
    lds     r5, fpscr
    fipr    fv4, fv0
    sts     fpscr, r2
    lds     r1, fpscr
    flds    fr3, fpul
    mov.l   r2, @r6
    rts
     sts    fpul, r0

! void step_ftrv(const u32 matrix[16], u32 vector[4])
    .section .text.step_ftrv, "ax"
    .global step_ftrv
    .align  2
step_ftrv:
    frchg
    .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    fmov.s  @r4+, fr\n
    .endr
    ! C code expects FR12 to FR15 of bank 0 unchanged, not those of bank 1.
    .irp    n, 12, 13, 14, 15
    fmov.s  @r4+, fr\n
    .endr
    frchg
    .irp    n, 0, 1, 2, 3
    fmov.s  @r5+, fr\n
    .endr
    ftrv    xmtrx, fv0
    .irp    n, 3, 2, 1, 0
    fmov.s  fr\n, @-r5
    .endr
    rts
     nop

! void step_mac_l(const u32 operands[2], u32 mac[2]), step_mac_w(const u16 operands[2], u32 mac[2]):
! MACH, MACL before and after, with SR.S = 1.
.macro mac_step name, instruction, size
    .section .text.step_\name, "ax"
    .global step_\name
    .align  2
step_\name:
    mov.l   @r5, r0
    lds     r0, mach
    mov.l   @(4,r5), r0
    lds     r0, macl
    mov     r4, r1
    add     #\size, r1
    sets
    \instruction @r4+, @r1+
    clrs
    sts     mach, r0
    mov.l   r0, @r5
    sts     macl, r0
    rts
     mov.l  r0, @(4,r5)
.endm

    mac_step mac_l, mac.l, 4
    mac_step mac_w, mac.w, 2

! u32 step_div1(u32 dividend, u32 divisor, u32 *sr_after): DIV0S and four steps of DIV1.
    .section .text.step_div1, "ax"
    .global step_div1
    .align  2
step_div1:
    div0s   r5, r4
    div1    r5, r4
    div1    r5, r4
    div1    r5, r4
    div1    r5, r4
    stc     sr, r0
    mov.l   r0, @r6
    rts
     mov    r4, r0

! void step_fpu_disabled(void): one FPU instruction with SR.FD = 1.
    .section .text.step_fpu_disabled, "ax"
    .global step_fpu_disabled
    .align  2
step_fpu_disabled:
    stc     sr, r1
    mov     r1, r2
    mov     #0x80, r0
    extu.b  r0, r0
    shll8   r0
    or      r0, r2
    ldc     r2, sr
    fldi0   fr0
    ldc     r1, sr
    rts
     nop

! void step_user_mode(void): a privileged instruction in user mode, then TRAPA. The handler of truth.c goes back to
! privileged mode at any exception. User mode may not execute from P1: the code runs at its address in U0.
    .section .text.step_user_mode, "ax"
    .global step_user_mode
    .align  2
step_user_mode:
    mov.l   2f, r0
    mov.l   3f, r1
    and     r1, r0
    jmp     @r0
     nop
    .align  2
0:  stc     sr, r2
    mov.l   4f, r0
    and     r2, r0
    ldc     r0, sr
    nop
    stc     vbr, r3
    trapa   #1
    rts
     nop
    .align  2
2:  .long   0b
3:  .long   0x1FFFFFFF
4:  .long   0xBFFFFFFF

! u32 step_fsrra_crc(u32 first, u32 count, const u32 crc_table[4][256]): the CRC-32 of FSRRA's results of `count`
! numbers, whose bits go up from `first`; without the first and the last inversion, from FFFFFFFF on.
    .section .text.step_fsrra_crc, "ax"
    .global step_fsrra_crc
    .align  5
step_fsrra_crc:
    .irp    n, 8, 9, 10
    mov.l   r\n, @-r15
    .endr
    mov     #4, r1
    shll8   r1
    mov     r6, r7
    add     r1, r7
    mov     r7, r8
    add     r1, r8
    mov     r8, r9
    add     r1, r9
    mov     #-1, r10
0:  lds     r4, fpul
    fsts    fpul, fr0
    fsrra   fr0
    flds    fr0, fpul
    sts     fpul, r1
    xor     r10, r1
    extu.b  r1, r0
    shll2   r0
    mov.l   @(r0,r9), r10
    shlr8   r1
    extu.b  r1, r0
    shll2   r0
    mov.l   @(r0,r8), r2
    shlr8   r1
    extu.b  r1, r0
    shll2   r0
    mov.l   @(r0,r7), r3
    xor     r2, r10
    shlr8   r1
    mov     r1, r0
    shll2   r0
    mov.l   @(r0,r6), r2
    xor     r3, r10
    xor     r2, r10
    dt      r5
    bf/s    0b
     add    #1, r4
    mov     r10, r0
    .irp    n, 10, 9
    mov.l   @r15+, r\n
    .endr
    rts
     mov.l  @r15+, r8

! Each of these raises an exception. The handler of truth.c notes where. C35A: TRAPA #5A.
.macro raises name, instruction:vararg
    .section .text.raise_\name, "ax"
    .global raise_\name
    .align  2
raise_\name:
    mov     r4, r0
    \instruction
    nop
    nop
    rts
     nop
.endm
    raises  undefined, .word 0xFFFD
    raises  load, mov.l @r4, r1
    raises  store, mov.l r1, @r4
    raises  load_word, mov.w @r4, r1
    raises  trap, .word 0xC35A

! The same in a delay slot. The branch goes behind the NOP.
.macro raises_in_slot name, instruction:vararg
    .section .text.slot_\name, "ax"
    .global slot_\name
    .align  2
slot_\name:
    bra     0f
     \instruction
    nop
0:  nop
    nop
    rts
     nop
.endm
    raises_in_slot undefined, .word 0xFFFD
    raises_in_slot load, mov.l @r4, r1
    ! GNU as refuses a branch in a slot.
    raises_in_slot branch, .word 0xA000

! void step_division(u32 words[3]): dividend's halves and divisor; DIV0U, then 32 times ROTCL and DIV1. Quotient and
! rest take the place of the dividend; T, Q and M that of the divisor.
    .section .text.step_division, "ax"
    .global step_division
    .align  2
step_division:
    mov.l   @(0,r4), r1
    mov.l   @(4,r4), r2
    mov.l   @(8,r4), r3
    div0u
    .rept   32
    rotcl   r2
    div1    r3, r1
    .endr
    rotcl   r2
    stc     sr, r0
    mov.l   r1, @(0,r4)
    mov.l   r2, @(4,r4)
    rts
     mov.l  r0, @(8,r4)

! The same with signs: DIV0S.
    .section .text.step_signed_division, "ax"
    .global step_signed_division
    .align  2
step_signed_division:
    mov.l   @(0,r4), r1
    mov.l   @(4,r4), r2
    mov.l   @(8,r4), r3
    div0s   r3, r1
    .rept   32
    rotcl   r2
    div1    r3, r1
    .endr
    rotcl   r2
    stc     sr, r0
    mov.l   r1, @(0,r4)
    mov.l   r2, @(4,r4)
    rts
     mov.l  r0, @(8,r4)

! void step_store_queue(u32 queue, const u32 words[8]): writes eight words and sends the queue.
    .section .text.step_store_queue, "ax"
    .global step_store_queue
    .align  2
step_store_queue:
    mov     r4, r0
    .rept   8
    mov.l   @r5+, r1
    mov.l   r1, @r0
    add     #4, r0
    .endr
    rts
     pref   @r4

! void step_cache_ram(u32 ccr, const u32 *addresses, volatile u32 *values, u32 count): see truth.h. It runs from P2,
! where CCR may be written, and stores nothing through the cache.
    .section .text.step_cache_ram, "ax"
    .global step_cache_ram
    .align  2
step_cache_ram:
    mova    0f, r0
    mov.l   3f, r1
    or      r1, r0
    jmp     @r0
     nop
    .align  2
0:  sts     pr, r3
    mov.l   4f, r0
    jsr     @r0
     nop
    mov.l   5f, r0
    mov.l   r4, @r0
    .rept   16
    nop
    .endr
    mov     r5, r1
    mov     r7, r2
    mov     #0, r0
1:  add     #1, r0
    mov.l   @r1+, r4
    dt      r2
    bf/s    1b
     mov.l  r0, @r4
2:  mov.l   @r5+, r4
    mov.l   @r4, r0
    mov.l   r0, @r6
    dt      r7
    bf/s    2b
     add    #4, r6
    mov.l   5f, r0
    mov.l   6f, r1
    mov.l   r1, @r0
    .rept   16
    nop
    .endr
    lds     r3, pr
    rts
     nop
    .align  2
3:  .long   0x20000000
4:  .long   prepare_caches
5:  .long   0xFF00001C
6:  .long   0x0000090D                  ! as prepare_caches leaves it, and the operand cache invalidated

! u32 call_guarded(void (*run)(void)) and abandon: see truth.h. The second one goes on as if `run` had ended.
    .section .text.call_guarded, "ax"
    .global call_guarded
    .global abandon
    .align  2
call_guarded:
    .irp    n, 8, 9, 10, 11, 12, 13, 14
    mov.l   r\n, @-r15
    .endr
    sts.l   pr, @-r15
    stc.l   sr, @-r15
    sts.l   fpscr, @-r15
    mov.l   guard, r0
    jsr     @r4
     mov.l  r15, @r0
    bra     0f
     mov    #0, r0
    .align  2
abandon:
    mov.l   guard, r0
    mov.l   @r0, r15
    mov     #1, r0
0:  lds.l   @r15+, fpscr
    ldc.l   @r15+, sr
    lds.l   @r15+, pr
    .irp    n, 14, 13, 12, 11, 10, 9
    mov.l   @r15+, r\n
    .endr
    rts
     mov.l  @r15+, r8
    .align  2
guard:  .long   guarded_stack

    .section .bss.guarded_stack, "aw", @nobits
    .align  2
guarded_stack:
    .space  4

    .section .note.GNU-stack, "", %progbits
