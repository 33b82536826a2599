! Copies 1 MiB PASSES times, eight words per iteration, then sums the copy.
#define PASSES 400
	.text
	.global kmain
	.align 2
kmain:
	mov.l	.Lsrc,r4
	mov.l	.Lwords,r5
	mov.l	.Lseed,r0
	mov.l	.Lmul,r1
	mov.l	.Ladd,r2
1:	mul.l	r1,r0
	sts	macl,r0
	add	r2,r0
	mov.l	r0,@r4
	add	#4,r4
	dt	r5
	bf	1b
	mov.l	.Lpass,r8
.Lp:	mov.l	.Lsrc,r4
	mov.l	.Ldst,r5
	mov.l	.Lchunks,r6
.Lc:	mov.l	@r4+,r0
	mov.l	@r4+,r1
	mov.l	@r4+,r2
	mov.l	@r4+,r3
	mov.l	r0,@r5
	mov.l	r1,@(4,r5)
	mov.l	r2,@(8,r5)
	mov.l	r3,@(12,r5)
	mov.l	@r4+,r0
	mov.l	@r4+,r1
	mov.l	@r4+,r2
	mov.l	@r4+,r3
	mov.l	r0,@(16,r5)
	mov.l	r1,@(20,r5)
	mov.l	r2,@(24,r5)
	mov.l	r3,@(28,r5)
	dt	r6
	bf/s	.Lc
	add	#32,r5
	dt	r8
	bf	.Lp
	mov.l	.Ldst,r4
	mov.l	.Lwords,r5
	mov	#0,r0
2:	mov.l	@r4+,r1
	rotl	r0
	add	r1,r0
	dt	r5
	bf	2b
	rts
	nop
	.align 2
.Lsrc:	.long src
.Ldst:	.long dst
.Lwords: .long 262144
.Lchunks: .long 32768
.Lseed:	.long 12345
.Lmul:	.long 1103515245
.Ladd:	.long 12345
.Lpass:	.long PASSES
	.bss
	.align 5
src:	.space 1048576
dst:	.space 1048576
