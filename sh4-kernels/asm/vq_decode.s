! void vq_decode(uint32_t dst[], const uint32_t codes[][2], const uint32_t indices[], uint32_t n)
!
!   four texels of 16 bits for each byte of n words: a word makes a line, which is taken into the cache without reading
!   it (MOVCA.L)
!   in        r4 dst (32-byte aligned), r5 codes (256, 8-byte aligned), r6 indices, r7 n
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0, r1, r4, r6, r7, fr0-fr7, T

! the next code to \to
        .macro  code to
        extu.b  r1,r0
        shll2   r0
        shll    r0
        fmov    @(r0,r5),\to
        .endm

        .text
        .align  5
        .globl  _vq_decode
        .type   _vq_decode, @function
_vq_decode:
        tst     r7,r7
        bt      2f
        fschg
1:
        mov.l   @r6+,r1
        pref    @r6
        code    dr0
        shlr8   r1
        code    dr2
        shlr8   r1
        code    dr4
        shlr8   r1
        code    dr6
        movca.l r0,@r4
        add     #32,r4
        fmov    dr6,@-r4
        dt      r7
        fmov    dr4,@-r4
        fmov    dr2,@-r4
        fmov    dr0,@-r4
        bf/s    1b
        add     #32,r4
        fschg
2:
        rts
        nop
        .size   _vq_decode, .-_vq_decode
