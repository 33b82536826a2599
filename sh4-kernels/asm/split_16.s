! void split_16(const uint32_t src[], uint32_t left[], uint32_t right[], uint32_t n)
!
!   2 n frames of two 16-bit samples, the left one low, to n words of each side
!   in        r4 src, r5 left, r6 right, r7 n
!   FPSCR     any
!   clobbers  r0-r2, r4-r7, T

        .text
        .align  5
        .globl  _split_16
        .type   _split_16, @function
_split_16:
        tst     r7,r7
        bt      2f
1:
        mov.l   @r4+,r0
        dt      r7
        mov.l   @r4+,r1
        mov     r0,r2
        shll16  r2
        pref    @r4
        xtrct   r1,r2
        mov.l   r2,@r5
        shlr16  r1
        add     #4,r5
        xtrct   r1,r0
        mov.l   r0,@r6
        bf/s    1b
        add     #4,r6
2:
        rts
        nop
        .size   _split_16, .-_split_16
