! The fast versions of audio.c.

        .text

! void mix16_fast(short *into, const short *from, unsigned n): R4, R5, R6
        .align 5
        .global mix16_fast
mix16_fast:
        tst     r6, r6
        bt      done
        mov     #-128, r3
        shll8   r3                      ! -32768
        not     r3, r7                  ! 32767
mix:    mov.w   @r5+, r1
        mov.w   @r4, r0
        add     r1, r0
        cmp/gt  r7, r0
        bt      high
        cmp/ge  r3, r0
        bf      low
store:  dt      r6
        mov.w   r0, @r4
        bf/s    mix
        add     #2, r4
done:   rts
        nop
high:   bra     store
        mov     r7, r0
low:    bra     store
        mov     r3, r0

! void fade16_fast(short *samples, unsigned n, int volume): R4, R5, R6
        .align 5
        .global fade16_fast
fade16_fast:
        tst     r5, r5
        bt      faded
        mov     #-8, r3
fade:   mov.w   @r4, r1
        muls.w  r6, r1
        dt      r5
        sts     macl, r0
        shad    r3, r0
        mov.w   r0, @r4
        bf/s    fade
        add     #2, r4
faded:  rts
        nop
