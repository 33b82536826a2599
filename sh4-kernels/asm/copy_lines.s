! SPDX-License-Identifier: MIT OR Apache-2.0
! void copy_lines(uint32_t dst[], const uint32_t src[], uint32_t n)
!
!   copies lines of 32 bytes; MOVCA.L allocates the destination's lines in the cache without reading them
!   in        r4 dst (32-byte aligned), r5 src (8-byte aligned), r6 n in lines
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0, r1, r4-r7, fr0-fr7, T
!
!   12 cycles per line: 10 loads and stores, and two cycles by which MOVCA.L delays the next store. MOVCA.L is at the
!   loop's end, so that the branch executes in these cycles: a line is stored in the iteration after its load.

        .macro  load
        fmov    @r5+,dr0
        fmov    @r5+,dr2
        fmov    @r5+,dr4
        fmov    @r5+,dr6
        .endm

        .macro  store
        fmov    dr6,@-r4
        fmov    dr4,@-r4
        fmov    dr2,@-r4
        fmov    dr0,@-r4
        .endm

        .text
        .align  5
        .globl  _copy_lines
        .type   _copy_lines, @function
_copy_lines:
        tst     r6,r6
        bt      3f
        mov     r5,r7
        fschg
        add     #32,r7
        load
        mov     r4,r1
        pref    @r7                     ! the next line
        add     #32,r7
        add     #32,r4                  ! end of the line
        movca.l r0,@r1
        dt      r6
        bt/s    2f
        add     #32,r1
        .align  2
1:
        store
        load
        pref    @r7
        add     #64,r4
        movca.l r0,@r1
        dt      r6
        add     #32,r1
        bf/s    1b
        add     #32,r7
2:
        store
        fschg
3:
        rts
        nop
        .size   _copy_lines, .-_copy_lines
