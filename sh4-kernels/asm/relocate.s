! SPDX-License-Identifier: MIT OR Apache-2.0
! void relocate(const uint8_t list[], uint32_t n, uint32_t body[], uint32_t base)
!
!   adds base to the words of body listed in a POF0 list, unless they are 0
!   in        r4 list, r5 n in bytes, r6 body, r7 base
!   FPSCR     any
!   clobbers  r0-r6, T
!
!   10 cycles per pointer whose list entry is one byte: a chain of the byte, its two highest bits, the word, and the
!   test for 0. The next byte is loaded in between.

! next byte of the delta
        .macro  more
        mov.b   @r4+,r1
        shll8   r0
        extu.b  r1,r1
        or      r1,r0
        .endm

        .text
        .align  5
        .globl  _relocate
        .type   _relocate, @function
_relocate:
        add     r4,r5                   ! the end
        mov     #63,r3
        cmp/hs  r5,r4
        bt/s    6f
        mov     #-64,r2
        mov.b   @r4+,r0
1:
        cmp/gt  r3,r0
        mov     r0,r1
        bf/s    4f
        and     #63,r0
2:
        shll2   r0
        mov.l   @(r0,r6),r1
        add     r0,r6
        cmp/hs  r5,r4
        bt/s    3f
        tst     r1,r1
        mov.b   @r4+,r0
        bt/s    1b
        add     r7,r1
        bra     1b
        mov.l   r1,@r6
3:
        bt/s    6f                      ! past the last byte
        add     r7,r1
        rts
        mov.l   r1,@r6
4:
        cmp/pz  r1
        bt      6f                      ! padding: the end
        cmp/ge  r2,r1
        bt      5f
        more
        bra     2b
        nop
5:
        more
        more
        more
        bra     2b
        nop
6:
        rts
        nop
        .size   _relocate, .-_relocate
