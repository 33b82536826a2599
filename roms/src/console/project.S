! SPDX-License-Identifier: MIT OR Apache-2.0
! void project(u32 turn, u32 tilt, const float (*in)[3], float (*out)[3], u32 count);
!
! Turns points about y by `turn`, then about x by `tilt` (65,536 is a full turn), moves them 4 away from the eye, and
! projects them on a screen of 640 x 480. out: x, y and 1/z, as the tile accelerator takes them.
! FSCA gives sine and cosine at once. PR = 0, SZ = 0.
    .section .text.project, "ax"
    .global project
    .align  2
project:
    mov.l   @r15, r1            ! count, the fifth argument
    fmov.s  fr12, @-r15
    lds     r4, fpul
    fsca    fpul, dr0           ! fr0 sine, fr1 cosine of the turn
    lds     r5, fpul
    fsca    fpul, dr2           ! fr2, fr3 of the tilt
    mova    constants, r0
    fmov.s  @r0+, fr8           ! distance
    fmov.s  @r0+, fr9           ! scale
    fmov.s  @r0+, fr10          ! centre
    fmov.s  @r0+, fr11
0:  fmov.s  @r6+, fr4           ! x
    fmov.s  @r6+, fr5           ! y
    fmov.s  @r6+, fr6           ! z
    fmov    fr4, fr7
    fmul    fr1, fr7
    fmov    fr6, fr12
    fmul    fr0, fr12
    fadd    fr12, fr7           ! x' = x cos + z sin
    fmul    fr1, fr6
    fmul    fr0, fr4
    fsub    fr4, fr6            ! z' = z cos - x sin
    fmov    fr5, fr4
    fmul    fr3, fr4
    fmov    fr6, fr12
    fmul    fr2, fr12
    fsub    fr12, fr4           ! y' = y cos - z' sin
    fmul    fr2, fr5
    fmul    fr3, fr6
    fadd    fr5, fr6
    fadd    fr8, fr6            ! z'' = y sin + z' cos + distance
    fldi1   fr5
    fdiv    fr6, fr5            ! 1 / z''
    fmul    fr9, fr7
    fmul    fr5, fr7
    fadd    fr10, fr7
    fmul    fr9, fr4
    fmul    fr5, fr4
    fadd    fr11, fr4
    fmov.s  fr7, @r7
    add     #4, r7
    fmov.s  fr4, @r7
    add     #4, r7
    fmov.s  fr5, @r7
    dt      r1
    bf/s    0b
     add    #4, r7
    rts
     fmov.s @r15+, fr12

    .align  2
constants:  .float 4.0, 420.0, 320.0, 240.0

    .section .note.GNU-stack, "", %progbits
