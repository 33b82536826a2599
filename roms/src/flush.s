! Writing a dirty operand cache back: line by line of what was written, or all of the cache.
!
! void flush_range(uint32_t *data, uint32_t lines)
! void flush_all(uint32_t *data, uint32_t lines, void *elsewhere)
!
!   in        r4 data (32-byte aligned), r5 its lines, r6 16 KiB in other lines
!   clobbers  r0-r7, T
!
! Both write a word into each line first. From NAME_begin to NAME_end is the flush: OCBP on each line, or a MOVCA.L on
! each entry of the cache, which makes room, and an OCBI, which takes the new line away again.

        .include "timing.inc"

        .macro  dirty_lines
        mov     r4,r0
        mov     r5,r1
1:      mov.l   r1,@r0
        dt      r1
        bf/s    1b
        add     #32,r0
        .endm

        function flush_range
        dirty_lines
        .globl  _flush_range_begin
_flush_range_begin:
1:      ocbp    @r4
        dt      r5
        bf/s    1b
        add     #32,r4
        .globl  _flush_range_end
_flush_range_end:
        rts
        nop

        function flush_all
        dirty_lines
        .globl  _flush_all_begin
_flush_all_begin:
        mov     #2,r5
        shll8   r5
1:      movca.l r0,@r6
        ocbi    @r6
        dt      r5
        bf/s    1b
        add     #32,r6
        .globl  _flush_all_end
_flush_all_end:
        rts
        nop
