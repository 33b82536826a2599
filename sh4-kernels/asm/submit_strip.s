! SPDX-License-Identifier: MIT OR Apache-2.0
! void submit_strip(const float screen[][4], const uint32_t colours[], const int16_t entries[], uint32_t n,
!                   uint32_t first, uint32_t entry_halfwords, float_bits uv_scale, uint32_t offset_colour,
!                   uint32_t doubled, void *sq)
!
!   sends one 32-byte vertex parameter per entry through the two store queues in turn
!   in        r4 screen (x, y, 1/w, w), r5 colours, r6 entries, r7 n, stack: the rest; sq is 32-byte aligned in
!             E0000000-E3FFFFFF and QACR0/1 lead to the tile accelerator
!   FPSCR     PR = 0, SZ = 0, as at return
!   clobbers  r0-r7, fr0-fr2, FPUL, T
!
!   17 cycles per vertex with u and v, because of its load/store slots: 3 for the entry, 2 for FPUL, 4 for colour and
!   position, 7 for the queue (u and v as a pair), PREF. Without u and v there are 13 slots, and the bus limits the
!   speed to a block in 14 cycles.
!   In both loops r8 is the control word, r9 the offset colour, and r2 the remaining distance from an entry to the next.
!   The next index is read ahead.

! Handles the vertex at which dt reaches 0. If other vertices follow, it is the first one, which is sent again;
! otherwise it is the last one. In both cases its own index, \back bytes before r6, is read as the next one.
        .macro  special back
        mov.l   @r15,r7
        mov     #0,r11
        tst     r7,r7
        mov.l   r11,@r15
        bf/s    1f
        sub     r2,r6
        shar    r8                      ! E0000000 to F0000000
        sett
1:
        bra     8b
        add     #-\back,r6
        .endm

        .text
        .align  5
        .globl  _submit_strip
        .type   _submit_strip, @function
_submit_strip:
        tst     r7,r7
        bf/s    1f
        mov     #-32,r1
        rts
        nop
1:
        mov.l   r8,@-r15
        mov     #0,r3
        mov.l   r9,@-r15
        shll8   r1
        mov.l   r10,@-r15
        shll16  r1
        mov.l   r11,@-r15
        mov     r1,r8
        mov.l   @(32,r15),r1            ! send the first vertex twice
        mov.l   @(16,r15),r0            ! first
        tst     r1,r1
        mov.l   @(24,r15),r1            ! uv scale
        bt/s    2f
        shll2   r0
        mov     r7,r3
        mov     #1,r7
2:
        mov.l   @(20,r15),r2            ! half-words per entry
        sub     r0,r5
        lds     r1,fpul
        shll2   r0
        mov.l   @(28,r15),r9            ! offset colour
        sub     r0,r4
        mov.l   @(36,r15),r1            ! store queue
        mov     #2,r0
        cmp/hi  r0,r2                   ! T: u and v
        mov.w   @r6+,r0
        fsts    fpul,fr2
        add     r2,r2
        mov.l   r3,@-r15                ! vertices after the first
        add     #-16,r1
        fschg
        bf/s    .Lwithout
        extu.w  r0,r0
        add     #-4,r2
        .align  2
3:
        mov.w   @r6+,r3                 ! u
        dt      r7
        bt/s    7f
        mov.w   @r6,r10                 ! v
8:
        lds     r3,fpul
        shll2   r0
        mov.l   @(r0,r5),r3             ! colour
        add     #16,r1
        float   fpul,fr0
        lds     r10,fpul
        mov.l   r3,@(24,r1)
        shll2   r0
        mov.l   r9,@(28,r1)
        add     r4,r0
        mov.l   @r0,r10                 ! x
        float   fpul,fr1
        mov.l   @(4,r0),r3              ! y
        add     r2,r6
        mov.l   r10,@(4,r1)
        fmul    fr2,fr0
        mov.l   @(8,r0),r10             ! 1/w
        fmul    fr2,fr1
        mov.w   @r6+,r0                 ! the next index
        mov.l   r3,@(8,r1)
        mov.l   r8,@r1
        extu.w  r0,r0
        mov.l   r10,@(12,r1)
        add     #24,r1
        fmov    dr0,@-r1                ! u, v
        bf/s    3b
        pref    @r1
4:
        add     #4,r15
        mov.l   @r15+,r11
        mov.l   @r15+,r10
        mov.l   @r15+,r9
        fschg
        rts
        mov.l   @r15+,r8
7:
        special 4

.Lwithout:
        fldi0   fr0
        add     #-2,r2
        fldi0   fr1
        fmul    fr2,fr0
        shll2   r0
        fmul    fr2,fr1
        add     r2,r6
        .align  2
5:
        mov.l   @(r0,r5),r3             ! colour
        add     #16,r1
        mov.l   r9,@(28,r1)
        dt      r7
        bt/s    7f
        mov.l   r3,@(24,r1)
8:
        mov.w   @r6+,r11                ! the next index
        shll2   r0
        mov.l   r8,@r1
        add     r4,r0
        mov.l   @r0,r3                  ! x
        add     r2,r6
        mov.l   @(4,r0),r10             ! y
        extu.w  r11,r11
        mov.l   @(8,r0),r0              ! 1/w
        shll2   r11
        mov.l   r3,@(4,r1)
        mov.l   r0,@(12,r1)
        mov     r11,r0
        mov.l   r10,@(8,r1)
        add     #24,r1
        fmov    dr0,@-r1                ! u, v
        bf/s    5b
        pref    @r1
        bra     4b
        nop
7:
        special 2
        .size   _submit_strip, .-_submit_strip
