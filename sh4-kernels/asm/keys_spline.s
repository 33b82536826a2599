! void keys_spline(float_bits frame, const uint32_t records[][14], uint32_t n, float out[][3])
!
!   out = w(t) . (before, key, next, after), for x, y, z; w of the uniform Catmull-Rom spline
!   in        r4 frame, r5 records (start, length, four x, four y, four z), r6 n, r7 out
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0, r5-r7, fr0-fr11, FPUL, T

        .include "span.inc"

! One component: four values at r5, the inner product to r7.
        .macro  component
        fmov.s  @r5+,fr4
        fmov.s  @r5+,fr5
        fmov.s  @r5+,fr6
        fmov.s  @r5+,fr7
        fipr    fv0,fv4
        fmov.s  fr7,@r7
        add     #4,r7
        .endm

        .text
        .align  5
        .globl  _keys_spline
        .type   _keys_spline, @function
_keys_spline:
        tst     r6,r6
        bf      2f
        rts
        nop
2:
        fmov.s  fr12,@-r15
        fmov.s  fr13,@-r15
        fmov.s  fr14,@-r15
        fldi1   fr10                    ! 1
        fmov    fr10,fr11
        fadd    fr10,fr11               ! 2
        fmov    fr10,fr9
        fdiv    fr11,fr9                ! 1/2
        fmov    fr11,fr12
        fadd    fr10,fr12               ! 3
        fmov    fr11,fr13
        fadd    fr11,fr13               ! 4
        fmov    fr13,fr14
        fadd    fr10,fr14               ! 5
1:
        lds     r4,fpul
        fsts    fpul,fr0
        span_time r5
        fmov    fr0,fr8                 ! t
        fmov    fr11,fr0                ! ((2 - t) t - 1) t / 2
        fmov    fr12,fr4                ! 3 t
        fsub    fr8,fr0
        fmul    fr8,fr4
        fmov    fr8,fr3                 ! (t - 1) t t / 2
        fmul    fr8,fr0
        fsub    fr10,fr3
        fmov    fr4,fr1                 ! ((3 t - 5) t t + 2) / 2
        fsub    fr10,fr0
        fmul    fr8,fr3
        fsub    fr14,fr1
        fmul    fr8,fr0
        fmul    fr8,fr3
        fmov    fr13,fr2                ! ((4 - 3 t) t + 1) t / 2
        fmul    fr8,fr1
        fsub    fr4,fr2
        fmul    fr9,fr0
        fmul    fr9,fr3
        fmul    fr8,fr1
        fmul    fr8,fr2
        fadd    fr11,fr1
        fadd    fr10,fr2
        fmul    fr9,fr1
        fmul    fr8,fr2
        fmul    fr9,fr2
        component
        component
        component
        dt      r6
        bf      1b
        fmov.s  @r15+,fr14
        fmov.s  @r15+,fr13
        rts
        fmov.s  @r15+,fr12
        .size   _keys_spline, .-_keys_spline
