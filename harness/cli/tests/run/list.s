! A list whose second node the handler of a timer overwrites at its third interrupt.
	.text
	.globl	start
start:
	mov.l	stack,r15
	mov.l	vectors,r0
	ldc	r0,vbr
	! TMU channel 0 interrupts every 5,000 ticks of Pck/4, with level 15.
	mov.l	ipra,r1
	mov.l	levels,r2
	mov.w	r2,@r1
	mov.l	tcor,r1
	mov.l	ticks,r2
	mov.l	r2,@r1
	mov.l	r2,@(4,r1)
	mov	#0x20,r0
	mov.w	r0,@(8,r1)
	add	#-4,r1
	mov	#1,r0
	mov.b	r0,@r1
	stc	sr,r0
	mov.l	unblocked,r1
	and	r1,r0
	ldc	r0,sr
walk:
	mov.l	head,r4
next:
	mov.l	@r4,r4
	tst	r4,r4
	bf	next
	bra	walk
	nop
	.align	2
stack:	.long	0x8cff0000
vectors: .long	base
ipra:	.long	0xffd00004
levels:	.long	0xf000
tcor:	.long	0xffd80008
ticks:	.long	5000
unblocked: .long 0xefffff0f
head:	.long	first

	.align	5
base:
	.space	0x600
handler:
	! Writing 0 to UNF withdraws the request.
	mov.l	tcr,r1
	mov	#0x20,r0
	mov.w	r0,@r1
	mov.l	counter_at,r1
	mov.l	@r1,r0
	add	#1,r0
	mov.l	r0,@r1
	mov.l	node_at,r2
	mov.l	bad,r3
	cmp/eq	#3,r0
	bf	leave
	mov.l	r3,@r2		! corrupts the list
leave:
	rte
	nop
	.align	2
tcr:	.long	0xffd80010
counter_at: .long counter
node_at: .long	second
bad:	.long	0x8c000001

	.data
first:	.long	second
second:	.long	third
third:	.long	0
counter: .long	0
