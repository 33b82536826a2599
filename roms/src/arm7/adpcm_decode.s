@ void adpcm_decode(const uint8_t *src, uint32_t n, int16_t *dst, int32_t state[2], uint32_t limit)
@
@   in        r0 src, r1 bytes, r2 dst (4-byte aligned), r3 state: sample, step; stack: largest difference
@   clobbers  r0-r3, r12, flags
@
@ Each byte gives two samples, the low four bits the first.

        .text
        .balign 32
        .globl  adpcm_decode
        .type   adpcm_decode, %function

        .macro  sample                          @ r9 nibble: next sample in r4, next step in r5
        and     r10,r9,#7
        mov     r12,r10,lsl #1
        add     r12,r12,#1
        mul     lr,r12,r5
        mov     lr,lr,lsr #3                    @ difference: step * (2 * nibble + 1) / 8
        cmp     lr,r11
        movhi   lr,r11
        tst     r9,#8
        addeq   r4,r4,lr
        subne   r4,r4,lr
        cmp     r4,r7
        movgt   r4,r7
        cmn     r4,#0x8000
        mvnlt   r4,r7
        ldr     r12,[r6,r10,lsl #2]
        mul     lr,r12,r5
        mov     r5,lr,lsr #8
        cmp     r5,#127
        movlt   r5,#127
        cmp     r5,#0x6000
        movgt   r5,#0x6000
        .endm

adpcm_decode:
        stmfd   sp!,{r4-r11,lr}
        cmp     r1,#0
        beq     2f
        ldr     r11,[sp,#36]
        ldmia   r3,{r4,r5}
        adr     r6,scale
        mov     r7,#0x8000
        sub     r7,r7,#1
1:
        ldrb    r8,[r0],#1
        and     r9,r8,#15
        sample
        mov     r9,r8,lsr #4
        mov     r8,r4,lsl #16
        mov     r8,r8,lsr #16
        sample
        orr     r8,r8,r4,lsl #16
        str     r8,[r2],#4
        subs    r1,r1,#1
        bne     1b
        stmia   r3,{r4,r5}
2:
        ldmfd   sp!,{r4-r11,pc}

scale:  .word   230,230,230,230,307,409,512,614 @ of the step, by the nibble's size, in 1/256
        .size   adpcm_decode, .-adpcm_decode
