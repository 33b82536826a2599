! void shape_colours(const uint32_t a[], const uint32_t b[], uint32_t n, const uint32_t moment[3], uint32_t out[])
!
!   each byte: a + t * (b - a), cut toward zero, held within 0 and 255
!   in        r4 a, r5 b, r6 n, r7 moment (frame, start, length), stack: out
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr2, FPUL, T

        .include "span.inc"

        .text
        .align  5
        .globl  _shape_colours
        .type   _shape_colours, @function
_shape_colours:
        tst     r6,r6
        bt/s    6f
        mov.l   @r15,r1
        mov.l   r8,@-r15
        mov.l   r9,@-r15
        mov.l   r10,@-r15
        fmov.s  @r7+,fr0
        span_time r7
        mov     #-1,r10
        extu.b  r10,r10                 ! 255
1:
        mov.l   @r4+,r2
        mov     #4,r7
        mov.l   @r5+,r3
2:
        extu.b  r2,r0                   ! bytes leave to the right and enter the result from the left
        extu.b  r3,r9
        sub     r0,r9
        lds     r0,fpul
        float   fpul,fr1
        lds     r9,fpul
        float   fpul,fr2
        fmac    fr0,fr2,fr1
        shlr8   r2
        shlr8   r3
        shlr8   r8
        ftrc    fr1,fpul
        sts     fpul,r0
        cmp/pz  r0
        bt      3f
        mov     #0,r0
3:
        cmp/gt  r10,r0
        bf      4f
        mov     r10,r0
4:
        shll16  r0
        shll8   r0
        dt      r7
        bf/s    2b
        or      r0,r8
        mov.l   r8,@r1
        dt      r6
        bf/s    1b
        add     #4,r1
        mov.l   @r15+,r10
        mov.l   @r15+,r9
        mov.l   @r15+,r8
6:
        rts
        nop
        .size   _shape_colours, .-_shape_colours
