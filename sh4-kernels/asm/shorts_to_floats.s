! SPDX-License-Identifier: MIT OR Apache-2.0
! void shorts_to_floats(const int16_t src[], uint32_t n, uint32_t count, uint32_t stride, float_bits scale,
!                       float dst[][4])
!
!   four floats for each element: count half-words times scale, then zeros
!   in        r4 src, r5 n, r6 count (1 to 4), r7 stride in bytes, stack: scale, dst (8-byte aligned)
!   FPSCR     PR = 0, SZ = 0, as at return
!   clobbers  r0-r7, fr0-fr8, FPUL, T
!
!   One loop for each count, with two elements per iteration: 5.5, 7.5, 9.5 and 11.5 cycles per element. Issue slots
!   limit the speed: 2 count + 2 load/store, 2 count FPU, four for pointers and the loop, and half a cycle for its
!   branch. The floats of an element are scaled and stored while the next element is loaded. If there are three or four,
!   the first one is scaled during its own load.

! Loads an element into \a to \d and scales a part of it. Scales the rest of the previous element, in \pa to \pd, and
! stores its last pair, \pcd.
! T: this was the last.
        .macro  load count, a, b, c, d, pa, pb, pc, pd, pcd
        add     #32,r1                  ! end of the previous element
        .if     \count == 1
        mov.w   @r4+,r0
        fmul    fr8,\pa
        dt      r5
        lds     r0,fpul
        add     r7,r4
        float   fpul,\a
        .elseif \count == 2
        mov.w   @r4+,r0
        fmul    fr8,\pa
        mov.w   @r4+,r2
        fmul    fr8,\pb
        lds     r0,fpul
        dt      r5
        float   fpul,\a
        lds     r2,fpul
        add     r7,r4
        float   fpul,\b
        .elseif \count == 3
        mov.w   @r4+,r0
        fmul    fr8,\pb
        mov.w   @r4+,r2
        fmul    fr8,\pc
        mov.w   @r4+,r3
        dt      r5
        lds     r0,fpul
        float   fpul,\a
        lds     r2,fpul
        float   fpul,\b
        lds     r3,fpul
        float   fpul,\c
        add     r7,r4
        .elseif \count == 4
        mov.w   @r4+,r0
        fmul    fr8,\pb
        mov.w   @r4+,r2
        fmul    fr8,\pc
        mov.w   @r4+,r3
        fmul    fr8,\pd
        mov.w   @r4+,r6
        dt      r5
        lds     r0,fpul
        float   fpul,\a
        lds     r2,fpul
        float   fpul,\b
        lds     r3,fpul
        float   fpul,\c
        lds     r6,fpul
        float   fpul,\d
        add     r7,r4
        .endif
        .ifnb   \pcd
        fmov    \pcd,@-r1
        .endif
        .if     \count > 2
        fmul    fr8,\a
        .endif
        .endm

! The last element.
        .macro  drain count, a, b, c, d, ab, cd
        add     #32,r1
        .if     \count <= 2
        fmul    fr8,\a
        .endif
        .if     \count > 1
        fmul    fr8,\b
        .endif
        .if     \count > 2
        fmul    fr8,\c
        .endif
        .if     \count > 3
        fmul    fr8,\d
        .endif
        fmov    \cd,@-r1
        fmov    \ab,@-r1
        rts
        fschg
        .endm

        .macro  elements count
        load    \count,fr0,fr1,fr2,fr3,fr4,fr5,fr6,fr7
        bt/s    3f
        add     #-48,r1
        .align  2
1:
        load    \count,fr4,fr5,fr6,fr7,fr0,fr1,fr2,fr3,dr2
        bt/s    2f
        fmov    dr0,@-r1
        load    \count,fr0,fr1,fr2,fr3,fr4,fr5,fr6,fr7,dr6
        bf/s    1b
        fmov    dr4,@-r1
3:
        drain   \count,fr0,fr1,fr2,fr3,dr0,dr2
2:
        drain   \count,fr4,fr5,fr6,fr7,dr4,dr6
        .endm

        .text
        .align  5
        .globl  _shorts_to_floats
        .type   _shorts_to_floats, @function
_shorts_to_floats:
        tst     r5,r5
        mov.l   @r15,r0
        bf      1f
        rts
        nop
1:
        mov.l   @(4,r15),r1             ! dst
        sub     r6,r7
        lds     r0,fpul
        sub     r6,r7                   ! distance from the end of an element to the next one
        fsts    fpul,fr8                ! scale
        mov     r6,r0
        fldi0   fr4                     ! so that the first multiplications have valid operands
        fldi0   fr5
        fldi0   fr6
        fldi0   fr7
        cmp/eq  #3,r0
        fldi0   fr3
        bf/s    .Lnot_three
        fschg
        elements 3
.Lnot_three:
        cmp/eq  #4,r0
        bf      .Lnot_four
        elements 4
.Lnot_four:
        cmp/eq  #2,r0
        bf/s    .Lone
        fldi0   fr2
        elements 2
.Lone:
        fldi0   fr1
        elements 1
        .size   _shorts_to_floats, .-_shorts_to_floats
