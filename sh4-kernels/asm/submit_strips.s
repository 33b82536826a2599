! SPDX-License-Identifier: MIT OR Apache-2.0
! void submit_strips(const float screen[][4], const uint32_t base[], const uint32_t offset[], const int16_t strips[],
!                    uint32_t count, uint32_t entry_halfwords, float_bits uv_scale, uint32_t offset_mask, void *sq)
!
!   sends all strips of a chunk through the two store queues in turn: one 32-byte vertex parameter per entry, the first
!   of a reversed strip twice; strips of fewer than three entries are omitted
!   strips    each a length, negative for a reversed strip, then its entries as for submit_strip
!   in        r4 screen (x, y, 1/w, w), r5 base, r6 offset, r7 strips, stack: the rest; sq is 32-byte aligned in
!             E0000000-E3FFFFFF and QACR0/1 lead to the tile accelerator
!   FPSCR     PR = 0, SZ = 0, as at return
!   clobbers  r0-r7, fr0-fr2, MACL, FPUL, T
!
!   18 cycles per vertex with u and v, because of its load/store slots: 3 for the entry, 2 for FPUL, 5 for colours and
!   position, 7 for the queue (u and v as a pair), PREF. Without u and v there are 14 slots.
!   r8 is the control word, r9 the offset colours, r12 their mask, r13 the remaining strips, r14 the bytes of an entry,
!   r2 the remaining distance from an entry to the next. The next index is read ahead, or the next strip's length, which
!   is later read again.

! Handles the vertex at which dt reaches 0. If other vertices follow, it is the first one, which is sent again;
! otherwise it is the last one, which ends the strip. In both cases its own index, \back bytes before r6, is read as the
! next one.
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

! Begins the next strip: r7 is the number of vertices until dt reaches 0, the stack has the number after them, r6 is the
! end of its length. Jumps to \done if there is none.
        .macro  next done
1:
        tst     r13,r13
        bt/s    \done
        mov     #-32,r8
        mov.w   @r6+,r7
        add     #-1,r13
        cmp/pz  r7
        bf/s    2f
        mov     #2,r0
        cmp/hi  r0,r7
        mov     #0,r3
        bt/s    3f
        mul.l   r14,r7
        bra     4f
        sts     macl,r0
2:
        neg     r7,r3
        cmp/hi  r0,r3
        mul.l   r14,r3
        bt/s    3f
        mov     #1,r7
        sts     macl,r0
4:
        bra     1b
        add     r0,r6
3:
        mov.l   r3,@r15
        shll8   r8
        shll16  r8
        .endm

        .text
        .align  5
        .globl  _submit_strips
        .type   _submit_strips, @function
_submit_strips:
        mov.l   r8,@-r15
        mov.l   r9,@-r15
        mov     r6,r9
        mov.l   r10,@-r15
        mov     r7,r6
        mov.l   r11,@-r15
        mov.l   r12,@-r15
        mov.l   r13,@-r15
        mov.l   r14,@-r15
        mov.l   @(36,r15),r0            ! uv scale
        mov.l   @(28,r15),r13           ! strips
        lds     r0,fpul
        mov.l   @(32,r15),r14           ! half-words per entry
        mov     #2,r0
        mov.l   @(40,r15),r12           ! offset mask
        fsts    fpul,fr2
        mov.l   @(44,r15),r1            ! store queue
        cmp/hi  r0,r14                  ! T: u and v
        add     r14,r14
        mov     r14,r2
        add     #-16,r1
        add     #-4,r15
        fschg
        bf/s    .Lwithout
        add     #-4,r2
.Lstrip:
        next    .Lend
        mov.w   @r6+,r0
        extu.w  r0,r0
        .align  2
5:
        mov.w   @r6+,r3                 ! u
        dt      r7
        bt/s    7f
        mov.w   @r6,r10                 ! v
8:
        lds     r3,fpul
        shll2   r0
        mov.l   @(r0,r5),r3             ! base
        add     #16,r1
        float   fpul,fr0
        lds     r10,fpul
        mov.l   @(r0,r9),r11            ! offset
        shll2   r0
        mov.l   r3,@(24,r1)
        add     r4,r0
        mov.l   @r0,r10                 ! x
        float   fpul,fr1
        and     r12,r11
        add     r2,r6
        mov.l   r11,@(28,r1)
        fmul    fr2,fr0
        mov.l   @(4,r0),r3              ! y
        fmul    fr2,fr1
        mov.l   r10,@(4,r1)
        mov.l   @(8,r0),r10             ! 1/w
        mov.w   @r6+,r0                 ! the next index
        mov.l   r3,@(8,r1)
        mov.l   r8,@r1
        extu.w  r0,r0
        mov.l   r10,@(12,r1)
        add     #24,r1
        fmov    dr0,@-r1                ! u, v
        bf/s    5b
        pref    @r1
        ! Past the last entry; its own index was read again.
        add     #-2,r6
        bra     .Lstrip
        add     r14,r6
7:
        special 4

.Lend:
        add     #4,r15
        mov.l   @r15+,r14
        mov.l   @r15+,r13
        mov.l   @r15+,r12
        mov.l   @r15+,r11
        mov.l   @r15+,r10
        mov.l   @r15+,r9
        fschg
        rts
        mov.l   @r15+,r8

.Lwithout:
        fldi0   fr0
        add     #2,r2
        fldi0   fr1
        fmul    fr2,fr0
        fmul    fr2,fr1
.Lplain:
        next    .Lend
        mov.w   @r6+,r0
        extu.w  r0,r0
        shll2   r0
        add     r2,r6
        .align  2
5:
        mov.l   @(r0,r5),r3             ! base
        add     #16,r1
        mov.l   @(r0,r9),r10            ! offset
        dt      r7
        bt/s    7f
        mov.l   r3,@(24,r1)
8:
        and     r12,r10
        mov.w   @r6+,r11                ! the next index
        shll2   r0
        mov.l   r10,@(28,r1)
        add     r4,r0
        mov.l   r8,@r1
        add     r2,r6
        mov.l   @r0,r3                  ! x
        extu.w  r11,r11
        mov.l   @(4,r0),r10             ! y
        shll2   r11
        mov.l   @(8,r0),r0              ! 1/w
        mov.l   r3,@(4,r1)
        mov.l   r0,@(12,r1)
        mov     r11,r0
        mov.l   r10,@(8,r1)
        add     #24,r1
        fmov    dr0,@-r1                ! u, v
        bf/s    5b
        pref    @r1
        bra     .Lplain
        nop
7:
        special 2
        .size   _submit_strips, .-_submit_strips
