! void keys_quaternion(float_bits frame, const uint32_t records[][10], uint32_t n, float out[][4])
!
!   out = normalised (1 - t) * before + t * after, t negated where before . after < 0
!   in        r4 frame, r5 records (start, length, before, after), r6 n, r7 out; records and out 8-byte aligned
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r3, r5-r7, fr0-fr11, xf0, xf1, FPUL, T; saves fr12-fr15
!   cycles    36 a record (47 slots). The chain of FIPR, mixing, FIPR, FSRRA and product binds: the registers of a second
!             quaternion under way are not there
!
! The loop ends record i, whose t is fr2, and divides for i + 1. r3 is the last record: behind it the last one is taken up
! again, to no use. xd0 is the frame and 1, fr14 0; SZ is 1.

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
        mov     r5,r2
        fmov.s  fr13,@-r15
        mov     r6,r3                   ! r3: the last record
        add     #-1,r3
        lds     r4,fpul
        fsts    fpul,fr2                ! frame
        shll2   r3
        fldi1   fr3
        shll    r3
        fmov.s  fr14,@-r15
        mov     r3,r0
        fldi0   fr14
        shll2   r0
        add     r0,r3
        mov.l   @r2,r0                  ! start
        fmov.s  fr15,@-r15
        add     r5,r3
        add     #16,r7
        lds     r0,fpul
        float   fpul,fr15
        mov.l   @(4,r2),r1              ! length
        add     #8,r5
        lds     r1,fpul
        fschg
        fmov    dr2,xd0                 ! frame, 1
        fsub    fr15,fr2
        float   fpul,fr15
        fdiv    fr15,fr2                ! the first t
1:
        cmp/hs  r3,r2
        fmov    @r5+,dr4                ! i: before
        fsub    fr2,fr3                 ! i: 1 - t
        fmov    @r5+,dr6                ! i
        fmov    @r5+,dr8                ! i: after
        bt      3f                     ! behind the last record nothing is read
        add     #40,r2
3:
        fmov    @r5+,dr10               ! i
        mov.l   @r2,r0                  ! i + 1: start
        fmov    dr2,dr0                 ! i
        fmov    dr10,dr12               ! i: FIPR overwrites it
        fipr    fv4,fv8                 ! i
        fmov    xd0,dr2                 ! i + 1: frame, 1
        lds     r0,fpul                 ! i + 1
        fmul    fr1,fr4                 ! i
        mov.l   @(4,r2),r1              ! i + 1: length
        fmul    fr1,fr5                 ! i
        add     #8,r5
        fcmp/gt fr11,fr14               ! i
        fmul    fr1,fr7                 ! i
        fmul    fr1,fr6                 ! i
        bf      4f
        fneg    fr0                     ! i
4:
        fmac    fr0,fr9,fr5             ! i
        fmac    fr0,fr13,fr7            ! i
        fmac    fr0,fr10,fr6            ! i
        fmac    fr0,fr8,fr4             ! i
        float   fpul,fr15               ! i + 1
        lds     r1,fpul                 ! i + 1
        fmov    dr6,dr8                 ! i
        fipr    fv4,fv4                 ! i: square
        fsub    fr15,fr2                ! i + 1
        float   fpul,fr15               ! i + 1
        fcmp/eq fr14,fr7                ! i
        fsrra   fr7                     ! i
        fdiv    fr15,fr2                ! i + 1: t
        bf      5f
        fldi1   fr7                     ! i: a length of 0 stays
5:
        fmul    fr7,fr4                 ! i
        fmul    fr7,fr6                 ! i
        fmul    fr7,fr5                 ! i
        fmul    fr9,fr7                 ! i
        fmov    dr6,@-r7                ! i
        dt      r6
        fmov    dr4,@-r7                ! i
        bf/s    1b
        add     #32,r7
        fschg
        fmov.s  @r15+,fr15
        fmov.s  @r15+,fr14
        fmov.s  @r15+,fr13
        rts
        fmov.s  @r15+,fr12
        .size   _keys_quaternion, .-_keys_quaternion
