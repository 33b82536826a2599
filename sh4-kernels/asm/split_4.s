! SPDX-License-Identifier: MIT OR Apache-2.0
! void split_4(const uint32_t src[], uint32_t left[], uint32_t right[], uint32_t n)
!
!   splits 8 n frames of two 4-bit samples, the left one low, into n words per side
!   in        r4 src, r5 left, r6 right, r7 n
!   FPSCR     any
!   clobbers  r0-r7, T
!
!   21 cycles per word of each side; 19 are integer operations. Two words of frames exchange halves, then bytes, then
!   nibbles.

        .text
        .align  5
        .globl  _split_4
        .type   _split_4, @function
_split_4:
        tst     r7,r7
        bt      2f
        mov.l   r8,@-r15
        mov.l   r9,@-r15
        mov.l   r10,@-r15
        mov     #-4,r9
        mov.l   bytes,r3
        mov     #4,r10
        mov.l   nibbles,r8
1:
        dt      r7
        mov.l   @r4+,r0
        mov.l   @r4+,r1
        mov     r0,r2
        shll16  r2
        xtrct   r1,r2
        shlr16  r1
        xtrct   r1,r0
        pref    @r4
        mov     r2,r1
        shlr8   r1
        xor     r0,r1
        and     r3,r1
        xor     r1,r0
        shll8   r1
        xor     r1,r2
        mov     r2,r1
        shld    r9,r1
        xor     r0,r1
        and     r8,r1
        xor     r1,r0
        shld    r10,r1
        mov.l   r0,@r6
        xor     r1,r2
        mov.l   r2,@r5
        add     #4,r5
        bf/s    1b
        add     #4,r6
        mov.l   @r15+,r10
        mov.l   @r15+,r9
        mov.l   @r15+,r8
2:
        rts
        nop

        .align  2
bytes:  .long   0x00ff00ff
nibbles:
        .long   0x0f0f0f0f
        .size   _split_4, .-_split_4
