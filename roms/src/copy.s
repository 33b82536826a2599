! Copies.
!
! void copy_pairs(const double src[], uint8_t dst[][32], uint32_t fours)
!   8 bytes into each record of 32, four in a loop; src is prefetched three lines ahead
! void copy_lines(const void *src, void *dst, uint32_t lines)
!   lines of 32 bytes: MOVCA.L allocates, src is prefetched one line ahead
! void copy_words(const void *src, void *dst, uint32_t words)
!   32-bit words, one at a time
! void copy_queue(const void *src, void *queue, uint32_t lines)
!   lines of 32 bytes through the store queues
!
!   in        r4 src, r5 dst, r6 count; src and dst 8-byte aligned, for copy_lines and copy_queue 32
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr7, T

        .include "timing.inc"

        function copy_pairs
        fschg
        mov     #96,r0
        add     r4,r0
1:
        fmov    @r4+,dr0
        fmov    @r4+,dr2
        fmov    @r4+,dr4
        dt      r6
        fmov    @r4+,dr6
        fmov    dr0,@r5
        add     #32,r5
        fmov    dr2,@r5
        add     #32,r5
        fmov    dr4,@r5
        add     #32,r5
        fmov    dr6,@r5
        add     #32,r5
        pref    @r0
        bf/s    1b
        add     #32,r0
        fschg
        rts
        nop

        function copy_lines
        fschg
1:
        mov.l   @r4,r0
        mov     r4,r1
        fmov    @r4+,dr0
        add     #32,r1
        fmov    @r4+,dr2
        fmov    @r4+,dr4
        fmov    @r4+,dr6
        movca.l r0,@r5
        add     #32,r5
        pref    @r1
        dt      r6
        fmov    dr6,@-r5
        fmov    dr4,@-r5
        fmov    dr2,@-r5
        fmov    dr0,@-r5
        bf/s    1b
        add     #32,r5
        fschg
        rts
        nop

        function copy_words
1:
        mov.l   @r4+,r0
        dt      r6
        mov.l   r0,@r5
        bf/s    1b
        add     #4,r5
        rts
        nop

        function copy_queue
        fschg
1:
        fmov    @r4+,dr0
        add     #32,r5
        fmov    @r4+,dr2
        dt      r6
        fmov    @r4+,dr4
        mov     r5,r0
        fmov    @r4+,dr6
        add     #-32,r0
        fmov    dr6,@-r5
        pref    @r4
        fmov    dr4,@-r5
        fmov    dr2,@-r5
        fmov    dr0,@-r5
        pref    @r0
        bf/s    1b
        add     #32,r5
        fschg
        rts
        nop
