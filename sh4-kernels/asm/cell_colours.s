! void cell_colours(const NJS_CELL_SPRITE *sprite, const NJS_CELL cells[], uint32_t n, uint32_t colours[][4],
!                   uint32_t *offset)
!
!   corner colours (255 each without NJD_FCA_VC) times diffuse, truncated, wrapping; offset = FF, specular times 255
!   in        r4 sprite, r5 cells, r6 n, r7 colours, stack: offset
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0, fr4-fr7, FPUL, T

! The highest byte of r3 times \factor; the product's low byte is shifted into r2 from below.
        .macro  channel factor
        shll8   r2
        mov     r3,r0
        shlr16  r0
        shlr8   r0
        lds     r0,fpul
        shll8   r3
        float   fpul,fr0
        fmul    \factor,fr0
        ftrc    fr0,fpul
        sts     fpul,r0
        extu.b  r0,r0
        or      r0,r2
        .endm

        .text
        .align  5
        .globl  _cell_colours
        .type   _cell_colours, @function
_cell_colours:
        mov     #52,r0
        fmov.s  @(r0,r4),fr5            ! specular
        mov     #56,r0
        fmov.s  @(r0,r4),fr6
        mov     #60,r0
        fmov.s  @(r0,r4),fr7
        mov.l   @r15,r1                 ! offset
        mov     #-1,r3
        mov     #-1,r2
        channel fr5
        channel fr6
        channel fr7
        mov.l   r2,@r1                  ! three bytes came in below FF
        mov     #32,r0
        fmov.s  @(r0,r4),fr4            ! diffuse
        mov     #36,r0
        fmov.s  @(r0,r4),fr5
        mov     #40,r0
        fmov.s  @(r0,r4),fr6
        mov     #44,r0
        fmov.s  @(r0,r4),fr7
        tst     r6,r6
        bt      4f
1:
        mov.b   @(2,r5),r0
        mov     #4,r1
        tst     #0x80,r0                ! T: vertex colours are not used
        mov     r5,r4
        bf/s    2f
        add     #32,r4
        mov     #-1,r3
        channel fr4
        channel fr5
        channel fr6
        channel fr7
        mov.l   r2,@(0,r7)
        mov.l   r2,@(4,r7)
        mov.l   r2,@(8,r7)
        mov.l   r2,@(12,r7)
        bra     3f
        add     #16,r7
2:
        mov.l   @r4+,r3
        channel fr4
        channel fr5
        channel fr6
        channel fr7
        mov.l   r2,@r7
        dt      r1
        bf/s    2b
        add     #4,r7
3:
        dt      r6
        bf/s    1b
        add     #64,r5
4:
        rts
        nop
        .size   _cell_colours, .-_cell_colours
