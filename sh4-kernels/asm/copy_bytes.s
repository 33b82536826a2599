! SPDX-License-Identifier: MIT OR Apache-2.0
! void copy_bytes(void *dst, const void *src, uint32_t n, uint32_t dst_at, uint32_t src_at)
!
!   copies n bytes of any alignment: bytes up to the destination's next word, then words, then bytes. Destination words
!   that span two source words are combined from both; a source word is read only if some of its bytes are needed
!   in        r4 dst, r5 src (4-byte aligned), r6 n, r7 dst_at, stack: src_at
!   FPSCR     any
!   clobbers  r0-r7, T
!
!   9 cycles per two words if source and destination are aligned differently, otherwise 6.

        .text
        .align  5
        .globl  _copy_bytes
        .type   _copy_bytes, @function
_copy_bytes:
        mov.l   @r15,r0
        add     r7,r4
        bra     2f
        add     r0,r5
1:
        mov.b   @r5+,r1
        add     #-1,r6
        mov.b   r1,@r4
        add     #1,r4
2:
        tst     r6,r6
        bt      9f
        mov     r4,r0
        tst     #3,r0
        bf      1b
        mov     r6,r7
        shlr2   r7                      ! words
        tst     r7,r7
        bt/s    7f
        mov     r5,r0
        tst     #3,r0
        bt/s    5f
        and     #3,r0
        sub     r0,r5
        shll2   r0
        shll    r0
        mov     #32,r2
        sub     r0,r2                   ! bits to the left
        neg     r0,r1                   ! bits to the right
        mov.l   @r5+,r3
        shlr    r7                      ! pairs of words
        mov.l   r8,@-r15
        bf/s    3f
        mov.l   r9,@-r15
        mov.l   @r5+,r0                 ! a single word
        shld    r1,r3
        tst     r7,r7
        mov     r0,r8
        shld    r2,r8
        or      r3,r8
        mov     r0,r3
        mov.l   r8,@r4
        bt/s    4f
        add     #4,r4
3:
        mov.l   @r5+,r0
        shld    r1,r3
        dt      r7
        mov     r0,r8
        shld    r2,r8
        or      r3,r8
        mov.l   @r5+,r3
        shld    r1,r0
        pref    @r5
        mov     r3,r9
        shld    r2,r9
        or      r0,r9
        mov.l   r8,@r4
        mov.l   r9,@(4,r4)
        bf/s    3b
        add     #8,r4
4:
        shlr2   r2
        mov.l   @r15+,r9
        shlr    r2
        mov.l   @r15+,r8
        bra     7f
        sub     r2,r5                   ! moves src back to the first unused byte of the last word
5:
        mov     r5,r1
        shlr    r7
        bf/s    6f
        add     #32,r1
        mov.l   @r5+,r0
        tst     r7,r7
        mov.l   r0,@r4
        bt/s    7f
        add     #4,r4
6:
        mov.l   @r5+,r0
        dt      r7
        mov.l   @r5+,r2
        pref    @r1                     ! the next line
        add     #8,r1
        mov.l   r0,@r4
        mov.l   r2,@(4,r4)
        bf/s    6b
        add     #8,r4
7:
        mov     r6,r0
        and     #3,r0
        tst     r0,r0
        bt      9f
8:
        mov.b   @r5+,r1
        dt      r0
        mov.b   r1,@r4
        bf/s    8b
        add     #1,r4
9:
        rts
        nop
        .size   _copy_bytes, .-_copy_bytes
