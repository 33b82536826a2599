! FTRV of NV vertices, PASSES times.
#define PASSES 200
#define NV 65536
	.text
	.global kmain
	.align 2
kmain:
	sts.l	pr,@-r15
	bsr	fillv
	nop
#ifdef LINUX
	mov.l	.Lpr1,r0	! QEMU accepts FTRV only with PR = 1. No other operation of the loop depends on PR.
	lds	r0,fpscr
#endif
	mov.l	.Lpass0,r8
.Lp:	mov.l	.Lsrc0,r4
	mov.l	.Ldst0,r5
	mov.l	.Lnv0,r6
	add	#16,r5
.Lv:	fmov.s	@r4+,fr0
	fmov.s	@r4+,fr1
	fmov.s	@r4+,fr2
	fmov.s	@r4+,fr3
	ftrv	xmtrx,fv0
	dt	r6
	fmov.s	fr3,@-r5
	fmov.s	fr2,@-r5
	fmov.s	fr1,@-r5
	fmov.s	fr0,@-r5
	bf/s	.Lv
	add	#32,r5
	dt	r8
	bf	.Lp
	bsr	sumdst
	nop
	lds.l	@r15+,pr
	rts
	nop
	.align 2
.Lsrc0:	.long src
.Ldst0:	.long dst
.Lnv0:	.long NV
.Lpr1:	.long 0x000c0000
.Lpass0: .long PASSES
#include "fpu_common.inc"
