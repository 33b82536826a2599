! void cell_corners(const NJS_CELL_SPRITE *sprite, const NJS_CELL cells[], uint32_t n, float corners[][4][2],
!                   uint32_t stride)
!
!   the corners of each cell, turned by its angle, moved, turned by the sprite's angle, moved
!   in        r4 sprite, r5 cells, r6 n, r7 corners, stack: bytes to the next cell's sprite
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0, r1, r4-r7, fr0-fr11, FPUL, T

! Corner (\x, \y) to r7. Cell: sine fr2, cosine fr3, offset fr8, fr9. Sprite: position fr12, fr13, sine fr14, cosine fr15.
        .macro  corner x, y
        fmov    \x,fr0
        fmov    \y,fr1
        fmul    fr3,fr0                 ! x cos
        fmul    fr2,fr1                 ! y sin
        fmov    \x,fr10
        fmov    \y,fr11
        fmul    fr2,fr10                ! x sin
        fmul    fr3,fr11                ! y cos
        fsub    fr1,fr0
        fadd    fr11,fr10
        fadd    fr8,fr0                 ! in the sprite: fr0, fr10
        fadd    fr9,fr10
        fmov    fr0,fr1
        fmul    fr15,fr1
        fmov    fr10,fr11
        fmul    fr14,fr11
        fmul    fr14,fr0
        fmul    fr15,fr10
        fsub    fr11,fr1
        fadd    fr10,fr0
        fadd    fr12,fr1
        fadd    fr13,fr0
        fmov.s  fr1,@r7
        add     #4,r7
        fmov.s  fr0,@r7
        add     #4,r7
        .endm

        .text
        .align  5
        .globl  _cell_corners
        .type   _cell_corners, @function
_cell_corners:
        tst     r6,r6
        mov.l   @r15,r1                 ! stride
        bf      2f
        rts
        nop
2:
        fmov.s  fr12,@-r15
        fmov.s  fr13,@-r15
        fmov.s  fr14,@-r15
        fmov.s  fr15,@-r15
1:
        mov.l   @(20,r4),r0             ! sprite angle
        lds     r0,fpul
        mov     #8,r0
        fsca    fpul,dr14
        fmov.s  @(r0,r4),fr12           ! sprite position
        mov     #12,r0
        fmov.s  @(r0,r4),fr13
        mov     #24,r0
        fmov.s  @(r0,r4),fr10           ! sprite scale
        mov     #28,r0
        fmov.s  @(r0,r4),fr11
        mov     #4,r0
        fmov.s  @(r0,r5),fr8            ! cox
        mov     #8,r0
        fmov.s  @(r0,r5),fr9            ! coy
        mov     #12,r0
        fmov.s  @(r0,r5),fr6            ! csx
        mov     #16,r0
        fmov.s  @(r0,r5),fr7            ! csy
        fmul    fr10,fr8
        fmul    fr11,fr9
        fmul    fr10,fr6                ! width
        fmul    fr11,fr7                ! height
        mov     #24,r0
        fmov.s  @(r0,r5),fr4            ! centre x
        add     r1,r4
        mov     #28,r0
        fmov.s  @(r0,r5),fr5            ! centre y
        fmul    fr6,fr4
        mov.w   @(20,r5),r0             ! cell angle
        fmul    fr7,fr5
        lds     r0,fpul
        fneg    fr4                     ! left
        fneg    fr5                     ! top
        fsca    fpul,dr2
        fadd    fr4,fr6                 ! right
        fadd    fr5,fr7                 ! bottom
        corner  fr4,fr5
        corner  fr4,fr7
        corner  fr6,fr5
        corner  fr6,fr7
        dt      r6
        bt      3f
        bra     1b
        add     #64,r5
3:
        fmov.s  @r15+,fr15
        fmov.s  @r15+,fr14
        fmov.s  @r15+,fr13
        rts
        fmov.s  @r15+,fr12
        .size   _cell_corners, .-_cell_corners
