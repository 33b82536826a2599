! void relocate(const uint8_t list[], uint32_t n, uint32_t body[], uint32_t base)
!
!   adds base to the words of body that a POF0 list names, unless they are 0
!   in        r4 list, r5 n in bytes, r6 body, r7 base
!   FPSCR     any
!   clobbers  r0-r6, T

! one byte more of the delta
        .macro  more
        mov.b   @r4+,r1
        shll8   r0
        extu.b  r1,r1
        or      r1,r0
        .endm

        .text
        .align  5
        .globl  _relocate
        .type   _relocate, @function
_relocate:
        add     r4,r5                   ! the end
        mov     #63,r3
        bra     3f
        mov     #-64,r2
1:
        mov.b   @r4+,r0
        cmp/gt  r3,r0
        bf      4f
        and     #63,r0
2:
        shll2   r0
        add     r0,r6
        mov.l   @r6,r1
        tst     r1,r1
        bt/s    3f
        add     r7,r1
        mov.l   r1,@r6
3:
        cmp/hs  r5,r4
        bf      1b
        rts
        nop
4:
        cmp/pz  r0
        bt      6f                      ! padding: the end
        cmp/ge  r2,r0
        bt/s    5f
        and     #63,r0
        more
        bra     2b
        nop
5:
        more
        more
        more
        bra     2b
        nop
6:
        rts
        nop
        .size   _relocate, .-_relocate
