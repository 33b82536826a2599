! Start and end of every program. With LINUX it is a process of Linux and prints its checksum. Otherwise it
! runs on the console and ends with SLEEP, with the checksum in R0 and at _result.
	.section .text.start,"ax"
	.global	_start
	.align 2
_start:
#ifndef LINUX
	mov.l	.Lstack,r15
#endif
	mov.l	.Lfpscr,r0
	lds	r0,fpscr
	mov.l	.Lmain,r0
	jsr	@r0
	nop
	mov.l	.Lres,r1
	mov.l	r0,@r1
	mov	r0,r8
#ifdef LINUX
	! Prints eight hexadecimal digits.
	mov.l	.Lbuf,r5
	mov	#8,r6
	mov	r5,r9
1:	rotl	r8
	rotl	r8
	rotl	r8
	rotl	r8
	mov	r8,r0
	and	#15,r0
	mov	#9,r2
	cmp/hi	r2,r0
	bf	2f
	add	#39,r0
2:	add	#48,r0
	mov.b	r0,@r9
	add	#1,r9
	dt	r6
	bf	1b
	mov	#10,r0
	mov.b	r0,@r9
	mov	#4,r3		! write(1,buf,9)
	mov	#1,r4
	mov	#9,r6
	trapa	#0x13
	mov	#1,r3		! exit(0)
	mov	#0,r4
	trapa	#0x11
#else
3:	sleep
	bra	3b
	nop
#endif
	.align 2
.Lstack: .long	STACKTOP
.Lfpscr: .long	0x00040000
.Lmain:	.long	kmain
.Lres:	.long	_result
.Lbuf:	.long	_hexbuf
	.section .data
	.global _result,_hexbuf
	.align 5
_result: .long 0xdeadbeef
_hexbuf: .space 16
