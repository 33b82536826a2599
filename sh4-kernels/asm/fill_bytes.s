! SPDX-License-Identifier: MIT OR Apache-2.0
! void fill_bytes(void *dst, uint32_t n, uint32_t value, uint32_t at)
!
!   fills n bytes from dst + at on (fill.inc)
!   in        r4 dst, r5 n, r6 value (its lowest byte), r7 at
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0, r1, r4-r7, fr0, fr1, FPUL, T

        .include "fill.inc"

        .text
        .align  5
        .globl  _fill_bytes
        .type   _fill_bytes, @function
_fill_bytes:
        extu.b  r6,r6
        mov     #32,r1
        mov     r6,r0
        shll8   r0
        or      r0,r6
        add     r7,r4
        mov     r6,r0
        cmp/hs  r1,r5
        shll16  r0
        bf/s    .Lshort                 ! less than a line
        or      r0,r6
        neg     r4,r0
        and     #31,r0
        sub     r0,r5
        tst     #1,r0
        bt      1f
        mov.b   r6,@r4
        add     #1,r4
1:
        tst     #2,r0
        bt      2f
        mov.w   r6,@r4
        add     #2,r4
2:
        fill_to_line
3:
        fill_lines
        tst     #2,r0
        bt      4f
        mov.w   r6,@r4
        add     #2,r4
4:
        tst     #1,r0
        bt      5f
        mov.b   r6,@r4
5:
        rts
        nop

6:
        mov.b   r6,@r4
        add     #-1,r5
        add     #1,r4
.Lshort:                                ! bytes to the next word
        tst     r5,r5
        bt      5b
        mov     r4,r0
        tst     #3,r0
        bf      6b
        bra     3b
        nop
        .size   _fill_bytes, .-_fill_bytes
