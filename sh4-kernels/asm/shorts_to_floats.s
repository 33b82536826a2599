! void shorts_to_floats(const int16_t src[], uint32_t n, uint32_t count, uint32_t stride, float_bits scale,
!                       float dst[][4])
!
!   four floats for each element: count half-words times scale, then zeros
!   in        r4 src, r5 n, r6 count (1 to 4), r7 stride in bytes, stack: scale, dst
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr2, FPUL, T

        .text
        .align  5
        .globl  _shorts_to_floats
        .type   _shorts_to_floats, @function
_shorts_to_floats:
        mov.l   @r15,r0
        mov.l   @(4,r15),r1             ! dst
        lds     r0,fpul
        tst     r5,r5
        fsts    fpul,fr1                ! scale
        bt/s    4f
        fldi0   fr2
1:
        mov     r4,r2
        mov     r6,r3
2:
        mov.w   @r2+,r0
        dt      r3
        lds     r0,fpul
        float   fpul,fr0
        fmul    fr1,fr0
        fmov.s  fr0,@r1
        bf/s    2b
        add     #4,r1
        mov     #4,r3
        sub     r6,r3                   ! words of zeros
        tst     r3,r3
        bt      5f
3:
        fmov.s  fr2,@r1
        dt      r3
        bf/s    3b
        add     #4,r1
5:
        dt      r5
        bf/s    1b
        add     r7,r4
4:
        rts
        nop
        .size   _shorts_to_floats, .-_shorts_to_floats
