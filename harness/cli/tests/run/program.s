! A program for a debugger: calls two deep, a counter in memory, a loop of three.

        .text
        .globl  start, outer, inner, counter
        .type   start, @function
        .type   outer, @function
        .type   inner, @function

start:  .cfi_startproc
        .cfi_undefined 17
        mov.l   .Lstack, r15
        mov     #3, r8
        ! three times
.Lagain:
        bsr     outer
        nop
        dt      r8
        bf      .Lagain
        mov     #0, r0
        sleep
        nop
        .cfi_endproc

outer:  .cfi_startproc
        sts.l   pr, @-r15
        .cfi_def_cfa_offset 4
        .cfi_offset 17, -4
        bsr     inner
        mov     #5, r4
        lds.l   @r15+, pr
        .cfi_restore 17
        .cfi_def_cfa_offset 0
        rts
        nop
        .cfi_endproc

inner:  .cfi_startproc
        mov.l   .Lcounter, r1
        mov.l   @r1, r0
        add     r4, r0
        mov.l   r0, @r1
        rts
        nop
        .cfi_endproc

        .align  2
.Lstack:
        .long   0x8cff0000
.Lcounter:
        .long   counter

        .data
        .align  2
counter:
        .long   0
