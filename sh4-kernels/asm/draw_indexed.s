! SPDX-License-Identifier: MIT OR Apache-2.0
! void draw_indexed(const struct view *view, const float vertices[][8], const uint16_t offsets[], uint32_t n,
!                   uint32_t fetch, void *sq)
!
!   transforms, lights and sends the vertex at each offset: 32-byte parameters of intensity polygons with texture,
!   through the two store queues in turn
!   view      0 matrix to the screen (x w, y w, ignored, w), 64 light and ambient
!   vertices  x y z, normal, u v; a cache line each
!   offsets   bytes from vertices, a multiple of 32, plus 1 in the last of a strip
!   in        r4 view (4-byte aligned), r5 vertices (32), r6 offsets, r7 n, stack: number of vertices to load into the
!             cache first; sq is 32-byte aligned in E0000000-E3FFFFFF and QACR0/1 lead to the tile accelerator
!   FPSCR     PR = 0, SZ = 0, as at return
!   clobbers  r0-r7, fr0-fr11, XMTRX, FPUL, T; saves r8-r12, fr12-fr15
!
!   15 cycles per vertex, and one more at the end of a strip. 13 load/store slots (index, 5 loads, 1.0, ambient, 4
!   stores, PREF) and 28 issue slots limit the speed; the tile accelerator accepts a block in 14 cycles.
!
! Two vertices are in progress, in fv0 and in fv4, each with its own queue: while one is transformed and lit, the
! previous one is stored and the next one is loaded. XMTRX converts (x, y, z, 1) to (y w, w, parameter control word, x
! w). Its third row is 0 0 0 E0000000 (the float -2^65), so that register pairs are in the order of the block. 1/w is
! FSRRA of w squared, and replaces w.
!
! fr12 0, fr13-fr15 light, FPUL ambient; fv8 (z, normal) for FIPR, then u v, intensities. r0 the offset; r1, r2 the
! offset with its last bit, for each vertex; r3, r4 the end of the data to store, for each queue; r5, r8-r10 vertices +
! 0, 8, 16, 24; r11 FFE0, r12 F0000000, r7 remaining pairs of vertices. SZ is 1.

! Transforms the vertex, and stores u and v of the previous one.
        .macro  turn p0, behind
        fmov    @(r0,r9),dr10           ! normal y, z
        ftrv    xmtrx,fv\p0
        fmov    dr8,@-\behind
        .endm

! Completes the previous vertex: stores control word and x, with the end bit in T.
        .macro  end_of_strip q2, behind
        fmov    dr\q2,@-\behind
        bf      1f
        mov.l   r12,@\behind
1:
        .endm

! Computes the intensities from the product with the light, and loads the next vertex into q.
        .macro  light p0, p1, p3, q0, q2, q3, behind, q_raw, q_behind
        fipr    fv12,fv8                ! fr11 = normal . light
        fmov    @(r0,r10),dr8           ! u, v
        mov     \q_raw,r0
        fsts    fpul,fr10
        and     r11,r0
        fmov    @(r0,r8),dr\q2          ! z, normal x
        fsrra   fr\p1
        fmov    @(r0,r5),dr\q0          ! x, y
        fcmp/gt fr12,fr11
        fldi1   fr\q3
        add     #32,\q_behind
        bf      2f
        fadd    fr11,fr10
2:
        fmul    fr\p1,fr\p0
        .endm

! Brings the first vertex to the state that the loop expects.
        .macro  first p0, p1, p2, p3, raw
        mov.w   @r6+,\raw
        mov     \raw,r0
        and     r11,r0
        fmov    @(r0,r8),dr\p2
        fmov    @(r0,r5),dr\p0
        fldi1   fr\p3
        fmov    @(r0,r8),dr8
        fmov    @(r0,r9),dr10
        ftrv    xmtrx,fv\p0
        tst     r7,r7
        fmul    fr\p1,fr\p1
        .endm

! Loads a column of the matrix into XMTRX, with 0 in its third row.
        .macro  column p0, p1, p2, p3
        fmov.s  @r4+,fr\p3
        fmov.s  @r4+,fr\p0
        add     #4,r4
        fmov.s  @r4+,fr\p1
        fldi0   fr\p2
        .endm

        .text
        .align  5
        .globl  _draw_indexed
        .type   _draw_indexed, @function
