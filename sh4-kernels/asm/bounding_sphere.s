! void bounding_sphere(const float matrix[16], const float sphere[4], float out[4])
!
!   centre = matrix * centre; radius *= sqrt(largest row sum of |columns . columns|)
!   in        r4 matrix (8-byte aligned), r5 sphere (x, y, z, r), r6 out
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0, r4-r6, fr0-fr11, XMTRX, T

        .include "xmtrx.inc"

        .text
        .align  5
        .globl  _bounding_sphere
        .type   _bounding_sphere, @function
_bounding_sphere:
        fmov.s  fr12,@-r15
        fmov.s  fr13,@-r15
        fmov.s  fr14,@-r15
        fmov.s  fr15,@-r15
        mov     r4,r0
        fmov.s  @r0+,fr4                ! columns a, b, c
        fmov.s  @r0+,fr5
        fmov.s  @r0+,fr6
        add     #4,r0
        fldi0   fr7
        fmov.s  @r0+,fr8
        fmov.s  @r0+,fr9
        fmov.s  @r0+,fr10
        add     #4,r0
        fldi0   fr11
        fmov.s  @r0+,fr12
        fmov.s  @r0+,fr13
        fmov.s  @r0+,fr14
        fldi0   fr15
        fipr    fv4,fv8
        fmov    fr11,fr0                ! a . b
        fldi0   fr11
        fipr    fv4,fv12
        fmov    fr15,fr1                ! a . c
        fldi0   fr15
        fipr    fv8,fv12
        fmov    fr15,fr2                ! b . c
        fldi0   fr15
        fipr    fv4,fv4
        fipr    fv8,fv8
        fipr    fv12,fv12
        fabs    fr0
        fabs    fr1
        fabs    fr2
        fadd    fr0,fr7
        fadd    fr0,fr11
        fadd    fr1,fr15
        fadd    fr1,fr7
        fadd    fr2,fr11
        fadd    fr2,fr15
        fcmp/gt fr7,fr11
        bf      1f
        fmov    fr11,fr7
1:
        fcmp/gt fr7,fr15
        bf      2f
        fmov    fr15,fr7
2:
        fsqrt   fr7
        load_xmtrx r4
        fmov.s  @r5+,fr0
        fmov.s  @r5+,fr1
        fmov.s  @r5+,fr2
        fldi1   fr3
        ftrv    xmtrx,fv0
        fmov.s  @r5,fr4                 ! radius
        fmul    fr7,fr4
        add     #16,r6
        fmov.s  fr4,@-r6
        fmov.s  fr2,@-r6
        fmov.s  fr1,@-r6
        fmov.s  fr0,@-r6
        fmov.s  @r15+,fr15
        fmov.s  @r15+,fr14
        fmov.s  @r15+,fr13
        rts
        fmov.s  @r15+,fr12
        .size   _bounding_sphere, .-_bounding_sphere
