! void sincos(const uint32_t angles[], uint32_t n, float out[][2])
!
!   in        r4 angles (BAMS, low 16 bits used), r5 n, r6 out
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0, r4-r6, fr0, fr1, FPUL, T

        .text
        .align  5
        .globl  _sincos
        .type   _sincos, @function
_sincos:
        tst     r5,r5
        bt      2f
1:
        mov.l   @r4+,r0
        add     #8,r6                   ! stores go downwards from the pair's end
        lds     r0,fpul
        fsca    fpul,dr0                ! fr0 = sine, fr1 = cosine
        dt      r5
        fmov.s  fr1,@-r6
        fmov.s  fr0,@-r6
        bf/s    1b
        add     #8,r6
2:
        rts
        nop
        .size   _sincos, .-_sincos
