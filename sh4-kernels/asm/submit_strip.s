! void submit_strip(const float screen[][4], const uint32_t colours[], const int16_t entries[], uint32_t n,
!                   uint32_t first, uint32_t entry_halfwords, float_bits uv_scale, uint32_t offset_colour,
!                   uint32_t doubled, void *sq)
!
!   one 32-byte vertex parameter an entry, through the two store queues in turn
!   in        r4 screen (x, y, 1/w, w), r5 colours, r6 entries, r7 n, stack: the rest; sq is 32-byte aligned in
!             E0000000-E3FFFFFF and QACR0/1 lead to the tile accelerator
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr6, FPUL, T

        .text
        .align  5
        .globl  _submit_strip
        .type   _submit_strip, @function
_submit_strip:
        mov.l   r8,@-r15
        mov.l   r9,@-r15
        mov.l   r10,@-r15
        mov.l   @(12,r15),r0            ! first
        mov.l   @(16,r15),r2            ! half-words an entry
        mov.l   @(20,r15),r1            ! uv scale
        mov.l   @(24,r15),r8            ! offset colour
        mov.l   @(28,r15),r9            ! send the first vertex twice
        shll2   r0
        sub     r0,r5
        shll2   r0
        sub     r0,r4
        lds     r1,fpul
        mov.l   @(32,r15),r1            ! store queue
        fsts    fpul,fr4
        tst     r7,r7
        bt/s    5f
        shll    r2                      ! bytes an entry
1:
        mov     #2,r0
        cmp/hi  r0,r2                   ! T: has u and v
        fldi0   fr5
        bf/s    2f
        fldi0   fr6
        mov.w   @(2,r6),r0
        lds     r0,fpul
        mov.w   @(4,r6),r0
        float   fpul,fr5
        lds     r0,fpul
        float   fpul,fr6
2:
        fmul    fr4,fr5
        mov.w   @r6,r0                  ! vertex index
        fmul    fr4,fr6
        extu.w  r0,r0
        shll2   r0
        mov.l   @(r0,r5),r10            ! colour
        shll2   r0
        add     r4,r0
        fmov.s  @r0+,fr0                ! x
        fmov.s  @r0+,fr1                ! y
        fmov.s  @r0,fr2                 ! 1 / w
        mov     r7,r0
        add     #-1,r0
        or      r9,r0
        tst     r0,r0                   ! T: the strip's last vertex
        mov.l   control,r3
        bf      3f
        mov.l   control_end,r3
3:
        add     #32,r1                  ! fill the queue from its end
        mov.l   r8,@-r1
        mov.l   r10,@-r1
        fmov.s  fr6,@-r1
        fmov.s  fr5,@-r1
        fmov.s  fr2,@-r1
        fmov.s  fr1,@-r1
        fmov.s  fr0,@-r1
        mov.l   r3,@-r1
        pref    @r1                     ! send it
        tst     r9,r9
        bf/s    4f
        add     #32,r1
        dt      r7
        bf/s    1b
        add     r2,r6
5:
        mov.l   @r15+,r10
        mov.l   @r15+,r9
        rts
        mov.l   @r15+,r8
4:
        bra     1b                      ! the first vertex once more
        mov     #0,r9

        .align  2
control:     .long  0xe0000000
control_end: .long  0xf0000000
        .size   _submit_strip, .-_submit_strip
