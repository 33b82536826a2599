! SPDX-License-Identifier: MIT OR Apache-2.0
! void clip_near(const struct corner corners[], const uint16_t edges[][2], uint32_t n, float_bits near,
!                struct corner out[])
!
!   share = (za + near) / (za - zb); out = a + share * (b - a) in eight floats and four packed colours; z = -near
!   corner    0 x, y, z, w, 16 two pairs of texture coordinates, 32 four colours
!   in        r4 corners, r5 edges (corner in front, corner beyond), r6 n, r7 near, stack: out
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr11, FPUL, T
!
!   An edge takes 158 cycles: 66 for each half of a corner (four floats and two colours; 62 cycles by its 124 issue
!   slots), and 26 for the rest, in which twelve EX instructions find the corners. FDIV overlaps with the first
!   conversions.
!   The difference of a channel is subtracted as an integer, which is exact; the low byte of the result is stored.

        .text
        .align  5
        .globl  _clip_near
        .type   _clip_near, @function
_clip_near:
        tst     r6,r6
        mov.l   @r15,r1                 ! out
        bf/s    1f
        lds     r7,fpul
        rts
        nop
1:
        mov.l   r8,@-r15
        mov.l   r9,@-r15
        mov.l   r10,@-r15
        mov.l   r11,@-r15
        fsts    fpul,fr11               ! near
        mov.l   r12,@-r15
        mov     r1,r12
        mov.l   r13,@-r15
        mov.l   r14,@-r15
        fmov.s  fr12,@-r15
        fmov.s  fr13,@-r15
        fmov.s  fr14,@-r15
        fmov    fr11,fr14
        fneg    fr14                    ! z on the plane
        mov     #8,r0                   ! z in a corner

        .align  2
.Ledge:
        mov.w   @r5+,r2                 ! in front
        mov.w   @r5+,r3                 ! behind
        add     #16,r1                  ! r1 counts down within four floats
        extu.w  r2,r2
        mov     r2,r8
        shll    r8
        extu.w  r3,r3
        mov     r3,r9
        add     r8,r2
        shll2   r2
        shll2   r2                      ! 48 bytes per corner
        add     r4,r2
        fmov.s  @(r0,r2),fr0
        shll    r9
        mov     r2,r8
        add     r9,r3
        shll2   r3
        fmov    fr0,fr2
        shll2   r3
        fadd    fr11,fr0                ! za + near
        add     r4,r3
        fmov.s  @(r0,r3),fr1
        mov     r3,r9
        add     #32,r8                  ! colours in front
        add     #32,r9                  ! colours beyond
        fsub    fr1,fr2                 ! za - zb
        mov     #2,r7
        add     #32,r12                 ! colours in out
        fdiv    fr2,fr0                 ! share

