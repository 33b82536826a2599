! void shape_floats(const float a[], const float b[], uint32_t n, const uint32_t moment[3], float out[])
!
!   out = (1 - t) * a + t * b
!   in        r4 a, r5 b, r6 n, r7 moment (frame, start, length), stack: out
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0, r1, r4-r7, fr0-fr3, FPUL, T

        .include "span.inc"

        .text
        .align  5
        .globl  _shape_floats
        .type   _shape_floats, @function
_shape_floats:
        tst     r6,r6
        bt/s    2f
        mov.l   @r15,r1
        fmov.s  @r7+,fr0
        span_time r7
        fldi1   fr3
        fsub    fr0,fr3
1:
        fmov.s  @r4+,fr1
        fmov.s  @r5+,fr2
        fmul    fr3,fr1
        dt      r6
        fmac    fr0,fr2,fr1
        fmov.s  fr1,@r1
        bf/s    1b
        add     #4,r1
2:
        rts
        nop
        .size   _shape_floats, .-_shape_floats
