! SPDX-License-Identifier: MIT OR Apache-2.0
! void fill_words(uint32_t dst[], uint32_t n, uint32_t value, uint32_t at)
!
!   fills n words from dst[at] on (fill.inc)
!   in        r4 dst, r5 n, r6 value, r7 at
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0, r1, r4, r5, r7, fr0, fr1, FPUL, T

        .include "fill.inc"

        .text
        .align  5
        .globl  _fill_words
        .type   _fill_words, @function
_fill_words:
        shll2   r7
        mov     #8,r1
        add     r7,r4
        cmp/hs  r1,r5
        shll2   r5
        bf      1f                      ! less than a line
        neg     r4,r0
        and     #31,r0
        sub     r0,r5
        fill_to_line
1:
        fill_lines
        rts
        nop
        .size   _fill_words, .-_fill_words
