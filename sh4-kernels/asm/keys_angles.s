! SPDX-License-Identifier: MIT OR Apache-2.0
! void keys_angles(float_bits frame, const uint32_t records[][8], uint32_t n, uint32_t short_way, int32_t out[][3])
!
!   out = before + t * (after - before), truncated toward zero
!   in        r4 frame, r5 records (start, length, before, after), r6 n, r7 short_way, stack: out
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr11, FPUL, T; saves r8-r11
!   cycles    26 per record in both modes (48 slots, or 51 with short_way, of 52); 26 before the first t
!
! Both loops finish record i and load the next one, at r2: before as floats in fr4-fr6, after (with short_way the
! difference) in r7-r9, t in fr2. At the end, the last record is loaded again and not used.

        .text
        .align  5
        .globl  _keys_angles
        .type   _keys_angles, @function
_keys_angles:
        tst     r6,r6
        bf      3f
        rts
        nop
3:
        mov     r5,r2
        mov.l   @r15,r1                 ! out
        lds     r4,fpul
        fsts    fpul,fr10               ! frame
        mov.l   r8,@-r15
        tst     r7,r7                   ! T: without short_way
        mov.l   r9,@-r15
        mov.l   r10,@-r15
        mov.l   @r2,r10                 ! start
        mov.l   r11,@-r15
        add     #12,r1
        mov.l   @(4,r2),r11             ! length
        lds     r10,fpul
        float   fpul,fr3
        lds     r11,fpul
        mov.l   @(8,r2),r0
        fmov    fr10,fr2                ! frame
        float   fpul,fr11
        fsub    fr3,fr2
        mov.l   @(28,r2),r9
        mov.l   @(12,r2),r3
        lds     r0,fpul
        mov.l   @(16,r2),r4
        mov.l   @(24,r2),r8
        float   fpul,fr4
        fdiv    fr11,fr2                ! t
        lds     r3,fpul
        float   fpul,fr5
        lds     r4,fpul
        mov.l   @(20,r2),r7
        float   fpul,fr6
        bf      4f
1:
        lds     r7,fpul                 ! i
        dt      r6
        float   fpul,fr7                ! i
        bt      6f                     ! no record is read past the last one
        add     #32,r2
6:
        lds     r8,fpul                 ! i
        float   fpul,fr8                ! i
        lds     r9,fpul                 ! i
        float   fpul,fr9                ! i
        mov.l   @r2,r10                 ! i + 1: start
        fmov    fr2,fr0                 ! i: t
        fsub    fr4,fr7                 ! i
        fsub    fr5,fr8                 ! i
        mov.l   @(4,r2),r11             ! i + 1: length
        fsub    fr6,fr9                 ! i
        lds     r10,fpul                ! i + 1
        float   fpul,fr3                ! i + 1
        lds     r11,fpul                ! i + 1
        fmac    fr0,fr7,fr4             ! i
        mov.l   @(20,r2),r7             ! i + 1
        float   fpul,fr11               ! i + 1
        fmov    fr10,fr2                ! i + 1: frame
        fmac    fr0,fr9,fr6             ! i
        mov.l   @(12,r2),r3             ! i + 1
        fsub    fr3,fr2                 ! i + 1
        mov.l   @(16,r2),r4             ! i + 1
        fmac    fr0,fr8,fr5             ! i
        mov.l   @(8,r2),r0              ! i + 1
        mov.l   @(24,r2),r8             ! i + 1
        ftrc    fr6,fpul                ! i
        fdiv    fr11,fr2                ! i + 1: t
        sts     fpul,r5                 ! i
        ftrc    fr5,fpul                ! i
        mov.l   @(28,r2),r9             ! i + 1
        sts     fpul,r11                ! i
        ftrc    fr4,fpul                ! i
        sts     fpul,r10                ! i
        lds     r0,fpul                 ! i + 1
        float   fpul,fr4                ! i + 1
        lds     r3,fpul                 ! i + 1
        float   fpul,fr5                ! i + 1
        lds     r4,fpul                 ! i + 1
        float   fpul,fr6                ! i + 1
        mov.l   r5,@-r1                 ! i
        mov.l   r11,@-r1                ! i
        mov.l   r10,@-r1                ! i
        bf/s    1b
        add     #24,r1
        bra     5f
        mov.l   @r15+,r11
4:
        sub     r0,r7
        sub     r3,r8
        exts.w  r7,r7
        sub     r4,r9
        exts.w  r8,r8
        exts.w  r9,r9
2:
        dt      r6
        lds     r7,fpul                 ! i
        float   fpul,fr7                ! i
        lds     r8,fpul                 ! i
        float   fpul,fr8                ! i
        lds     r9,fpul                 ! i
        fmov    fr2,fr0                 ! i: t
        bt      7f                     ! no record is read past the last one
        add     #32,r2
7:
        fmov    fr10,fr2                ! i + 1: frame
        float   fpul,fr9                ! i
        mov.l   @r2,r10                 ! i + 1: start
        fmac    fr0,fr7,fr4             ! i
        mov.l   @(4,r2),r11             ! i + 1: length
        fmac    fr0,fr8,fr5             ! i
        lds     r10,fpul                ! i + 1
        float   fpul,fr3                ! i + 1
        lds     r11,fpul                ! i + 1
        fmac    fr0,fr9,fr6             ! i
        mov.l   @(24,r2),r8             ! i + 1
        mov.l   @(20,r2),r7             ! i + 1
        float   fpul,fr11               ! i + 1
        mov.l   @(8,r2),r0              ! i + 1
        fsub    fr3,fr2                 ! i + 1
        ftrc    fr6,fpul                ! i
        mov.l   @(12,r2),r3             ! i + 1
        sts     fpul,r5                 ! i
        ftrc    fr5,fpul                ! i
        sts     fpul,r11                ! i
        ftrc    fr4,fpul                ! i
        sts     fpul,r10                ! i
        fdiv    fr11,fr2                ! i + 1: t
        sub     r0,r7                   ! i + 1
        lds     r0,fpul                 ! i + 1
        mov.l   @(16,r2),r4             ! i + 1
        float   fpul,fr4                ! i + 1
        lds     r3,fpul                 ! i + 1
        exts.w  r7,r7                   ! i + 1: difference of at most half a turn
        mov.l   @(28,r2),r9             ! i + 1
        float   fpul,fr5                ! i + 1
        sub     r3,r8                   ! i + 1
        lds     r4,fpul                 ! i + 1
        sub     r4,r9                   ! i + 1
        mov.l   r5,@-r1                 ! i
        exts.w  r8,r8                   ! i + 1: difference of at most half a turn
        mov.l   r11,@-r1                ! i
        exts.w  r9,r9                   ! i + 1: difference of at most half a turn
        float   fpul,fr6                ! i + 1
        mov.l   r10,@-r1                ! i
        bf/s    2b
        add     #24,r1
        mov.l   @r15+,r11
5:
        mov.l   @r15+,r10
        mov.l   @r15+,r9
        rts
        mov.l   @r15+,r8
        .size   _keys_angles, .-_keys_angles
