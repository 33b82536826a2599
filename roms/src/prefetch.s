! uint32_t prefetch_then_load(const void *src, uint32_t skip)
!
!   in        r4 src, not cached; r5 bytes of the 160 bytes of NOPs to jump over, even
!   clobbers  r0, r1
!
! A PREF, up to 80 NOPs, and a load from the line.

        .include "timing.inc"

        function prefetch_then_load
        pref    @r4
        braf    r5
        nop
        .rept   80
        nop
        .endr
        mov.l   @r4,r0
        mov     r0,r1
        rts
        add     r1,r0
