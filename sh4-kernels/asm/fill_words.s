! void fill_words(uint32_t dst[], uint32_t n, uint32_t value, uint32_t at)
!
!   n words from dst[at] on: words to the next line, whole lines that are taken into the cache without reading them (MOVCA.L), words
!   in        r4 dst, r5 n, r6 value, r7 at
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0, r3-r5, r7, fr0, fr1, FPUL, T

        .text
        .align  5
        .globl  _fill_words
        .type   _fill_words, @function
_fill_words:
        shll2   r7
        lds     r6,fpul
        add     r7,r4
        bra     2f
        mov     #31,r3
1:
        mov.l   r6,@r4
        add     #-1,r5
        add     #4,r4
2:
        tst     r5,r5
        bt      6f
        tst     r3,r4
        bf      1b
        mov     r5,r7
        mov     #-3,r3
        shld    r3,r7                   ! lines
        fsts    fpul,fr0
        tst     r7,r7
        bt/s    4f
        fsts    fpul,fr1
        fschg
        mov     r6,r0
3:
        movca.l r0,@r4
        add     #32,r4
        fmov    dr0,@-r4
        dt      r7
        fmov    dr0,@-r4
        fmov    dr0,@-r4
        fmov    dr0,@-r4
        bf/s    3b
        add     #32,r4
        fschg
4:
        mov     r5,r0
        and     #7,r0                   ! words behind the last line
        tst     r0,r0
        bt      6f
5:
        dt      r0
        mov.l   r6,@r4
        bf/s    5b
        add     #4,r4
6:
        rts
        nop
        .size   _fill_words, .-_fill_words
