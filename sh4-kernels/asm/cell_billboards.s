! SPDX-License-Identifier: MIT OR Apache-2.0
! void cell_billboards(const NJS_CELL_SPRITE *sprite, const float viewport[4], const NJS_CELL cells[], uint32_t n,
!                      uint32_t placings[][8])
!
!   w = -(sprite z + cell priority * 3.0520e-5);
!   placings[i] = 0, 0, centre + position * scale / w, 1 / w, sprite angle, sprite scale * |viewport scale y| / w
!   in        r4 sprite, r5 viewport (scale x, scale y, centre x, centre y), r6 cells, r7 n, stack: placings (8-byte
!             aligned)
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr11, XMTRX, FPUL, T; saves fr12-fr14
!   cycles    15 per cell (27 slots; FDIV takes 12 from z to its reciprocal); 43 before and after all cells, mostly
!             loads of shared values
!
! XMTRX holds pairs that are copied together: xd0 -1 and the angle, xd2 z and the height of a unit at w = 1, xd4 the
! centre, xd6 the scale, xd8 two zeros. The loop finishes cell i, divides for cell i + 1 and computes z of cell i + 2.

        .text
        .align  5
        .globl  _cell_billboards
        .type   _cell_billboards, @function
_cell_billboards:
        tst     r7,r7
        bf      3f
        rts
        nop
3:
        mov.l   @r15,r1                 ! placings
        fmov.s  fr12,@-r15
        mov     #0x38,r2
        add     #8,r4
        fmov.s  fr13,@-r15
        fmov.s  @r4+,fr12               ! position
        fmov.s  fr14,@-r15
        mov     #83,r3
        shll2   r3
        fmov.s  @r5+,fr1
        fmov.s  @r4+,fr13
        add     r3,r3
        fmov.s  @r5+,fr5
        fmov.s  @r4+,fr4                ! z
        fmov.s  @r4+,fr3                ! angle
        fmov.s  @r4+,fr8                ! scale
        add     #22,r6
        fmov.s  @r5+,fr6                ! centre
        fmul    fr5,fr13
        shll16  r2
        fmov.s  @r4+,fr9
        mov.w   @r6,r0
        add     #2,r3
        shll8   r2
        fmov.s  @r5+,fr7
        add     r3,r2
        fldi0   fr11
        fabs    fr5                     ! height of a unit at w = 1
        dt      r7
        lds     r2,fpul
        fsts    fpul,fr14               ! depth of a unit of priority: 3800029A is 3.0520e-5
        fmul    fr1,fr12                ! position in pixels at w = 1
        fschg
        lds     r0,fpul
        float   fpul,fr0
        fldi0   fr10
        fmov    dr4,xd2                 ! z, height
        fldi1   fr2
        fneg    fr2
        fmac    fr0,fr14,fr4            ! z
        add     #32,r1
        fmov    dr6,xd4                 ! centre
        fmov    dr2,xd0                 ! -1, angle
        fdiv    fr4,fr2
        fmov    dr8,xd6                 ! scale
        bt/s    2f
        fmov    dr10,xd8                ! 0, 0
        add     #64,r6
        mov.w   @r6,r0                  ! the second cell
        lds     r0,fpul
        float   fpul,fr0
        fmov    xd2,dr4
        fmac    fr0,fr14,fr4
1:
        dt      r7
        fmov    dr2,dr0                 ! i: 1 / w, angle
        fmov    xd2,dr10                ! i
        fmul    fr0,fr11                ! i: height of a unit
        fmov    xd0,dr2                 ! i + 1
        fdiv    fr4,fr2                 ! i + 1: 1 / w
        fmov    xd4,dr6                 ! i
        bt      4f                     ! no cell is read past the last one
        add     #64,r6
4:
        fmov    xd6,dr8                 ! i
        fmul    fr11,fr8                ! i: scale
        mov.w   @r6,r0                  ! i + 2: cp
        fmul    fr11,fr9                ! i
        fmov    xd2,dr4                 ! i + 2
        fmac    fr0,fr12,fr6            ! i: x
        lds     r0,fpul                 ! i + 2
        fmac    fr0,fr13,fr7            ! i: y
        fmov    dr8,@-r1                ! i
        fmov    dr0,@-r1                ! i
        float   fpul,fr0                ! i + 2
        fmov    dr6,@-r1                ! i
        fmov    xd8,@-r1                ! i
        add     #64,r1
        fmac    fr0,fr14,fr4            ! i + 2: z
        pref    @r6
        bf/s    1b
        pref    @r1
2:
        fmov    dr2,dr0                 ! the last cell
        fmov    xd2,dr10
        fmul    fr0,fr11                ! height of a unit
        fmov    xd4,dr6
        fmac    fr0,fr12,fr6            ! x
        fmac    fr0,fr13,fr7            ! y
        fmov    xd6,dr8
        fmul    fr11,fr8                ! scale
        fmul    fr11,fr9
        fmov    dr8,@-r1
        fmov    dr0,@-r1
        fmov    dr6,@-r1
        fmov    xd8,@-r1
        fschg
        fmov.s  @r15+,fr14
        fmov.s  @r15+,fr13
        rts
        fmov.s  @r15+,fr12
        .size   _cell_billboards, .-_cell_billboards
