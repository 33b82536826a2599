! SPDX-License-Identifier: MIT OR Apache-2.0
! void project_points(const float viewport[4], const float src[], uint32_t n, float dst[][4], uint32_t stride)
!
!   w = -z; dst[i] = (centre_x + x * scale_x / w, centre_y + y * scale_y / w, 1 / w, w)
!   in        r4 viewport (scale x, scale y, centre x, centre y), r5 src, r6 n, r7 dst, stack: stride in bytes;
!             viewport, src and dst are 8-byte aligned, stride is a multiple of 8
!   FPSCR     PR = 0, SZ = 0, as at return
!   clobbers  r0-r7, fr0-fr11, xf0, xf1, FPUL, T
!
!   10 cycles per point: FDIV occupies the divider for ten. A quotient is ready 12 cycles after its FDIV, during the
!   next division, so points alternate between dr2 and dr4. z is loaded into a general register and negated there,
!   because SZ = 1 does not allow loads of one FPU register.

! Processes point k from its negation to x and y in dr6: \w = w, \inv = 1.0, then 1/w. Meanwhile stores 1/w and w of
! point k-1, \before.
        .macro  divide inv, w, before
        fldi1   \inv
        xor     r2,r3                   ! k: -z
        lds     r3,fpul
        add     r1,r4
        fsts    fpul,\w
        fdiv    \w,\inv
        fmov    xd0,dr8                 ! k-1: centre
        add     #32,r7
        fmov    \before,dr0
        fmac    fr0,fr6,fr8
        fmac    fr0,fr7,fr9
        .endm

! Stores point k-2, loads z of point k, scales x and y of point k-1. T: k is the last point.
        .macro  between
        fmov    dr0,@-r7
        dt      r6
        mov.l   @r4,r3
        fmul    fr10,fr6
        fmov    dr8,@-r7
        fmul    fr11,fr7
        .endm

! The last two points; \last holds 1/w and w of the last one.
        .macro  drain last
        fmov    dr0,@-r7
        fmul    fr10,fr6
        fmov    dr8,@-r7
        fmul    fr11,fr7
        fmov    xd0,dr8
        add     #32,r7
        fmov    \last,dr0
        fmac    fr0,fr6,fr8
        fmac    fr0,fr7,fr9
        fmov    dr0,@-r7
        fmov    dr8,@-r7
        rts
        fschg
        .endm

        .text
        .align  5
        .globl  _project_points
        .type   _project_points, @function
_project_points:
        tst     r6,r6
        mov.l   @r15,r1                 ! stride
        bt/s    .Lnone
        fschg
        mov.l   @(8,r5),r3              ! z of point 0
        mov     #1,r2
        fmov    @r4+,dr10               ! scale
        rotr    r2                      ! the sign
        fmov    @r4,xd0                 ! centre
        xor     r2,r3
        lds     r3,fpul
        mov     #-8,r0
        fsts    fpul,fr3
        fldi1   fr2
        fdiv    fr3,fr2
        fmov    @r5,dr6
        mov     r5,r4
        add     #8,r4                   ! z's place
        sub     r1,r0                   ! distance from the next z back to x
        dt      r6
        add     r1,r4
        bt/s    .Lone
        add     #-16,r7
        mov.l   @r4,r3
        dt      r6
        fmul    fr10,fr6
        bra     2f
        fmul    fr11,fr7
        .align  2
1:
        between
        divide  fr2,fr3,dr4
        bt/s    3f
        fmov    @(r0,r4),dr6
        between
2:
        divide  fr4,fr5,dr2
        bf/s    1b
        fmov    @(r0,r4),dr6
        drain   dr4
3:
        drain   dr2

.Lone:
        fmul    fr10,fr6
        add     #32,r7
        fmul    fr11,fr7
        fmov    xd0,dr8
        fmov    dr2,dr0
        fmac    fr0,fr6,fr8
        fmac    fr0,fr7,fr9
        fmov    dr0,@-r7
        fmov    dr8,@-r7
.Lnone:
        rts
        fschg
        .size   _project_points, .-_project_points
