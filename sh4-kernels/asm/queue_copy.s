! SPDX-License-Identifier: MIT OR Apache-2.0
! void queue_copy(const uint32_t src[], uint32_t n, void *sq)
!
!   sends blocks of 32 bytes through the two store queues in turn. The source is fetched four lines at a time, because
!   each change between reading and writing costs 4 bus cycles
!   in        r4 src (8-byte aligned), r5 n in blocks, r6 sq, 32-byte aligned in E0000000-E3FFFFFF; QACR0/1 select the
!             target
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0, r4-r7, fr0-fr7, T

        .text
        .align  5
        .globl  _queue_copy
        .type   _queue_copy, @function
_queue_copy:
        tst     r5,r5
        bt      4f
        mov     r5,r0
        fschg
        mov     r4,r7
1:
        tst     #3,r0
        bf      2f
        .rept   4
        pref    @r7
        add     #32,r7
        .endr
2:
        fmov    @r4+,dr0
        add     #32,r6
        fmov    @r4+,dr2
        dt      r0
        fmov    @r4+,dr4
        fmov    @r4+,dr6
        fmov    dr6,@-r6
        fmov    dr4,@-r6
        fmov    dr2,@-r6
        fmov    dr0,@-r6
        pref    @r6
        bf/s    1b
        add     #32,r6
        fschg
4:
        rts
        nop
        .size   _queue_copy, .-_queue_copy
