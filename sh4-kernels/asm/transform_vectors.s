! SPDX-License-Identifier: MIT OR Apache-2.0
! void transform_vectors(const float matrix[16], const float src[][4], float dst[][4], uint32_t n)
!
!   dst[i] = matrix * src[i]
!   in        r4 matrix, r5 src, r6 dst, r7 n; all three 8-byte aligned
!   FPSCR     PR = 0, SZ = 0, as at return
!   clobbers  r4-r7, fr0-fr11, XMTRX, T
!
!   4 cycles per vector: two pairs loaded, two pairs stored, and FTRV needs 4. A vector takes 12 cycles from load to
!   store, so three are in progress at a time.

! Loads a vector into \low and \high, multiplies the previous one, \ftrv, and stores all but the first pair of the one
! before it.
        .macro  stage low, high, ftrv, out
        fmov    @r5+,\low
        ftrv    xmtrx,\ftrv
        fmov    @r5+,\high
        add     #32,r6
        fmov    \out,@-r6
        .endm

! The last two vectors.
        .macro  drain ftrv, low, high, last_low, last_high
        ftrv    xmtrx,\ftrv
        add     #32,r6
        fmov    \high,@-r6
        fmov    \low,@-r6
        add     #32,r6
        fmov    \last_high,@-r6
        fmov    \last_low,@-r6
        rts
        fschg
        .endm

        .text
        .align  5
        .globl  _transform_vectors
        .type   _transform_vectors, @function
_transform_vectors:
        tst     r7,r7
        bt      .Lnone
        fschg
        fmov    @r4+,xd0
        fmov    @r4+,xd2
        fmov    @r4+,xd4
        fmov    @r4+,xd6
        fmov    @r4+,xd8
        fmov    @r4+,xd10
        fmov    @r4+,xd12
        fmov    @r4+,xd14

        fmov    @r5+,dr0                ! fv0
        dt      r7
        bt/s    .Lone
        fmov    @r5+,dr2
        fmov    @r5+,dr4                ! fv4
        dt      r7
        fmov    @r5+,dr6
        ftrv    xmtrx,fv0
        bt/s    2f
        add     #-16,r6
        add     #-3,r7
        cmp/pz  r7
        bf      5f
        .align  2
1:
        stage   dr8,dr10,fv4,dr2
        add     #-3,r7
        fmov    dr0,@-r6
        stage   dr0,dr2,fv8,dr6
        cmp/pz  r7
        fmov    dr4,@-r6
        stage   dr4,dr6,fv0,dr10
        bt/s    1b
        fmov    dr8,@-r6
5:
        add     #3,r7                   ! zero to two vectors remain
        tst     r7,r7
        bt/s    2f
        dt      r7
        stage   dr8,dr10,fv4,dr2
        bt/s    3f
        fmov    dr0,@-r6
        stage   dr0,dr2,fv8,dr6
        fmov    dr4,@-r6
        drain   fv0,dr8,dr10,dr0,dr2
2:
        drain   fv4,dr0,dr2,dr4,dr6
3:
        drain   fv8,dr4,dr6,dr8,dr10

.Lone:
        ftrv    xmtrx,fv0
        add     #16,r6
        fmov    dr2,@-r6
        fmov    dr0,@-r6
        fschg
.Lnone:
        rts
        nop
        .size   _transform_vectors, .-_transform_vectors
