! void matrix_multiply(const float a[16], const float b[16], float out[16])
!
!   out = a * b, column-major
!   in        r4 a, r5 b, r6 out, all 8-byte aligned
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r4-r6, fr0-fr11, XMTRX

        .include "xmtrx.inc"

        .text
        .align  5
        .globl  _matrix_multiply
        .type   _matrix_multiply, @function
_matrix_multiply:
        load_xmtrx r4
        fschg                           ! pairs from here on
        fmov    @r5+,dr0
        fmov    @r5+,dr2
        fmov    @r5+,dr4
        ftrv    xmtrx,fv0               ! column 0
        fmov    @r5+,dr6
        fmov    @r5+,dr8
        ftrv    xmtrx,fv4               ! column 1
        fmov    @r5+,dr10
        add     #16,r6
        ftrv    xmtrx,fv8               ! column 2
        fmov    dr2,@-r6
        fmov    dr0,@-r6
        fmov    @r5+,dr0
        fmov    @r5+,dr2
        add     #32,r6
        ftrv    xmtrx,fv0               ! column 3
        fmov    dr6,@-r6
        fmov    dr4,@-r6
        add     #32,r6
        fmov    dr10,@-r6
        fmov    dr8,@-r6
        add     #32,r6
        fmov    dr2,@-r6
        fmov    dr0,@-r6
        rts
        fschg
        .size   _matrix_multiply, .-_matrix_multiply
