! SPDX-License-Identifier: MIT OR Apache-2.0
! void adpcm_decode(const uint8_t src[], uint32_t n, int16_t dst[], int32_t state[2], uint32_t limit)
!
!   decodes Yamaha's 4-bit ADPCM: each byte gives two samples, the low four bits first
!   in        r4 src, r5 n in bytes, r6 dst (4-byte aligned), r7 state: sample, step; stack: limit, the largest difference
!   FPSCR     any
!   clobbers  r0-r7, MACL, T
!
!   The chain from step to step limits the speed: MULU, STS, a shift and two comparisons, 12 cycles. The other work of
!   the first sample fills the gaps of the second. Rare clamps leave the loop; the clamp to the smallest step, which
!   silence reaches all the time, does not.

! Computes the next step in r2 from 1/256 units, clamped to the smallest. T = 1 if it exceeds the largest.
        .macro  step
        shlr8   r2
        cmp/gt  r2,r11
        bf      7f
        mov     r11,r2
7:
        cmp/gt  r12,r2
        .endm

! clamps r8 to 16 bits
        .macro  saturate
        mov.w   loudest,r1
        cmp/pz  r8
        bt/s    7f
        mov     r1,r8
        not     r8,r8
7:
        .endm

        .text
        .align  5
        .globl  _adpcm_decode
        .type   _adpcm_decode, @function
_adpcm_decode:
        tst     r5,r5
        bt      .Lnone
        mov.l   r8,@-r15
        mova    factors,r0
        mov.l   r9,@-r15
        mov.l   r10,@-r15
        mov     r0,r10
        mov.l   r11,@-r15
        mov     r0,r3
        mov.l   r12,@-r15
        add     #32,r3                  ! the scales
        mov.l   r13,@-r15
        mov     #127,r11                ! the smallest step
        mov.l   r14,@-r15
        mov     #96,r12
        mov.l   r7,@-r15
        shll8   r12                     ! 24576, the largest
        mov.l   @r7,r8                  ! the sample
        mov.l   @(4,r7),r9              ! the step
        mov.l   @(32,r15),r14           ! limit
1:
        mov.b   @r4+,r0
        mov     r0,r13
        add     r0,r0
        and     #30,r0
        mov.w   @(r0,r3),r2
        mov     r0,r7
        mov.w   @(r0,r10),r1
        mov     r13,r0
        mulu.w  r2,r9
        shlr2   r0
        add     #-16,r7                 ! negative: add
        shlr    r0
        and     #30,r0                  ! the second nibble
        sts     macl,r2
        mulu.w  r1,r9
        mov.w   @(r0,r10),r13
        step
        bt      .Llarge_first
2:
        mov     r2,r9
        mov.w   @(r0,r3),r2
        sts     macl,r1
        mulu.w  r2,r9
        shlr2   r1
        shlr    r1                      ! the first difference
        cmp/hi  r14,r1
        bt      .Lfar_first
3:
        sts     macl,r2
        mulu.w  r13,r9
        cmp/pz  r7
        bf      7f
        neg     r1,r1
7:
        add     r1,r8
        exts.w  r8,r1
        cmp/eq  r1,r8
        bf      .Lloud_first
4:
        step
        bt      .Llarge_second
5:
        sts     macl,r13
        mov     r2,r9
        extu.w  r8,r1                   ! the first sample
        shlr2   r13
        shlr    r13                     ! the second difference
        tst     #16,r0
        bt/s    6f
        cmp/hi  r14,r13
        bf      7f
        mov     r14,r13
7:
        bra     8f
        sub     r13,r8
6:
        bf      7f
        mov     r14,r13
7:
        add     r13,r8
8:
        exts.w  r8,r7
        cmp/eq  r7,r8
        bf      .Lloud_second
9:
        shll16  r7
        or      r7,r1
        dt      r5
        mov.l   r1,@r6
        bf/s    1b
        add     #4,r6

        mov.l   @r15+,r7
        mov.l   @r15+,r14
        mov.l   @r15+,r13
        mov.l   @r15+,r12
        mov.l   @r15+,r11
        mov.l   r8,@r7
        mov.l   @r15+,r10
        mov.l   r9,@(4,r7)
        mov.l   @r15+,r9
        rts
        mov.l   @r15+,r8
.Lnone:
        rts
        nop

.Llarge_first:
        bra     2b
        mov     r12,r2
.Lfar_first:
        bra     3b
        mov     r14,r1
.Lloud_first:
        saturate
        bra     4b
        nop
.Llarge_second:
        bra     5b
        mov     r12,r2
.Lloud_second:
        mov     r1,r13
        saturate
        mov     r13,r1
        bra     9b
        mov     r8,r7

loudest:
        .word   32767
        .align  2
factors:                                ! by the nibble, in 1/8 of the step
        .rept   2
        .word   1,3,5,7,9,11,13,15
        .endr
        .rept   2                       ! in 1/256
        .word   230,230,230,230,307,409,512,614
        .endr
        .size   _adpcm_decode, .-_adpcm_decode
