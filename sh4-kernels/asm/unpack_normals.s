! SPDX-License-Identifier: MIT OR Apache-2.0
! void unpack_normals(const uint32_t src[], uint32_t n, uint32_t stride, float dst[][4])
!
!   x, y, z = bits 29-20, 19-10, 9-0 of a word, signed, over 512; 0
!   in        r4 src, r5 n, r6 stride in bytes, r7 dst (8-byte aligned)
!   FPSCR     PR = 0, SZ = 0 at entry and return
!   clobbers  r0-r5, r7, fr0-fr4, FPUL, T
!
!   13 cycles per normal. Its 24 instructions need 12 cycles, but no work remains to overlap with the last of the three
!   conversions. Each component stays in the top bits of its word, which saves shifts: the conversion is exact, and so
!   is the scale of 2^-31 instead of 2^-9.

        .text
        .align  5
        .globl  _unpack_normals
        .type   _unpack_normals, @function
_unpack_normals:
        tst     r5,r5
        mov     #0x30,r0
        bt/s    .Lnone
        mov     #-1,r3
        shll8   r0
        mov     #22,r1
        shll16  r0                      ! 30000000: 2^-31
        lds     r0,fpul
        shld    r1,r3                   ! the upper ten bits
        mov.l   @r4,r0
        mov     #10,r2
        fsts    fpul,fr4
        add     #-16,r7
        fldi0   fr3
        shll2   r0
        mov     r0,r1
        fschg
        bra     2f
        shld    r2,r0
        .align  2
1:
        fmov    dr2,@-r7                ! the previous normal
        shll2   r0
        mov     r0,r1
        shld    r2,r0
        fmov    dr0,@-r7
2:
        and     r3,r1                   ! x
        lds     r1,fpul
        dt      r5
        float   fpul,fr0
        mov     r0,r1
        shld    r2,r0                   ! z
        lds     r0,fpul
        and     r3,r1                   ! y
        float   fpul,fr2
        bt      3f
        add     r6,r4                   ! skipped at the last normal
3:
        lds     r1,fpul
        float   fpul,fr1
        mov.l   @r4,r0                  ! the next normal
        fmul    fr4,fr0
        add     #32,r7
        fmul    fr4,fr2
        bf/s    1b
        fmul    fr4,fr1
        fmov    dr2,@-r7
        fmov    dr0,@-r7
        rts
        fschg
.Lnone:
        rts
        nop
        .size   _unpack_normals, .-_unpack_normals
