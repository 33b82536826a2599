! Transforms NV vertices PASSES times: near test, perspective division, viewport, packed colour.
#define PASSES 60
#define NV 65536
	.text
	.global kmain
	.align 2
kmain:
	sts.l	pr,@-r15
	bsr	fillv
	nop
	mov.l	.Lpass0,r8
	mova	.Lvp,r0
	fmov.s	@r0+,fr8	! sx
	fmov.s	@r0+,fr9	! cx
	fmov.s	@r0+,fr10	! sy
	fmov.s	@r0+,fr11	! cy
	fmov.s	@r0+,fr12	! near
	mov	#0,r9		! number of clipped vertices
	mova	.Lmat3,r0
	mov	r0,r11
	mov.l	.Lpr1,r12
	mov.l	.Lpr0,r13
	mov	#0,r10		! sum of colours
.Lp:	mov.l	.Lsrc0,r4
	mov.l	.Ldst0,r5
	mov.l	.Lnv0,r6
	add	#16,r5
.Lv:	mov	r4,r1
	add	#16,r1
	pref	@r1
#ifndef FMAC
	fmov.s	@r4+,fr0
	fmov.s	@r4+,fr1
	fmov.s	@r4+,fr2
	fldi1	fr3
	add	#4,r4
#endif
#ifdef FMAC
	mov	r11,r1
	fmov.s	@r1+,fr4	! column 3 (w = 1) as sums
	fmov.s	@r1+,fr5
	fmov.s	@r1+,fr6
	fmov.s	@r1+,fr7
	fmov.s	@r4+,fr0
	fmov.s	@r1+,fr1
	fmov.s	@r1+,fr2
	fmov.s	@r1+,fr3
	fmac	fr0,fr1,fr4
	fmac	fr0,fr2,fr5
	fmov.s	@r1+,fr1
	fmac	fr0,fr3,fr6
	fmac	fr0,fr1,fr7
	fmov.s	@r4+,fr0
	fmov.s	@r1+,fr1
	fmov.s	@r1+,fr2
	fmov.s	@r1+,fr3
	fmac	fr0,fr1,fr4
	fmac	fr0,fr2,fr5
	fmov.s	@r1+,fr1
	fmac	fr0,fr3,fr6
	fmac	fr0,fr1,fr7
	fmov.s	@r4+,fr0
	fmov.s	@r1+,fr1
	fmov.s	@r1+,fr2
	fmov.s	@r1+,fr3
	fmac	fr0,fr1,fr4
	fmac	fr0,fr2,fr5
	fmov.s	@r1+,fr1
	fmac	fr0,fr3,fr6
	fmac	fr0,fr1,fr7
	add	#4,r4
	fmov	fr4,fr0
	fmov	fr5,fr1
	fmov	fr6,fr2
	fmov	fr7,fr3
#elif defined(LINUX)
	lds	r12,fpscr	! QEMU accepts FTRV only with PR = 1.
	ftrv	xmtrx,fv0
	lds	r13,fpscr
#else
	ftrv	xmtrx,fv0
#endif
	fldi1	fr4
	fcmp/gt	fr12,fr3
	bf	.Lclip
	fdiv	fr3,fr4		! 1/w
	fmul	fr4,fr0
	fmul	fr4,fr1
	fmov	fr4,fr3
	fmov	fr0,fr5
	fldi0	fr0
	fmac	fr0,fr5,fr5
	fmul	fr8,fr5
	fadd	fr9,fr5
	fmul	fr10,fr1
	fadd	fr11,fr1
	ftrc	fr5,fpul
	sts	fpul,r0
	extu.b	r0,r1
	shll8	r1
	extu.b	r0,r2
	or	r2,r1
	add	r1,r10
.Lst:	fmov.s	fr3,@-r5
	fmov.s	fr2,@-r5
	fmov.s	fr1,@-r5
	fmov.s	fr5,@-r5
	dt	r6
	bf/s	.Lv
	add	#32,r5
	dt	r8
	bf	.Lp
	bsr	sumdst
	nop
	add	r9,r0
	rotl	r0
	add	r10,r0
	lds.l	@r15+,pr
	rts
	nop
.Lclip:	add	#1,r9
	fldi0	fr3
	fldi0	fr2
	fldi0	fr1
	bra	.Lst
	fldi0	fr5
	.align 2
.Lsrc0:	.long src
.Ldst0:	.long dst
.Lnv0:	.long NV
.Lpass0: .long PASSES
.Lpr1:	.long 0x000c0000
.Lpr0:	.long 0x00040000
.Lmat3:	.float 16.0, -8.0, 4.0, 300.0, 2.0, 0.5, 0.0, 0.0, -1.0, 3.0, 0.25, 0.0, 0.5, 1.0, 2.0, 0.25
.Lvp:	.float 64.0, 320.0, -48.0, 240.0, 190.0
#include "fpu_common.inc"
