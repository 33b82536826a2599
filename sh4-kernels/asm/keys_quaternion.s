! void keys_quaternion(float_bits frame, const uint32_t records[][10], uint32_t n, float out[][4])
!
!   out = normalised (1 - t) * before + t * after, t negated where before . after < 0
!   in        r4 frame, r5 records (start, length, before, after), r6 n, r7 out
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0, r5-r7, fr0-fr11, FPUL, T

        .include "span.inc"

        .text
        .align  5
        .globl  _keys_quaternion
        .type   _keys_quaternion, @function
_keys_quaternion:
        tst     r6,r6
        bt      4f
1:
        lds     r4,fpul
        fsts    fpul,fr0
        span_time r5
        fldi1   fr1
        fmov.s  @r5+,fr4                ! before
        fmov.s  @r5+,fr5
        fmov.s  @r5+,fr6
        fmov.s  @r5+,fr7
        fmov.s  @r5+,fr8                ! after
        fmov.s  @r5+,fr9
        fmov.s  @r5+,fr10
        fmov.s  @r5+,fr11
        fsub    fr0,fr1                 ! 1 - t
        fmov    fr11,fr2                ! FIPR overwrites it
        fipr    fv4,fv8
        fldi0   fr3
        fcmp/gt fr11,fr3
        bf/s    2f
        fmov    fr2,fr11
        fneg    fr0
2:
        fmul    fr1,fr4
        fmul    fr1,fr5
        fmul    fr1,fr6
        fmul    fr1,fr7
        fmac    fr0,fr8,fr4
        fmac    fr0,fr9,fr5
        fmac    fr0,fr10,fr6
        fmac    fr0,fr11,fr7
        fmov    fr4,fr8
        fmov    fr5,fr9
        fmov    fr6,fr10
        fmov    fr7,fr11
        fipr    fv4,fv8
        fcmp/eq fr3,fr11
        bt      3f
        fsrra   fr11
        fmul    fr11,fr4
        fmul    fr11,fr5
        fmul    fr11,fr6
        fmul    fr11,fr7
3:
        add     #16,r7                  ! stores go downwards from the value's end
        fmov.s  fr7,@-r7
        fmov.s  fr6,@-r7
        fmov.s  fr5,@-r7
        fmov.s  fr4,@-r7
        dt      r6
        bf/s    1b
        add     #16,r7
4:
        rts
        nop
        .size   _keys_quaternion, .-_keys_quaternion
