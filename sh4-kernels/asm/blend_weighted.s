! SPDX-License-Identifier: MIT OR Apache-2.0
! void blend_weighted(const float matrix[16], const float src[], uint32_t n, float positions[][4],
!                     float normals[][4], uint32_t first, uint32_t mode, float_bits scale)
!
!   slot = [slot +] weight * scale * (matrix * vertex)
!   in        r4 matrix (8-byte aligned), r5 src, r6 n, r7 positions (8-byte aligned),
!             stack: normals (8-byte aligned), first slot, mode (bit 0 add, bit 1 normals), scale
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr11, XMTRX, FPUL, T
!
!   A vertex takes 29 cycles, or 18 without normals; its issue slots are 42 and 28 (21 and 14 cycles). The dependency
!   chain of a vertex limits the speed: its loads, 3 cycles until FTRV can use them, FTRV, which occupies F1 for 4
!   cycles per vector, and FMACs. With normals, vertices do not overlap: the next slot may be the same, its two vectors
!   need the same registers, and src is read with SZ = 0, slots with SZ = 1. Without normals, the next vertex is loaded
!   during the FMACs of the current one.
!   To replace slots instead of adding, the kernel reads zeros from the stack: r13 masks the index out of the address.

        .include "xmtrx.inc"

        .text
        .align  5
        .globl  _blend_weighted
        .type   _blend_weighted, @function
_blend_weighted:
        tst     r6,r6
        mov.l   @(4,r15),r0             ! first
        bf/s    1f
        mov.l   @(12,r15),r1            ! scale
        rts
        nop
1:
        mov.l   @r15,r3                 ! normals
        lds     r1,fpul
        mov.l   @(8,r15),r2             ! mode
        load_xmtrx r4
        fsts    fpul,fr1
        shll2   r0
        mov.l   r8,@-r15
        shll2   r0                      ! 16 bytes per slot
        mov.l   r9,@-r15
        sub     r0,r7
        mov.l   r10,@-r15
        sub     r0,r3
        mov.l   r11,@-r15
        mov     r7,r8                   ! r8 and r9: addresses for writing positions
        mov.l   r13,@-r15
        mov     r7,r9
        mov.l   r14,@-r15
        add     #8,r9
        fmov.s  fr12,@-r15
        mov     r3,r10                  ! r10 and r11: normals
        fmov.s  fr13,@-r15
        mov     r3,r11
        fmov.s  fr14,@-r15
        add     #8,r11
        fmov.s  fr15,@-r15
        mov     #0,r13
        mov.l   r13,@-r15
        mov     r2,r0
        mov.l   r13,@-r15
        tst     #1,r0
        mov.l   r13,@-r15
        mov     r8,r2                   ! r2 and r3: addresses for reading positions
        bt/s    2f
        mov     r9,r3
        mov     r10,r4                  ! r4 and r7: normals
        mov     r11,r7
        bra     3f
        mov     #-1,r13
2:
        mov     r15,r2
        mov     #-8,r3
        add     #4,r2
        and     r3,r2                   ! eight of the zeros' twelve bytes
        mov     r2,r3
        mov     r2,r4
        mov     r2,r7
3:
        tst     #2,r0
        bt      .Lpositions
        fschg

        .align  2
.Lboth:
        mov.l   @(24,r5),r1             ! weight << 16 | index
        fldi1   fr7
        fschg
        fmov.s  @r5+,fr4                ! next position
        exts.w  r1,r14
        shlr16  r1
        fmov.s  @r5+,fr5
        fmov.s  @r5+,fr6
        lds     r1,fpul
        shll2   r14
        fmov.s  @r5+,fr8                ! next normal
        float   fpul,fr0
        ftrv    xmtrx,fv4
        shll2   r14                     ! 16 bytes per slot
        fmov.s  @r5+,fr9
        fmov.s  @r5+,fr10
        fldi0   fr11
        mov     r14,r0
        fmul    fr1,fr0                 ! weight
        fschg
        dt      r6
        and     r13,r0                  ! 0 to replace
        ftrv    xmtrx,fv8
        fmov    @(r0,r2),dr12           ! slot: x, y
        fmov    @(r0,r4),dr2            ! normal: x, y
        fmov    @(r0,r3),dr14           ! z, w
        add     #4,r5
        fmac    fr0,fr4,fr12
        fmac    fr0,fr5,fr13
        fmac    fr0,fr6,fr14
        fmac    fr0,fr8,fr2
        fmov    @(r0,r7),dr4            ! normal: z, w
        fmac    fr0,fr9,fr3
        mov     r14,r0
        fmac    fr0,fr7,fr15
        fmac    fr0,fr11,fr5
        fmov    dr12,@(r0,r8)
        fmac    fr0,fr10,fr4
        fmov    dr14,@(r0,r9)
        fmov    dr2,@(r0,r10)
        bf/s    .Lboth
        fmov    dr4,@(r0,r11)
        bra     4f
        fschg

.Lpositions:
        mov.l   @(12,r5),r1             ! first weight << 16 | index
        fmov.s  @r5+,fr4                ! first position
        exts.w  r1,r14
        fmov.s  @r5+,fr5
        shlr16  r1
        fmov.s  @r5+,fr6
        shll2   r14
        lds     r1,fpul
        shll2   r14                     ! 16 bytes per slot
        float   fpul,fr0
        fldi1   fr7
        add     #4,r5
        dt      r6
        fschg
        fmul    fr1,fr0                 ! weight
        bt/s    .Llast
        ftrv    xmtrx,fv4

        .align  2
.Lposition:
        mov     r14,r0
        and     r13,r0                  ! 0 to replace
        fmov    @(r0,r3),dr14           ! z, w
        fmov    @(r0,r2),dr12           ! slot: x, y
        fschg
        mov     r14,r0
        fmac    fr0,fr4,fr12
        fmov.s  @r5+,fr4                ! next position
        fmac    fr0,fr5,fr13
        fmov.s  @r5+,fr5
        fmac    fr0,fr6,fr14
        fmov.s  @r5+,fr6
        mov.l   @r5+,r1                 ! weight << 16 | index
        dt      r6
        fmac    fr0,fr7,fr15
        exts.w  r1,r14
        fschg
        shlr16  r1
        lds     r1,fpul
        shll2   r14
        fmov    dr12,@(r0,r8)
        float   fpul,fr0
        shll2   r14                     ! 16 bytes per slot
        fldi1   fr7
        fmul    fr1,fr0                 ! weight
        ftrv    xmtrx,fv4
        bf/s    .Lposition
        fmov    dr14,@(r0,r9)
.Llast:
        mov     r14,r0
        and     r13,r0
        fmov    @(r0,r2),dr12
        fmov    @(r0,r3),dr14
        mov     r14,r0
        fmac    fr0,fr4,fr12
        fmac    fr0,fr5,fr13
        fmac    fr0,fr6,fr14
        fmac    fr0,fr7,fr15
        fmov    dr12,@(r0,r8)
        fmov    dr14,@(r0,r9)
        fschg
4:
        add     #12,r15
        fmov.s  @r15+,fr15
        fmov.s  @r15+,fr14
        fmov.s  @r15+,fr13
        fmov.s  @r15+,fr12
        mov.l   @r15+,r14
        mov.l   @r15+,r13
        mov.l   @r15+,r11
        mov.l   @r15+,r10
        mov.l   @r15+,r9
        rts
        mov.l   @r15+,r8
        .size   _blend_weighted, .-_blend_weighted
