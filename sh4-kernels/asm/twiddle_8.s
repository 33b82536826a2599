! void twiddle_8(uint8_t dst[], const uint8_t src[], uint32_t log2)
!
!   a square of 2^log2 by 2^log2 bytes from rows to twiddled order: bit i of y is bit 2i of a texel's place, bit i of x
!   bit 2i+1. Four by eight texels are a line, which is taken into the cache without reading it (MOVCA.L)
!   in        r4 dst (32-byte aligned), r5 src (4-byte aligned), r6 log2 (3 to 10)
!   FPSCR     any
!   clobbers  r0-r7, T

! four texels of each of the next two rows to the words \to and \to + 8 of the line
        .macro  rows to
        mov.l   @r1,r6
        add     r14,r1
        mov.l   @r1,r7
        add     r14,r1
        mov     r6,r0
        shlr8   r0
        xor     r7,r0
        and     r2,r0
        xor     r7,r0                   ! odd columns of both
        shll8   r7
        xor     r7,r6
        and     r2,r6
        xor     r7,r6                   ! even columns
        mov     r6,r7
        shll16  r7
        xtrct   r0,r7
        shlr16  r0
        mov.l   r7,@(\to,r4)
        xtrct   r0,r6
        mov.l   r6,@(\to + 8,r4)
        .endm

        .text
        .align  5
        .globl  _twiddle_8
        .type   _twiddle_8, @function
_twiddle_8:
        mov.l   r8,@-r15
        mov     #1,r1
        mov.l   r9,@-r15
        shld    r6,r1
        mov.l   r10,@-r15
        mov     r1,r7
        mov.l   r11,@-r15
        shld    r6,r1
        mov.l   r12,@-r15
        add     #-32,r1                 ! places of lines
        mov.l   r13,@-r15
        mov     r4,r13
        mov.l   r14,@-r15
        mov     r7,r14                  ! bytes of a row
        mov.l   places,r10
        mov     r14,r8
        mov.l   even,r2
        shll2   r8
        shll    r8
        mov     r8,r3
        sub     r14,r3                  ! seven rows
        add     r5,r8                   ! the next eight rows
        mov     #0,r9                   ! a line's place by x
        mov     #0,r11                  ! by y
        not     r10,r12
        and     r1,r10                  ! bits of x
        and     r1,r12                  ! bits of y
1:
        mov     r13,r4
        mov     r5,r1
        add     r11,r4
        add     #4,r5
        add     r9,r4
        pref    @r8
        sub     r10,r9
        movca.l r0,@r4
        add     #32,r8
        rows    0
        rows    4
        rows    16
        rows    20
        and     r10,r9
        tst     r9,r9
        bf      1b
        sub     r12,r11
        and     r12,r11
        tst     r11,r11
        bf/s    1b
        add     r3,r5
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
even:   .long   0x00ff00ff
        .size   _twiddle_8, .-_twiddle_8
