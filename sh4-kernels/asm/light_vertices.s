! SPDX-License-Identifier: MIT OR Apache-2.0
! void light_vertices(const struct light *light, const float positions[][4], const float normals[][4], uint32_t n,
!                     float diffuse[][4], float specular[][4])
!
!   diffuse += attenuation * (n . l) * colour and specular += attenuation * s^exponent * gloss, if n . l > 0 and s > 0
!   light     0 place, 16 axis, 32 colour, 48 gloss, 64 range (offset, slope), 72 cone (offset, slope), 80 flags,
!             84 exponent; flags 1 position, 2 cone, 4 highlight, 8 reflected
!   in        r4 light, r5 positions, r6 normals, r7 n, stack: diffuse, specular
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr11, FPUL, T
!
!   A vertex that faces away takes 21 cycles (32 issue slots), or 10 cycles (10.5 slots) for a directional light. A lit
!   vertex takes 43 more (51 slots), or 24 for a directional light without a cone, plus the highlight. Only the
!   incidence is computed for all vertices. Dependency chains limit the speed. The positional loop has two vertices in
!   progress: the vector to the light stays in fv12 until FSRRA, FMUL and FIPR of the previous vertex end. In the
!   directional loop, two normals partly hide FIPR and FCMP. A lit vertex needs FMAC, two clamps, FIPR, FMAC, two
!   clamps, two products and FMAC.
!   Range and cone are computed for every light, and ignored if the flags do not select them.
!   Registers: r0 flags, r1 and r2 distances from the end of the normal to diffuse and specular, r9 range, r10 axis, r14
!   return address of .Llit, fr11 = 0.

        .text
        .align  5
        .globl  _light_vertices
        .type   _light_vertices, @function
_light_vertices:
        tst     r7,r7
        mov.l   @r15,r1                 ! diffuse
        bf/s    1f
        mov     #80,r0
        rts
        nop
1:
        mov.l   @(4,r15),r2             ! specular
        sub     r6,r1
        mov.l   @(r0,r4),r0             ! flags
        add     #-16,r1
        mov.l   r9,@-r15
        sub     r6,r2
        mov.l   r10,@-r15
        add     #-16,r2
        mov.l   r12,@-r15
        mov     r4,r9
        mov.l   r13,@-r15
        mov     r4,r10
        mov.l   r14,@-r15
        add     #64,r9
        fmov.s  fr12,@-r15
        add     #16,r10
        fmov.s  fr13,@-r15
        tst     #1,r0
        fmov.s  fr14,@-r15
        fldi0   fr11
        bf/s    1f
        fmov.s  fr15,@-r15
        bra     .Lfrom_afar
        nop
1:
        fmov.s  @r5+,fr0
        mov     r4,r3
        fmov.s  @r3+,fr12               ! next vector to the light
        fmov.s  @r5+,fr1
        fsub    fr0,fr12
        fmov.s  @r5+,fr0
        fmov.s  @r3+,fr13
        fmov.s  @r3+,fr14
        fsub    fr1,fr13
        fsub    fr0,fr14
        fldi0   fr15
        fipr    fv12,fv12               ! fr15 = its square
        add     #4,r5
        dt      r7
        mov.w   .Lto_lit,r14
        bt      .Llast

        .align  2
.Lpositional:
        fmov.s  @r6+,fr4                ! normal
        fmov.s  @r5+,fr0
        fmov    fr15,fr2
        fsrra   fr2                     ! 1 / distance
        mov     r4,r3
        fmov.s  @r6+,fr5
        fldi0   fr7
        fmov.s  @r6+,fr6
        fmov    fr2,fr9
        fmov    fr2,fr8
        fmul    fr12,fr8                ! to the light
        fmul    fr13,fr9
        fmov    fr2,fr10
        fmul    fr14,fr10
        fmov.s  @r3+,fr12               ! next vector to the light
        fmul    fr15,fr2                ! distance
        fmov.s  @r5+,fr1
        fsub    fr0,fr12
        fmov.s  @r5+,fr0
        fipr    fv8,fv4                 ! fr7 = incidence
        fmov.s  @r3+,fr13
        fmov.s  @r3+,fr14
        fsub    fr1,fr13
        fsub    fr0,fr14
        fldi0   fr15
        add     #4,r6
        fcmp/gt fr11,fr7
        bt      .Lcut_lit
