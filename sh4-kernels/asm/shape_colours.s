! SPDX-License-Identifier: MIT OR Apache-2.0
! void shape_colours(const uint32_t a[], const uint32_t b[], uint32_t n, const uint32_t moment[3], uint32_t out[])
!
!   each byte: a + t * (b - a), truncated toward zero, clamped to 0 to 255
!   in        r4 a, r5 b, r6 n, r7 moment (frame, start, length), stack: out
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr8, FPUL, T; saves r8-r13
!   cycles    27 per colour (53 slots); 15 per byte if t is outside 0 to 1, because each byte is then clamped

        .text
        .align  5
        .globl  _shape_colours
        .type   _shape_colours, @function
_shape_colours:
        tst     r6,r6
        bf/s    9f
        mov.l   @r15,r1                 ! out
        rts
        nop
9:
        mov.l   @(8,r7),r2              ! length
        mov.l   @(4,r7),r0              ! start
        mov.l   @r5+,r3
        lds     r0,fpul
        fmov.s  @r7,fr0                 ! frame
        float   fpul,fr1
        extu.b  r3,r7
        lds     r2,fpul
        mov.l   @r4+,r2                 ! the first colour
        shlr8   r3
        mov.l   r8,@-r15
        float   fpul,fr2
        extu.b  r2,r0
        fsub    fr1,fr0
        sub     r0,r7
        mov.l   r9,@-r15
        mov.l   r10,@-r15
        mov     #127,r10                ! 1 as a float
        fdiv    fr2,fr0                 ! t
        extu.b  r3,r9
        shlr8   r2
        lds     r0,fpul
        float   fpul,fr4
        shll16  r10
        mov.l   r11,@-r15
        extu.b  r2,r8
        shll8   r10
        mov.l   r12,@-r15
        lds     r7,fpul
        shlr8   r2
        float   fpul,fr1
        sub     r8,r9
        lds     r8,fpul
        extu.b  r2,r0
        float   fpul,fr5
        shlr8   r3
        shlr8   r2
        lds     r9,fpul
        float   fpul,fr2
        extu.b  r3,r7
        lds     r0,fpul
        sub     r0,r7
        float   fpul,fr6
        lds     r7,fpul
        float   fpul,fr3
        shlr8   r3
        lds     r2,fpul
        sub     r2,r3
        float   fpul,fr7
        lds     r3,fpul
        float   fpul,fr8
        flds    fr0,fpul
        fmac    fr0,fr1,fr4
        sts     fpul,r0
        mov.l   r13,@-r15
        fmac    fr0,fr3,fr6
        fmac    fr0,fr2,fr5
        shlr    r10
        fmac    fr0,fr8,fr7
        cmp/hi  r10,r0                  ! also for negative numbers and NaN
        bt/s    4f
        dt      r6
        bt/s    2f
        add     #4,r1
1:                                      ! bytes of i: fr4-fr7, before FTRC; r1: end of its result
        dt      r6
        mov.l   @r5+,r3                 ! i + 1
        ftrc    fr7,fpul                ! i
        mov.l   @r4+,r2                 ! i + 1
        sts     fpul,r13
        ftrc    fr6,fpul                ! i
        sts     fpul,r12
        extu.b  r3,r7                   ! i + 1
        ftrc    fr5,fpul                ! i
        extu.b  r2,r0                   ! i + 1
        sub     r0,r7                   ! i + 1
        sts     fpul,r11
        ftrc    fr4,fpul                ! i
        shlr8   r3                      ! i + 1
        sts     fpul,r10
        extu.b  r3,r9                   ! i + 1
        lds     r0,fpul                 ! i + 1
        shlr8   r2                      ! i + 1
        float   fpul,fr4                ! i + 1
        extu.b  r2,r8                   ! i + 1
        sub     r8,r9                   ! i + 1
        lds     r7,fpul                 ! i + 1
        float   fpul,fr1                ! i + 1
        lds     r8,fpul                 ! i + 1
        shlr8   r3                      ! i + 1
        float   fpul,fr5                ! i + 1
        lds     r9,fpul                 ! i + 1
        shlr8   r2                      ! i + 1
        float   fpul,fr2                ! i + 1
        extu.b  r2,r0                   ! i + 1
        extu.b  r3,r7                   ! i + 1
        lds     r0,fpul                 ! i + 1
        fmac    fr0,fr1,fr4             ! i + 1
        shlr8   r3                      ! i + 1
        sub     r0,r7                   ! i + 1
        float   fpul,fr6                ! i + 1
        shlr8   r2                      ! i + 1
        lds     r7,fpul                 ! i + 1
        float   fpul,fr3                ! i + 1
        mov.b   r13,@-r1                ! i
        sub     r2,r3                   ! i + 1
        lds     r2,fpul                 ! i + 1
        float   fpul,fr7                ! i + 1
        lds     r3,fpul                 ! i + 1
        float   fpul,fr8                ! i + 1
        mov.b   r12,@-r1                ! i
        mov.b   r11,@-r1                ! i
        fmac    fr0,fr3,fr6             ! i + 1
        mov.b   r10,@-r1                ! i
        fmac    fr0,fr2,fr5             ! i + 1
        fmac    fr0,fr8,fr7             ! i + 1
        bf/s    1b
        add     #8,r1
2:
        ftrc    fr7,fpul                ! the last colour
        sts     fpul,r13
        ftrc    fr6,fpul
        sts     fpul,r12
        ftrc    fr5,fpul
        sts     fpul,r11
        ftrc    fr4,fpul
        sts     fpul,r0
        mov.b   r13,@-r1
        mov.b   r12,@-r1
        mov.b   r11,@-r1
        mov.b   r0,@-r1
        mov.l   @r15+,r13
        mov.l   @r15+,r12
        mov.l   @r15+,r11
        mov.l   @r15+,r10
        mov.l   @r15+,r9
        rts
        mov.l   @r15+,r8
4:                                      ! t outside the keys, or NaN
        add     #1,r6
        add     #-4,r4
        add     #-4,r5
        mov     #-1,r10
        extu.b  r10,r10                 ! 255
5:
        mov.l   @r4+,r2
        mov     #4,r7
        mov.l   @r5+,r3
7:
        extu.b  r2,r0                   ! bytes are shifted out to the right, and into the result from the left
        extu.b  r3,r9
        lds     r0,fpul
        sub     r0,r9
        float   fpul,fr1
        lds     r9,fpul
        float   fpul,fr2
        shlr8   r2
        shlr8   r3
        shlr8   r8
        fmac    fr0,fr2,fr1
        ftrc    fr1,fpul
        sts     fpul,r0
        extu.b  r0,r9
        cmp/eq  r9,r0
        bt      8f
        cmp/pz  r0
        subc    r0,r0                   ! 0, or -1 if the value was positive
        extu.b  r0,r0
8:
        shll16  r0
        dt      r7
        shll8   r0
        bf/s    7b
        or      r0,r8
        mov.l   r8,@r1
        dt      r6
        bf/s    5b
        add     #4,r1
        mov.l   @r15+,r13
        mov.l   @r15+,r12
        mov.l   @r15+,r11
        mov.l   @r15+,r10
        mov.l   @r15+,r9
        rts
        mov.l   @r15+,r8
        .size   _shape_colours, .-_shape_colours
