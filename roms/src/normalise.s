! void normalise_each(const float src[][3], float *dst_end, uint32_t n)
!
!   in        r4 src, r5 behind the last float of dst, which is filled from its end; r6 count
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r4-r6, fr0-fr3, T
!
! One vector in a loop of 14 instructions, each step waiting for the one before.

        .include "timing.inc"

        function normalise_each
1:
        fmov.s  @r4+,fr0
        fmov.s  @r4+,fr1
        fmov.s  @r4+,fr2
        fldi0   fr3
        fipr    fv0,fv0
        dt      r6
        fsrra   fr3
        fmul    fr3,fr2
        fmul    fr3,fr1
        fmul    fr3,fr0
        fmov.s  fr2,@-r5
        fmov.s  fr1,@-r5
        bf/s    1b
        fmov.s  fr0,@-r5
        rts
        nop
