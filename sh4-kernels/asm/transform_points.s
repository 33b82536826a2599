! SPDX-License-Identifier: MIT OR Apache-2.0
! void transform_points(const float matrix[16], const float src[], float dst[][4], uint32_t n,
!                       uint32_t stride, float_bits w)
!
!   dst[i] = matrix * (x, y, z, w)
!   in        r4 matrix, r5 src, r6 dst, r7 n, stack: stride in bytes, w; matrix and dst are 8-byte aligned
!   FPSCR     PR = 0, SZ = 0, as at return
!   clobbers  r0, r1, r4-r7, fr0-fr11, XMTRX, FPUL, T
!
!   5 cycles per vector if src and stride are multiples of 8: two pairs loaded, w, two pairs stored. z is loaded with
!   the following word, which is in the same eight bytes. Otherwise 8 cycles, with single words. Load/store slots limit
!   both (FTRV needs 4). Vectors with w in memory need only 4 slots and are faster: transform_vectors.
!   A vector takes 14 cycles from load to store, so two or three are in progress at a time. There is no PREF: the bus
!   limits a call with cold caches, and one more slot would cost 7 % with warm caches.

! Loads a vector: x, y to \xy, z and the next word to \zj, w to \w. Multiplies the previous vector, \ftrv, and stores
! half of the one before it, \out.
        .macro  stage xy, zj, w, ftrv, out
        fmov    @r5+,\xy
        add     #32,r6                  ! end of \out
        fmov    @r5,\zj
        ftrv    xmtrx,\ftrv
        fmov    \out,@-r6
        add     r1,r5
        fsts    fpul,\w
        .endm

! The last two vectors.
        .macro  drain ftrv, xy, zw, last_xy, last_zw
        ftrv    xmtrx,\ftrv
        add     #32,r6
        fmov    \zw,@-r6
        fmov    \xy,@-r6
        add     #32,r6
        fmov    \last_zw,@-r6
        fmov    \last_xy,@-r6
        rts
        fschg
        .endm

! Word by word: stores the vector in \x to \w, loads the vector after the next one into its registers except w, and
! multiplies the next one, \ftrv. T: this was the last load.
        .macro  word_stage x, y, z, w, ftrv
        fmov.s  \w,@-r6
        add     r1,r5
        fmov.s  \z,@-r6
        dt      r7
        fmov.s  \y,@-r6
        ftrv    xmtrx,\ftrv
        fmov.s  \x,@-r6
        add     #32,r6
        fmov.s  @r5+,\x
        fmov.s  @r5+,\y
        fmov.s  @r5,\z
        .endm

! The last vector but one.
        .macro  word_drain ftrv, x, y, z, w
        ftrv    xmtrx,\ftrv
        fmov.s  \w,@-r6
        fmov.s  \z,@-r6
        fmov.s  \y,@-r6
        fmov.s  \x,@-r6
        .endm

        .text
        .align  5
        .globl  _transform_points
        .type   _transform_points, @function
_transform_points:
        fschg
        mov.l   @(4,r15),r0             ! w
        tst     r7,r7
        mov.l   @r15,r1                 ! stride
        lds     r0,fpul
        fmov    @r4+,xd0
        mov     r5,r0
        fmov    @r4+,xd2
        or      r1,r0
        fmov    @r4+,xd4
        add     #-8,r1                  ! distance from z to the next x
        fmov    @r4+,xd6
        bt/s    .Lnone
        fmov    @r4+,xd8
        fmov    @r4+,xd10
        tst     #7,r0
        fmov    @r4+,xd12
        bf/s    .Lwords
        fmov    @r4+,xd14

        fmov    @r5+,dr0                ! fv0
        dt      r7
        fmov    @r5,dr2
        add     r1,r5
        bt/s    .Lone
        fsts    fpul,fr3
        fmov    @r5+,dr4                ! fv4
        dt      r7
        fmov    @r5,dr6
        add     #-16,r6
        ftrv    xmtrx,fv0
        add     r1,r5
        bt/s    2f
        fsts    fpul,fr7
        add     #-3,r7
        cmp/pz  r7
        bf      5f
        .align  2
1:
        stage   dr8,dr10,fr11,fv4,dr2
        add     #-3,r7
        fmov    dr0,@-r6
        stage   dr0,dr2,fr3,fv8,dr6
        cmp/pz  r7
        fmov    dr4,@-r6
        stage   dr4,dr6,fr7,fv0,dr10
        bt/s    1b
        fmov    dr8,@-r6
5:
        add     #3,r7                   ! zero to two vectors remain
        tst     r7,r7
        bt/s    2f
        dt      r7
        stage   dr8,dr10,fr11,fv4,dr2
        bt/s    3f
        fmov    dr0,@-r6
        stage   dr0,dr2,fr3,fv8,dr6
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
.Lnone:
        rts
        fschg

.Lwords:
        fschg
        fmov.s  @r5+,fr0
        dt      r7
        fmov.s  @r5+,fr1
        add     #16,r6
        fmov.s  @r5,fr2
        add     r1,r5
        bt/s    .Llast_word
        fsts    fpul,fr3
        fmov.s  @r5+,fr4
        dt      r7
        fmov.s  @r5+,fr5
        ftrv    xmtrx,fv0
        fmov.s  @r5,fr6
        bt/s    7f
        fsts    fpul,fr7
        .align  2
6:
        word_stage fr0,fr1,fr2,fr3,fv4
        bt/s    8f
        fsts    fpul,fr3
        word_stage fr4,fr5,fr6,fr7,fv0
        bf/s    6b
        fsts    fpul,fr7
7:
        word_drain fv4,fr0,fr1,fr2,fr3
        bra     9f
        add     #32,r6
8:
        word_drain fv0,fr4,fr5,fr6,fr7
        bra     .Llast_stored
        add     #32,r6
.Llast_word:
        ftrv    xmtrx,fv0
.Llast_stored:
        fmov.s  fr3,@-r6
        fmov.s  fr2,@-r6
        fmov.s  fr1,@-r6
        rts
        fmov.s  fr0,@-r6
9:
        fmov.s  fr7,@-r6
        fmov.s  fr6,@-r6
        fmov.s  fr5,@-r6
        rts
        fmov.s  fr4,@-r6
        .size   _transform_points, .-_transform_points
