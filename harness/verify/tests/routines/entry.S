! Routines that are right only in some states at entry, or that break the ABI, and references for them.
	.text
	.globl get_t
get_t:	rts
	movt r0
	.globl get_t_ref
get_t_ref: rts
	mov #0,r0
	.globl get_r1
get_r1:	rts
	mov r1,r0
	.globl zero_ref
zero_ref: rts
	mov #0,r0
	.globl get_fr15
get_fr15: flds fr15,fpul
	rts
	sts fpul,r0
	.globl get_fr3
get_fr3: flds fr3,fpul
	rts
	sts fpul,r0
	.globl get_xf0
get_xf0: frchg
	flds fr0,fpul
	frchg
	rts
	sts fpul,r0
	.globl get_macl
get_macl: rts
	sts macl,r0
	.globl fipr_bad		! dot product of one: fr11 = 0 times whatever fr15 holds
fipr_bad: fldi0 fr8
	fldi0 fr9
	fldi0 fr10
	fldi0 fr11
	fldi0 fr4
	fldi0 fr5
	fldi0 fr6
	fipr fv8,fv4		! fr7 is not set
	flds fr7,fpul
	rts
	sts fpul,r0
	.globl sum_right
sum_right: tst r5,r5
	bt/s 2f
	mov #0,r0
1:	mov.l @r4+,r1
	dt r5
	bf/s 1b
	add r1,r0
2:	rts
	nop
	.globl sum_over		! software-pipelined: loads one word more
sum_over: tst r5,r5
	bt/s 2f
	mov #0,r0
	mov.l @r4+,r1
1:	add r1,r0
	dt r5
	bf/s 1b
	mov.l @r4+,r1
2:	rts
	nop
	.globl acc_garbage	! dst[i] += src[i] although dst is an output
acc_garbage: tst r6,r6
	bt 2f
1:	mov.l @r4+,r1
	mov.l @r5,r2
	add r2,r1
	mov.l r1,@r5
	dt r6
	bf/s 1b
	add #4,r5
2:	rts
	nop
	.globl copy_most	! forgets the last word when n is a multiple of 7
copy_ref:
	.globl copy_ref
copy_most: tst r6,r6
	bt 2f
1:	mov.l @r4+,r1
	mov.l r1,@r5
	dt r6
	bf/s 1b
	add #4,r5
2:	rts
	nop
	.globl wild_stack	! scratch 1 KiB below r15
wild_stack: mov r15,r0
	mov.w 9f,r1
	add r1,r0
	mov.l r4,@r0
	rts
	mov.l @r0,r0
9:	.word -1024
	.align 2
	.globl ident
ident:	rts
	mov r4,r0
	.globl t_dep		! uses T at entry
t_dep:	bf 1f
	rts
	mov #0,r0
1:	rts
	mov r4,r0
	.globl gbr_bad		! stores through GBR
gbr_bad: mov r4,r0
	mov.l r0,@(0,gbr)
	rts
	mov r4,r0
	.globl cr_bad		! clears FPSCR.DN
cr_bad:	mov #0,r0
	lds r0,fpscr
	rts
	mov r4,r0
	.globl sr_s		! leaves the S bit set
sr_s:	sets
	rts
	mov r4,r0
	.globl mac_sat		! MAC with S as it comes
mac_sat: rts
	mov r4,r0
	.globl sets_t
sets_t:	bf 1f		! right only if T = 0 at entry
	rts
	mov #0,r0
1:	clrt
	rts
	mov r4,r0
	.globl rev		! reverses n words from r4 to r5; wrong in place
rev:	tst r6,r6
	bt/s 2f
	mov r6,r0
	shll2 r0
	add r0,r5
1:	mov.l @r4+,r0
	dt r6
	bf/s 1b
	mov.l r0,@-r5
2:	rts
	nop
	.globl rev_ref		! the same by a copy on the stack
rev_ref: tst r6,r6
	bt 9f
	mov r15,r3
	mov r6,r1
	mov r4,r2
1:	mov.l @r2+,r0
	dt r1
	bf/s 1b
	mov.l r0,@-r3
2:	mov.l @r3+,r0
	mov.l r0,@r5
	dt r6
	bf/s 2b
	add #4,r5
9:	rts
	nop
	.globl redzone
redzone: mov r15,r1
	add #-8,r1
	mov.l r4,@r1
1:	dt r5
	bf 1b
	rts
	mov.l @r1,r0
	.globl runaway		! overwrites all memory below the stack, its own code too
runaway: mov r15,r0
1:	mov.l r0,@-r0
	bra 1b
	nop
	.globl sum_do		! no test of n = 0
sum_do:	mov #0,r0
1:	mov.l @r4+,r1
	dt r5
	bf/s 1b
	add r1,r0
	rts
	nop
	.globl add64
add64:	clrt
	addc r6,r4
	addc r7,r5
	mov r4,r0
	rts
	mov r5,r1
	.globl add64_ref
add64_ref: mov r4,r0
	mov r5,r1
	clrt
	addc r6,r0
	rts
	addc r7,r1
	.globl add64_bad	! forgets the carry
add64_bad: mov r4,r0
	mov r5,r1
	add r6,r0
	rts
	add r7,r1
	.globl flips_fr
flips_fr: frchg
	rts
	mov r4,r0
	.globl lowers		! stores below r15, then moves r15 below the value
lowers:	mov r15,r1
	add #-8,r1
	mov.l r4,@r1
	add #-8,r15
	mov.l @r15,r0
	rts
	add #8,r15
	.globl frame		! a large frame through a frame pointer: right
frame:	mov.l r14,@-r15
	mov.w 8f,r1
	sub r1,r15
	mov r15,r14
	mov.l r4,@(4,r14)
	mov.w 8f,r1
	mov.l @(4,r14),r0
	add r1,r14
	mov r14,r15
	rts
	mov.l @r15+,r14
8:	.word 600
	.align 2
	.globl _Z5scalePfif
_Z5scalePfif: rts
	mov #0,r0
