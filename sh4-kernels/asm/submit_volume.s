! void submit_volume(const float screen[][4], const uint16_t triangles[][3], uint32_t n, void *sq)
!
!   one 64-byte parameter a triangle, through both store queues
!   in        r4 screen (x, y, 1/w, w), r5 triangles, r6 n, r7 sq, 32-byte aligned in E0000000-E3FFFFFF; QACR0/1
!             lead to the tile accelerator
!   FPSCR     any
!   clobbers  r0, r2-r7, T

! x, y, 1/w of the next index to \x, \y, \z of the queue
        .macro  corner x, y, z
        mov.w   @r5+,r0
        extu.w  r0,r0
        shll2   r0
        shll2   r0
        mov     r0,r3
        add     r4,r3
        mov.l   @r3,r0
        mov.l   r0,@(\x,r7)
        mov.l   @(4,r3),r0
        mov.l   r0,@(\y,r7)
        mov.l   @(8,r3),r0
        mov.l   r0,@(\z,r7)
        .endm

        .text
        .align  5
        .globl  _submit_volume
        .type   _submit_volume, @function
_submit_volume:
        tst     r6,r6
        bt/s    2f
        mov     #0,r2
1:
        mov.l   control,r0
        mov.l   r0,@r7
        corner  4,8,12
        corner  16,20,24
        corner  28,32,36
        mov.l   r2,@(40,r7)
        mov.l   r2,@(44,r7)
        mov.l   r2,@(48,r7)
        mov.l   r2,@(52,r7)
        mov.l   r2,@(56,r7)
        mov.l   r2,@(60,r7)
        pref    @r7
        add     #32,r7
        pref    @r7
        dt      r6
        bf/s    1b
        add     #32,r7
2:
        rts
        nop
        .align  2
control: .long  0xf0000000
        .size   _submit_volume, .-_submit_volume
