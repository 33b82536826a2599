! SPDX-License-Identifier: MIT OR Apache-2.0
! void shade_colours(const struct shade *shade, const float lit[][4], const float gloss[][4], uint32_t n,
!                    const uint32_t diffuse[], const uint32_t specular[], uint32_t base[], uint32_t offset[])
!
!   base = ambient + lit * diffuse, offset = gloss * specular, channel by channel, clamped to 0 to 255 and truncated;
!   with fold base += offset and offset = 0
!   shade     0 ambient, 12 fold
!   in        r4 shade, r5 lit, r6 gloss, r7 n, stack: diffuse, specular, base, offset
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr11, FPUL, T
!
!   A vertex takes 40 cycles, 38 with fold, and 4 more for each clamped channel. The 77 and 67 issue slots need 38.5 and
!   33.5 cycles. With fold, every channel waits for the last addition, and the nine consecutive conversions through FPUL
!   begin only when the first channel is ready.
!   A colour is stored as a word for its alpha, then byte by byte. FTRC saturates, so a channel is clamped as an
!   integer: one unsigned comparison detects values below 0 (including NaN, which gives -2^31) and above 255.

! Out of line: sets \word to 0 if it is negative, otherwise to 255. Clobbers T.
        .macro  cut word, channel
.Lcut_\channel:
        cmp/pz  \word
        bra     .Lin_\channel
        subc    \word,\word             ! -1 or 0
        .endm

        .text
        .align  5
        .globl  _shade_colours
        .type   _shade_colours, @function
_shade_colours:
        mov.l   @r15,r1                 ! diffuse
        tst     r7,r7
        mov.l   @(4,r15),r2             ! specular
        bf/s    1f
        mov.l   @(8,r15),r3             ! base
        rts
        nop
1:
        mov.l   @(12,r15),r0            ! offset
        add     #4,r3                   ! r3 and r12 count down within an element
        mov.l   r8,@-r15
        mov.l   r9,@-r15
        mov.l   r10,@-r15
        mov.l   r11,@-r15
        mov.l   r12,@-r15
        mov     r0,r12
        mov.l   r13,@-r15
        add     #4,r12
        fmov.s  fr12,@-r15
        fmov.s  fr13,@-r15
        fmov.s  @r4+,fr8                ! ambient
        fmov.s  @r4+,fr9
        fmov.s  @r4+,fr10
        mov.l   @r4,r0                  ! fold
        mov     #-1,r4
        tst     r0,r0
        extu.b  r4,r4                   ! r4 = 255
        bf      .Lfold

        .align  2
.Lvertex:
        mov.l   @r1+,r8                 ! diffuse
        mov.l   @r2+,r9                 ! specular
        extu.b  r8,r10
        fmov.s  @r5+,fr0                ! lit red
        mov.l   r8,@-r3                 ! base's alpha
        shlr8   r8
        lds     r10,fpul
        extu.b  r8,r10
        mov.l   r9,@-r12                ! offset's alpha
        shlr8   r8
        float   fpul,fr1                ! diffuse blue
        lds     r10,fpul
        extu.b  r8,r10
        float   fpul,fr2                ! diffuse green
        lds     r10,fpul
        extu.b  r9,r10
        float   fpul,fr6                ! diffuse red
        lds     r10,fpul
        float   fpul,fr7                ! specular blue
        fmov.s  @r6+,fr13               ! gloss red
        shlr8   r9
        fmov    fr8,fr3
        fmac    fr0,fr6,fr3             ! base red
        extu.b  r9,r10
        shlr8   r9
        lds     r10,fpul
        float   fpul,fr11               ! specular green
        fmov    fr9,fr4
        fmov.s  @r5+,fr0                ! lit green
        ftrc    fr3,fpul
        extu.b  r9,r10
        sts     fpul,r0                 ! base red
        lds     r10,fpul
        fmac    fr0,fr2,fr4             ! base green
        float   fpul,fr12               ! specular red
        fmov.s  @r5+,fr0                ! lit blue
        cmp/hi  r4,r0
        fmov    fr10,fr5
        bt      .Lcut_base_red
.Lin_base_red:
        fmac    fr0,fr1,fr5             ! base blue
        fmul    fr13,fr12               ! offset red
        fmov.s  @r6+,fr13               ! gloss green
        mov.b   r0,@(2,r3)
        ftrc    fr4,fpul
        fmul    fr13,fr11               ! offset green
        sts     fpul,r0                 ! base green
        fmov.s  @r6+,fr13               ! gloss blue
        ftrc    fr5,fpul
        sts     fpul,r11                ! base blue
        ftrc    fr12,fpul
        fmul    fr13,fr7                ! offset blue
        cmp/hi  r4,r0
        bt      .Lcut_base_green
