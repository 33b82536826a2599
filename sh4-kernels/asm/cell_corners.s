! SPDX-License-Identifier: MIT OR Apache-2.0
! void cell_corners(const NJS_CELL_SPRITE *sprite, const NJS_CELL cells[], uint32_t n, float corners[][4][2],
!                   uint32_t stride)
!
!   computes the corners of each cell: rotated by its angle, moved, rotated by the sprite's angle, moved
!   in        r4 sprite, r5 cells, r6 n, r7 corners, stack: bytes to the next cell's sprite
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr11, FPUL, T; saves fr12-fr15
!   cycles    68 per cell (66 FE slots)
!
! Corners of one cell share the products of two coordinates each: left and right, top and bottom, times sine and cosine.
! An iteration begins with left, top, right, bottom in fr4-fr7, the offset in fr8, fr9, and sine and cosine of the cell
! in fr2, fr3; it loads these for the next cell. The corners tl, bl, tr and br (top left ...), relative to the sprite,
! are in fr6 fr5, fr4 fr7, fr2 fr1, fr3 fr0. r4 and r3 point to the sprite and the cell; the last cell is its own
! successor. PREF fetches the next cell, and the line of this cell's corners.

        .text
        .align  5
        .globl  _cell_corners
        .type   _cell_corners, @function
_cell_corners:
        tst     r6,r6
        bf      2f
        rts
        nop
2:
        mov     r5,r3                   ! cells
        mov.l   @r15,r1                 ! stride
        mov     r4,r2                  
        fmov.s  fr12,@-r15
        add     #24,r2
        fmov.s  fr13,@-r15
        mov     r3,r5                  
        fmov.s  @r2+,fr4                ! scale
        add     #4,r5
        fmov.s  @r2,fr5                
        add     #8,r7
        fmov.s  @r5+,fr8                ! cox
        fmov.s  @r5+,fr9                ! coy
        fmul    fr4,fr8                 ! offset
        fmov.s  @r5+,fr6                ! csx
        fmov.s  fr14,@-r15
        fmul    fr4,fr6                 ! width
        fmov.s  @r5+,fr7                ! csy
        mov.w   @r5,r0                  ! angle
        add     #4,r5
        fmov.s  @r5+,fr4                ! centre
        fmul    fr5,fr7                 ! height
        fmul    fr5,fr9                
        fmov.s  @r5,fr5                
        fmul    fr6,fr4                
        lds     r0,fpul
        fmov.s  fr15,@-r15
        fmul    fr7,fr5                
        fsca    fpul,dr2                ! sine and cosine
        fneg    fr4                     ! left
        fadd    fr4,fr6                 ! right
        fneg    fr5                     ! top
        fadd    fr5,fr7                 ! bottom
1:
        fmov    fr6,fr10
        mov     r4,r2
        fmul    fr2,fr10                ! right sin
        fmov    fr5,fr1
        fmul    fr2,fr5                 ! top sin
        fmov    fr4,fr0
        mov.l   @(20,r4),r0             ! sprite: angle
        fmul    fr3,fr4                 ! left cos
        fmul    fr3,fr6                 ! right cos
        dt      r6
        lds     r0,fpul
        fmul    fr2,fr0                 ! left sin
        fmov    fr7,fr11
        fmul    fr3,fr1                 ! top cos
        fmul    fr2,fr7                 ! bottom sin
        fmov    fr6,fr2
        fsub    fr5,fr2                 ! tr: x
        bt      3f                     ! no cell is read past the last one
        add     r1,r4
3:
        fsca    fpul,dr14
        fmul    fr3,fr11                ! bottom cos
        fmov    fr6,fr3
        add     #8,r2
        fsub    fr7,fr3                 ! br: x
        fmov    fr4,fr6
        fsub    fr5,fr6                 ! tl: x
        fsub    fr7,fr4                 ! bl: x
        fmov    fr0,fr5
        fadd    fr1,fr5                 ! tl: y
        fmov.s  @r2+,fr12               ! sprite: position
        fmov    fr0,fr7
        fadd    fr10,fr1                ! tr: y
        fmov.s  @r2,fr13
        fadd    fr8,fr6                 ! tl: in the sprite
        pref    @r7
        fadd    fr9,fr5
        fadd    fr11,fr7                ! bl: y
        fmov    fr10,fr0
        fadd    fr11,fr0                ! br: y
        fmov    fr5,fr11                ! tl
        fmul    fr15,fr5                ! tl
        fmov    fr6,fr10                ! tl
        fadd    fr9,fr7
        mov     r4,r2                   ! next
        fadd    fr8,fr4                 ! bl: in the sprite
        fadd    fr8,fr2                 ! tr: in the sprite
        bt      4f
        add     #64,r3
