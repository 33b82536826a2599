! void palette_load(uint32_t dst[], const uint16_t src[], uint32_t pairs)
!
!   colours of 16 bits as the palette takes them, one a word; two at a time
!   in        r4 dst, r5 src (4-byte aligned), r6 pairs
!   FPSCR     any
!   clobbers  r0, r1, r4-r6, T

        .text
        .align  5
        .globl  _palette_load
        .type   _palette_load, @function
_palette_load:
        tst     r6,r6
        bt      2f
1:
        mov.l   @r5+,r0
        dt      r6
        extu.w  r0,r1
        pref    @r5
        shlr16  r0
        mov.l   r1,@r4
        mov.l   r0,@(4,r4)
        bf/s    1b
        add     #8,r4
2:
        rts
        nop
        .size   _palette_load, .-_palette_load