.Lin_base_green:
        mov.b   r0,@(1,r3)
        add     #4,r5
        sts     fpul,r0                 ! offset red
        cmp/hi  r4,r11
        ftrc    fr7,fpul
        sts     fpul,r13                ! offset blue
        bt      .Lcut_base_blue
.Lin_base_blue:
        ftrc    fr11,fpul
        cmp/hi  r4,r0
        bt      .Lcut_offset_red
.Lin_offset_red:
        mov.b   r0,@(2,r12)
        cmp/hi  r4,r13
        sts     fpul,r0                 ! offset green
        mov.b   r11,@r3
        bt      .Lcut_offset_blue
.Lin_offset_blue:
        add     #4,r6
        mov.b   r13,@r12
        add     #8,r3
        cmp/hi  r4,r0
        bt      .Lcut_offset_green
.Lin_offset_green:
        dt      r7
        mov.b   r0,@(1,r12)
        bf/s    .Lvertex
        add     #8,r12
.Ldone:
        fmov.s  @r15+,fr13
        fmov.s  @r15+,fr12
        mov.l   @r15+,r13
        mov.l   @r15+,r12
        mov.l   @r15+,r11
        mov.l   @r15+,r10
        mov.l   @r15+,r9
        rts
        mov.l   @r15+,r8

        cut     r0,base_red
        cut     r0,base_green
        cut     r11,base_blue
        cut     r0,offset_red
        cut     r0,offset_green
        cut     r13,offset_blue

.Lfold:
        mov     #-1,r13
        shll16  r13
        shll8   r13                     ! r13 = the alpha's mask
        .align  2
.Lfolded:
        mov.l   @r1+,r8                 ! diffuse
        mov.l   @r2+,r9                 ! specular
        extu.b  r8,r10
        mov.l   r8,@-r3                 ! base's alpha
        shlr8   r8
        lds     r10,fpul
        float   fpul,fr1                ! diffuse blue
        extu.b  r8,r10
        lds     r10,fpul
        extu.b  r9,r10
        shlr8   r8
        float   fpul,fr2                ! diffuse green
        lds     r10,fpul
        extu.b  r8,r10
        fmov.s  @r5+,fr0                ! lit red
        mov     r9,r11
        shlr8   r9
        float   fpul,fr7                ! specular blue
        lds     r10,fpul
        extu.b  r9,r10
        float   fpul,fr6                ! diffuse red
        shlr8   r9
        lds     r10,fpul
        extu.b  r9,r10
        float   fpul,fr11               ! specular green
        lds     r10,fpul
        fmov    fr8,fr3
        float   fpul,fr12               ! specular red
        fmac    fr0,fr6,fr3             ! base red
        fmov.s  @r6+,fr13               ! gloss red
        fmov.s  @r5+,fr0                ! lit green
        fmul    fr13,fr12               ! offset red
        fmov.s  @r6+,fr13               ! gloss green
        fmov    fr9,fr4
        fmac    fr0,fr2,fr4             ! base green
        fmul    fr13,fr11               ! offset green
        fmov.s  @r6+,fr13               ! gloss blue
        fadd    fr12,fr3
        fmov.s  @r5+,fr0                ! lit blue
        fmov    fr10,fr5
        fmul    fr13,fr7                ! offset blue
        fmac    fr0,fr1,fr5             ! base blue
        ftrc    fr3,fpul
        and     r13,r11
        sts     fpul,r0                 ! red
        fadd    fr11,fr4
        mov.l   r11,@-r12               ! offset: only alpha
        fadd    fr7,fr5
        cmp/hi  r4,r0
        ftrc    fr4,fpul
        bt      .Lcut_fold_red
.Lin_fold_red:
        mov.b   r0,@(2,r3)
        sts     fpul,r0                 ! green
        ftrc    fr5,fpul
        sts     fpul,r11                ! blue
        add     #4,r5
        add     #4,r6
        cmp/hi  r4,r0
        bt      .Lcut_fold_green
.Lin_fold_green:
        cmp/hi  r4,r11
        mov.b   r0,@(1,r3)
        bt      .Lcut_fold_blue
.Lin_fold_blue:
        dt      r7
        mov.b   r11,@r3
        add     #8,r12
        bf/s    .Lfolded
        add     #8,r3
        bra     .Ldone
        nop

        cut     r0,fold_red
        cut     r0,fold_green
        cut     r11,fold_blue
        .size   _shade_colours, .-_shade_colours
