@ void mix_stereo(const void *samples, const uint32_t channels[][4], uint32_t n, uint32_t frames, uint32_t out[])
@
@   in        r0 samples, r1 channels: offset in bytes, 0 for 16 bits or 1 for 8, left and right volume (256 is 1);
@             r2 channels' number, r3 frames; stack: out, a word a frame: left below, right above
@   clobbers  r0-r3, r12, flags
@
@ A 16-bit sample comes by LDR: at an address that is a multiple of two the rotation brings it into the low half.

        .text
        .balign 32
        .globl  mix_stereo
        .type   mix_stereo, %function
mix_stereo:
        stmfd   sp!,{r4-r11,lr}
        ldr     r4,[sp,#36]
        mov     r5,#0                           @ frame
        cmp     r3,#0
        beq     4f
1:
        mov     r6,#0                           @ left
        mov     r7,#0                           @ right
        mov     r8,r1
        subs    r9,r2,#0
        beq     3f
2:
        ldmia   r8!,{r10,r11,r12,lr}
        add     r10,r0,r10
        tst     r11,#1
        ldrneb  r10,[r10,r5]
        addeq   r10,r10,r5,lsl #1
        ldreq   r10,[r10]
        movne   r10,r10,lsl #24
        moveq   r10,r10,lsl #16
        mov     r10,r10,asr #16
        mul     r11,r12,r10
        add     r6,r6,r11,asr #8
        mul     r11,lr,r10
        add     r7,r7,r11,asr #8
        subs    r9,r9,#1
        bne     2b
3:
        mov     r10,#0x8000
        sub     r10,r10,#1
        cmp     r6,r10
        movgt   r6,r10
        cmn     r6,#0x8000
        mvnlt   r6,r10
        cmp     r7,r10
        movgt   r7,r10
        cmn     r7,#0x8000
        mvnlt   r7,r10
        mov     r6,r6,lsl #16
        mov     r6,r6,lsr #16
        orr     r6,r6,r7,lsl #16
        str     r6,[r4],#4
        add     r5,r5,#1
        cmp     r5,r3
        bne     1b
4:
        ldmfd   sp!,{r4-r11,pc}
        .size   mix_stereo, .-mix_stereo
