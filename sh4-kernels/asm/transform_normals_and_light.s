! SPDX-License-Identifier: MIT OR Apache-2.0
! void transform_normals_and_light(const struct light *light, const float src[], uint32_t n, uint32_t colours[],
!                                  uint32_t stride)
!
!   channel = min(255, ambient + diffuse * max(0, (matrix * normal) . direction)), truncated
!   light     0 matrix, 64 direction and 0, 80 diffuse, 96 ambient, 112 alpha << 24
!   in        r4 light (8-byte aligned), r5 src, r6 n, r7 colours, stack: stride in bytes
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr11, XMTRX, FPUL, T
!
!   A normal takes 20 cycles, and 3 more for each clamped channel; its 37 issue slots need 18.5 cycles. Two normals are
!   in progress: the next one is loaded, transformed and multiplied by the direction while the channels of the current
!   one are computed. fr7 makes 18.5 cycles impossible: it is in use for 17 of them, from the load of the next normal to
!   the comparison of its incidence.
!   FTRC saturates, so a channel is clamped as an integer, and its lowest byte is stored.

        .include "xmtrx.inc"

! Out of line: \word = 255.
        .macro  cut word, channel
.Lcut_\channel:
        bra     .Lin_\channel
        mov     r10,\word
        .endm

        .text
        .align  5
        .globl  _transform_normals_and_light
        .type   _transform_normals_and_light, @function
_transform_normals_and_light:
        mov.l   @r15,r1                 ! stride
        tst     r6,r6
        bf/s    1f
        mov     r4,r2
        rts
        nop
1:
        mov.l   r11,@-r15
        mov     r5,r0
        mov.l   r8,@-r15
        dt      r6
        mov.l   r10,@-r15
        load_xmtrx r2
        mov.l   r9,@-r15
        fmov.s  @r0+,fr4                ! first normal
        add     r1,r5
        fmov.s  @r2+,fr8                ! direction
        fmov.s  @r0+,fr5
        add     #96,r4                  ! red ambient
        fldi0   fr7
        mov     r4,r9
        add     #4,r9                   ! green ambient
        fmov.s  fr15,@-r15
        fmov.s  @r0,fr6
        add     #4,r7                   ! r7 counts down within a colour
        mov.l   @(16,r4),r3
        fmov.s  fr14,@-r15
        ftrv    xmtrx,fv4
        fmov.s  @r2+,fr9
        fmov.s  fr13,@-r15
        mov     #8,r0
        fmov.s  @r2+,fr10
        mov     #-1,r10
        fmov.s  @r2+,fr11
        fmov.s  @(r0,r4),fr3            ! blue ambient
        shlr16  r3
        fmov.s  fr12,@-r15
        fmov.s  @r2+,fr12               ! diffuse
        shlr8   r3                      ! alpha
        extu.b  r10,r10                 ! r10 = 255
        fmov.s  @r2+,fr13
        fmov.s  @r2,fr14
        bt/s    .Llast
        fipr    fv8,fv4                 ! fr7 = its incidence

        .align  2
.Lvertex:
        fldi0   fr0
        mov     r5,r2
        fmov.s  @r2+,fr4                ! next normal
        fmov.s  @r4,fr15                ! ambient
        fcmp/gt fr0,fr7
        fmov.s  @r9,fr1
        bf      2f
        fmov    fr7,fr0                 ! incidence, at least 0
2:
        fmov    fr3,fr2
        fmac    fr0,fr12,fr15
        fmov.s  @r2+,fr5
        fmac    fr0,fr13,fr1
        fmac    fr0,fr14,fr2
        fmov.s  @r2,fr6
        fldi0   fr7
        ftrc    fr15,fpul
        sts     fpul,r0                 ! red
        ftrc    fr1,fpul
        sts     fpul,r8                 ! green
        ftrc    fr2,fpul
        mov.b   r3,@-r7                 ! alpha
        ftrv    xmtrx,fv4
        cmp/gt  r10,r0
        sts     fpul,r11                ! blue
        bt      .Lcut_red
.Lin_red:
        cmp/gt  r10,r8
        bt      .Lcut_green
.Lin_green:
        add     r1,r5
        mov.b   r0,@-r7
        cmp/gt  r10,r11
        bt      .Lcut_blue
.Lin_blue:
        mov.b   r8,@-r7
        mov.b   r11,@-r7
        dt      r6
        fipr    fv8,fv4                 ! fr7 = next incidence
        bf/s    .Lvertex
        add     #8,r7
.Llast:
        fldi0   fr0
        fcmp/gt fr0,fr7
        fmov.s  @r4,fr15                ! ambient
        fmov.s  @r9,fr1
        bf      3f
        fmov    fr7,fr0                 ! incidence, at least 0
3:
        fmac    fr0,fr12,fr15
        fmov.s  @r15+,fr12
        fmac    fr0,fr13,fr1
        fmov    fr3,fr2
        ftrc    fr15,fpul
        fmov.s  @r15+,fr13
        fmac    fr0,fr14,fr2
        sts     fpul,r0                 ! red
        ftrc    fr1,fpul
        fmov.s  @r15+,fr14
        mov.b   r3,@-r7                 ! alpha
        sts     fpul,r8                 ! green
        ftrc    fr2,fpul
        cmp/gt  r10,r0
        fmov.s  @r15+,fr15
        sts     fpul,r11                ! blue
        bt      .Lcut_last_red
.Lin_last_red:
        mov.b   r0,@-r7
        cmp/gt  r10,r8
        bt      .Lcut_last_green
.Lin_last_green:
        mov.b   r8,@-r7
        cmp/gt  r10,r11
        mov.l   @r15+,r9
        bt      .Lcut_last_blue
.Lin_last_blue:
        mov.l   @r15+,r10
        mov.l   @r15+,r8
        mov.b   r11,@-r7
        rts
        mov.l   @r15+,r11

        cut     r0,red
        cut     r8,green
        cut     r11,blue
        cut     r0,last_red
        cut     r8,last_green
        cut     r11,last_blue
        .size   _transform_normals_and_light, .-_transform_normals_and_light
