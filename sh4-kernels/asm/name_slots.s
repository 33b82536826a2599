! SPDX-License-Identifier: MIT OR Apache-2.0
! void name_slots(const int16_t strips[], uint32_t count, uint32_t entry_halfwords, uint32_t user_halfwords,
!                 uint8_t kinds[], uint32_t slots, uint32_t found[4])
!
!   sets bit 5 in the byte of each slot that strips use, if bit 0 is set; found: the lowest such slot (FFFFFFFF if there
!   is none), the highest, the number of entries with other slots, and the number of vertex parameters that
!   submit_strips sends
!   strips    each a length, negative for a reversed strip, then its entries: a slot first, and user words after all but
!             the first two
!   in        r4 strips, r5 count, r6 entry_halfwords, r7 user_halfwords, stack: kinds, slots, found
!   FPSCR     any
!   clobbers  r0-r7, T
!
!   13 cycles per entry: a chain of the index, its byte and the test. The branches for lowest and highest are not
!   predicted.
!   r3 is the distance from the end of an index to the next entry, r14 the distance without user words, r13 the number
!   of entries with user words.

        .text
        .align  5
        .globl  _name_slots
        .type   _name_slots, @function
_name_slots:
        mov.l   r8,@-r15
        mov     #-1,r0
        mov.l   r9,@-r15
        add     r6,r6
        mov.l   r10,@-r15
        add     #-2,r6
        mov.l   r11,@-r15
        mov     r0,r10                  ! lowest
        mov.l   r12,@-r15
        mov     #0,r11                  ! highest
        mov.l   r13,@-r15
        mov     #0,r12                  ! others
        mov.l   r14,@-r15
        add     r7,r7
        mov.l   @(28,r15),r8            ! kinds
        tst     r5,r5
        mov.l   @(32,r15),r9            ! slots
        mov     #0,r0
        mov.l   r0,@-r15                ! parameters
        bt/s    9f
        mov     r6,r14
1:
        mov.w   @r4+,r1                 ! length
        mov     r14,r3
        cmp/pz  r1
        mov     r1,r2
        bt/s    2f
        mov     #0,r13
        neg     r1,r1
        mov     r1,r2
        add     #1,r2
2:
        mov     #2,r0
        cmp/hi  r0,r1
        bf/s    3f
        tst     r1,r1
        mov.l   @r15,r0
        tst     r7,r7
        add     r2,r0
        mov.l   r0,@r15
        bt/s    3f
        tst     r1,r1
        ! With user words: two entries first.
        mov     r1,r13
        add     #-2,r13
        mov     #2,r1
        tst     r1,r1
3:
        bt      7f
        .align  2
4:
        mov.w   @r4+,r6                 ! slot
        extu.w  r6,r6
        cmp/hs  r9,r6
        bt/s    8f
        add     r3,r4
        mov     r6,r2
        add     r8,r2
        mov.b   @r2,r0
        tst     #1,r0
        bt/s    8f
        or      #32,r0
        cmp/hi  r6,r10
        bf/s    5f
        mov.b   r0,@r2
        mov     r6,r10
5:
        cmp/hi  r11,r6
        bf      6f
        mov     r6,r11
6:
        dt      r1
        bf      4b
7:
        tst     r13,r13
        bt/s    10f
        mov     r13,r1
        mov     #0,r13
        bra     4b
        add     r7,r3
8:
        bra     6b
        add     #1,r12
10:
        dt      r5
        bf      1b
9:
        mov.l   @r15+,r0
        mov.l   @(36,r15),r1            ! found
        mov.l   r10,@r1
        mov.l   r11,@(4,r1)
        mov.l   r12,@(8,r1)
        mov.l   r0,@(12,r1)
        mov.l   @r15+,r14
        mov.l   @r15+,r13
        mov.l   @r15+,r12
        mov.l   @r15+,r11
        mov.l   @r15+,r10
        mov.l   @r15+,r9
        rts
        mov.l   @r15+,r8
        .size   _name_slots, .-_name_slots
