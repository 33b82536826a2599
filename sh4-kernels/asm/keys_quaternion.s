! SPDX-License-Identifier: MIT OR Apache-2.0
! void keys_quaternion(float_bits frame, const uint32_t records[][10], uint32_t n, float out[][4])
!
!   out = normalised (1 - t) * before + t * after, t negated where before . after < 0
!   in        r4 frame, r5 records (start, length, before, after), r6 n, r7 out; records and out 8-byte aligned
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr11, xf0, xf1, FPUL, T; saves fr12-fr15
!   cycles    33 per record (48 to 50 slots). The chain of FIPR, interpolation, FIPR, FSRRA and product limits the
!             speed, because the registers hold only one quaternion
!
! The loop finishes record i (t in fr2, keys in fr4-fr11), divides for record i + 1 and loads its keys. r3 points to the
! last record, which is loaded again at the end and not used. xd0 is the frame and 1, fr14 0; SZ is 1.

        .text
        .align  5
        .globl  _keys_quaternion
        .type   _keys_quaternion, @function
_keys_quaternion:
        tst     r6,r6
        bf      2f
        rts
        nop
2:
        fmov.s  fr12,@-r15
        mov     r6,r3                   ! r3: the last record
        fmov.s  fr13,@-r15
        mov     r5,r2
        lds     r4,fpul
        add     #-1,r3
        fldi1   fr3
        shll2   r3
        fsts    fpul,fr2                ! frame
        shll    r3
        fmov.s  fr14,@-r15
        mov     r3,r0
        shll2   r0
        fldi0   fr14
        add     r0,r3
        mov.l   @r2,r0                  ! start
        add     r5,r3
        mov.l   @(4,r2),r1              ! length
        add     #16,r7
        lds     r0,fpul
        fmov.s  fr15,@-r15
        float   fpul,fr15
        lds     r1,fpul
        fschg
        fmov    dr2,xd0                 ! frame, 1
        fsub    fr15,fr2
        add     #8,r5
        float   fpul,fr15
        fmov    @r5+,dr4                ! before
        fmov    @r5+,dr6
        fmov    @r5+,dr8                ! after
        fmov    @r5,dr10
        fdiv    fr15,fr2                ! the first t
1:
        cmp/hs  r3,r2
        fsub    fr2,fr3                 ! i: 1 - t
        fmov    dr10,dr12               ! i: copied, because FIPR overwrites it
        fipr    fv4,fv8                 ! i
        fmov    dr2,dr0                 ! i
        fmul    fr1,fr5                 ! i
        fmul    fr1,fr4                 ! i
        bt      3f                     ! no record is read past the last one
        add     #40,r2
3:
        fcmp/gt fr11,fr14               ! i
        mov.l   @r2,r0                  ! i + 1: start
        fmul    fr1,fr6                 ! i
        fmul    fr1,fr7                 ! i
        bf      4f
        fneg    fr0                     ! i
4:
        fmac    fr0,fr8,fr4             ! i
        fmac    fr0,fr10,fr6            ! i
        fmov    xd0,dr2                 ! i + 1: frame, 1
        lds     r0,fpul                 ! i + 1
        fmac    fr0,fr13,fr7            ! i
        fmac    fr0,fr9,fr5             ! i
        mov.l   @(4,r2),r1              ! i + 1: length
        float   fpul,fr15               ! i + 1
        mov     r2,r4
        fmov    dr6,dr12                ! i: copied, because FIPR overwrites it
        fipr    fv4,fv4                 ! i: square
        fsub    fr15,fr2                ! i + 1
        lds     r1,fpul                 ! i + 1
        float   fpul,fr15               ! i + 1
        add     #24,r4
        mov     r2,r5
        fcmp/eq fr14,fr7                ! i
        fmov    @r4+,dr8                ! i + 1: after
        fsrra   fr7                     ! i
        add     #8,r5
        fmov    @r4,dr10                ! i + 1
        fdiv    fr15,fr2                ! i + 1: t
        bf      5f
        fldi1   fr7                     ! i: a quaternion of length 0 is not scaled
5:
        fmul    fr7,fr6                 ! i
        fmul    fr7,fr4                 ! i
        fmul    fr7,fr5                 ! i
        fmul    fr13,fr7                ! i
        fmov    dr6,@-r7                ! i
        dt      r6
        fmov    dr4,@-r7                ! i
        fmov    @r5+,dr4                ! i + 1: before
        fmov    @r5,dr6                 ! i + 1
        bf/s    1b
        add     #32,r7
        fschg
        fmov.s  @r15+,fr15
        fmov.s  @r15+,fr14
        fmov.s  @r15+,fr13
        rts
        fmov.s  @r15+,fr12
        .size   _keys_quaternion, .-_keys_quaternion