.Lhalf:
        mov.l   @r9+,r11                ! behind
        mov.l   @r8+,r10                ! colour in front
        fmov.s  @r3+,fr5
        extu.b  r11,r14
        fmov.s  @r3+,fr7
        extu.b  r10,r13
        lds     r13,fpul
        sub     r13,r14                 ! blue
        shlr8   r11
        float   fpul,fr8                ! blue in front
        fmov.s  @r2+,fr4
        shlr8   r10
        lds     r14,fpul
        extu.b  r10,r13
        extu.b  r11,r14
        float   fpul,fr9                ! difference
        lds     r13,fpul
        shlr8   r10
        sub     r13,r14                 ! green
        fmov.s  @r2+,fr6
        float   fpul,fr10               ! green in front
        extu.b  r10,r13
        fmac    fr0,fr9,fr8
        lds     r14,fpul
        shlr8   r10
        float   fpul,fr1                ! difference
        shlr8   r11
        fsub    fr4,fr5
        fsub    fr6,fr7
        lds     r13,fpul
        fmov.s  @r2+,fr12
        float   fpul,fr2                ! red in front
        ftrc    fr8,fpul
        extu.b  r11,r14
        sts     fpul,r0                 ! blue
        fmac    fr0,fr1,fr10
        sub     r13,r14                 ! red
        lds     r10,fpul
        float   fpul,fr8                ! alpha in front
        lds     r14,fpul
        float   fpul,fr3                ! difference
        mov.b   r0,@r12
        ftrc    fr10,fpul
        shlr8   r11
        sts     fpul,r0                 ! green
        sub     r10,r11                 ! alpha
        fmac    fr0,fr7,fr6
        mov.l   @r8+,r10                ! colour in front
        fmac    fr0,fr3,fr2
        fmov.s  @r2+,fr13
        lds     r11,fpul
        extu.b  r10,r13
        float   fpul,fr9                ! difference
        mov.b   r0,@(1,r12)
        fmac    fr0,fr5,fr4
        mov.l   @r9+,r11                ! behind
        fmov.s  @r3+,fr5
        ftrc    fr2,fpul
        fmov.s  @r3+,fr7
        shlr8   r10
        sts     fpul,r0                 ! red
        fmac    fr0,fr9,fr8
        lds     r13,fpul
        extu.b  r11,r14
        fsub    fr12,fr5
        shlr8   r11
        float   fpul,fr10               ! blue in front
        sub     r13,r14                 ! blue
        extu.b  r10,r13
        lds     r14,fpul
        extu.b  r11,r14
        float   fpul,fr1                ! difference
        sub     r13,r14                 ! green
        mov.b   r0,@(2,r12)
        shlr8   r10
        ftrc    fr8,fpul
        sts     fpul,r0                 ! alpha
        fsub    fr13,fr7
        shlr8   r11
        lds     r13,fpul
        extu.b  r10,r13
        float   fpul,fr2                ! green in front
        lds     r14,fpul
        fmac    fr0,fr1,fr10
        float   fpul,fr3                ! difference
        lds     r13,fpul
        extu.b  r11,r14
        float   fpul,fr8                ! red in front
        ftrc    fr10,fpul
        mov.b   r0,@(3,r12)
        sub     r13,r14                 ! red
        sts     fpul,r0                 ! blue
        shlr8   r11
        fmac    fr0,fr3,fr2
        lds     r14,fpul
        fmac    fr0,fr7,fr13
        mov.b   r0,@(4,r12)
        float   fpul,fr9                ! difference
        shlr8   r10
        ftrc    fr2,fpul
        sub     r10,r11                 ! alpha
        sts     fpul,r0                 ! green
        lds     r10,fpul
        fmac    fr0,fr9,fr8
        float   fpul,fr10               ! alpha in front
        lds     r11,fpul
        float   fpul,fr1                ! difference
        fmac    fr0,fr5,fr12
        mov.b   r0,@(5,r12)
        fmov.s  fr13,@-r1
        ftrc    fr8,fpul
        fmac    fr0,fr1,fr10
        sts     fpul,r0                 ! red
        dt      r7
        fmov.s  fr12,@-r1
        fmov.s  fr6,@-r1
        ftrc    fr10,fpul
        mov.b   r0,@(6,r12)
        sts     fpul,r0                 ! alpha
        fmov.s  fr4,@-r1
        add     #32,r1
        mov.b   r0,@(7,r12)
        bf/s    .Lhalf
        add     #8,r12
        mov     #-40,r0
        dt      r6
        bt/s    2f
        fmov.s  fr14,@(r0,r12)
        bra     .Ledge
        mov     #8,r0
2:
        fmov.s  @r15+,fr14
        fmov.s  @r15+,fr13
        fmov.s  @r15+,fr12
        mov.l   @r15+,r14
        mov.l   @r15+,r13
        mov.l   @r15+,r12
        mov.l   @r15+,r11
        mov.l   @r15+,r10
        mov.l   @r15+,r9
        rts
        mov.l   @r15+,r8
        .size   _clip_near, .-_clip_near
