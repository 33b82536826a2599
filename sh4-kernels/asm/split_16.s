! SPDX-License-Identifier: MIT OR Apache-2.0
! void split_16(const uint32_t src[], uint32_t left[], uint32_t right[], uint32_t n)
!
!   splits 2 n frames of two 16-bit samples, the left one low, into n words per side
!   in        r4 src, r5 left, r6 right, r7 n
!   FPSCR     any
!   clobbers  r0-r7, T
!
!   14 cycles per two words of each side; 12 are issue slots.

        .text
        .align  5
        .globl  _split_16
        .type   _split_16, @function
_split_16:
        shlr    r7
        bf      2f
        mov.l   @r4+,r0                 ! a single word
        mov.l   @r4+,r1
        mov     r0,r2
        shll16  r2
        tst     r7,r7
        xtrct   r1,r2
        shlr16  r1
        mov.l   r2,@r5
        add     #4,r5
        xtrct   r1,r0
        mov.l   r0,@r6
        bt/s    3f
        add     #4,r6
1:
        mov.l   @r4+,r0
        mov.l   @r4+,r1
        mov     r0,r2
        shll16  r2
        mov.l   @r4+,r3
        xtrct   r1,r2
        shlr16  r1
        xtrct   r1,r0
        mov.l   @r4+,r1
        mov.l   r0,@r6
        dt      r7
        mov     r3,r0
        shll16  r0
        xtrct   r1,r0
        mov.l   r2,@r5
        mov.l   r0,@(4,r5)
        shlr16  r1
        xtrct   r1,r3
        add     #8,r5
        mov.l   r3,@(4,r6)
        pref    @r4
        bf/s    1b
        add     #8,r6
3:
        rts
        nop
2:
        tst     r7,r7
        bf      1b
        rts
        nop
        .size   _split_16, .-_split_16
