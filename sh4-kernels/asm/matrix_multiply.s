! SPDX-License-Identifier: MIT OR Apache-2.0
! void matrix_multiply(const float a[16], const float b[16], float out[16])
!
!   out = a * b, column-major
!   in        r4 a, r5 b, r6 out, all 8-byte aligned
!   FPSCR     PR = 0, SZ = 0, as at return
!   clobbers  r4-r6, fr0-fr11, XMTRX
!
!   10 loads precede the first FTRV, and the last of them takes 3 cycles. The fourth FTRV follows 12 cycles later, its
!   result takes 6, the return 4. These times do not overlap. The profiler's chain counts only one load.

        .text
        .align  5
        .globl  _matrix_multiply
        .type   _matrix_multiply, @function
_matrix_multiply:
        fschg
        fmov    @r4+,xd0
        fmov    @r4+,xd2
        fmov    @r4+,xd4
        fmov    @r4+,xd6
        fmov    @r4+,xd8
        fmov    @r4+,xd10
        fmov    @r4+,xd12
        fmov    @r4+,xd14
        fmov    @r5+,dr0
        fmov    @r5+,dr2
        fmov    @r5+,dr4
        fmov    @r5+,dr6
        ftrv    xmtrx,fv0               ! column 0
        fmov    @r5+,dr8
        fmov    @r5+,dr10
        add     #16,r6
        ftrv    xmtrx,fv4               ! column 1
        fmov    dr2,@-r6
        fmov    dr0,@-r6
        fmov    @r5+,dr0
        ftrv    xmtrx,fv8               ! column 2
        fmov    @r5,dr2
        add     #32,r6
        fmov    dr6,@-r6
        fmov    dr4,@-r6
        ftrv    xmtrx,fv0               ! column 3
        add     #32,r6
        fmov    dr10,@-r6
        fmov    dr8,@-r6
        add     #16,r6
        fmov    dr0,@r6
        add     #8,r6
        fmov    dr2,@r6
        rts
        fschg
        .size   _matrix_multiply, .-_matrix_multiply
