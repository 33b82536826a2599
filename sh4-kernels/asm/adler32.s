! SPDX-License-Identifier: MIT OR Apache-2.0
! void adler32(const uint32_t data[], uint32_t n, uint32_t sum[1])
!
!   continues a checksum (1 at the start) over n bytes; both halves are modulo 65521
!   in        r4 data, r5 n in bytes, r6 sum
!   FPSCR     any
!   clobbers  r0-r5, r7, T
!
!   14 cycles per four bytes; 13 are integer operations.

! Reduces \reg modulo 65521: twice by 65536 = 15, then by one comparison. Clobbers r7.
        .macro  modulo reg
        .rept   2
        swap.w  \reg,r7
        extu.w  r7,r7
        extu.w  \reg,\reg
        add     r7,\reg
        shll2   r7
        shll    r7                      ! 8
        add     r7,\reg
        shlr    r7                      ! 4
        add     r7,\reg
        shlr    r7                      ! 2
        add     r7,\reg
        .endr
        mov.l   prime,r7
        cmp/hs  r7,\reg
        bf      0f
        sub     r7,\reg
0:
        .endm

        .text
        .align  5
        .globl  _adler32
        .type   _adler32, @function
_adler32:
        mov.l   r8,@-r15
        mov.l   @r6,r1
        mov.w   most,r3                 ! maximum number of bytes before both sums must be reduced
        swap.w  r1,r2
        extu.w  r2,r2
        bra     5f
        extu.w  r1,r1
1:
        mov     r5,r0
        cmp/hi  r3,r5
        bf      2f
        mov     r3,r0
2:
        sub     r0,r5
        tst     #3,r0
        bt      4f
3:
        mov.b   @r4+,r7                 ! one to three bytes
        add     #-1,r0
        tst     #3,r0
        extu.b  r7,r7
        add     r7,r1
        bf/s    3b
        add     r1,r2
4:
        shlr2   r0
        tst     r0,r0
        bt      7f
6:
        mov.b   @r4+,r7
        mov.b   @r4+,r8
        dt      r0
        extu.b  r7,r7
        add     r7,r1
        extu.b  r8,r8
        add     r1,r2
        mov.b   @r4+,r7
        add     r8,r1
        extu.b  r7,r7
        add     r1,r2
        mov.b   @r4+,r8
        add     r7,r1
        extu.b  r8,r8
        add     r1,r2
        pref    @r4
        add     r8,r1
        bf/s    6b
        add     r1,r2
7:
        modulo  r1
        modulo  r2
5:
        tst     r5,r5
        bf      1b
        shll16  r2
        or      r1,r2
        mov.l   @r15+,r8
        rts
        mov.l   r2,@r6

most:   .word   5552
        .align  2
prime:  .long   65521
        .size   _adler32, .-_adler32
