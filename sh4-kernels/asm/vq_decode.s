! SPDX-License-Identifier: MIT OR Apache-2.0
! void vq_decode(uint32_t dst[], const uint32_t codes[][2], const uint32_t indices[], uint32_t n)
!
!   writes four texels of 16 bits for each byte of n words: a word gives a line, which MOVCA.L allocates in the cache
!   without reading it
!   in        r4 dst (32-byte aligned), r5 codes (256, 8-byte aligned), r6 indices, r7 n
!   FPSCR     PR = 0, SZ = 0
!   clobbers  r0-r4, r6, r7, fr0-fr7, T
!
!   17 cycles per word; 14 are issue slots, and MOVCA.L delays the next store by two. The codes of a word are loaded
!   while the line of the previous word is stored.

        .text
        .align  5
        .globl  _vq_decode
        .type   _vq_decode, @function
_vq_decode:
        tst     r7,r7
        bt      4f
        mov.l   r8,@-r15
        mov     #3,r3
        mov.l   @r6+,r1
        mov     #-1,r8
        mov.l   r9,@-r15
        extu.b  r8,r8
        mov     #-21,r9
        shld    r3,r8                   ! 8 times 255
        mov     r1,r0
        shld    r3,r0
        fschg
        mov     r0,r2
        and     r8,r0
        shlr8   r2
        fmov    @(r0,r5),dr0
        mov     r2,r0
        and     r8,r0
        shlr8   r2
        fmov    @(r0,r5),dr2
        mov     r2,r0
        and     r8,r0
        fmov    @(r0,r5),dr4
        mov     r1,r0
        shld    r9,r0
        and     r8,r0
        dt      r7
        bt/s    3f
        fmov    @(r0,r5),dr6
2:
        mov.l   @r6+,r1
        movca.l r0,@r4
        mov     r1,r0
        add     #32,r4
        dt      r7
        fmov    dr6,@-r4
        shld    r3,r0
        mov     r0,r2
        fmov    dr4,@-r4
        and     r8,r0
        fmov    dr2,@-r4
        fmov    dr0,@-r4
        shlr8   r2
        fmov    @(r0,r5),dr0
        mov     r2,r0
        pref    @r6
        and     r8,r0
        fmov    @(r0,r5),dr2
        shlr8   r2
        mov     r2,r0
        and     r8,r0
        fmov    @(r0,r5),dr4
        mov     r1,r0
        shld    r9,r0
        and     r8,r0
        fmov    @(r0,r5),dr6
        bf/s    2b
        add     #32,r4
3:
        movca.l r0,@r4
        add     #32,r4
        mov.l   @r15+,r9
        mov.l   @r15+,r8
        fmov    dr6,@-r4
        fmov    dr4,@-r4
        fmov    dr2,@-r4
        fmov    dr0,@-r4
        fschg
4:
        rts
        nop
        .size   _vq_decode, .-_vq_decode
