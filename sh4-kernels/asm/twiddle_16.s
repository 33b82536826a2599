! void twiddle_16(uint16_t dst[], const uint16_t src[], uint32_t log2)
!
!   a square of 2^log2 by 2^log2 halfwords from rows to twiddled order: bit i of y is bit 2i of a texel's place, bit i of x
!   bit 2i+1. Four by four texels are a line, which is taken into the cache without reading it (MOVCA.L)
!   in        r4 dst (32-byte aligned), r5 src (4-byte aligned), r6 log2 (2 to 10)
!   FPSCR     any
!   clobbers  r0-r7, T

! two texels of two rows at r6 and r7 to the words \to and \to + 4 of the line
        .macro  square to
        mov     r6,r0
        shll16  r0
        xtrct   r7,r0
        shlr16  r7
        mov.l   r0,@(\to,r4)
        xtrct   r7,r6
        mov.l   r6,@(\to + 4,r4)
        .endm

        .text
        .align  5
        .globl  _twiddle_16
        .type   _twiddle_16, @function
_twiddle_16:
        mov.l   r8,@-r15
        mov     #2,r7
        mov.l   r9,@-r15
        shld    r6,r7                   ! bytes of a row
        mov.l   r10,@-r15
        mov     #2,r1
        mov.l   r11,@-r15
        shld    r6,r1
        mov.l   r12,@-r15
        shld    r6,r1
        mov.l   r13,@-r15
        add     #-32,r1                 ! places of lines
        mov.l   r14,@-r15
        mov     r4,r13
        mov.l   places,r12
        mov     #0,r9                   ! a line's place by x
        mov     r7,r14
        mov     #0,r11                  ! by y
        mov     r12,r10
        and     r1,r12                  ! bits of y
        not     r10,r10
        and     r1,r10                  ! bits of x
        mov     r14,r8
        shll2   r8
        add     r5,r8                   ! the next four rows
1:
        mov     r5,r1
        add     r14,r1
        mov     r1,r2
        add     r14,r2
        mov     r2,r3
        add     r14,r3
2:
        mov     r13,r4
        mov.l   @r5+,r6
        add     r11,r4
        mov.l   @r1+,r7
        add     r9,r4
        movca.l r0,@r4
        square  0
        mov.l   @r2+,r6
        mov.l   @r3+,r7
        pref    @r8
        square  8
        mov.l   @r5+,r6
        mov.l   @r1+,r7
        add     #32,r8
        square  16
        mov.l   @r2+,r6
        mov.l   @r3+,r7
        sub     r10,r9
        square  24
        and     r10,r9
        tst     r9,r9
        bf      2b
        sub     r12,r11
        and     r12,r11
        tst     r11,r11
        bf/s    1b
        mov     r3,r5
        mov.l   @r15+,r14
        mov.l   @r15+,r13
        mov.l   @r15+,r12
        mov.l   @r15+,r11
        mov.l   @r15+,r10
        mov.l   @r15+,r9
        rts
        mov.l   @r15+,r8

        .align  2
places: .long   0xaaaaaaa0              ! bits 5, 7, 9...
        .size   _twiddle_16, .-_twiddle_16
