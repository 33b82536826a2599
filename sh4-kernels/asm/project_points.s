! void project_points(const float viewport[4], const float src[], uint32_t n, float dst[][4], uint32_t stride)
!
!   w = -z; dst[i] = (centre_x + x * scale_x / w, centre_y + y * scale_y / w, 1 / w, w)
!   in        r4 viewport (scale x, scale y, centre x, centre y), r5 src, r6 n, r7 dst, stack: stride in bytes
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r1, r2, r4-r7, fr0-fr11, T

        .text
        .align  5
        .globl  _project_points
        .type   _project_points, @function
_project_points:
        mov.l   @r15,r1                 ! stride
        fmov.s  @r4+,fr4                ! scale
        fmov.s  @r4+,fr5
        fmov.s  @r4+,fr6                ! centre
        tst     r6,r6
        bt/s    2f
        fmov.s  @r4,fr7
1:
        mov     r5,r2
        fmov.s  @r2+,fr1                ! x
        add     r1,r5
        fmov.s  @r2+,fr2                ! y
        fldi1   fr0
        fmov.s  @r2,fr3                 ! z
        fneg    fr3                     ! w
        fdiv    fr3,fr0                 ! 1 / w; the multiplications below run beside it
        fmul    fr4,fr1
        fmul    fr5,fr2
        fmov    fr6,fr8
        fmov    fr7,fr9
        add     #16,r7
        dt      r6
        fmov.s  fr3,@-r7
        fmac    fr0,fr1,fr8
        fmov.s  fr0,@-r7
        fmac    fr0,fr2,fr9
        fmov.s  fr9,@-r7
        fmov.s  fr8,@-r7
        bf/s    1b
        add     #16,r7
2:
        rts
        nop
        .size   _project_points, .-_project_points
