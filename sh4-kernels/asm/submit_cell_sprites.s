! void submit_cell_sprites(const float corners[][4][2], const float depths[], const NJS_CELL cells[], uint32_t n,
!                          void *sq)
!
!   a 64-byte sprite vertex parameter a cell: one half through each store queue
!   in        r4 corners (top left, bottom left, top right, bottom right), r5 depths, r6 cells, r7 n, stack: sq (32-byte
!             aligned in E0000000-E3FFFFFF; QACR0/1 lead to the tile accelerator)
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr8, T

        .text
        .align  5
        .globl  _submit_cell_sprites
        .type   _submit_cell_sprites, @function
_submit_cell_sprites:
        mov.l   @r15,r1                 ! store queue
        tst     r7,r7
        bt      4f
        mov.l   r8,@-r15
        mov.l   r9,@-r15
        mov.l   r10,@-r15
        mov     #0,r10
        mov     #-16,r9                 ! control word: the highest four bits
        shll16  r9
        shll8   r9
1:
        mov     r6,r0
        add     #48,r0
        mov.l   @r0+,r2                 ! u0
        mov.l   @r0+,r3                 ! v0
        mov.l   @r0+,r8                 ! u2
        fmov.s  @r4+,fr0                ! top left
        fmov.s  @r4+,fr1
        fmov.s  @r4+,fr2                ! bottom left
        fmov.s  @r4+,fr3
        fmov.s  @r4+,fr4                ! top right
        fmov.s  @r4+,fr5
        fmov.s  @r4+,fr6                ! bottom right
        fmov.s  @r4+,fr7
        fmov.s  @r5+,fr8                ! 1 / w
        add     #32,r1                  ! fill the queue from its end
        fmov.s  fr6,@-r1
        fmov.s  fr8,@-r1
        fmov.s  fr5,@-r1
        fmov.s  fr4,@-r1
        fmov.s  fr8,@-r1
        fmov.s  fr1,@-r1
        fmov.s  fr0,@-r1
        mov.l   r9,@-r1
        pref    @r1                     ! the first half
        mov.b   @(2,r6),r0              ! flags of the attributes
        add     #64,r1
        tst     #0x10,r0
        bt/s    2f
        tst     #0x08,r0
        xor     r8,r2                   ! flipped left and right
        xor     r2,r8
        xor     r8,r2
2:
        mov.l   @(60,r6),r0             ! v2
        bt      3f
        xor     r0,r3                   ! flipped top and bottom
        xor     r3,r0
        xor     r0,r3
3:
        shlr16  r8
        shlr16  r2
        xtrct   r8,r0                   ! u2, v2
        mov.l   r0,@-r1
        mov     r3,r0
        xtrct   r8,r3                   ! u2, v0
        mov.l   r3,@-r1
        xtrct   r2,r0                   ! u0, v0
        mov.l   r0,@-r1
        mov.l   r10,@-r1
        fmov.s  fr3,@-r1
        fmov.s  fr2,@-r1
        fmov.s  fr8,@-r1
        fmov.s  fr7,@-r1
        pref    @r1                     ! the second half
        add     #32,r1
        dt      r7
        bf/s    1b
        add     #64,r6
        mov.l   @r15+,r10
        mov.l   @r15+,r9
        mov.l   @r15+,r8
4:
        rts
        nop
        .size   _submit_cell_sprites, .-_submit_cell_sprites
