! SPDX-License-Identifier: MIT OR Apache-2.0
! void twiddle_4(uint8_t dst[], const uint8_t src[], uint32_t log2)
!
!   converts a square of 2^log2 by 2^log2 nibbles from rows to twiddled order (twiddle.inc), the low nibble of a byte
!   first in both. Eight by eight texels form a line, which MOVCA.L allocates in the cache without reading it
!   in        r4 dst (32-byte aligned), r5 src (4-byte aligned), r6 log2 (3 to 10)
!   FPSCR     any
!   clobbers  r0-r7, T
!
!   71 cycles per line; 60 are integer operations. The odd nibbles of an upper row are exchanged with the even
!   nibbles of the lower row. The bytes of two such results are exchanged in the same way. Four rows give four
!   words of the line, which consist of half-words of these results. The first four rows of a line are begun
!   while the previous line is stored. After the last line, rows below the texture are read and not used.

        .include "twiddle.inc"

        .text
        .align  5
        .globl  _twiddle_4
        .type   _twiddle_4, @function
_twiddle_4:
        walk_enter 4,8,9
        mov     r14,r7
        mov.l   r8,@(32,r15)
        mov.l   r10,@(16,r15)           ! the mask of x
        add     #-4,r7
        mov.l   r7,@(20,r15)            ! offsets to the next three rows after @r5+
        add     r14,r7
        mov.l   r7,@(24,r15)
        add     r14,r7
        mov     #-4,r12
        mov.l   r7,@(28,r15)
        mov     #4,r14
        mov.l   nibbles,r2
        mov.l   even,r3
1:
        mov.l   @(24,r15),r1
        mov.l   r13,@(12,r15)           ! the strip's position
        add     #4,r1
        shll    r1
        add     r5,r1                   ! the fifth row
        mov.l   @r5+,r6
        mov.l   @(24,r15),r0
        mov.l   @(r0,r5),r10
        mov.l   @(20,r15),r0
        mov.l   @(r0,r5),r7
        mov.l   @(28,r15),r0
        mov.l   @(r0,r5),r11
        mov     r6,r13
        mov     r10,r8
        shld    r12,r13
        shld    r12,r8
        xor     r7,r13
        xor     r11,r8
        and     r2,r13
        and     r2,r8
        xor     r13,r7
        xor     r8,r11
        shld    r14,r13
        shld    r14,r8
        xor     r13,r6
        xor     r8,r10
2:
        mov     r6,r13
        shlr8   r13
        mov     r10,r8
        xor     r7,r13
        shlr8   r8
        xor     r11,r8
        and     r3,r13
        mov.l   @(12,r15),r4
        xor     r13,r7
        add     r9,r4
        movca.l r0,@r4
        and     r3,r8
        xor     r8,r11
        shll8   r8
        xor     r8,r10
        shll8   r13
        mov     r10,r0
        xor     r13,r6
        mov.l   r7,@(4,r4)
        mov.l   r6,@(0,r4)
        shlr16  r10
        xtrct   r10,r6
        mov.w   r0,@(2,r4)
        mov.l   @(24,r15),r0
        mov.l   r6,@(16,r4)
        mov.l   @r1+,r6
        mov.l   @(r0,r1),r10
        mov     r11,r0
        mov.w   r0,@(6,r4)
        shlr16  r11
        mov.l   @(20,r15),r0
        xtrct   r11,r7
        mov.l   r7,@(20,r4)
        mov     r6,r13
        shld    r12,r13
        mov.l   @(r0,r1),r7
        mov     r10,r8
        shld    r12,r8
        mov.l   @(28,r15),r0
        xor     r7,r13
        and     r2,r13
        mov.l   @(r0,r1),r11
        xor     r13,r7
        shld    r14,r13
        xor     r13,r6
        mov     r6,r13
        shlr8   r13
        xor     r11,r8
        xor     r7,r13
        and     r2,r8
        xor     r8,r11
        and     r3,r13
        xor     r13,r7
        shld    r14,r8
        xor     r8,r10
        shll8   r13
        mov     r10,r8
        shlr8   r8
        xor     r11,r8
        and     r3,r8
        xor     r8,r11
        xor     r13,r6
        shll8   r8
        xor     r8,r10
        mov.l   r6,@(8,r4)
        mov     r10,r0
        mov.w   r0,@(10,r4)
        mov.l   @(24,r15),r0
        shlr16  r10
        xtrct   r10,r6
        mov.l   r6,@(24,r4)
        mov.l   @r5+,r6
        mov.l   @(r0,r5),r10
        mov     r11,r0
        shlr16  r11
        mov.l   r7,@(12,r4)
        mov.w   r0,@(14,r4)
        mov     r10,r8
        mov.l   @(20,r15),r0
        xtrct   r11,r7
        mov.l   r7,@(28,r4)
        shld    r12,r8
        mov     r6,r13
        mov.l   @(r0,r5),r7
        shld    r12,r13
        mov.l   @(28,r15),r0
        xor     r7,r13
        mov.l   @(r0,r5),r11
        and     r2,r13
        mov.l   @(32,r15),r0
        xor     r13,r7
        shld    r14,r13
        pref    @r0
        add     #32,r0
        xor     r11,r8
        mov.l   r0,@(32,r15)
        mov.l   @(16,r15),r0
        and     r2,r8
        xor     r8,r11
        sub     r0,r9
        and     r0,r9
        tst     r9,r9
        xor     r13,r6
        shld    r14,r8
        bf/s    2b
        xor     r8,r10
        walk_on
        mov.l   @(28,r15),r5
        add     #4,r1
        bt/s    3f
        add     r1,r5
        bra     1b
        nop
3:
        walk_leave 9
even:   .long   0x00ff00ff
nibbles:
        .long   0x0f0f0f0f
        .size   _twiddle_4, .-_twiddle_4
