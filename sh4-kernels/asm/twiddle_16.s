! SPDX-License-Identifier: MIT OR Apache-2.0
! void twiddle_16(uint16_t dst[], const uint16_t src[], uint32_t log2)
!
!   converts a square of 2^log2 by 2^log2 halfwords from rows to twiddled order (twiddle.inc). Four by four texels form
!   a line, which MOVCA.L allocates in the cache without reading it
!   in        r4 dst (32-byte aligned), r5 src (4-byte aligned), r6 log2 (2 to 10)
!   FPSCR     any
!   clobbers  r0-r7, T
!
!   23 cycles per line; 20.5 are issue slots. Two texels of two rows become two words, either in registers (XTRCT,
!   XTRCT) or by storing the lower row's halfword over half of a word. Each method is used twice, so that neither the
!   load/store group nor the integer group is full.

        .include "twiddle.inc"

        .text
        .align  5
        .globl  _twiddle_16
        .type   _twiddle_16, @function
_twiddle_16:
        walk_enter 16,4,3
1:
        mov     r5,r1
        add     r14,r1
        mov     r1,r2
        add     r14,r2
        mov     r2,r3
        add     r14,r3
2:
        mov     r13,r4
        mov.l   @r2+,r7
        mov.l   @r3+,r11
        add     r9,r4
        movca.l r0,@r4
        mov     r7,r12
        shll16  r12
        mov.l   @r5+,r6
        mov.l   @r1+,r0
        xtrct   r11,r12
        mov.l   r12,@(8,r4)
        shlr16  r11
        mov.l   r6,@(0,r4)
        xtrct   r11,r7
        mov.w   r0,@(2,r4)
        sub     r10,r9
        mov.l   r7,@(12,r4)
        shlr16  r0
        xtrct   r0,r6
        mov.l   @r2+,r7
        and     r10,r9
        mov.l   r6,@(4,r4)
        mov.l   @r3+,r11
        mov     r7,r12
        shll16  r12
        mov.l   @r1+,r0
        xtrct   r11,r12
        mov.l   @r5+,r6
        pref    @r8
        shlr16  r11
        xtrct   r11,r7
        mov.l   r6,@(16,r4)
        mov.w   r0,@(18,r4)
        tst     r9,r9
        mov.l   r12,@(24,r4)
        shlr16  r0
        xtrct   r0,r6
        mov.l   r7,@(28,r4)
        mov.l   r6,@(20,r4)
        bf/s    2b
        add     #32,r8
        walk_on
        bf/s    1b
        mov     r3,r5
        walk_leave 3
        .size   _twiddle_16, .-_twiddle_16
