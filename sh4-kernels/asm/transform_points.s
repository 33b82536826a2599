! void transform_points(const float matrix[16], const float src[], float dst[][4], uint32_t n,
!                       uint32_t stride, float_bits w)
!
!   dst[i] = matrix * (x, y, z, w)
!   in        r4 matrix (8-byte aligned), r5 src, r6 dst, r7 n, stack: stride in bytes, w
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r2, r4-r7, fr0-fr4, XMTRX, FPUL, T

        .include "xmtrx.inc"

        .text
        .align  5
        .globl  _transform_points
        .type   _transform_points, @function
_transform_points:
        load_xmtrx r4
        mov.l   @(4,r15),r0             ! w
        tst     r7,r7
        mov.l   @r15,r1                 ! stride
        bt/s    2f
        lds     r0,fpul
        fsts    fpul,fr4
1:
        mov     r5,r2
        fmov.s  @r2+,fr0
        add     r1,r5
        fmov.s  @r2+,fr1
        fmov.s  @r2,fr2
        fmov    fr4,fr3
        ftrv    xmtrx,fv0
        pref    @r5                     ! the next vector
        add     #16,r6
        dt      r7
        fmov.s  fr3,@-r6
        fmov.s  fr2,@-r6
        fmov.s  fr1,@-r6
        fmov.s  fr0,@-r6
        bf/s    1b
        add     #16,r6
2:
        rts
        nop
        .size   _transform_points, .-_transform_points
