! SPDX-License-Identifier: MIT OR Apache-2.0
! void submit_volume(const float screen[][4], const uint16_t triangles[][3], uint32_t n, void *sq)
!
!   sends one 64-byte parameter per triangle through both store queues
!   in        r4 screen (x, y, 1/w, w; 8-byte aligned), r5 triangles, r6 n, r7 sq, 32-byte aligned in
!             E0000000-E3FFFFFF; QACR0/1 lead to the tile accelerator
!   FPSCR     PR = 0, SZ = 0, as at return
!   clobbers  r0-r7, fr0-fr3, T
!
!   28 cycles per triangle: the bus accepts a block in 14. There are 25 load/store slots: the second corner's x and y
!   and the zeros move in pairs, the other eight words of the corners one by one. A triangle begins with its loads,
!   because the queue of its first block is still being sent.

        .text
        .align  5
        .globl  _submit_volume
        .type   _submit_volume, @function
_submit_volume:
        tst     r6,r6
        bt      .Lnone
        mov.w   @r5+,r0                 ! the first index
        mov     #-16,r1
        mov.l   r8,@-r15
        shll8   r1
        mov.l   r9,@-r15
        shll16  r1                      ! F0000000
        fldi0   fr2
        extu.w  r0,r0
        fldi0   fr3
        shll2   r0
        fschg
        add     #-24,r7
        shll2   r0
        add     r4,r0
        .align  2
1:
        mov.w   @r5+,r2                 ! the second index
        add     #24,r7
        mov.l   @r0,r3                  ! x
        mov.l   @(4,r0),r8              ! y
        extu.w  r2,r2
        mov.w   @r5+,r9                 ! the third index
        shll2   r2
        mov.l   @(8,r0),r0              ! 1/w
        shll2   r2
        add     r4,r2
        extu.w  r9,r9
        fmov    @r2,dr0                 ! x, y
        shll2   r9
        mov.l   @(8,r2),r2              ! 1/w
        shll2   r9
        mov.l   r1,@r7
        add     r4,r9
        mov.l   r3,@(4,r7)
        dt      r6
        mov.l   r8,@(8,r7)
        mov.l   r0,@(12,r7)
        add     #24,r7
        mov.l   @r9,r3                  ! x
        bt      2f
        mov.w   @r5+,r0                 ! the next triangle's first index
2:
        fmov    dr0,@-r7
        mov.l   r2,@(8,r7)
        extu.w  r0,r0
        mov.l   @(4,r9),r8              ! y
        shll2   r0
        mov.l   r3,@(12,r7)
        shll2   r0
        pref    @r7
        add     r4,r0
        mov.l   @(8,r9),r9              ! 1/w
        mov.l   r8,@(16,r7)
        mov.l   r9,@(20,r7)
        add     #48,r7
        fmov    dr2,@-r7
        fmov    dr2,@-r7
        fmov    dr2,@-r7
        bf/s    1b
        pref    @r7
        mov.l   @r15+,r9
        fschg
        rts
        mov.l   @r15+,r8
.Lnone:
        rts
        nop
        .size   _submit_volume, .-_submit_volume
