! SPDX-License-Identifier: MIT OR Apache-2.0
! void keys_linear(float_bits frame, const uint32_t records[][8], uint32_t n, float out[][3])
!
!   out = (1 - t) * before + t * after
!   in        r4 frame, r5 records (start, length, before, after), r6 n, r7 out
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r3, r5-r7, fr0-fr11, FPUL, T
!   cycles    18 per record (35 slots); 25 before the first t
!
! The loop interpolates record i, with t in fr0 and 1 - t in fr1, divides for record i + 1 (fr2 by fr11) and loads start
! and length of record i + 2, at r2. r3 points to the last record, which is loaded again at the end and not used.

        .text
        .align  5
        .globl  _keys_linear
        .type   _keys_linear, @function
_keys_linear:
        tst     r6,r6
        bf      2f
        rts
        nop
2:
        lds     r4,fpul
        mov     r5,r2
        mov     r6,r3                   ! r3: the last record
        fsts    fpul,fr10               ! frame
        mov.l   @r2,r0                  ! start
        add     #-1,r3
        mov.l   @(4,r2),r1              ! length
        shll2   r3
        shll2   r3
        lds     r0,fpul
        shll    r3
        float   fpul,fr3
        add     r5,r3
        lds     r1,fpul
        float   fpul,fr11
        fmov    fr10,fr2
        fsub    fr3,fr2
        cmp/hs  r3,r2
        fdiv    fr11,fr2                ! the first t
        bt      3f
        add     #32,r2
3:
        mov.l   @r2,r0                  ! the second start
        lds     r0,fpul
        float   fpul,fr3
        mov.l   @(4,r2),r1              ! length
        lds     r1,fpul
        add     #8,r5
        fldi1   fr1
        add     #12,r7
        float   fpul,fr11
        fmov    fr2,fr0
        fsub    fr0,fr1
        fmov    fr10,fr2
        fsub    fr3,fr2
1:
        fdiv    fr11,fr2                ! i + 1: t
        fmov.s  @r5+,fr4                ! i: before
        fmov.s  @r5+,fr5                ! i
        cmp/hs  r3,r2
        fmov.s  @r5+,fr6                ! i
        bt      4f                     ! no record is read past the last one
        add     #32,r2
4:
        fmov.s  @r5+,fr7                ! i: after
        mov.l   @r2,r0                  ! i + 2: start
        fmul    fr1,fr6                 ! i
        fmov.s  @r5+,fr8                ! i
        fmul    fr1,fr4                 ! i
        lds     r0,fpul                 ! i + 2
        fmul    fr1,fr5                 ! i
        float   fpul,fr3                ! i + 2
        mov.l   @(4,r2),r1              ! i + 2: length
        fmov.s  @r5+,fr9                ! i
        fmac    fr0,fr7,fr4             ! i
        pref    @r7
        add     #8,r5
        lds     r1,fpul                 ! i + 2
        fmac    fr0,fr9,fr6             ! i
        fmac    fr0,fr8,fr5             ! i
        fldi1   fr1                     ! i + 1
        fmov.s  fr6,@-r7                ! i
        dt      r6
        fmov.s  fr5,@-r7                ! i
        float   fpul,fr11               ! i + 2
        fmov    fr2,fr0                 ! i + 1: t
        fsub    fr0,fr1                 ! i + 1: 1 - t
        fmov    fr10,fr2                ! i + 2: frame
        fsub    fr3,fr2                 ! i + 2
        fmov.s  fr4,@-r7                ! i
        bf/s    1b
        add     #24,r7
        rts
        nop
        .size   _keys_linear, .-_keys_linear
