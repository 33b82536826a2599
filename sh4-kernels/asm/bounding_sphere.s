! SPDX-License-Identifier: MIT OR Apache-2.0
! void bounding_sphere(const float matrix[16], const float sphere[4], float out[4])
!
!   centre = matrix * centre; radius *= sqrt(largest row sum of |columns . columns|)
!   in        r4 matrix, r5 sphere (x, y, z, r), r6 out, all 8-byte aligned
!   FPSCR     PR = 0, SZ = 0, as at return
!   clobbers  r0, r4-r6, fr0-fr11, XMTRX, FPUL, T
!
!   The dependency chain limits the speed. FIPR writes its result into one of its vectors; it must be moved away and
!   replaced by zero before the vector's next use. So b . c follows a . c, and c . c follows b . c. Two sums, two
!   comparisons, FSQRT and FMUL follow. Loading XMTRX and transforming the centre fill the gaps.

        .text
        .align  5
        .globl  _bounding_sphere
        .type   _bounding_sphere, @function
_bounding_sphere:
        mov     r4,r0
        fschg
        fmov    @r0+,dr4                ! column a
        fmov    @r0+,dr6
        fmov    @r0+,dr8                ! b
        fmov    @r0+,dr10
        fmov    @r0+,dr0                ! c
        fmov    @r0+,dr2
        fldi0   fr7
        fldi0   fr11
        fldi0   fr3
        fmov    @r0+,xd12
        fmov    @r0,xd14
        fipr    fv4,fv8                 ! a . b
        fmov    @r4+,xd0
        fipr    fv4,fv0                 ! a . c
        fmov    @r4+,xd2
        fipr    fv4,fv4                 ! a . a
        fmov    @r4+,xd4
        fmov    dr10,dr4                ! fr5 = a . b
        fldi0   fr11
        flds    fr3,fpul
        fldi0   fr3
        fabs    fr5
        fmov    @r4+,xd6
        fadd    fr5,fr7
        fmov    @r4+,xd8
        fipr    fv8,fv0                 ! b . c
        fmov    @r4,xd10
        fipr    fv8,fv8                 ! b . b
        fsts    fpul,fr6                ! a . c
        fabs    fr6
        fmov    dr2,dr8                 ! fr9 = b . c
        fadd    fr6,fr7                 ! a's sum
        fldi0   fr3
        fadd    fr5,fr11
        fabs    fr9
        fipr    fv0,fv0                 ! c . c
        fadd    fr9,fr11                ! b's sum
        fadd    fr6,fr3
        fcmp/gt fr7,fr11
        fadd    fr9,fr3                 ! c's sum
        bf      1f
        fmov    dr10,dr6
1:
        fmov    @r5+,dr8                ! x, y
        fmov    @r5,dr10                ! z, radius
        fcmp/gt fr7,fr3
        flds    fr11,fpul
        fldi1   fr11
        bf      2f
        fmov    dr2,dr6
2:
        fsqrt   fr7
        ftrv    xmtrx,fv8
        fmov    dr8,@r6
        add     #8,r6
        fsts    fpul,fr11
        fmul    fr7,fr11
        fmov    dr10,@r6
        rts
        fschg
        .size   _bounding_sphere, .-_bounding_sphere
