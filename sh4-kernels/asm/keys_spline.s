! SPDX-License-Identifier: MIT OR Apache-2.0
! void keys_spline(float_bits frame, const uint32_t records[][14], uint32_t n, float out[][3])
!
!   out = w(t) . (before, key, next, after), for x, y, z; w of the uniform Catmull-Rom spline
!   in        r4 frame, r5 records (start, length, four x, four y, four z), r6 n, r7 out
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr11, MACL, FPUL, T; saves fr12-fr15
!   cycles    34 per record (62 slots). The registers of the weights limit the speed: three FIPR read them, then the
!             constants 2 and 4 take 14 cycles to become the next weights. 48 before the first record
!
! Halving a weight is exact, so the loop halves t once instead. It finishes record i, with its weights in fr0-fr3,
! computes the weights of record i + 1 from t (fr14), and divides for record i + 2 (fr15). r4 points to the last record;
! its start and length are loaded again at the end and not used. The frame is on the stack, 1 in fr13.

        .text
        .align  5
        .globl  _keys_spline
        .type   _keys_spline, @function
_keys_spline:
        tst     r6,r6
        bf      2f
        rts
        nop
2:
        fmov.s  fr12,@-r15
        mov     #56,r0
        mov     r5,r2
        fmov.s  fr13,@-r15
        fmov.s  fr14,@-r15
        mulu.w  r0,r6
        fmov.s  fr15,@-r15
        mova    table,r0
        mov     r0,r3
        mov.l   @r2,r0                  ! start
        mov.l   @(4,r2),r1              ! length
        lds     r0,fpul
        float   fpul,fr12
        mov.l   r4,@-r15
        fmov.s  @r15,fr15               ! frame
        sts     macl,r4
        lds     r1,fpul
        fsub    fr12,fr15
        float   fpul,fr12
        fldi1   fr13
        fdiv    fr12,fr15               ! the first t
        add     #-56,r4
        fmov.s  @r3+,fr8                ! 1/2
        fmov.s  @r3+,fr9                ! 3
        add     r5,r4                   ! the last record
        cmp/hs  r4,r2
        fmov.s  @r3+,fr0                ! 2
        bt      3f
        add     #56,r2
3:
        add     #8,r5
        mov.l   @r2,r0                  ! the second start
        fmov.s  @r3+,fr2                ! 4
        lds     r0,fpul
        float   fpul,fr12
        fmov.s  @r3+,fr1                ! -5
        fmov    fr15,fr14
        fmul    fr14,fr9                ! 3 t
        fsub    fr14,fr0
        fmul    fr14,fr8                ! t / 2
        fmov    fr14,fr3
        fsub    fr13,fr3
        fadd    fr9,fr1
        fmul    fr14,fr0
        fsub    fr9,fr2
        fmul    fr14,fr3
        fmov.s  @r5+,fr4                ! the first x
        fmul    fr14,fr1
        fmul    fr14,fr2
        fsub    fr13,fr0
        fmov.s  @r5+,fr5
        fmul    fr8,fr1
        fmov.s  @r15,fr15               ! frame
        fadd    fr13,fr2
        mov.l   @(4,r2),r1              ! length
        fmul    fr8,fr3                 ! (t - 1) t t / 2
        fsub    fr12,fr15
        lds     r1,fpul
        fmul    fr8,fr2                 ! ((4 - 3 t) t + 1) t / 2
        add     #-20,r3
        float   fpul,fr12
        fmov.s  @r5+,fr6
        fadd    fr13,fr1                ! (3 t - 5) t t / 2 + 1
        fmul    fr8,fr0                 ! ((2 - t) t - 1) t / 2
        fdiv    fr12,fr15
        fmov.s  @r5+,fr7
1:
        fmov.s  @r5+,fr8                ! i: y
        fipr    fv0,fv4                 ! i: x
        fmov.s  @r5+,fr9                ! i
        fmov.s  @r5+,fr10               ! i
        fmov.s  @r5+,fr11               ! i
        fmov.s  @r5+,fr4                ! i: z
        fmov.s  @r5+,fr5                ! i
        cmp/hs  r4,r2
        fipr    fv0,fv8                 ! i: y
        fmov.s  @r5+,fr6                ! i
        fmov.s  fr7,@r7                 ! i: x
        add     #8,r7
        fmov.s  @r5+,fr7                ! i
        mov     r2,r5
        fmov.s  @r3+,fr8                ! 1/2
        bt      4f                     ! no record is read past the last one
        add     #56,r2
4:
        fmov.s  @r3+,fr9                ! 3
        fipr    fv0,fv4                 ! i: z
        fmov.s  @r3+,fr0                ! 2
        fmov    fr15,fr14               ! i + 1: t
        fmul    fr14,fr9                ! 3 t
        fmov.s  @r3+,fr2                ! 4
        fmov    fr14,fr3
        fsub    fr13,fr3
        add     #8,r5
        fsub    fr14,fr0
        fsub    fr9,fr2
        fmov.s  @r3+,fr1                ! -5
        fmul    fr14,fr3
        mov.l   @r2,r0                  ! i + 2: start
        fadd    fr9,fr1
        fmov.s  @r5+,fr4                ! i + 1: x
        fmov.s  @r5+,fr5                ! i + 1
        fmul    fr14,fr0
        fmul    fr14,fr8                ! t / 2
        fmov.s  fr11,@-r7               ! i: y
        fmul    fr14,fr2
        mov.l   @(4,r2),r1              ! i + 2: length
        fmul    fr14,fr1
        add     #8,r7
        fsub    fr13,fr0
        fmov.s  fr7,@-r7                ! i: z
        fadd    fr13,fr2
        lds     r0,fpul                 ! i + 2
        float   fpul,fr12               ! i + 2
        lds     r1,fpul                 ! i + 2
        fmul    fr8,fr3                 ! (t - 1) t t / 2
        fmov.s  @r5+,fr6                ! i + 1
        fmov.s  @r15,fr15               ! i + 2: frame
        fmul    fr8,fr1
        fmul    fr8,fr0                 ! ((2 - t) t - 1) t / 2
        add     #-20,r3
        fsub    fr12,fr15               ! i + 2
        dt      r6
        fmul    fr8,fr2                 ! ((4 - 3 t) t + 1) t / 2
        fmov.s  @r5+,fr7                ! i + 1
        float   fpul,fr12               ! i + 2
        add     #4,r7
        fadd    fr13,fr1                ! (3 t - 5) t t / 2 + 1
        bf/s    1b
        fdiv    fr12,fr15               ! i + 2: t
        add     #4,r15
        fmov.s  @r15+,fr15
        fmov.s  @r15+,fr14
        fmov.s  @r15+,fr13
        rts
        fmov.s  @r15+,fr12

        .align  2
table:  .float  0.5, 3, 2, 4, -5
        .size   _keys_spline, .-_keys_spline
