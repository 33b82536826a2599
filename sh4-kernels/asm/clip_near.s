! void clip_near(const struct corner corners[], const uint16_t edges[][2], uint32_t n, float_bits near,
!                struct corner out[])
!
!   share = (za + near) / (za - zb); out = a + share * (b - a) in eight floats and four packed colours; z = -near
!   corner    0 x, y, z, w, 16 two pairs of texture coordinates, 32 four colours
!   in        r4 corners, r5 edges (in front, behind), r6 n, r7 near, stack: out
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr5, fr11, FPUL, T

! r\to = address of the corner whose index is at r5
        .macro  corner to
        mov.w   @r5+,r0
        extu.w  r0,r0
        mov     r0,\to
        shll    \to
        add     r0,\to
        shll2   \to
        shll2   \to                     ! 48 bytes a corner
        add     r4,\to
        .endm

! The top bytes of r8 and r9, interpolated, into the low byte of r10; all three move on by a byte.
        .macro  channel
        mov     r8,r0
        shlr16  r0
        shlr8   r0
        lds     r0,fpul
        float   fpul,fr4
        mov     r9,r0
        shlr16  r0
        shlr8   r0
        lds     r0,fpul
        float   fpul,fr5
        shll8   r8
        shll8   r9
        fsub    fr4,fr5
        shll8   r10
        fmac    fr0,fr5,fr4
        ftrc    fr4,fpul
        sts     fpul,r0
        or      r0,r10
        .endm

        .text
        .align  5
        .globl  _clip_near
        .type   _clip_near, @function
_clip_near:
        mov.l   @r15,r1                 ! out
        mov.l   r8,@-r15
        mov.l   r9,@-r15
        mov.l   r10,@-r15
        lds     r7,fpul
        tst     r6,r6
        bf/s    1f
        fsts    fpul,fr11               ! near
        bra     4f
        nop
1:
        corner  r2
        corner  r3
        mov     #8,r0
        fmov.s  @(r0,r2),fr0
        fmov.s  @(r0,r3),fr1
        fmov    fr0,fr2
        fsub    fr1,fr2                 ! za - zb
        fadd    fr11,fr0                ! za + near
        fdiv    fr2,fr0                 ! share
        mov     #8,r7
2:
        fmov.s  @r2+,fr4
        fmov.s  @r3+,fr5
        fsub    fr4,fr5
        dt      r7
        fmac    fr0,fr5,fr4
        fmov.s  fr4,@r1
        bf/s    2b
        add     #4,r1
        mov     r1,r7
        add     #-24,r7
        fmov    fr11,fr4
        fneg    fr4
        fmov.s  fr4,@r7                 ! z lies on the plane
        mov     #4,r7
3:
        mov.l   @r2+,r8
        mov.l   @r3+,r9
        channel
        channel
        channel
        channel
        mov.l   r10,@r1
        dt      r7
        bt/s    5f
        add     #4,r1
        bra     3b
        nop
5:
        dt      r6
        bt      4f
        bra     1b
        nop
4:
        mov.l   @r15+,r10
        mov.l   @r15+,r9
        rts
        mov.l   @r15+,r8
        .size   _clip_near, .-_clip_near
