! SPDX-License-Identifier: MIT OR Apache-2.0
! void mix_stereo(const void *samples, const uint32_t channels[][4], uint32_t n, uint32_t frames, uint32_t out[])
!
!   16-bit and 8-bit channels into saturated stereo frames: left in the low half of a word, right in the high half
!   in        r4 samples, r5 channels: offset in bytes, 0 for 16 bits or 1 for 8, left and right volume (256 is 1);
!             r6 channels' number, r7 frames; stack: out (4-byte aligned)
!   FPSCR     any
!   clobbers  r0-r7, MACL, T
!
!   Two frames a round: a channel then takes 32 cycles for four products. MULS and STS of one product bind; the shift
!   and the sum of the product before are between them.

! The offset of frame r14 of the next channel from r4, in r0. T: the channel has 8 bits.
        .macro  channel
        mov.l   @r12+,r0
        mov.l   @r12+,r1
        add     r14,r0
        shlr    r1
        .endm

! A sum to 16 bits
        .macro  saturate sum
        exts.w  \sum,r0
        cmp/eq  r0,\sum
        bt      7f
        cmp/pz  \sum
        mov.w   loudest,\sum
        bt      7f
        not     \sum,\sum
7:
        .endm

! Sums of a frame to a word of the output
        .macro  frame left, right
        saturate \left
        saturate \right
        shll16  \right
        extu.w  \left,\left
        or      \left,\right
        mov.l   \right,@r13
        add     #4,r13
        .endm

        .text
        .align  5
        .globl  _mix_stereo
        .type   _mix_stereo, @function
_mix_stereo:
        tst     r7,r7
        bf      .Lany
        rts
        nop
.Lany:
        mov.l   r14,@-r15
        shll2   r6
        mov.l   r8,@-r15
        mov.l   r9,@-r15
        shll2   r6
        mov.l   r10,@-r15
        add     r5,r6                   ! the end of the channels
        mov.l   r11,@-r15
        mov     #0,r14                  ! the frame
        mov.l   r12,@-r15
        add     #-1,r7                  ! the last frame
        mov.l   r13,@-r15
        mov     #-8,r3
        mov.l   @(28,r15),r13           ! out
        bra     .Lnext
        mov.l   r5,@-r15

.Lpair:
        mov.l   @r15,r12
        mov     #0,r8                   ! left, right
        mov     #0,r9
        mov     #0,r10                  ! left, right of the frame after
        cmp/eq  r6,r12
        bt/s    4f
        mov     #0,r11
1:
        channel
        bt      .Lbytes
        add     r14,r0
        mov.w   @(r0,r4),r1
        add     #2,r0
        mov.w   @(r0,r4),r2
.Lproducts:
        mov.l   @r12+,r0
        muls.w  r0,r1
        sts     macl,r5
        muls.w  r0,r2
        mov.l   @r12+,r0
        shad    r3,r5
        add     r5,r8
        sts     macl,r5
        muls.w  r0,r1
        shad    r3,r5
        add     r5,r10
        sts     macl,r5
        muls.w  r0,r2
        shad    r3,r5
        add     r5,r9
        cmp/eq  r6,r12
        sts     macl,r5
        shad    r3,r5
        bf/s    1b
        add     r5,r11
4:
        frame   r8,r9
        frame   r10,r11
        add     #2,r14
.Lnext:
        cmp/hi  r14,r7
        bt      .Lpair

        cmp/eq  r14,r7
        bf      .Lend
        mov.l   @r15,r12                ! the last of an odd number
        mov     #0,r8
        cmp/eq  r6,r12
        bt/s    4f
        mov     #0,r9
1:
        channel
        bt      .Lbyte
        add     r14,r0
        mov.w   @(r0,r4),r1
.Lproduct:
        mov.l   @r12+,r0
        muls.w  r0,r1
        mov.l   @r12+,r0
        cmp/eq  r6,r12
        sts     macl,r5
        muls.w  r0,r1
        shad    r3,r5
        add     r5,r8
        sts     macl,r5
        shad    r3,r5
        bf/s    1b
        add     r5,r9
4:
        frame   r8,r9
.Lend:
        add     #4,r15
        mov.l   @r15+,r13
        mov.l   @r15+,r12
        mov.l   @r15+,r11
        mov.l   @r15+,r10
        mov.l   @r15+,r9
        mov.l   @r15+,r8
        rts
        mov.l   @r15+,r14

.Lbytes:
        mov.b   @(r0,r4),r1
        add     #1,r0
        mov.b   @(r0,r4),r2
        shll8   r1
        bra     .Lproducts
        shll8   r2
.Lbyte:
        mov.b   @(r0,r4),r1
        bra     .Lproduct
        shll8   r1

loudest:
        .word   32767
        .size   _mix_stereo, .-_mix_stereo
