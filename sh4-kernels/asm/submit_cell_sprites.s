! SPDX-License-Identifier: MIT OR Apache-2.0
! void submit_cell_sprites(const float corners[][4][2], const float depths[], const NJS_CELL cells[], uint32_t n,
!                          void *sq)
!
!   sends a 64-byte sprite vertex parameter per cell, one half through each store queue
!   in        r4 corners (top left, bottom left, top right, bottom right; 8-byte aligned), r5 depths, r6 cells, r7 n,
!             stack: sq (32-byte aligned in E0000000-E3FFFFFF; QACR0/1 lead to the tile accelerator)
!   FPSCR     PR = 0, SZ = 0, as at return
!   clobbers  r0-r7, fr0-fr11, T
!
!   The bus limits the speed: 14 cycles per block, 28 per cell; 26 load/store slots. The flip flags select the texture
!   corner that is loaded first, so no branch depends on them.

        .text
        .align  5
        .globl  _submit_cell_sprites
        .type   _submit_cell_sprites, @function
_submit_cell_sprites:
        mov     #-16,r0                 ! control word: the highest four bits
        mov.l   @r15,r1                 ! store queue
        shll16  r0
        tst     r7,r7
        shll8   r0
        bt      2f
        lds     r0,fpul
        mov.l   r8,@-r15
        add     #32,r1                  ! the second queue, and the end of the first
        mov.l   r9,@-r15
        mov     r4,r9
        mov.l   r10,@-r15
        add     #24,r9                  ! bottom right
        mov.l   r11,@-r15
        mov     r1,r11
        mov.l   r12,@-r15
        mov     #0,r12                  ! the unused word
        fsts    fpul,fr0
        .align  2
1:
        mov.b   @(2,r6),r0              ! flags of the attributes
        fmov.s  @r4+,fr1                ! top left
        mov     r0,r2
        fmov.s  @r4+,fr2
        and     #0x08,r0                ! top and bottom
        fmov.s  @r9+,fr7                ! bottom right
        add     #52,r0
        fmov.s  @r9+,fr8
        mov.l   @(r0,r6),r3             ! v0 or v2
        xor     #8,r0
        mov.l   @(r0,r6),r8             ! the other
        mov     r2,r0
        fmov.s  @r5,fr3                 ! 1 / w
        and     #0x10,r0                ! left and right
        fmov.s  @r5,fr6
        shlr    r0
        fmov.s  @r5+,fr9
        fschg
        fmov    @r4+,dr10               ! bottom left
        add     #50,r0                  ! the upper half of u
        fmov    @r4+,dr4                ! top right
        add     #24,r9
        fmov    dr6,@-r1                ! the first half from its end
        mov.w   @(r0,r6),r2             ! u0 or u2
        xor     #8,r0
        fmov    dr4,@-r1
        mov.w   @(r0,r6),r0             ! the other
        mov     r3,r10
        fmov    dr2,@-r1
        xtrct   r2,r3                   ! u0, v0
        fmov    dr0,@-r1
        xtrct   r0,r10                  ! u2, v0
        pref    @r1
        add     #48,r1
        xtrct   r0,r8                   ! u2, v2
        fmov    dr10,@-r1               ! the second half
        add     #64,r6
        mov.l   r12,@(16,r11)
        mov.l   r3,@(20,r11)
        mov.l   r10,@(24,r11)
        dt      r7
        mov.l   r8,@(28,r11)
        fmov    dr8,@-r1
        fschg
        pref    @r1
        bf/s    1b
        add     #8,r4

        mov.l   @r15+,r12
        mov.l   @r15+,r11
        mov.l   @r15+,r10
        mov.l   @r15+,r9
        mov.l   @r15+,r8
2:
        rts
        nop
        .size   _submit_cell_sprites, .-_submit_cell_sprites
