! SPDX-License-Identifier: MIT OR Apache-2.0
!
! Entry stub of one kernel for programs compiled with -m4, which have FPSCR.PR = 1. Assembled once for each kernel with
!   KERNEL        the kernel's name
!   STACK_WORDS   number of its parameters that are passed on the stack (kernels.txt)
! The stub saves PR and FPSCR, copies the parameters on the stack below them, calls the kernel with PR = 0, SZ = 0,
! DN = 1, round to nearest, and restores both registers. R4 to R7 keep the first parameters; R0 is scratch.

#define PASTE(a, b) a ## b
#define NAME(prefix, kernel) PASTE(prefix, kernel)
#define STUB NAME(_swirl_m4_, KERNEL)
#define TARGET NAME(_swirl_, KERNEL)

        .text
        .align  5
        .globl  STUB
        .type   STUB, @function
STUB:
        sts.l   pr,@-r15
        sts.l   fpscr,@-r15
        ! The distance is the same for every parameter, because each push moves R15. PR and FPSCR take 8 bytes.
        .rept   STACK_WORDS
        mov.l   @(4 * STACK_WORDS + 4,r15),r0
        mov.l   r0,@-r15
        .endr
        mov.l   settings,r0
        lds     r0,fpscr
        mov.l   target,r0
        jsr     @r0
        nop
        .if     STACK_WORDS
        add     #4 * STACK_WORDS,r15
        .endif
        lds.l   @r15+,fpscr
        lds.l   @r15+,pr
        rts
        nop
        .align  2
settings:
        .long   0x00040000
target:
        .long   TARGET
        .size   STUB, .-STUB
