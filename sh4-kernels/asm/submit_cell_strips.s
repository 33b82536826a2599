! void submit_cell_strips(const float corners[][4][2], const float depths[], const NJS_CELL cells[],
!                         const uint32_t colours[][4], uint32_t n, uint32_t offset_colour, void *sq)
!
!   four 32-byte vertex parameters a cell, through the two store queues in turn
!   in        r4 corners, r5 depths, r6 cells, r7 colours, stack: n, offset_colour, sq (32-byte aligned in
!             E0000000-E3FFFFFF; QACR0/1 lead to the tile accelerator)
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr6, T

! A vertex at u \u, v \v, with r3 as its control word.
        .macro  vertex u, v
        add     #32,r1                  ! fill the queue from its end
        mov.l   @r7+,r0                 ! colour
        fmov.s  @r4+,fr0                ! x
        fmov.s  @r4+,fr1                ! y
        mov.l   r8,@-r1
        mov.l   r0,@-r1
        fmov.s  \v,@-r1
        fmov.s  \u,@-r1
        fmov.s  fr2,@-r1
        fmov.s  fr1,@-r1
        fmov.s  fr0,@-r1
        mov.l   r3,@-r1
        pref    @r1                     ! send it
        add     #32,r1
        .endm

        .text
        .align  5
        .globl  _submit_cell_strips
        .type   _submit_cell_strips, @function
_submit_cell_strips:
        mov.l   @r15,r2                 ! n
        mov.l   @(8,r15),r1             ! store queue
        mov.l   r8,@-r15
        mov.l   @(8,r15),r8             ! offset colour
        tst     r2,r2
        bt      4f
1:
        mov     r6,r0
        add     #48,r0
        fmov.s  @r0+,fr3                ! u0
        fmov.s  @r0+,fr4                ! v0
        fmov.s  @r0+,fr5                ! u2
        fmov.s  @r0,fr6                 ! v2
        mov.b   @(2,r6),r0              ! flags of the attributes
        tst     #0x10,r0
        bt      2f
        fmov    fr3,fr0                 ! flipped left and right
        fmov    fr5,fr3
        fmov    fr0,fr5
2:
        tst     #0x08,r0
        bt      3f
        fmov    fr4,fr0                 ! flipped top and bottom
        fmov    fr6,fr4
        fmov    fr0,fr6
3:
        fmov.s  @r5+,fr2                ! 1 / w
        mov.l   control,r3
        vertex  fr3,fr4
        vertex  fr3,fr6
        vertex  fr5,fr4
        mov.l   control_end,r3
        vertex  fr5,fr6
        dt      r2
        bf/s    1b
        add     #64,r6
4:
        rts
        mov.l   @r15+,r8

        .align  2
control:     .long  0xe0000000
control_end: .long  0xf0000000
        .size   _submit_cell_strips, .-_submit_cell_strips
