! SPDX-License-Identifier: MIT OR Apache-2.0
! void queue_fill(uint32_t value, uint32_t n, void *sq)
!
!   sends blocks of eight equal words: both store queues are filled once and keep their contents. Clearing routines of
!   early KallistiOS (sq_clr) and tatest rely on this, too
!   in        r4 value, r5 n in blocks, r6 sq, 32-byte aligned in E0000000-E3FFFFFF; QACR0/1 select the target
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r5-r7, fr0, fr1, FPUL, T

        .text
        .align  5
        .globl  _queue_fill
        .type   _queue_fill, @function
_queue_fill:
        tst     r5,r5
        bt/s    2f
        lds     r4,fpul
        fsts    fpul,fr0
        mov     r6,r7
        fsts    fpul,fr1
        add     #64,r7
        fschg
        .rept   8
        fmov    dr0,@-r7
        .endr
        fschg
1:
        dt      r5
        pref    @r6
        bf/s    1b
        add     #32,r6
2:
        rts
        nop
        .size   _queue_fill, .-_queue_fill
