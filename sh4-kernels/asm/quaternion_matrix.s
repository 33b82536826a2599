! void quaternion_matrix(const float quaternions[][4], uint32_t n, float out[][16])
!
!   in        r4 quaternions (re, x, y, z), r5 n, r6 out
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r4-r6, fr0-fr11, T

        .text
        .align  5
        .globl  _quaternion_matrix
        .type   _quaternion_matrix, @function
_quaternion_matrix:
        tst     r5,r5
        bf      2f
        rts
        nop
2:
        fmov.s  fr12,@-r15
        fmov.s  fr13,@-r15
        fmov.s  fr14,@-r15
        fmov.s  fr15,@-r15
1:
        fmov.s  @r4+,fr0                ! w
        fmov.s  @r4+,fr1                ! x
        fmov.s  @r4+,fr2                ! y
        fmov.s  @r4+,fr3                ! z
        fldi0   fr10
        fldi1   fr11
        add     #64,r6                  ! stores go downwards from the matrix' end
        fmov    fr1,fr4
        fmov    fr2,fr5
        fmov    fr3,fr6
        fadd    fr1,fr4                 ! 2x
        fadd    fr2,fr5                 ! 2y
        fadd    fr3,fr6                 ! 2z
        fmov.s  fr11,@-r6               ! fourth column: 0 0 0 1
        fmov.s  fr10,@-r6
        fmov.s  fr10,@-r6
        fmov.s  fr10,@-r6
        fmov    fr1,fr7
        fmov    fr2,fr8
        fmov    fr3,fr9
        fmul    fr4,fr7                 ! xx
        fmul    fr5,fr8                 ! yy
        fmul    fr6,fr9                 ! zz
        fmov    fr2,fr14
        fmov    fr0,fr15
        fmul    fr6,fr14                ! yz
        fmul    fr4,fr15                ! wx
        fmov    fr7,fr13
        fadd    fr8,fr13
        fmov    fr11,fr12
        fsub    fr13,fr12               ! 1 - (xx + yy)
        fmov.s  fr10,@-r6               ! third column
        fmov.s  fr12,@-r6
        fmov    fr14,fr12
        fsub    fr15,fr12               ! yz - wx
        fadd    fr15,fr14               ! yz + wx
        fmov.s  fr12,@-r6
        fmov    fr1,fr15
        fmov    fr0,fr13
        fmul    fr6,fr15                ! xz
        fmul    fr5,fr13                ! wy
        fmov    fr15,fr12
        fadd    fr13,fr12               ! xz + wy
        fsub    fr13,fr15               ! xz - wy
        fmov.s  fr12,@-r6
        fmov.s  fr10,@-r6               ! second column
        fmov.s  fr14,@-r6
        fmov    fr11,fr12
        fadd    fr9,fr7
        fmov    fr1,fr13
        fsub    fr7,fr12                ! 1 - (xx + zz)
        fmul    fr5,fr13                ! xy
        fmul    fr6,fr0                 ! wz
        fmov.s  fr12,@-r6
        fmov    fr13,fr12
        fsub    fr0,fr12                ! xy - wz
        fadd    fr9,fr8
        fmov.s  fr12,@-r6
        fmov.s  fr10,@-r6               ! first column
        fmov.s  fr15,@-r6
        fadd    fr0,fr13                ! xy + wz
        fsub    fr8,fr11                ! 1 - (yy + zz)
        fmov.s  fr13,@-r6
        fmov.s  fr11,@-r6
        dt      r5
        bf/s    1b
        add     #64,r6
        fmov.s  @r15+,fr15
        fmov.s  @r15+,fr14
        fmov.s  @r15+,fr13
        rts
        fmov.s  @r15+,fr12
        .size   _quaternion_matrix, .-_quaternion_matrix
