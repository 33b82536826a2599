! void submit_cell_sprites(const float corners[][4][2], const float depths[], const NJS_CELL cells[], uint32_t n,
!                          void *sq)
!
!   a 64-byte sprite vertex parameter a cell: one half through each store queue
!   in        r4 corners (top left, bottom left, top right, bottom right; 8-byte aligned), r5 depths, r6 cells, r7 n,
!             stack: sq (32-byte aligned in E0000000-E3FFFFFF; QACR0/1 lead to the tile accelerator)
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr9, T; saves r8-r11
!   cycles    29 a cell: the bus takes 28 for its two halves, and LS has 28 slots
!
! Flipped coordinates are found by their address: bit 3 of it is that of the flag.

        .text
        .align  5
        .globl  _submit_cell_sprites
        .type   _submit_cell_sprites, @function
_submit_cell_sprites:
        mov.l   @r15,r1                 ! store queue
        tst     r7,r7
        bt/s    4f
        add     #32,r1                  ! each half is filled from its end
        mov.l   r8,@-r15
        mov.l   r9,@-r15
        mov     #-16,r9                 ! control word: F0000000
        mov.l   r10,@-r15
        shll16  r9
        mov.l   r11,@-r15
        shll8   r9
        fldi0   fr9                     ! the unused word
1:
        mov.b   @(2,r6),r0              ! flags of the attributes
        fschg                           ! SZ = 1
        fmov    @r4+,dr0                ! top left
        mov     r0,r2
        fmov    @r4+,dr2                ! bottom left
        and     #8,r0                   ! 8 if flipped top and bottom
        fmov    @r4+,dr4                ! top right
        or      #52,r0
        fmov    @r4+,dr6                ! bottom right
        mov.l   @(r0,r6),r3             ! v at the top
        fschg                           ! SZ = 0
        fmov.s  @r5+,fr8                ! 1 / w
        xor     #8,r0
        mov.l   @(r0,r6),r8             ! v at the bottom
        shlr    r2
        mov     r2,r0
        fmov.s  fr6,@-r1
        and     #8,r0                   ! 8 if flipped left and right
        fmov.s  fr8,@-r1
        or      #50,r0
        fmov.s  fr5,@-r1
        fmov.s  fr4,@-r1
        mov.w   @(r0,r6),r2             ! u at the left, high half
        xor     #8,r0
        mov.w   @(r0,r6),r10            ! u at the right, high half
        fmov.s  fr8,@-r1
        fmov.s  fr1,@-r1
        fmov.s  fr0,@-r1
        mov     r3,r11
        mov.l   r9,@-r1
        xtrct   r10,r8                  ! bottom right
        pref    @r1                     ! the first half
        add     #64,r1
        xtrct   r10,r3                  ! top right
        mov.l   r8,@-r1                 ! bottom right
        mov.l   r3,@-r1                 ! top right
        xtrct   r2,r11                  ! top left
        mov.l   r11,@-r1                ! top left
        fmov.s  fr9,@-r1
        fmov.s  fr3,@-r1
        fmov.s  fr2,@-r1
        add     #64,r6
        dt      r7
        fmov.s  fr8,@-r1
        fmov.s  fr7,@-r1
        pref    @r1                     ! the second half
        bf/s    1b
        add     #64,r1
        mov.l   @r15+,r11
        mov.l   @r15+,r10
        mov.l   @r15+,r9
        mov.l   @r15+,r8
4:
        rts
        nop
        .size   _submit_cell_sprites, .-_submit_cell_sprites
