! SPDX-License-Identifier: MIT OR Apache-2.0
! void shape_floats(const float a[], const float b[], uint32_t n, const uint32_t moment[3], float out[])
!
!   out = (1 - t) * a + t * b
!   in        r4 a, r5 b, r6 n, r7 moment (frame, start, length), stack: out; a, b and out 8-byte aligned
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr11, FPUL, T; saves fr12-fr15
!   cycles    17 for 8 floats (16 FE slots and the branch). The chain to t and 1 - t takes 30 before the first float.
!             Each pair of the remaining floats takes 11
!
! A half is four floats. The loop finishes the current half, processes the next one and begins the one after it. Between
! the halves, fr2-fr5 (fr6-fr9) are a times 1 - t, and fr10-fr13 (fr12-fr15) are b.

        .text
        .align  5
        .globl  _shape_floats
        .type   _shape_floats, @function
_shape_floats:
        mov.l   @(4,r7),r0              ! start
        mov.l   @(8,r7),r2              ! length
        fmov.s  @r7,fr0                 ! frame
        lds     r0,fpul
        mov.l   @r15,r1                 ! out
        float   fpul,fr1
        lds     r2,fpul
        mov     #4,r3
        fmov.s  fr12,@-r15
        float   fpul,fr2
        fmov.s  fr13,@-r15
        fsub    fr1,fr0
        fmov.s  fr14,@-r15
        fmov.s  fr15,@-r15
        fdiv    fr2,fr0                 ! t
        cmp/hs  r3,r6
        mov     r6,r2
        bf/s    3f
        fschg
        add     #-4,r2
        mov     r2,r6
        fmov    @r4+,dr4                ! the first half
        shlr2   r2
        fmov    @r4+,dr6
        shlr    r2                      ! pairs of halves after it
        fmov    @r5+,dr10
        tst     r2,r2
        fmov    @r5+,dr12
        mov     #7,r0
        fldi1   fr1
        fmov    dr4,dr2
        fmov    dr6,dr4
        and     r0,r6                   ! remaining floats after them
        fsub    fr0,fr1                 ! 1 - t
        add     #16,r1
        fmul    fr1,fr4
        fmul    fr1,fr2
        fmul    fr1,fr3
        bt/s    2f
        fmul    fr1,fr5
1:
        fmac    fr0,fr12,fr4            ! half 0
        fmac    fr0,fr10,fr2
        fmov    @r4+,dr6                ! half 1
        fmac    fr0,fr13,fr5            ! half 0
        fmov    @r4+,dr8                ! half 1
        fmac    fr0,fr11,fr3            ! half 0
        fmov    @r5+,dr14               ! half 1
        fmul    fr1,fr9
        fmov    @r5+,dr12
        fmul    fr1,fr8
        fmov    dr4,@-r1                ! half 0
        fmul    fr1,fr6                 ! half 1
        fmov    dr2,@-r1                ! half 0
        fmul    fr1,fr7                 ! half 1
        add     #32,r1
        fmac    fr0,fr12,fr8
        fmov    @r4+,dr2                ! the next half 0
        fmac    fr0,fr13,fr9            ! half 1
        dt      r2
        fmac    fr0,fr14,fr6
        fmov    @r4+,dr4                ! the next half 0
        fmac    fr0,fr15,fr7            ! half 1
        fmov    @r5+,dr10               ! the next half 0
        fmul    fr1,fr4
        fmov    dr8,@-r1                ! half 1
        fmul    fr1,fr2                 ! the next half 0
        fmov    dr6,@-r1                ! half 1
        fmul    fr1,fr3                 ! the next half 0
        fmov    @r5+,dr12
        fmul    fr1,fr5
        bf/s    1b
        add     #32,r1
2:
        fmac    fr0,fr12,fr4            ! the last half 0
        fmac    fr0,fr13,fr5
        fmac    fr0,fr10,fr2
        fmac    fr0,fr11,fr3
        fmov    dr4,@-r1
        fmov    dr2,@-r1
        add     #16,r1
3:
        shlr    r6                      ! remaining pairs; T = 1: and one float
        fldi1   fr1
        movt    r3
        tst     r6,r6
        bt/s    5f
        fsub    fr0,fr1
4:
        fmov    @r4+,dr2
        fmov    @r5+,dr4
        fmul    fr1,fr2
        fmul    fr1,fr3
        dt      r6
        fmac    fr0,fr4,fr2
        fmac    fr0,fr5,fr3
        fmov    dr2,@r1
        bf/s    4b
        add     #8,r1
5:
        tst     r3,r3
        bt/s    6f
        fschg
        fmov.s  @r4,fr2
        fmov.s  @r5,fr4
        fmul    fr1,fr2
        fmac    fr0,fr4,fr2
        fmov.s  fr2,@r1
6:
        fmov.s  @r15+,fr15
        fmov.s  @r15+,fr14
        fmov.s  @r15+,fr13
        rts
        fmov.s  @r15+,fr12
        .size   _shape_floats, .-_shape_floats
