! void keys_linear(float_bits frame, const uint32_t records[][8], uint32_t n, float out[][3])
!
!   out = (1 - t) * before + t * after
!   in        r4 frame, r5 records (start, length, before, after), r6 n, r7 out
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0, r5-r7, fr0-fr9, FPUL, T

        .include "span.inc"

        .text
        .align  5
        .globl  _keys_linear
        .type   _keys_linear, @function
_keys_linear:
        tst     r6,r6
        bt      2f
1:
        lds     r4,fpul
        fsts    fpul,fr0
        span_time r5
        fldi1   fr3
        fmov.s  @r5+,fr4                ! before
        fmov.s  @r5+,fr5
        fmov.s  @r5+,fr6
        fmov.s  @r5+,fr7                ! after
        fmov.s  @r5+,fr8
        fmov.s  @r5+,fr9
        fsub    fr0,fr3
        fmul    fr3,fr4
        fmul    fr3,fr5
        fmul    fr3,fr6
        fmac    fr0,fr7,fr4
        fmac    fr0,fr8,fr5
        fmac    fr0,fr9,fr6
        add     #12,r7                  ! stores go downwards from the value's end
        fmov.s  fr6,@-r7
        fmov.s  fr5,@-r7
        fmov.s  fr4,@-r7
        dt      r6
        bf/s    1b
        add     #12,r7
2:
        rts
        nop
        .size   _keys_linear, .-_keys_linear
