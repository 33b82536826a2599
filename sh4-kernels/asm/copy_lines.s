! void copy_lines(uint32_t dst[], const uint32_t src[], uint32_t lines)
!
!   lines of 32 bytes; the destination's are taken into the cache without reading them (MOVCA.L)
!   in        r4 dst (32-byte aligned), r5 src (8-byte aligned), r6 lines
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0, r4-r7, fr0-fr7, T

        .text
        .align  5
        .globl  _copy_lines
        .type   _copy_lines, @function
_copy_lines:
        tst     r6,r6
        bt      2f
        mov     r5,r7
        fschg
        add     #32,r7
1:
        fmov    @r5+,dr0
        fmov    @r5+,dr2
        fmov    @r5+,dr4
        fmov    @r5+,dr6
        pref    @r7                     ! the next line
        add     #32,r7
        movca.l r0,@r4
        add     #32,r4
        fmov    dr6,@-r4
        dt      r6
        fmov    dr4,@-r4
        fmov    dr2,@-r4
        fmov    dr0,@-r4
        bf/s    1b
        add     #32,r4
        fschg
2:
        rts
        nop
        .size   _copy_lines, .-_copy_lines
