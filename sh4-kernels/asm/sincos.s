! SPDX-License-Identifier: MIT OR Apache-2.0
! void sincos(const uint32_t angles[], uint32_t n, float out[][2])
!
!   in        r4 angles (BAMS, low 16 bits used), r5 n, r6 out (8-byte aligned)
!   FPSCR     PR = 0, SZ = 0, as at return
!   clobbers  r0-r2, r4-r6, fr0-fr3, FPUL, T
!
!   3 cycles per angle, because of its load/store slots: load, move to FPUL, store. Two angles per iteration: a in dr0,
!   b in dr2.
!   The results are stored in the next iteration, which gives FSCA 4 cycles. An odd number of angles begins with a
!   single b.

        .text
        .align  5
        .globl  _sincos
        .type   _sincos, @function
_sincos:
        mov     #8,r0
        tst     r5,r5
        bt/s    .Lnone
        shlr    r5                      ! pairs; T = 1: one angle precedes them
        bf/s    .Lpairs
        mov.l   @r4+,r1
        tst     r5,r5
        fschg
        bt/s    .Lone
        lds     r1,fpul                 ! b
        fsca    fpul,dr2
        mov.l   @r4+,r2                 ! a
        dt      r5
        mov.l   @r4+,r1                 ! b
        add     #-8,r6
        lds     r2,fpul
        fsca    fpul,dr0
        fmov    dr2,@(r0,r6)
        bt/s    2f
        lds     r1,fpul
1:
        mov.l   @r4+,r1                 ! a
        fsca    fpul,dr2
        mov.l   @r4+,r2                 ! b
        add     #16,r6
        lds     r1,fpul
        dt      r5
        fmov    dr0,@r6                 ! the previous a
        fsca    fpul,dr0
        fmov    dr2,@(r0,r6)            ! the previous b
        bf/s    1b
        lds     r2,fpul
2:
        fsca    fpul,dr2
        add     #16,r6
        fmov    dr0,@r6
        fmov    dr2,@(r0,r6)
        rts
        fschg
.Lpairs:
        fschg
        dt      r5
        mov.l   @r4+,r2
        lds     r1,fpul
        add     #-16,r6
        fsca    fpul,dr0
        bf/s    1b
        lds     r2,fpul
        bra     2b
        nop
.Lone:
        fsca    fpul,dr2
        fmov    dr2,@r6
        rts
        fschg
.Lnone:
        rts
        nop
        .size   _sincos, .-_sincos
