! void strips_to_ta(uint32_t strips, uint32_t triangles, void *queue)
!
!   in        r4 strips, r5 triangles of each, r6 store queue address
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r4, r6, r7, T
!
! Two vertices more than triangles for each strip, from registers: nothing but the queues and the tile accelerator has
! to be waited for.

        .include "timing.inc"

        function strips_to_ta
        fschg
1:
        mov     r5,r7
        add     #2,r7
2:
        add     #32,r6
        fmov    dr6,@-r6
        dt      r7
        fmov    dr4,@-r6
        fmov    dr2,@-r6
        fmov    dr0,@-r6
        pref    @r6
        bf/s    2b
        add     #32,r6
        dt      r4
        bf      1b
        fschg
        rts
        nop
