! SPDX-License-Identifier: MIT OR Apache-2.0
! void quaternion_matrix(const float quaternions[][4], uint32_t n, float out[][16])
!
!   in        r4 quaternions (re, x, y, z; 8-byte aligned), r5 n, r6 out (8-byte aligned)
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r4-r7, fr0-fr11, XMTRX, FPUL, T
!
!   A quaternion takes 30 cycles. Its 24 FPU operations, 24 loads, copies and stores and 3 others need 25.5. The last
!   sums end a chain of 16 cycles (load, double, multiply, add, subtract, store). All sixteen registers are in use until
!   then, so quaternions do not overlap. Registers move in pairs (FPSCR.SZ = 1): products that are stored or copied
!   together occupy the same pair.

        .text
        .align  5
        .globl  _quaternion_matrix
        .type   _quaternion_matrix, @function
_quaternion_matrix:
        tst     r5,r5
        bf/s    1f
        add     #64,r6                  ! stores run downwards from the end of the matrix
        rts
        nop
1:
        mov     #64,r7
        fmov.s  fr12,@-r15
        add     r7,r7
        fmov.s  fr13,@-r15
        fldi0   fr0
        fldi0   fr1
        fldi0   fr2
        fldi1   fr3
        fmov.s  fr14,@-r15
        fmov.s  fr15,@-r15
        fschg
        fmov    dr0,xd0                 ! 0 0
        fmov    dr2,xd2                 ! 0 1

        .align  2
.Lquaternion:
        fmov    @r4+,dr0                ! w, x
        fmov    @r4+,dr2                ! y, z
        fmov    dr0,dr4                 ! w, x
        fadd    fr5,fr5                 ! 2x
        fmov    dr2,dr6                 ! y, z
        fadd    fr6,fr6                 ! 2y
        fmov    xd2,@-r6                ! fourth column: 0 0 0 1
        fadd    fr7,fr7                 ! 2z
        fmul    fr5,fr4                 ! wx
        fmov    xd0,@-r6
        fmul    fr1,fr5                 ! xx
        fmov    dr6,dr8                 ! 2y, 2z
        fmul    fr2,fr9                 ! yz
        fmul    fr0,fr8                 ! wy
        fmul    fr6,fr2                 ! yy
        fmul    fr7,fr3                 ! zz
        fmov    dr8,dr14                ! wy, yz
        fmul    fr1,fr6                 ! xy
        fmul    fr7,fr1                 ! xz
        fmul    fr0,fr7                 ! wz
        fmov    dr2,dr12                ! yy, zz
        fldi1   fr14
        fadd    fr5,fr13                ! xx + zz
        fadd    fr5,fr12                ! xx + yy
        fldi0   fr5
        fsub    fr4,fr9                 ! yz - wx
        fmov    dr6,dr10                ! xy, wz
        fldi1   fr11
        fadd    fr15,fr4                ! yz + wx
        fadd    fr3,fr2                 ! yy + zz
        flds    fr1,fpul
        fsub    fr12,fr14               ! 1 - (xx + yy)
        fsts    fpul,fr0                ! xz
        fldi0   fr15
        fsub    fr8,fr0                 ! xz - wy
        fadd    fr1,fr8                 ! xz + wy
        fldi0   fr1
        fsub    fr13,fr11               ! 1 - (xx + zz)
        fmov    dr14,@-r6               ! third column
        fmov    dr8,@-r6
        fsub    fr7,fr10                ! xy - wz
        fadd    fr6,fr7                 ! xy + wz
        fmov    dr4,@-r6                ! second column
        fmov    dr10,@-r6
        fldi1   fr6
        fsub    fr2,fr6                 ! 1 - (yy + zz)
        dt      r5
        fmov    dr0,@-r6                ! first column
        fmov    dr6,@-r6
        bf/s    .Lquaternion
        add     r7,r6

        fschg
        fmov.s  @r15+,fr15
        fmov.s  @r15+,fr14
        fmov.s  @r15+,fr13
        rts
        fmov.s  @r15+,fr12
        .size   _quaternion_matrix, .-_quaternion_matrix
