! SPDX-License-Identifier: MIT OR Apache-2.0
! void cell_colours(const NJS_CELL_SPRITE *sprite, const NJS_CELL cells[], uint32_t n, uint32_t colours[][4],
!                   uint32_t *offset)
!
!   corner colours (255 each without NJD_FCA_VC) times diffuse, truncated, wrapping; offset = FF, specular times 255
!   in        r4 sprite, r5 cells, r6 n, r7 colours, stack: offset
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr11, FPUL, T; saves r8-r11
!   cycles    80 for a cell with vertex colours (34 slots per corner, an inner loop of 18 cycles, and its entry and
!             exit); 11 without (14 slots: the branch waits for the flags, and its target for two more cycles)
!
! Products are stored byte by byte, from alpha to blue, so that values above 255 wrap around.

        .text
        .align  5
        .globl  _cell_colours
        .type   _cell_colours, @function
_cell_colours:
        mov.l   @r15,r1                 ! offset
        add     #32,r4
        fmov.s  @r4+,fr4                ! diffuse: alpha
        mov     #-1,r3
        add     #4,r1
        fmov.s  @r4+,fr5                ! red
        fmov.s  @r4+,fr6                ! green
        fmov.s  @r4+,fr7                ! blue
        extu.b  r3,r2                   ! 255
        add     #4,r4
        lds     r2,fpul
        fmov.s  @r4+,fr1                ! specular: red
        float   fpul,fr0
        fmov.s  @r4+,fr2                ! green
        mov.l   r8,@-r15
        fmov.s  @r4,fr3                 ! blue
        fmul    fr0,fr1
        fmul    fr0,fr2
        fmov    fr0,fr9
        fmov    fr0,fr10
        fmul    fr0,fr3
        mov.b   r3,@-r1
        fmul    fr5,fr9
        mov.l   r9,@-r15
        fmul    fr6,fr10
        fmov    fr0,fr8
        mov.l   r10,@-r15
        fmul    fr4,fr8
        mov.l   r11,@-r15
        ftrc    fr1,fpul
        sts     fpul,r9
        ftrc    fr2,fpul
        sts     fpul,r10
        ftrc    fr3,fpul
        sts     fpul,r11
        add     #4,r7
        mov.b   r9,@-r1
        mov.b   r10,@-r1
        ftrc    fr8,fpul
        mov.b   r11,@-r1
        sts     fpul,r1
        ftrc    fr9,fpul
        sts     fpul,r9
        ftrc    fr10,fpul
        fmov    fr0,fr11
        fmul    fr7,fr11
        sts     fpul,r10
        shll8   r1
        extu.b  r9,r9
        ftrc    fr11,fpul
        or      r9,r1
        sts     fpul,r11
        extu.b  r10,r10
        shll8   r1
        tst     r6,r6
        or      r10,r1
        shll8   r1
        extu.b  r11,r11
        bt/s    5f
        or      r11,r1                  ! 255 times diffuse
1:                                      ! moves r7 from the end to the red byte of the cell's first colour
        mov.b   @(2,r5),r0
        mov     r5,r4
        add     #32,r4
        tst     #0x80,r0                ! T = 1: vertex colours are not used
        mov.l   @r4+,r2
        bt/s    4f
        add     #64,r5
        mov     #3,r8
        extu.b  r2,r0                   ! blue
        lds     r0,fpul
        shlr8   r2                      ! green
        float   fpul,fr11
        extu.b  r2,r3
        shlr8   r2                      ! red
        lds     r3,fpul
        float   fpul,fr10
        extu.b  r2,r0
        fmul    fr7,fr11
        lds     r0,fpul
        float   fpul,fr9
        shlr8   r2                      ! alpha
        fmul    fr6,fr10
        lds     r2,fpul
        float   fpul,fr8
        fmul    fr5,fr9
        pref    @r5                     ! the next cell's flags
        fmul    fr4,fr8
2:                                      ! products of a colour in fr8-fr11
        ftrc    fr8,fpul                ! alpha
        mov.l   @r4+,r2                 ! next
        sts     fpul,r9
        ftrc    fr9,fpul                ! red
        sts     fpul,r10
        ftrc    fr10,fpul               ! green
        sts     fpul,r11
        ftrc    fr11,fpul               ! blue
        sts     fpul,r3
        extu.b  r2,r0                   ! next: blue
        mov.b   r9,@-r7
        shlr8   r2                      ! next: green
        lds     r0,fpul                 ! next
        extu.b  r2,r0                   ! next
        mov.b   r10,@-r7
        float   fpul,fr11               ! next
        lds     r0,fpul                 ! next
        shlr8   r2                      ! next: red
        float   fpul,fr10               ! next
        extu.b  r2,r0                   ! next
        lds     r0,fpul                 ! next
        shlr8   r2                      ! next: alpha
        float   fpul,fr9                ! next
        lds     r2,fpul                 ! next
        mov.b   r11,@-r7
        float   fpul,fr8                ! next
        fmul    fr7,fr11                ! next
        mov.b   r3,@-r7
        fmul    fr5,fr9                 ! next
        fmul    fr4,fr8                 ! next
        dt      r8
        fmul    fr6,fr10                ! next
        bf/s    2b
        add     #8,r7
        ftrc    fr8,fpul                ! alpha
        sts     fpul,r9
        ftrc    fr9,fpul                ! red
        sts     fpul,r10
        ftrc    fr10,fpul               ! green
        sts     fpul,r11
        ftrc    fr11,fpul               ! blue
        sts     fpul,r3
        mov.b   r9,@-r7
        mov.b   r10,@-r7
        mov.b   r11,@-r7
        dt      r6
        mov.b   r3,@-r7
        bf/s    1b
        add     #8,r7
5:
        mov.l   @r15+,r11
        mov.l   @r15+,r10
        mov.l   @r15+,r9
        rts
        mov.l   @r15+,r8
4:
        pref    @r5
        add     #12,r7
        mov.l   r1,@-r7
        mov.l   r1,@-r7
        mov.l   r1,@-r7
        dt      r6
        mov.l   r1,@-r7
        bf/s    1b
        add     #20,r7
        bra     5b
        nop
        .size   _cell_colours, .-_cell_colours