.Lin_lit:
        dt      r7
        fipr    fv12,fv12               ! fr15 = its square
        bf/s    .Lpositional
        add     #4,r5
.Llast:
        mov.w   .Lto_last,r14
        fmov.s  @r6+,fr4                ! normal
        fmov    fr15,fr2
        fsrra   fr2                     ! 1 / distance
        fmov.s  @r6+,fr5
        fldi0   fr7
        fmov.s  @r6+,fr6
        fmov    fr2,fr9
        fmov    fr2,fr8
        fmul    fr12,fr8                ! to the light
        fmul    fr13,fr9
        fmov    fr2,fr10
        fmul    fr14,fr10
        fmul    fr15,fr2                ! distance
        fipr    fv8,fv4                 ! fr7 = incidence
        add     #4,r6
        fcmp/gt fr11,fr7
        bt      .Lcut_last
.Lin_last:
.Ldone:
        fmov.s  @r15+,fr15
        fmov.s  @r15+,fr14
        fmov.s  @r15+,fr13
        fmov.s  @r15+,fr12
        mov.l   @r15+,r14
        mov.l   @r15+,r13
        mov.l   @r15+,r12
        mov.l   @r15+,r10
        rts
        mov.l   @r15+,r9

! .Lto_X: displacement for BRAF back to the point at which X was found to be lit.
        .macro  back_to name
.Lto_\name: .short .Lin_\name - .Lback
        .endm
        back_to lit
        back_to last

.Lcut_lit:
.Lcut_last:
! A lit vertex: fr7 incidence, fv8 vector to the light, fr2 distance, r6 end of its normal. Keeps fr8-fr15.
.Llit:
        mov     r10,r13
        fmov    fr7,fr3                 ! incidence
        mov     r9,r12
        fmov.s  @r12+,fr1               ! range: offset
        fmov.s  @r13+,fr4               ! axis
        fmov.s  @r12+,fr0               ! slope
        mov     r6,r3
        fldi0   fr7
        fmac    fr0,fr2,fr1             ! left
        fmov.s  @r13+,fr5
        fmov.s  @r13+,fr6
        fldi1   fr2
        fcmp/gt fr11,fr1
        fipr    fv8,fv4                 ! fr7 = cosine to the axis
        fmov.s  @r12+,fr4               ! cone: offset
        fmov.s  @r12+,fr0               ! slope
        bt      1f
        fmov    fr11,fr1
1:
        fcmp/gt fr2,fr1
        add     #4,r13
        fmac    fr0,fr7,fr4
        bf      2f
        fmov    fr2,fr1
2:
        tst     #1,r0
        bf      3f
        fldi1   fr1
3:
        add     r1,r3
        fcmp/gt fr11,fr4
        bt      4f
        fmov    fr11,fr4
4:
        fcmp/gt fr2,fr4
        bf      5f
        fmov    fr2,fr4
5:
        fmov    fr3,fr0
        tst     #2,r0
        bt      6f
        fmul    fr4,fr1                 ! left
6:
        fmov.s  @r13+,fr5               ! colour
        fmov.s  @r3+,fr4                ! sum
        fmov.s  @r13+,fr6
        fmul    fr1,fr0
        fmov.s  @r3+,fr2
        fmov.s  @r3+,fr7
        tst     #4,r0
        fmac    fr0,fr5,fr4
        fmov.s  @r13+,fr5
        fmac    fr0,fr5,fr7
        fmac    fr0,fr6,fr2
        fmov.s  fr7,@-r3
        fmov.s  fr2,@-r3
        fmov.s  fr4,@-r3
        bf      .Lhighlight
.Lreturn:
        braf    r14
        nop
.Lback:

! Its highlight: fr1 attenuation, fr3 incidence, fr10 z of the vector to the light, r12 flags of the light, r13 end of
! its colour
.Lhighlight:
        mov     r6,r3
        add     #-8,r3
        tst     #8,r0
        fmov.s  @r3,fr6                 ! z of the normal
        fmov    fr3,fr4
        bf/s    1f
        fldi1   fr0
        fadd    fr10,fr0                ! about the half-way vector
        fadd    fr6,fr4
        fadd    fr0,fr0
        fsrra   fr0
        bra     2f
        fmul    fr0,fr4