_draw_indexed:
        mov     #-32,r2
        tst     r7,r7
        mov.l   @r15,r3                 ! vertices to fetch
        bf/s    1f
        and     r6,r2
        rts
        nop
1:
        mov.l   r8,@-r15
        mov     #8,r0
        mov.l   r9,@-r15
        shll8   r0
        mov.l   r10,@-r15
        mov     r7,r1
        cmp/hi  r0,r7
        mov.l   r11,@-r15
        bf      2f
        mov     r0,r1                   ! at most 4 KB of offsets
2:
        mov.l   r12,@-r15
        add     r1,r1
        fmov.s  fr12,@-r15
        add     r6,r1
        fmov.s  fr13,@-r15
        fmov.s  fr14,@-r15
        fmov.s  fr15,@-r15
3:
        pref    @r2
        add     #32,r2
        cmp/hs  r1,r2
        bf      3b
        tst     r3,r3
        bt/s    5f
        mov     r5,r2
4:
        pref    @r2
        dt      r3
        bf/s    4b
        add     #32,r2
5:
        mov     #-32,r12
        shll16  r12
        frchg
        shll8   r12
        column  0,1,2,3
        lds     r12,fpul
        column  4,5,6,7
        shar    r12                     ! F0000000
        column  8,9,10,11
        mov     #-32,r11
        column  12,13,14,15
        fsts    fpul,fr14
        extu.w  r11,r11
        frchg
        fldi0   fr12
        mov     r5,r8
        fmov.s  @r4+,fr13
        add     #8,r8
        fmov.s  @r4+,fr14
        mov     r5,r9
        fmov.s  @r4+,fr15
        add     #16,r9
        mov.l   @r4,r0
        mov     r5,r10
        mov.l   @(40,r15),r3
        add     #24,r10
        lds     r0,fpul                 ! ambient
        add     #32,r3
        fschg
        shlr    r7
        bf/s    6f
        mov     r3,r4                   ! .Lodd and .Leven add 32 to the other queue
        first   0,1,2,3,r1
        bt      .Lonly
        bra     .Leven
        mov.w   @r6+,r2
6:
        first   4,5,6,7,r2
        add     #32,r4
        add     #-32,r3
        bra     .Lodd
        mov.w   @r6+,r1

        .align  2
.Lpair:
        end_of_strip 2,r3
        mov.w   @r6+,r1
        fmul    fr5,fr5
        pref    @r3
.Lodd:
        light   4,5,7,0,2,3,r4,r1,r3
        dt      r7
        fmov    dr10,@-r4               ! intensities
        fmul    fr5,fr7
        turn    0,r4
        fmov    @(r0,r8),dr8            ! z, normal x
        bt      .Llast
        fmov    dr4,@-r4                ! y, 1/w
        shlr    r2
        end_of_strip 6,r4
        mov.w   @r6+,r2
        fmul    fr1,fr1
        pref    @r4
.Leven:
        light   0,1,3,4,6,7,r3,r2,r4
        fmov    dr10,@-r3
        fmul    fr1,fr3
        turn    4,r3
        shlr    r1
        fmov    @(r0,r8),dr8
        bra     .Lpair
        fmov    dr0,@-r3

.Llast:
        fmov    dr4,@-r4
        shlr    r2
        end_of_strip 6,r4
        fmul    fr1,fr1
        pref    @r4
.Lonly:
        fipr    fv12,fv8
        fmov    @(r0,r10),dr8
        fsrra   fr1
        fsts    fpul,fr10
        fcmp/gt fr12,fr11
        fmul    fr1,fr0
        bf      2f
        fadd    fr11,fr10
2:
        fmul    fr1,fr3
        fmov    dr10,@-r3
        shlr    r1
        fmov    dr8,@-r3
        fmov    dr0,@-r3
        end_of_strip 2,r3
        fschg
        pref    @r3
        fmov.s  @r15+,fr15
        fmov.s  @r15+,fr14
        fmov.s  @r15+,fr13
        fmov.s  @r15+,fr12
        mov.l   @r15+,r12
        mov.l   @r15+,r11
        mov.l   @r15+,r10
        mov.l   @r15+,r9
        rts
        mov.l   @r15+,r8
        .size   _draw_indexed, .-_draw_indexed
