! void light_vertices(const struct light *light, const float positions[][4], const float normals[][4], uint32_t n,
!                     float diffuse[][4], float specular[][4])
!
!   diffuse += left * (n . l) * colour and specular += left * s^exponent * gloss, where n . l > 0 and s > 0
!   light     0 place, 16 axis, 32 colour, 48 gloss, 64 range (offset, slope), 72 cone (offset, slope), 80 flags,
!             84 exponent; flags 1 position, 2 cone, 4 highlight, 8 reflected
!   in        r4 light, r5 positions, r6 normals, r7 n, stack: diffuse, specular
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr11, FPUL, T

! \reg cut to 0 to 1, 0 where it is not a number
        .macro  share reg
        fldi0   fr2
        fcmp/gt fr2,\reg
        bt      8f
        fmov    fr2,\reg
8:
        fldi1   fr2
        fcmp/gt fr2,\reg
        bf      9f
        fmov    fr2,\reg
9:
        .endm

! \reg = the word at offset \at of the light
        .macro  of_light at, reg
        mov     #\at,r0
        fmov.s  @(r0,r4),\reg
        .endm

! three floats at \sum += fr0 * three floats of the light from \at
        .macro  add_colour at, sum
        mov     r4,r3
        add     #\at,r3
        .rept   3
        fmov.s  @r3+,fr1
        fmov.s  @\sum,fr2
        fmac    fr0,fr1,fr2
        fmov.s  fr2,@\sum
        add     #4,\sum
        .endr
        add     #-12,\sum
        .endm

        .text
        .align  5
        .globl  _light_vertices
        .type   _light_vertices, @function
_light_vertices:
        mov.l   @r15,r1                 ! diffuse
        mov.l   @(4,r15),r2             ! specular
        mov.l   r8,@-r15
        mov.l   r9,@-r15
        fmov.s  fr12,@-r15
        fmov.s  fr13,@-r15
        fmov.s  fr14,@-r15
        fmov.s  fr15,@-r15
        mov     #80,r0
        mov.l   @(r0,r4),r8             ! flags
        tst     r7,r7
        bf      1f
        bra     .Ldone
        nop
1:
        fmov.s  @r6+,fr4                ! normal
        fmov.s  @r6+,fr5
        fmov.s  @r6+,fr6
        add     #4,r6
        fldi0   fr7
        mov     r4,r3
        fmov.s  @r3+,fr8                ! place
        fmov.s  @r3+,fr9
        fmov.s  @r3+,fr10
        fldi0   fr11
        mov     r8,r0
        tst     #1,r0
        bt/s    2f
        fldi1   fr3                     ! what is left of the light
        mov     r5,r3
        fmov.s  @r3+,fr0                ! position
        fmov.s  @r3+,fr1
        fmov.s  @r3,fr2
        fsub    fr0,fr8
        fsub    fr1,fr9
        fsub    fr2,fr10
        fipr    fv8,fv8
        fmov    fr11,fr0
        fsrra   fr0                     ! 1 / distance
        of_light 64,fr3
        of_light 68,fr1
        fmul    fr0,fr8
        fmul    fr0,fr9
        fmul    fr0,fr10
        fmul    fr11,fr0                ! distance
        fldi0   fr11
        fmac    fr0,fr1,fr3
        share   fr3
2:
        mov     r8,r0
        tst     #2,r0
        bt      3f
        mov     r4,r3
        add     #16,r3
        fmov.s  @r3+,fr12               ! axis
        fmov.s  @r3+,fr13
        fmov.s  @r3+,fr14
        fldi0   fr15
        fipr    fv8,fv12                ! fr15 = cosine to the axis
        of_light 72,fr1
        of_light 76,fr0
        fmac    fr0,fr15,fr1
        share   fr1
        fmul    fr1,fr3
3:
        fipr    fv8,fv4                 ! fr7 = incidence
        fldi0   fr0
        fcmp/gt fr0,fr7
        bt      4f
        bra     .Lnext
        nop
4:
        fmov    fr7,fr0
        fmul    fr3,fr0
        add_colour 32,r1
        mov     r8,r0
        tst     #4,r0
        bt      .Lnext
        tst     #8,r0
        bf      5f
        fldi1   fr0                     ! about the half-way vector
        fadd    fr10,fr0
        fadd    fr0,fr0
        fsrra   fr0
        fmov    fr7,fr1
        fadd    fr6,fr1
        bra     6f
        fmul    fr0,fr1
5:
        fmov    fr7,fr1                 ! about the reflected light
        fadd    fr7,fr1
        fmul    fr6,fr1
        fsub    fr10,fr1
6:
        fldi0   fr0
        fcmp/gt fr0,fr1
        bf      .Lnext
        mov     #84,r0
        mov.l   @(r0,r4),r9             ! exponent
        tst     r9,r9
        bt/s    8f
        fmov    fr3,fr0
7:
        dt      r9
        bf/s    7b
        fmul    fr1,fr0
8:
        add_colour 48,r2
.Lnext:
        add     #16,r5
        add     #16,r1
        add     #16,r2
        dt      r7
        bt      .Ldone
        bra     1b
        nop
.Ldone:
        fmov.s  @r15+,fr15
        fmov.s  @r15+,fr14
        fmov.s  @r15+,fr13
        fmov.s  @r15+,fr12
        mov.l   @r15+,r9
        rts
        mov.l   @r15+,r8
        .size   _light_vertices, .-_light_vertices
