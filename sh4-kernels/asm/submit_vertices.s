! SPDX-License-Identifier: MIT OR Apache-2.0
! void submit_vertices(const struct corner corners[], uint32_t n, uint32_t form, uint32_t doubled, void *sq)
!
!   sends vertex parameters through the two store queues in turn: form 0 has one volume, form 1 two textured volumes,
!   form 2 two untextured ones
!   corner    0 x, y, 1/w, w, 16 u, v, u, v, 32 base, offset, base, offset; 8-byte aligned
!   in        r4 corners, r5 n, r6 form, r7 doubled, stack: sq, 32-byte aligned in E0000000-E3FFFFFF; QACR0/1 lead to
!             the tile accelerator
!   FPSCR     PR = 0, SZ = 0, as at return
!   clobbers  r0-r7, fr0-fr9, T
!
!   The bus limits the speed: 14 cycles per block of 32 bytes. A block needs 12 or 13 load/store slots (the second one
!   of form 1 needs 7). x, y, 1/w move through general registers, because their offset in the block differs by one word;
!   the rest moves in pairs. The corners are not prefetched, because the bus also limits calls with cold caches.

! Stores control word, x, y, 1/w of the next block, \step bytes after the previous r1. T: it is the last block.
        .macro  head step
        mov.l   @r4,r2
        dt      r5
        mov.l   @(4,r4),r3
        bf      8f
        shar    r7                      ! E0000000 to F0000000
8:
        mov.l   @(8,r4),r0
        add     #\step,r1
        mov.l   r7,@r1
        tst     r5,r5
        mov.l   r2,@(4,r1)
        mov.l   r3,@(8,r1)
        mov.l   r0,@(12,r1)
        .endm

! r6: added to r4 after the loop's last load, to reach the next corner, or the first one again (T = 0).
        .macro  first_step again, next
        mov     #\again,r6
        bf      8f
        mov     #\next,r6
8:
        .endm

        .text
        .align  5
        .globl  _submit_vertices
        .type   _submit_vertices, @function
_submit_vertices:
        tst     r5,r5
        bf/s    1f
        mov     r6,r0
        rts
        nop
1:
        fschg
        mov.l   @r15,r1                 ! store queue
        cmp/eq  #1,r0
        bt/s    .Ltwo_textured
        cmp/eq  #2,r0
        bt/s    .Ltwo_plain
        mov     #-32,r2
        tst     r7,r7
        movt    r7
        add     #1,r5
        sub     r7,r5                   ! blocks
        mov     r2,r7
        shll8   r7
        shll16  r7
        first_step -32,16
        add     #-8,r1
        .align  2
2:
        head    8
        mov     #16,r0
        fmov    @(r0,r4),dr0            ! u, v
        add     #32,r4
        fmov    @r4,dr2                 ! base, offset
        add     r6,r4
        fmov    dr0,@(r0,r1)
        add     #32,r1
        fmov    dr2,@-r1
        mov     #16,r6
        bf/s    2b
        pref    @r1
        rts
        fschg

.Ltwo_textured:
        tst     r7,r7
        mov     #-32,r2
        movt    r7
        fldi0   fr8
        add     #1,r5
        fldi0   fr9
        sub     r7,r5
        mov     r2,r7
        shll8   r7
        shll16  r7
        first_step -48,0
        add     #-32,r1
        .align  2
3:
        head    32
        add     #16,r4
        fmov    @r4+,dr0                ! u, v
        mov     #16,r0
        fmov    @r4+,dr4                ! u, v of the second volume
        fmov    @r4+,dr2                ! base, offset
        fmov    dr0,@(r0,r1)
        add     #32,r1
        fmov    dr2,@-r1
        fmov    @r4+,dr6                ! of the second volume
        pref    @r1
        add     #40,r1
        fmov    dr8,@-r1
        add     r6,r4
        fmov    dr8,@-r1
        mov     #0,r6
        fmov    dr6,@-r1
        fmov    dr4,@-r1
        bf/s    3b
        pref    @r1
        rts
        fschg

.Ltwo_plain:
        tst     r7,r7
        movt    r7
        fldi0   fr0
        add     #1,r5
        fldi0   fr1
        sub     r7,r5
        mov     r2,r7
        shll8   r7
        shll16  r7
        first_step 0,48
        add     #-8,r1
        .align  2
4:
        head    8
        mov.l   @(32,r4),r2             ! base
        mov.l   @(40,r4),r3             ! of the second volume
        add     r6,r4
        mov.l   r2,@(16,r1)
        mov     #48,r6
        mov.l   r3,@(20,r1)
        add     #32,r1
        fmov    dr0,@-r1
        bf/s    4b
        pref    @r1
        rts
        fschg
        .size   _submit_vertices, .-_submit_vertices