1:
        fadd    fr3,fr4                 ! about the reflected light
        fmul    fr6,fr4
        fsub    fr10,fr4
2:
        fcmp/gt fr11,fr4
        mov.l   @(4,r12),r12            ! exponent
        add     #4,r13
        bf      .Lreturn
        fmov.s  @r13+,fr5               ! gloss
        tst     r12,r12
        fmov.s  @r13+,fr6
        mov     r6,r3
        fmov.s  @r13+,fr7
        bt/s    4f
        fmov    fr1,fr0
3:
        dt      r12
        bf/s    3b
        fmul    fr4,fr0
4:
        add     r2,r3
        fmov.s  @r3+,fr1
        fmov.s  @r3+,fr2
        fmov.s  @r3+,fr3
        fmac    fr0,fr5,fr1
        fmac    fr0,fr6,fr2
        fmac    fr0,fr7,fr3
        fmov.s  fr3,@-r3
        fmov.s  fr2,@-r3
        bra     .Lreturn
        fmov.s  fr1,@-r3

! A vertex lit by a directional light; T is 0 if it has a cone. The attenuation is 1. Registers as in .Llit.
.Llit_from_afar:
        bf      .Llit
        fldi1   fr1                     ! left
        mov     r6,r3
        add     r1,r3
        fmov    fr7,fr0
        mov     r10,r13
        fmov    fr7,fr3                 ! incidence
        fmov.s  @r3+,fr4                ! sum
        add     #16,r13
        fmov.s  @r13+,fr5               ! colour
        fmul    fr1,fr0
        fmov.s  @r3+,fr2
        fmov.s  @r13+,fr6
        mov     r9,r12
        fmac    fr0,fr5,fr4
        fmov.s  @r13+,fr5
        fmac    fr0,fr6,fr2
        fmov.s  @r3+,fr7
        fmac    fr0,fr5,fr7
        tst     #4,r0
        add     #16,r12
        fmov.s  fr7,@-r3
        fmov.s  fr2,@-r3
        fmov.s  fr4,@-r3
        bf      .Lhighlight
        bra     .Lreturn
        nop

! Directional light: an odd normal first, then two normals at a time
.Lfrom_afar:
        fmov.s  @r4+,fr8                ! to the light
        mov     r6,r5
        fmov.s  @r4+,fr9
        shlr    r7
        fmov.s  @r4,fr10
        bf      5f
        fmov.s  @r5+,fr4
        add     #16,r6
        fmov.s  @r5+,fr5
        fmov.s  @r5+,fr6
        fldi0   fr7
        add     #4,r5
        fipr    fv8,fv4                 ! fr7 = incidence
        fcmp/gt fr11,fr7
        bt      .Lcut_odd
.Lin_odd:
        tst     r7,r7
        bf      5f
        bra     .Ldone
        nop
5:
        .align  2
.Ldirectional:
        add     #16,r6
        fldi0   fr7
        fmov.s  @r5+,fr4                ! two normals
        fmov.s  @r5+,fr5
        fmov.s  @r5+,fr6
        add     #4,r5
        fmov.s  @r5+,fr12
        fmov.s  @r5+,fr13
        fipr    fv8,fv4                 ! fr7 = incidence
        fldi0   fr15
        fmov.s  @r5+,fr14
        fcmp/gt fr11,fr7
        fipr    fv8,fv12
        bt      .Lcut_first
.Lin_first:
        add     #16,r6
        fmov    fr15,fr7
        fcmp/gt fr11,fr7
        bt      .Lcut_second
.Lin_second:
        dt      r7
        bf/s    .Ldirectional
        add     #4,r5
        bra     .Ldone
        nop

        .macro  lit name
.Lcut_\name:
        mov.w   .Lto_\name,r14
        bra     .Llit_from_afar
        tst     #2,r0
        .endm
        lit     odd
        lit     first
        lit     second
        back_to odd
        back_to first
        back_to second
        .size   _light_vertices, .-_light_vertices
