! void matrix_load(const float matrix[16])    into XMTRX
! void matrix_store(float matrix[16])         from XMTRX
!
!   in        r4 matrix (8-byte aligned)
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r4; the first XMTRX

        .include "timing.inc"

        function matrix_load
        fschg
        load_xmtrx_pairs r4
        rts
        fschg

        function matrix_store
        fschg
        add     #64,r4
        fmov    xd14,@-r4
        fmov    xd12,@-r4
        fmov    xd10,@-r4
        fmov    xd8,@-r4
        fmov    xd6,@-r4
        fmov    xd4,@-r4
        fmov    xd2,@-r4
        fmov    xd0,@-r4
        rts
        fschg
