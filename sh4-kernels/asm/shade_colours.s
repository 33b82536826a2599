! void shade_colours(const struct shade *shade, const float lit[][4], const float gloss[][4], uint32_t n,
!                    const uint32_t diffuse[], const uint32_t specular[], uint32_t base[], uint32_t offset[])
!
!   base = ambient + lit * diffuse, offset = gloss * specular, channel by channel, cut to 0 to 255 and truncated;
!   with fold base += offset and offset = 0
!   shade     0 ambient, 12 fold
!   in        r4 shade, r5 lit, r6 gloss, r7 n, stack: diffuse, specular, base, offset
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr4, fr8-fr11, FPUL, T

! r0 = the top byte of \word, which moves on by a byte
        .macro  top_byte word
        mov     \word,r0
        shlr16  r0
        shlr8   r0
        shll8   \word
        .endm

! \reg, cut and truncated, into the low byte of \word, which moves on first
        .macro  pack reg, word
        fldi0   fr0
        fcmp/gt fr0,\reg
        bt      8f
        fmov    fr0,\reg
8:
        fcmp/gt fr11,\reg
        bf      9f
        fmov    fr11,\reg
9:
        ftrc    \reg,fpul
        shll8   \word
        sts     fpul,r0
        or      r0,\word
        .endm

! one channel: words r8 diffuse, r9 specular, results r10 base, r11 offset, T clear to fold
        .macro  channel ambient
        top_byte r8
        lds     r0,fpul
        float   fpul,fr1
        top_byte r9
        lds     r0,fpul
        float   fpul,fr2
        fmov.s  @r5+,fr0                ! lit
        fmov    \ambient,fr3
        tst     r4,r4
        fmac    fr0,fr1,fr3
        fmov.s  @r6+,fr0                ! gloss
        bt/s    7f
        fmul    fr0,fr2
        fadd    fr2,fr3
        fldi0   fr2
7:
        pack    fr3,r10
        pack    fr2,r11
        .endm

        .text
        .align  5
        .globl  _shade_colours
        .type   _shade_colours, @function
_shade_colours:
        mov.l   @r15,r1                 ! diffuse
        mov.l   @(4,r15),r2             ! specular
        mov.l   @(8,r15),r3             ! base
        mov.l   @(12,r15),r0            ! offset
        mov.l   r8,@-r15
        mov.l   r9,@-r15
        mov.l   r10,@-r15
        mov.l   r11,@-r15
        mov.l   r12,@-r15
        mov     r0,r12
        fmov.s  @r4+,fr8
        fmov.s  @r4+,fr9
        fmov.s  @r4+,fr10
        mov.w   limit,r0
        lds     r0,fpul
        float   fpul,fr11
        tst     r7,r7
        bf/s    1f
        mov.l   @r4,r4                  ! fold
        bra     2f
        nop
1:
        mov.l   @r1+,r8
        mov.l   @r2+,r9
        top_byte r8                     ! alphas
        mov     r0,r10
        top_byte r9
        mov     r0,r11
        channel fr8
        channel fr9
        channel fr10
        add     #4,r5
        add     #4,r6
        mov.l   r10,@r3
        add     #4,r3
        mov.l   r11,@r12
        dt      r7
        bt/s    2f
        add     #4,r12
        bra     1b
        nop
2:
        mov.l   @r15+,r12
        mov.l   @r15+,r11
        mov.l   @r15+,r10
        mov.l   @r15+,r9
        rts
        mov.l   @r15+,r8
limit:  .short  255
        .size   _shade_colours, .-_shade_colours
