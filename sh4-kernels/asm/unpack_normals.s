! void unpack_normals(const uint32_t src[], uint32_t n, uint32_t stride, float dst[][4])
!
!   x, y, z = bits 29-20, 19-10, 9-0 of a word, signed, over 512; 0
!   in        r4 src, r5 n, r6 stride in bytes, r7 dst
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r5, r7, fr0-fr2, FPUL, T

! the ten bits at the top of r1 to dst
        .macro  part
        mov     r1,r0
        shad    r2,r0
        lds     r0,fpul
        float   fpul,fr0
        fmul    fr1,fr0
        fmov.s  fr0,@r7
        add     #4,r7
        .endm

        .text
        .align  5
        .globl  _unpack_normals
        .type   _unpack_normals, @function
_unpack_normals:
        mov.l   scale,r0
        mov     #-22,r2
        lds     r0,fpul
        mov     #10,r3
        fsts    fpul,fr1
        tst     r5,r5
        bt/s    2f
        fldi0   fr2
1:
        mov.l   @r4,r1
        shll2   r1
        part
        shld    r3,r1
        part
        shld    r3,r1
        part
        fmov.s  fr2,@r7
        add     #4,r7
        dt      r5
        bf/s    1b
        add     r6,r4
2:
        rts
        nop
        .align  2
scale:  .long   0x3b000000              ! 1 / 512
        .size   _unpack_normals, .-_unpack_normals
