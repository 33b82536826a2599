@ void resample_linear(const int16_t *src, uint32_t n, uint32_t *phase, uint32_t step, int16_t *dst)
@
@   in        r0 src, r1 samples to make, r2 phase (16.16, in samples of src), r3 its step; stack: dst
@   clobbers  r0-r3, r12, flags
@
@ Fifteen bits of the phase's fraction, so that the product of a difference fits 32 bits. ARMv3 stores no halfwords.

        .text
        .balign 32
        .globl  resample_linear
        .type   resample_linear, %function
resample_linear:
        stmfd   sp!,{r4-r7,lr}
        ldr     r4,[sp,#20]
        ldr     r5,[r2]
        cmp     r1,#0
        beq     2f
1:
        mov     r6,r5,lsr #16
        add     r6,r0,r6,lsl #1
        ldr     r7,[r6]                         @ rotated: the addressed sample is the low half
        ldr     r12,[r6,#2]
        mov     r7,r7,lsl #16
        mov     r7,r7,asr #16
        mov     r12,r12,lsl #16
        rsb     r12,r7,r12,asr #16              @ next sample - this one
        mov     r6,r5,lsl #16
        mov     r6,r6,lsr #17
        mul     lr,r6,r12
        add     r7,r7,lr,asr #15
        strb    r7,[r4],#1
        mov     r7,r7,lsr #8
        strb    r7,[r4],#1
        add     r5,r5,r3
        subs    r1,r1,#1
        bne     1b
        str     r5,[r2]
2:
        ldmfd   sp!,{r4-r7,pc}
        .size   resample_linear, .-resample_linear
