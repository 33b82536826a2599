@ void ring_copy(const uint8_t *src, uint32_t n, uint8_t *ring, uint32_t size, uint32_t *at)
@
@   in        r0 src, r1 bytes, r2 ring, r3 its size (not 0); stack: at, the position in the ring (below its size),
@             where the next byte goes afterwards
@   clobbers  r0-r3, r12, flags
@
@ By words where source and position are both aligned.

        .text
        .balign 32
        .globl  ring_copy
        .type   ring_copy, %function
ring_copy:
        stmfd   sp!,{r4-r7,lr}
        ldr     r4,[sp,#20]
        ldr     r5,[r4]
1:
        cmp     r1,#0
        beq     4f
        sub     r6,r3,r5                        @ bytes up to the ring's end
        cmp     r6,r1
        movhi   r6,r1
        sub     r1,r1,r6
        add     r7,r2,r5
        add     r5,r5,r6
        cmp     r5,r3
        moveq   r5,#0
        orr     r12,r0,r7
        tst     r12,#3
        bne     3f
2:
        subs    r6,r6,#4
        ldrpl   r12,[r0],#4
        strpl   r12,[r7],#4
        bpl     2b
        add     r6,r6,#4
3:
        subs    r6,r6,#1
        ldrplb  r12,[r0],#1
        strplb  r12,[r7],#1
        bpl     3b
        b       1b
4:
        str     r5,[r4]
        ldmfd   sp!,{r4-r7,pc}
        .size   ring_copy, .-ring_copy
