! SPDX-License-Identifier: MIT OR Apache-2.0
! Start-up code and exception vectors of the console programs.
!
! C symbols of sh4-linux-gnu have no leading underscore; those of sh-elf (KallistiOS) have one.

    .section .text.start, "ax"
    .global start
    .global _start
_start:
start:
    ! Keep the loader's return address: a program that ends without dcload goes back there.
    sts     pr, r8
    mov.l   stack, r15
    ! Single precision (PR = 0), denormals are 0 (DN = 1), round to nearest (RM = 0), as compilers expect. A reset
    ! leaves round to zero. C code uses no FPU.
    mov.l   start_fpscr, r0
    lds     r0, fpscr
    mova    vectors, r0
    ldc     r0, vbr
    ! Clear .bss, 4 bytes at a time; the linker script aligns both ends to 32.
    mov.l   bss_begin, r1
    mov.l   bss_end, r2
    mov     #0, r0
    bra     1f
     nop
0:  mov.l   r0, @r1
    add     #4, r1
1:  cmp/hs  r2, r1
    bf      0b
    mov.l   main_address, r0
    jsr     @r0
     nop
    mov     r0, r4
    mov.l   quit_address, r0
    jsr     @r0
     nop
    jmp     @r8
     nop

    .align  2
stack:          .long 0x8D000000
start_fpscr:    .long 0x00040000
bss_begin:      .long _bss_begin
bss_end:        .long _bss_end
main_address:   .long main
quit_address:   .long quit

! The SH4 enters VBR + 100 for exceptions, + 400 for TLB misses and + 600 for interrupts (SH7750 manual, section 5),
! with BL = 1 and register bank 1. R0 of bank 1 takes the address of the cause register.
    .align  8
vectors:
    .space  0x100
    mov.l   1f, r0
    mov.l   2f, r1
    jmp     @r1
     nop
    .align  2
1:  .long   0xFF000024          ! EXPEVT
2:  .long   enter

    .org    vectors + 0x400
    mov.l   1f, r0
    mov.l   2f, r1
    jmp     @r1
     nop
    .align  2
1:  .long   0xFF000024          ! EXPEVT
2:  .long   enter

    .org    vectors + 0x600
    mov.l   1f, r0
    mov.l   2f, r1
    jmp     @r1
     nop
    .align  2
1:  .long   0xFF000028          ! INTEVT
2:  .long   enter

! Saves what a C function without FPU code may change, calls on_event(cause), and returns to the interrupted
! program. BL stays 1: no interrupt comes before RTE. SPC and SSR stay where they are; a handler may change SPC.
    .align  2
#ifdef DEBUG_FRAMES
    ! For debuggers: back-traces end here. Without this gdb 13 searches FPSCR of the caller and fails.
    .cfi_sections .debug_frame
    .cfi_startproc
    .cfi_undefined 17           ! PR
#endif
enter:
    mov.l   @r0, r0
    stc     sr, r1
    mov.l   bank0, r2
    and     r2, r1
    ldc     r1, sr
    mov.l   r0, @-r15
    mov.l   r1, @-r15
    mov.l   r2, @-r15
    mov.l   r3, @-r15
    mov.l   r4, @-r15
    mov.l   r5, @-r15
    mov.l   r6, @-r15
    mov.l   r7, @-r15
    sts.l   pr, @-r15
    sts.l   mach, @-r15
    sts.l   macl, @-r15
    mov.l   handler, r0
    stc     r0_bank, r4
    jsr     @r0
     nop
    lds.l   @r15+, macl
    lds.l   @r15+, mach
    lds.l   @r15+, pr
    mov.l   @r15+, r7
    mov.l   @r15+, r6
    mov.l   @r15+, r5
    mov.l   @r15+, r4
    mov.l   @r15+, r3
    mov.l   @r15+, r2
    mov.l   @r15+, r1
    mov.l   @r15+, r0
    rte
     nop
#ifdef DEBUG_FRAMES
    .cfi_endproc
#endif

    .align  2
bank0:          .long 0xDFFFFFFF          ! all bits of SR but RB
handler:        .long on_event

    .section .note.GNU-stack, "", %progbits
