! SPDX-License-Identifier: MIT OR Apache-2.0
! void yuv_to_uyvy(uint32_t dst[], const uint8_t y[], const uint8_t u[], const uint8_t v[], uint32_t width, uint32_t height)
!
!   converts planes of 4:2:0 to rows of U Y V Y, two rows with common chroma at a time
!   in        r4 dst, r5 y (2-byte aligned), r6 u, r7 v, stack: width, height; both even and above 0
!   FPSCR     any
!   clobbers  r0-r7, T
!
!   25 cycles per four texels; 22 are integer operations.

        .text
        .align  5
        .globl  _yuv_to_uyvy
        .type   _yuv_to_uyvy, @function
_yuv_to_uyvy:
        mov.l   r8,@-r15
        mov.l   r9,@-r15
        mov.l   r10,@-r15
        mov.l   r11,@-r15
        mov.l   r12,@-r15
        mov.l   r13,@-r15
        mov.l   @(24,r15),r10           ! width
        mov.l   @(28,r15),r11
        shlr    r11                     ! pairs of rows
1:
        mov     r5,r9
        mov     r4,r8
        add     r10,r9                  ! the row below
        add     r10,r8
        mov     r10,r2
        add     r10,r8
        shlr    r2
2:
        dt      r2
        mov.b   @r6+,r1
        mov.b   @r7+,r3
        extu.b  r1,r1
        mov.w   @r5+,r0
        extu.b  r3,r3
        shll16  r3
        or      r1,r3
        extu.b  r0,r1
        shlr8   r0
        shll8   r1
        extu.b  r0,r0
        mov.w   @r9+,r13
        shll16  r0
        shll8   r0
        extu.b  r13,r12
        or      r3,r1
        or      r1,r0
        shlr8   r13
        shll8   r12
        mov.l   r0,@r4
        or      r3,r12
        extu.b  r13,r13
        shll16  r13
        shll8   r13
        or      r12,r13
        add     #4,r4
        mov.l   r13,@r8
        bf/s    2b
        add     #4,r8
        dt      r11
        mov     r9,r5
        bf/s    1b
        mov     r8,r4
        mov.l   @r15+,r13
        mov.l   @r15+,r12
        mov.l   @r15+,r11
        mov.l   @r15+,r10
        mov.l   @r15+,r9
        rts
        mov.l   @r15+,r8
        .size   _yuv_to_uyvy, .-_yuv_to_uyvy
