! void cell_depths(const NJS_CELL_SPRITE *sprite, const NJS_CELL cells[], uint32_t n, float depths[])
!
!   depths[i] = -1 / (sprite z + cell priority * 3.0520e-5)
!   in        r4 sprite, r5 cells, r6 n, r7 depths
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0, r5-r7, fr0-fr5, FPUL, T

        .text
        .align  5
        .globl  _cell_depths
        .type   _cell_depths, @function
_cell_depths:
        mov     #16,r0
        fmov.s  @(r0,r4),fr4            ! sprite z
        mova    unit,r0
        fmov.s  @r0,fr0                 ! depth of a unit of priority
        tst     r6,r6
        bt      2f
1:
        mov.w   @(22,r5),r0             ! cp
        lds     r0,fpul
        fldi1   fr2
        fmov    fr4,fr3
        float   fpul,fr1
        add     #64,r5
        fmac    fr0,fr1,fr3             ! z
        dt      r6
        fneg    fr3
        fdiv    fr3,fr2
        fmov.s  fr2,@r7
        bf/s    1b
        add     #4,r7
2:
        rts
        nop

        .align  2
unit:   .float  3.0520e-5
        .size   _cell_depths, .-_cell_depths
