! SPDX-License-Identifier: MIT OR Apache-2.0
! void submit_cell_strips(const float corners[][4][2], const float depths[], const NJS_CELL cells[],
!                         const uint32_t colours[][4], uint32_t n, uint32_t offset_colour, void *sq)
!
!   sends four 32-byte vertex parameters per cell through the two store queues in turn
!   in        r4 corners, r5 depths, r6 cells, r7 colours, stack: n, offset_colour, sq (32-byte aligned in
!             E0000000-E3FFFFFF; QACR0/1 lead to the tile accelerator)
!   FPSCR     PR = 0, SZ = 0, as at return
!   clobbers  r0-r7, fr0-fr11, T
!
!   The bus limits the speed: 14 cycles per block, 56 per cell; 40 load/store slots. Words are loaded into registers
!   next to constant ones, so that pairs can be stored. The flip flags select the texture corner that is loaded first,
!   so no branch depends on them.

! Stores a vertex with x in \x, the second half of \head, and the texture coordinates \uv; r1 is the end of its queue.
        .macro  vertex x, head, uv
        fmov.s  @r4+,\x
        fmov.s  @r4+,fr4                ! y
        fmov.s  @r7+,fr6                ! colour
        fschg
        fmov    dr6,@-r1
        fmov    \uv,@-r1
        fmov    dr4,@-r1
        fmov    \head,@-r1
        fschg
        pref    @r1
        .endm

        .text
        .align  5
        .globl  _submit_cell_strips
        .type   _submit_cell_strips, @function
_submit_cell_strips:
        mov     #-32,r3
        mov.l   @r15,r2                 ! n
        shll16  r3
        mov.l   @(8,r15),r1             ! store queue
        tst     r2,r2
        bt/s    2f
        shll8   r3                      ! control word E0000000
        mov.l   @(4,r15),r0             ! offset colour
        lds     r3,fpul
        shar    r3                      ! F0000000, of the last vertex
        fsts    fpul,fr0
        lds     r3,fpul
        add     #32,r1
        fsts    fpul,fr2
        lds     r0,fpul
        fsts    fpul,fr7
        .align  2
1:
        mov.b   @(2,r6),r0              ! flags of the attributes
        fmov.s  @r5+,fr5                ! 1 / w
        mov     r0,r3
        and     #0x08,r0                ! top and bottom
        add     #52,r0
        fmov.s  @(r0,r6),fr9            ! v0 or v2
        xor     #8,r0
        fmov.s  @(r0,r6),fr11           ! the other
        mov     r3,r0
        and     #0x10,r0                ! left and right
        shlr    r0
        add     #48,r0
        fmov.s  @(r0,r6),fr8            ! u0 or u2
        fmov.s  @(r0,r6),fr10
        vertex  fr1,dr0,dr8
        add     #64,r1
        vertex  fr1,dr0,dr10
        xor     #8,r0
        fmov.s  @(r0,r6),fr8            ! the other
        add     #64,r1
        fmov.s  @(r0,r6),fr10
        add     #64,r6
        vertex  fr1,dr0,dr8
        add     #64,r1
        dt      r2
        vertex  fr3,dr2,dr10
        bf/s    1b
        add     #64,r1
2:
        rts
        nop
        .size   _submit_cell_strips, .-_submit_cell_strips
