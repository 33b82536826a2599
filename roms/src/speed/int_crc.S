! Bitwise CRC-32 of 64 KiB, PASSES times.
#define PASSES 100
	.text
	.global kmain
	.align 2
kmain:
	! Fills the buffer by a linear congruential generator.
	mov.l	.Lbufp,r4
	mov.l	.Llen,r5
	mov.l	.Lseed,r0
	mov.l	.Lmul,r1
	mov.l	.Ladd,r2
1:	mul.l	r1,r0
	sts	macl,r0
	add	r2,r0
	mov	r0,r3
	shlr16	r3
	mov.b	r3,@r4
	add	#1,r4
	dt	r5
	bf	1b
	mov	#-1,r6
	mov.l	.Lpoly,r7
	mov.l	.Lpass,r8
	.align 2
.Lpassl:
	mov.l	.Lbufp,r4
	mov.l	.Llen,r5
.Lbyte:
	mov.b	@r4+,r0
	extu.b	r0,r0
	xor	r0,r6
	mov	#8,r1
.Lbit:	shlr	r6
	bf	2f
	xor	r7,r6
2:	dt	r1
	bf	.Lbit
	dt	r5
	bf	.Lbyte
	dt	r8
	bf	.Lpassl
	rts
	not	r6,r0
	.align 2
.Lbufp:	.long buf
.Llen:	.long 65536
.Lseed:	.long 12345
.Lmul:	.long 1103515245
.Ladd:	.long 12345
.Lpoly:	.long 0xedb88320
.Lpass:	.long PASSES
	.bss
	.align 5
buf:	.space 65536
