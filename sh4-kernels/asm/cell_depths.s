! SPDX-License-Identifier: MIT OR Apache-2.0
! void cell_depths(const NJS_CELL_SPRITE *sprite, const NJS_CELL cells[], uint32_t n, float depths[])
!
!   depths[i] = -1 / (sprite z + cell priority * 3.0520e-5)
!   in        r4 sprite, r5 cells, r6 n, r7 depths
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r2, r4-r7, fr0-fr6, FPUL, T
!   cycles    10 per cell: the divider accepts one division in 10 cycles. All other work (6 cycles of issue slots)
!             overlaps with it

! Divides \now, which is -1, by the z in fr3. Stores \before, the quotient of the previous cell, and loads the next
! cell's z and -1. Without a next cell, jumps to \end without a store.
        .macro  cell now, before, end
        fdiv    fr3,\now
        dt      r6
        bt      \end
        mov.w   @r5,r0                  ! cp
        add     #64,r5
        fmov.s  \before,@r7
        add     #4,r7
        lds     r0,fpul
        fmov    fr4,fr3
        float   fpul,fr1
        fmov    fr5,\before
        pref    @r5
        .endm

        .text
        .align  5
        .globl  _cell_depths
        .type   _cell_depths, @function
_cell_depths:
        tst     r6,r6
        bt/s    4f
        add     #22,r5
        mov.w   @r5,r0
        mov     #0x38,r1
        add     #16,r4
        mov     #83,r2
        fldi1   fr5
        shll16  r1
        lds     r0,fpul
        shll2   r2
        fmov.s  @r4,fr4                 ! sprite z
        shll8   r1
        float   fpul,fr1
        add     r2,r2
        add     #2,r2
        fneg    fr5
        add     r2,r1
        lds     r1,fpul
        fsts    fpul,fr0                ! depth of a unit of priority: 3800029A is 3.0520e-5
        fmov    fr4,fr3
        add     #64,r5
        fmov    fr5,fr2
        dt      r6
        fmac    fr0,fr1,fr3             ! z
        bt/s    3f
        fdiv    fr3,fr2
        mov.w   @r5,r0
        add     #64,r5
        lds     r0,fpul
        fmov    fr4,fr3
        float   fpul,fr1
        fmov    fr5,fr6
        fmac    fr0,fr1,fr3
1:
        cell    fr6,fr2,2f
        fmac    fr0,fr1,fr3
        cell    fr2,fr6,5f
        bra     1b
        fmac    fr0,fr1,fr3
2:
        fmov.s  fr2,@r7
        add     #4,r7
        rts
        fmov.s  fr6,@r7
5:
        fmov.s  fr6,@r7
        add     #4,r7
3:
        fmov.s  fr2,@r7
4:
        rts
        nop
        .size   _cell_depths, .-_cell_depths
