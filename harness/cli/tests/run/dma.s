! A list whose second node a DMA transfer overwrites: the transfer is longer than its buffer.
	.text
	.globl	start
start:
	mov.l	stack,r15
	! DMAC channel 1 copies four words to a buffer of two.
	mov.l	sar,r1
	mov.l	from,r2
	mov.l	r2,@r1
	mov.l	to,r2
	mov.l	r2,@(4,r1)
	mov	#4,r2
	mov.l	r2,@(8,r1)
	mov.l	control,r2
	mov.l	r2,@(12,r1)
	mov.l	dmaor,r1
	mov.l	enable,r2
	mov.l	r2,@r1
walk:
	mov.l	head,r4
next:
	mov.l	@r4,r4		! reads the node that the DMA has overwritten
	tst	r4,r4
	bf	next
	bra	walk
	nop
	.align	2
stack:	.long	0x8cff0000
sar:	.long	0xffa00010
from:	.long	source - 0x80000000
to:	.long	buffer - 0x80000000
control: .long	0x54b1
dmaor:	.long	0xffa00040
enable:	.long	0x8201
head:	.long	first

	.data
first:	.long	second
source:	.long	0x8c000001, 0x8c000001, 0x8c000001, 0x8c000001
buffer:	.long	0, 0
second:	.long	third
third:	.long	0
