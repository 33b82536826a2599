! SPDX-License-Identifier: MIT OR Apache-2.0
! The demo's files, as `swirl demo --assets` writes them: each between its name and NAME_end.

    .macro  file name, path
    .align  5
    .global \name
    .global \name\()_end
\name:
    .incbin "\path"
\name\()_end:
    .endm

    .section .data.files, "aw"
    file    shark_model, "shark.nj"
    file    shark_motion, "shark.njm"
    file    shark_shapes, "shark.njs"
    file    swirl_sprite, "swirl.spj"
    file    swirl_streams, "swirl.csj"
    file    skin, "skin.pvr"
    file    sand, "sand.pvr"
    file    swirl, "swirl.pvr"

! void round_to_nearest(void): FPSCR as the runtime wants it. PR = 0, SZ = 0, DN = 1, round to nearest.
    .section .text.round_to_nearest, "ax"
    .global round_to_nearest
    .align  2
round_to_nearest:
    mov.l   1f, r0
    rts
     lds    r0, fpscr
    .align  2
1:  .long   0x00040000

    .section .note.GNU-stack, "", %progbits
