! SPDX-License-Identifier: MIT OR Apache-2.0
! void palette_load(uint32_t dst[], const uint16_t src[], uint32_t n)
!
!   converts colours of 16 bits to the palette's format, one per word; n source words of two colours
!   in        r4 dst, r5 src (4-byte aligned), r6 n
!   FPSCR     any
!   clobbers  r0-r6, T
!
!   8 cycles per four colours; 7 are loads, stores and PREF.

        .text
        .align  5
        .globl  _palette_load
        .type   _palette_load, @function
_palette_load:
        shlr    r6
        bf      2f
        mov.l   @r5+,r0                 ! a single word
        tst     r6,r6
        extu.w  r0,r1
        shlr16  r0
        mov.l   r1,@r4
        mov.l   r0,@(4,r4)
        bt/s    3f
        add     #8,r4
1:
        mov.l   @r5+,r0
        mov.l   @r5+,r1
        dt      r6
        extu.w  r0,r2
        pref    @r5
        shlr16  r0
        mov.l   r2,@r4
        extu.w  r1,r3
        mov.l   r0,@(4,r4)
        mov.l   r3,@(8,r4)
        shlr16  r1
        mov.l   r1,@(12,r4)
        bf/s    1b
        add     #16,r4
3:
        rts
        nop
2:
        tst     r6,r6
        bf      1b
        rts
        nop
        .size   _palette_load, .-_palette_load
