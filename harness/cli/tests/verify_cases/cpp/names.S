! SPDX-License-Identifier: MIT OR Apache-2.0
! A program with the symbols of C++ functions, as g++ makes them.

        .text
        .globl  start
        .type   start, @function
start:
        mov.l   stack, r15
        mov     #5, r4
        mov.l   draw, r0
        jsr     @r0
        nop
        mov     #0, r0
        sleep
        .align  2
stack:  .long   0x8CFFF000
draw:   .long   _ZN4Mesh4drawEi
        .size   start, .-start

! int Mesh::draw(int): twice the number; also loads a word from the odd address 8C010001.
        .align  2
        .globl  _ZN4Mesh4drawEi
        .type   _ZN4Mesh4drawEi, @function
_ZN4Mesh4drawEi:
        mov.l   odd, r1
        mov     r4, r0
        add     r4, r0
        mov.l   @r1, r2
        rts
        nop
        .align  2
odd:    .long   0x8C010001
        .size   _ZN4Mesh4drawEi, .-_ZN4Mesh4drawEi

! int Mesh::twice(int), int Mesh::twice(short), int operator+(Mesh, Mesh): twice the number, at last with R8 lost.
        .globl  _ZN4Mesh5twiceEi
        .type   _ZN4Mesh5twiceEi, @function
_ZN4Mesh5twiceEi:
        mov     r4, r0
        rts
        add     r4, r0
        .size   _ZN4Mesh5twiceEi, .-_ZN4Mesh5twiceEi
        .globl  _ZN4Mesh5twiceEs
        .type   _ZN4Mesh5twiceEs, @function
_ZN4Mesh5twiceEs:
        mov     r4, r0
        rts
        add     r4, r0
        .size   _ZN4Mesh5twiceEs, .-_ZN4Mesh5twiceEs
        .globl  _Zpl4MeshS_
        .type   _Zpl4MeshS_, @function
_Zpl4MeshS_:
        mov     #0, r8
        mov     r4, r0
        rts
        add     r4, r0
        .size   _Zpl4MeshS_, .-_Zpl4MeshS_
