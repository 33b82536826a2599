! void submit_cell_strips(const float corners[][4][2], const float depths[], const NJS_CELL cells[],
!                         const uint32_t colours[][4], uint32_t n, uint32_t offset_colour, void *sq)
!
!   four 32-byte vertex parameters a cell, through the two store queues in turn
!   in        r4 corners, r5 depths, r6 cells, r7 colours, stack: n, offset_colour, sq (32-byte aligned in
!             E0000000-E3FFFFFF; QACR0/1 lead to the tile accelerator)
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr8, T; saves r8-r11
!   cycles    59 a cell: the bus takes 56 for its four blocks, and LS has 54 slots
!
! Flipped coordinates are found by their address: bit 3 of it is that of the flag.

        .text
        .align  5
        .globl  _submit_cell_strips
        .type   _submit_cell_strips, @function
_submit_cell_strips:
        mov.l   @r15,r2                 ! n
        mov.l   @(8,r15),r1             ! store queue
        mov.l   @(4,r15),r0             ! offset colour
        tst     r2,r2
        bt/s    4f
        add     #32,r1                  ! each block is filled from its end
        mov.l   r8,@-r15
        mov     r0,r8
        mov.l   r9,@-r15
        mov     #-32,r9                 ! control word of a vertex: E0000000
        mov.l   r10,@-r15
        mov     #-16,r10                ! of the last of a strip: F0000000
        mov.l   r11,@-r15
        shll16  r9
        shll16  r10
        shll8   r9
        shll8   r10
1:
        mov.b   @(2,r6),r0              ! flags of the attributes
        fmov.s  @r4+,fr0                ! top left
        mov     r0,r3
        mov.l   r8,@-r1                 ! top left
        fmov.s  @r5+,fr2                ! 1 / w
        and     #8,r0                   ! 8 if flipped top and bottom
        mov.l   @r7+,r11                ! top left
        or      #52,r0
        fmov.s  @(r0,r6),fr4            ! v at the top
        xor     #8,r0
        shlr    r3
        mov.l   r11,@-r1                ! top left
        fmov.s  @(r0,r6),fr6            ! v at the bottom
        mov     r3,r0
        fmov.s  @r4+,fr1                ! top left
        and     #8,r0                   ! 8 if flipped left and right
        or      #48,r0
        mov.l   @r7+,r3                 ! bottom left
        fmov.s  @(r0,r6),fr3            ! u at the left
        fmov.s  fr4,@-r1                ! top left
        xor     #8,r0
        fmov.s  fr3,@-r1                ! top left
        fmov.s  @(r0,r6),fr5            ! u at the right
        fmov.s  fr2,@-r1                ! top left
        fmov.s  fr1,@-r1                ! top left
        fmov.s  fr0,@-r1                ! top left
        fmov.s  @r4+,fr7                ! bottom left
        mov.l   r9,@-r1                 ! top left
        pref    @r1                     ! top left: sent
        add     #64,r1
        fmov.s  @r4+,fr8                ! bottom left
        mov.l   r8,@-r1                 ! bottom left
        mov.l   r3,@-r1                 ! bottom left
        fmov.s  fr6,@-r1                ! bottom left
        fmov.s  fr3,@-r1                ! bottom left
        fmov.s  fr2,@-r1                ! bottom left
        fmov.s  fr8,@-r1                ! bottom left
        fmov.s  fr7,@-r1                ! bottom left
        fmov.s  @r4+,fr0                ! top right
        mov.l   r9,@-r1                 ! bottom left
        mov.l   @r7+,r11                ! top right
        pref    @r1                     ! bottom left: sent
        add     #64,r1
        mov.l   r8,@-r1                 ! top right
        mov.l   r11,@-r1                ! top right
        fmov.s  fr4,@-r1                ! top right
        fmov.s  @r4+,fr1                ! top right
        fmov.s  fr5,@-r1                ! top right
        fmov.s  fr2,@-r1                ! top right
        fmov.s  fr1,@-r1                ! top right
        fmov.s  fr0,@-r1                ! top right
        mov.l   r9,@-r1                 ! top right
        mov.l   @r7+,r3                 ! bottom right
        pref    @r1                     ! top right: sent
        add     #64,r1
        mov.l   r8,@-r1                 ! bottom right
        mov.l   r3,@-r1                 ! bottom right
        fmov.s  @r4+,fr7                ! bottom right
        fmov.s  fr6,@-r1                ! bottom right
        fmov.s  fr5,@-r1                ! bottom right
        fmov.s  @r4+,fr8                ! bottom right
        fmov.s  fr2,@-r1                ! bottom right
        fmov.s  fr8,@-r1                ! bottom right
        fmov.s  fr7,@-r1                ! bottom right
        add     #64,r6
        dt      r2
        mov.l   r10,@-r1                ! bottom right
        pref    @r1                     ! bottom right: sent
        bf/s    1b
        add     #64,r1
        mov.l   @r15+,r11
        mov.l   @r15+,r10
        mov.l   @r15+,r9
        mov.l   @r15+,r8
4:
        rts
        nop
        .size   _submit_cell_strips, .-_submit_cell_strips
