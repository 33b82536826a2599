! SPDX-License-Identifier: MIT OR Apache-2.0
! The functions of float_calls.S for unsigned integers, which the library itself does not call. FPSCR.PR = 0.

#include "float_calls.h"

        .text
        ! From 2^31 on, halves the number for FLOAT; the lowest bit stays set, so that the sum is rounded correctly.
        function SYMBOL(__floatunsisf)
        cmp/pz  r4
        bt/s    1f
        lds     r4,fpul
        mov     #1,r1
        and     r4,r1
        shlr    r4
        or      r1,r4
        lds     r4,fpul
        float   fpul,fr4
        fadd    fr4,fr4
        give    fr4
1:
        float   fpul,fr4
        give    fr4

        ! From 2^31 (4F000000) on, subtracts 2^31 for FTRC.
        function SYMBOL(__fixunssfsi)
        mov     #0x4F,r1
        shll16  r1
        shll8   r1
        cmp/ge  r1,r4
        lds     r4,fpul
        bt/s    1f
        fsts    fpul,fr4
        ftrc    fr4,fpul
        rts
        sts     fpul,r0
1:
        lds     r1,fpul
        fsts    fpul,fr5
        fsub    fr5,fr4
        ftrc    fr4,fpul
        sts     fpul,r0
        mov     #-128,r1
        shll16  r1
        shll8   r1
        rts
        add     r1,r0
