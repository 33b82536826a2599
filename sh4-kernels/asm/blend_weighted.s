! void blend_weighted(const float matrix[16], const float src[], uint32_t n, float positions[][4],
!                     float normals[][4], uint32_t first, uint32_t mode, float_bits scale)
!
!   slot = [slot +] weight * scale * (matrix * vertex)
!   in        r4 matrix (8-byte aligned), r5 src, r6 n, r7 positions,
!             stack: normals, first slot, mode (bit 0 add, bit 1 normals), scale
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r7, fr0-fr11, XMTRX, FPUL, T

        .include "xmtrx.inc"

! One component of a slot at r4: 0 + weight * reg where T is set, else slot + weight * reg.
        .macro  blend reg
        bt/s    9f
        fldi0   fr1
        fmov.s  @r4,fr1
9:
        fmac    fr0,\reg,fr1
        fmov.s  fr1,@r4
        add     #4,r4
        .endm

        .text
        .align  5
        .globl  _blend_weighted
        .type   _blend_weighted, @function
_blend_weighted:
        mov.l   r8,@-r15
        mov.l   r9,@-r15
        mov.l   r10,@-r15
        load_xmtrx r4
        mov.l   @(12,r15),r3            ! normals
        mov.l   @(16,r15),r0            ! first
        mov.l   @(20,r15),r1            ! mode
        mov.l   @(24,r15),r2            ! scale
        shll2   r0
        shll2   r0                      ! 16 bytes a slot
        sub     r0,r7
        sub     r0,r3
        lds     r2,fpul
        fsts    fpul,fr3
        mov     #1,r8                   ! mode bits
        tst     r6,r6
        bt/s    3f
        mov     #2,r9
1:
        fmov.s  @r5+,fr4                ! position
        tst     r9,r1
        fmov.s  @r5+,fr5
        fmov.s  @r5+,fr6
        fldi1   fr7
        bt/s    2f
        ftrv    xmtrx,fv4
        fmov.s  @r5+,fr8                ! normal
        fmov.s  @r5+,fr9
        fmov.s  @r5+,fr10
        fldi0   fr11
        ftrv    xmtrx,fv8
2:
        mov.l   @r5+,r2                 ! weight << 16 | index
        exts.w  r2,r10
        shlr16  r2
        shll2   r10
        lds     r2,fpul
        shll2   r10
        float   fpul,fr0
        mov     r10,r4
        fmul    fr3,fr0
        add     r7,r4
        tst     r8,r1                   ! T: replace
        blend   fr4
        blend   fr5
        blend   fr6
        blend   fr7
        tst     r9,r1
        bt      4f
        mov     r10,r4
        add     r3,r4
        tst     r8,r1
        blend   fr8
        blend   fr9
        blend   fr10
        blend   fr11
4:
        dt      r6
        bf      1b
3:
        mov.l   @r15+,r10
        mov.l   @r15+,r9
        rts
        mov.l   @r15+,r8
        .size   _blend_weighted, .-_blend_weighted
