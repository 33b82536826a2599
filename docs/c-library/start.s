! SPDX-License-Identifier: MIT OR Apache-2.0
! Entry of a bare-metal program compiled with -m4: the stack, FPSCR with PR = 1 and DN = 1, main, the end by dcload.

        .section .text.start,"ax"
        .globl  start
start:
        mov.l   stack,r15
        mov.l   settings,r0
        lds     r0,fpscr
        mov.l   entry,r0
        jsr     @r0
        nop
        mov     r0,r5                   ! the exit status
        mov     #15,r4                  ! exit
        mov.l   dcload,r0
        mov.l   @r0,r0
        jsr     @r0
        nop
1:
        bra     1b
        nop
        .align  2
stack:
        .long   0x8CFFF000
settings:
        .long   0x000C0000
entry:
        .long   main
dcload:
        .long   0x8C004008
