! void submit_vertices(const struct corner corners[], uint32_t n, uint32_t form, uint32_t doubled, void *sq)
!
!   vertex parameters through the two store queues in turn: form 0 one volume, 1 two with texture, 2 two without
!   corner    0 x, y, 1/w, w, 16 u, v, u, v, 32 base, offset, base, offset
!   in        r4 corners, r5 n, r6 form, r7 doubled, stack: sq, 32-byte aligned in E0000000-E3FFFFFF; QACR0/1 lead to
!             the tile accelerator
!   FPSCR     any
!   clobbers  r0-r7, T

! the word at \from of the corner to \to of the queue
        .macro  copy from, to
        mov.l   @(\from,r4),r0
        mov.l   r0,@(\to,r1)
        .endm

        .text
        .align  5
        .globl  _submit_vertices
        .type   _submit_vertices, @function
_submit_vertices:
        mov.l   @r15,r1                 ! store queue
        mov     #0,r2
        tst     r5,r5
        bf      1f
        rts
        nop
1:
        mov.l   control,r3
        mov     r5,r0
        add     #-1,r0
        or      r7,r0
        tst     r0,r0                   ! T: the strip's last vertex
        bf      2f
        mov.l   control_end,r3
2:
        mov.l   r3,@r1
        copy    0,4
        copy    4,8
        copy    8,12
        mov     r6,r0
        cmp/eq  #2,r0
        bt      4f
        copy    16,16
        copy    20,20
        copy    32,24
        copy    36,28
        pref    @r1
        mov     r6,r0
        cmp/eq  #1,r0
        bf      5f
        add     #32,r1
        copy    24,0
        copy    28,4
        copy    40,8
        copy    44,12
        mov.l   r2,@(16,r1)
        mov.l   r2,@(20,r1)
        bra     3f
        nop
4:
        copy    32,16
        copy    40,20
3:
        mov.l   r2,@(24,r1)
        mov.l   r2,@(28,r1)
        pref    @r1
5:
        add     #32,r1
        tst     r7,r7
        bt      6f
        bra     1b                      ! the first corner once more
        mov     #0,r7
6:
        dt      r5
        bt/s    7f
        add     #48,r4
        bra     1b
        nop
7:
        rts
        nop

        .align  2
control:     .long  0xe0000000
control_end: .long  0xf0000000
        .size   _submit_vertices, .-_submit_vertices