4:
        fadd    fr9,fr1
        fmul    fr14,fr11               ! tl
        fadd    fr8,fr3                 ! br: in the sprite
        fmul    fr15,fr10               ! tl
        fmul    fr14,fr6                ! tl
        fmov    fr4,fr8                 ! bl
        fadd    fr9,fr0
        fmul    fr15,fr8                ! bl
        mov     r3,r5                   ! next
        fmul    fr14,fr4                ! bl
        add     #4,r5
        fsub    fr11,fr10               ! tl
        fmov    fr7,fr9                 ! bl
        fmov    fr1,fr11                ! tr
        fadd    fr5,fr6                 ! tl
        add     #24,r2
        fmul    fr15,fr7                ! bl
        fmul    fr14,fr9                ! bl
        fadd    fr12,fr10               ! tl
        fadd    fr13,fr6                ! tl
        fadd    fr7,fr4                 ! bl
        pref    @r3                     ! next
        fmov.s  fr6,@-r7                ! tl
        fsub    fr9,fr8                 ! bl
        fmul    fr14,fr11               ! tr
        fmov.s  fr10,@-r7               ! tl
        fadd    fr13,fr4                ! bl
        fmov    fr2,fr10                ! tr
        add     #16,r7
        fmul    fr15,fr10               ! tr
        fmov.s  fr4,@-r7                ! bl
        fmul    fr14,fr2                ! tr
        fmov.s  @r2+,fr4                ! next: scale
        fmul    fr15,fr1                ! tr
        fmov.s  @r2,fr5                 ! next
        fadd    fr12,fr8                ! bl
        fsub    fr11,fr10               ! tr
        fmov    fr0,fr11                ! br
        fmov.s  fr8,@-r7                ! bl
        fadd    fr1,fr2                 ! tr
        fmul    fr15,fr0                ! br
        fmov.s  @r5+,fr8                ! next: cox
        fadd    fr12,fr10               ! tr
        add     #16,r7
        fadd    fr13,fr2                ! tr
        fmov.s  @r5+,fr9                ! next: coy
        fmov.s  @r5+,fr6                ! next: csx
        fmul    fr14,fr11               ! br
        fmov.s  fr2,@-r7                ! tr
        fmul    fr5,fr9                 ! next
        fmul    fr4,fr8                 ! next: offset
        fmov.s  fr10,@-r7               ! tr
        fmov    fr3,fr10                ! br
        fmul    fr14,fr3                ! br
        fmul    fr15,fr10               ! br
        add     #16,r7
        fmul    fr4,fr6                 ! next: width
        fmov.s  @r5+,fr7                ! next: csy
        mov.w   @r5,r0                  ! next: angle
        fadd    fr0,fr3                 ! br
        fsub    fr11,fr10               ! br
        add     #4,r5
        fmul    fr5,fr7                 ! next: height
        fmov.s  @r5+,fr4                ! next: centre
        fadd    fr13,fr3                ! br
        lds     r0,fpul
        fmov.s  @r5,fr5                 ! next
        fadd    fr12,fr10               ! br
        fmul    fr6,fr4                 ! next
        fmov.s  fr3,@-r7                ! br
        fmul    fr7,fr5                 ! next
        fmov.s  fr10,@-r7               ! br
        add     #16,r7
        fsca    fpul,dr2                ! next: sine and cosine
        fneg    fr4                     ! next: left
        fadd    fr4,fr6                 ! next: right
        fneg    fr5                     ! next: top
        bf/s    1b
        fadd    fr5,fr7                 ! next: bottom
        fmov.s  @r15+,fr15
        fmov.s  @r15+,fr14
        fmov.s  @r15+,fr13
        rts
        fmov.s  @r15+,fr12
        .size   _cell_corners, .-_cell_corners
