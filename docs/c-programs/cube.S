! SPDX-License-Identifier: MIT OR Apache-2.0
! The model's file, between its name and cube_end. The runtime wants it at a multiple of 4.

        .section .data
        .align  2
        .global cube, cube_end
cube:   .incbin "cube.nj"
cube_end:
        .section .note.GNU-stack, "", %progbits
