! void cell_billboards(const NJS_CELL_SPRITE *sprite, const float viewport[4], const NJS_CELL cells[], uint32_t n,
!                      uint32_t placings[][8])
!
!   w = -(sprite z + cell priority * 3.0520e-5);
!   placings[i] = 0, 0, centre + position * scale / w, 1 / w, sprite angle, sprite scale * |viewport scale y| / w
!   in        r4 sprite, r5 viewport (scale x, scale y, centre x, centre y), r6 cells, r7 n, stack: placings
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r3, r6, r7, fr0-fr11, FPUL, T

        .text
        .align  5
        .globl  _cell_billboards
        .type   _cell_billboards, @function
_cell_billboards:
        mov.l   @r15,r1                 ! placings
        tst     r7,r7
        bf      3f
        rts
        nop
3:
        fmov.s  fr12,@-r15
        fmov.s  fr13,@-r15
        mov     #8,r0
        fmov.s  @(r0,r4),fr4            ! position
        mov     #12,r0
        fmov.s  @(r0,r4),fr5
        mov     #16,r0
        fmov.s  @(r0,r4),fr6
        mov     #24,r0
        fmov.s  @(r0,r4),fr12           ! scale
        mov     #28,r0
        fmov.s  @(r0,r4),fr13
        fmov.s  @r5+,fr1
        fmov.s  @r5+,fr7
        fmov.s  @r5+,fr8                ! centre
        fmov.s  @r5,fr9
        fmul    fr1,fr4                 ! position in pixels at w = 1
        mova    unit,r0
        fmul    fr7,fr5
        fabs    fr7                     ! height of a unit at w = 1
        mov.l   @(20,r4),r2             ! angle
        fmov.s  @r0,fr0                 ! depth of a unit of priority
        mov     #0,r3
1:
        mov.w   @(22,r6),r0             ! cp
        add     #64,r6
        lds     r0,fpul
        fldi1   fr2
        fmov    fr6,fr3
        float   fpul,fr1
        add     #32,r1                  ! the placing is filled from its end
        fmac    fr0,fr1,fr3             ! z
        fneg    fr3                     ! w
        fdiv    fr3,fr2                 ! 1 / w
        fmov    fr12,fr10
        fmov    fr13,fr11
        fmov    fr7,fr1
        fmul    fr2,fr1                 ! height of a unit
        fmov    fr8,fr3
        fmul    fr1,fr10
        fmul    fr1,fr11
        fmov    fr9,fr1
        fmov.s  fr11,@-r1
        fmov.s  fr10,@-r1
        mov.l   r2,@-r1
        fmov.s  fr2,@-r1
        fmov    fr0,fr11                ! FMAC multiplies by FR0
        fmov    fr2,fr0
        fmac    fr0,fr4,fr3             ! x
        fmac    fr0,fr5,fr1             ! y
        fmov    fr11,fr0
        fmov.s  fr1,@-r1
        fmov.s  fr3,@-r1
        mov.l   r3,@-r1
        mov.l   r3,@-r1
        dt      r7
        bf/s    1b
        add     #32,r1
        fmov.s  @r15+,fr13
        rts
        fmov.s  @r15+,fr12

        .align  2
unit:   .float  3.0520e-5
        .size   _cell_billboards, .-_cell_billboards
