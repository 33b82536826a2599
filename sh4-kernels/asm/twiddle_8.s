! SPDX-License-Identifier: MIT OR Apache-2.0
! void twiddle_8(uint8_t dst[], const uint8_t src[], uint32_t log2)
!
!   converts a square of 2^log2 by 2^log2 bytes from rows to twiddled order (twiddle.inc). Four by eight texels form a
!   line, which MOVCA.L allocates in the cache without reading it
!   in        r4 dst (32-byte aligned), r5 src (4-byte aligned), r6 log2 (3 to 10)
!   FPSCR     any
!   clobbers  r0-r7, T
!
!   42 cycles per line; its 74 instructions need at least 37. The odd bytes of an upper row are exchanged with
!   the even bytes of the lower row. The half-words of the two results then form two words of the line. The
!   first two rows of a line are loaded and exchanged while the previous line is stored. After the last line,
!   rows below the texture are read and not used.

        .include "twiddle.inc"

        .text
        .align  5
        .globl  _twiddle_8
        .type   _twiddle_8, @function
_twiddle_8:
        walk_enter 8,8,5
        mov.l   even,r12
        mov.l   r10,@(16,r15)           ! the mask of x
1:
        mov     r14,r2
        mov.l   r13,@(12,r15)           ! the strip's position
        shll    r2
        mov     r5,r1
        add     r2,r1                   ! every second row
        mov     r2,r3
        add     r1,r2
        add     r2,r3
        mov     r14,r0
        mov.l   @(r0,r5),r7
        mov.l   @r5+,r6
        mov     r6,r11
        shlr8   r11
        xor     r7,r11
        and     r12,r11
        xor     r11,r7
        shll8   r11
        xor     r11,r6
2:
        mov.l   @(12,r15),r4
        add     r9,r4
        pref    @r8
        movca.l r0,@r4
        mov     r14,r0
        mov.l   @(r0,r1),r13
        mov     r7,r0
        shlr16  r7
        mov.l   @r1+,r10
        mov.l   r6,@(0,r4)
        xtrct   r7,r6
        mov     r10,r11
        shlr8   r11
        xor     r13,r11
        mov.w   r0,@(2,r4)
        and     r12,r11
        mov     r14,r0
        mov.l   r6,@(8,r4)
        xor     r11,r13
        mov.l   @(r0,r2),r7
        shll8   r11
        mov     r13,r0
        xor     r11,r10
        shlr16  r13
        mov.l   @r2+,r6
        mov.l   r10,@(4,r4)
        xtrct   r13,r10
        mov     r6,r11
        shlr8   r11
        xor     r7,r11
        mov.w   r0,@(6,r4)
        mov     r14,r0
        and     r12,r11
        xor     r11,r7
        mov.l   @(r0,r3),r13
        mov.l   r10,@(12,r4)
        shll8   r11
        xor     r11,r6
        mov     r7,r0
        shlr16  r7
        mov.l   @r3+,r10
        mov.l   r6,@(16,r4)
        xtrct   r7,r6
        mov     r10,r11
        shlr8   r11
        mov.l   r6,@(24,r4)
        xor     r13,r11
        mov.w   r0,@(18,r4)
        and     r12,r11
        mov     r14,r0
        xor     r11,r13
        shll8   r11
        mov.l   @(r0,r5),r7
        mov.l   @r5+,r6
        xor     r11,r10
        mov     r13,r0
        shlr16  r13
        mov.l   r10,@(20,r4)
        xtrct   r13,r10
        mov     r6,r11
        shlr8   r11
        xor     r7,r11
        mov.w   r0,@(22,r4)
        and     r12,r11
        mov.l   @(16,r15),r0
        mov.l   r10,@(28,r4)
        xor     r11,r7
        sub     r0,r9
        and     r0,r9
        shll8   r11
        tst     r9,r9
        xor     r11,r6
        bf/s    2b
        add     #32,r8
        walk_on
        mov     r3,r5
        bf/s    1b
        add     r14,r5
        walk_leave 5
even:   .long   0x00ff00ff
        .size   _twiddle_8, .-_twiddle_8
