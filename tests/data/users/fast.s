! The hand-written versions. FPSCR.PR = 0 on entry: single precision.

        .text
        .align 5

! void scale(float *data, unsigned n, float by): in R4, R5, FR5
        .global scale
scale:
        tst     r5, r5
        bt      2f
1:      fmov.s  @r4, fr0
        fmul    fr5, fr0
        dt      r5
        fmov.s  fr0, @r4
        bf/s    1b
        add     #4, r4
2:      rts
        nop

! void twice(float *data, unsigned n): adds 1 to the exponent of whatever is not zero
        .global twice
twice:
        mov.l   exponent_one, r3
        tst     r5, r5
        bt      3f
1:      mov.l   @r4, r0
        mov     r0, r1
        shll    r1                      ! without the sign
        tst     r1, r1
        bt      2f
        add     r3, r0
2:      mov.l   r0, @r4
        dt      r5
        bf/s    1b
        add     #4, r4
3:      rts
        nop
        .align 2
exponent_one:
        .long   0x00800000

! unsigned total(const unsigned *data, unsigned n): forgets to keep R8
        .global total
total:
        tst     r5, r5
        bt/s    2f
        mov     #0, r0
1:      mov.l   @r4+, r8
        dt      r5
        bf/s    1b
        add     r8, r0
2:      rts
        nop

! void reverse(const unsigned char *from, unsigned char *to, unsigned n)
        .global reverse
reverse:
        tst     r6, r6
        bt/s    2f
        add     r6, r5
1:      mov.b   @r4+, r0
        dt      r6
        bf/s    1b
        mov.b   r0, @-r5
2:      rts
        nop
