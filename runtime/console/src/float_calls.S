! SPDX-License-Identifier: MIT OR Apache-2.0
! The functions that a compiler without an FPU calls for float arithmetic (-m4-nofpu), by the FPU. Debian's
! compiler has no -m4-single: it makes code for PR = 1 or without the FPU. These let the second kind compute
! as -m4-single does. FPSCR.PR = 0.

#include "float_calls.h"

        ! r4 to fr4, r5 to fr5
        .macro  take
        lds     r4,fpul
        fsts    fpul,fr4
        lds     r5,fpul
        fsts    fpul,fr5
        .endm

        .text
        function SYMBOL(__addsf3)
        take
        fadd    fr5,fr4
        give    fr4

        function SYMBOL(__subsf3)
        take
        fsub    fr5,fr4
        give    fr4

        function SYMBOL(__mulsf3)
        take
        fmul    fr5,fr4
        give    fr4

        function SYMBOL(__divsf3)
        take
        fdiv    fr5,fr4
        give    fr4

        function SYMBOL(__floatsisf)
        lds     r4,fpul
        float   fpul,fr4
        give    fr4

        function SYMBOL(__fixsfsi)
        lds     r4,fpul
        fsts    fpul,fr4
        ftrc    fr4,fpul
        rts
        sts     fpul,r0

        ! a > b: 1, a = b: 0, else or unordered: -1
        function SYMBOL(__gtsf2)
        function SYMBOL(__gesf2)
        take
        fcmp/gt fr5,fr4
        bt      1f
        fcmp/eq fr5,fr4
        bt      2f
        rts
        mov     #-1,r0
1:
        rts
        mov     #1,r0
2:
        rts
        mov     #0,r0

        ! a < b: -1, a = b: 0, else or unordered: 1
        function SYMBOL(__ltsf2)
        function SYMBOL(__lesf2)
        function SYMBOL(__eqsf2)
        function SYMBOL(__nesf2)
        function SYMBOL(__cmpsf2)
        take
        fcmp/gt fr4,fr5
        bt      1f
        fcmp/eq fr5,fr4
        bt      2f
        rts
        mov     #1,r0
1:
        rts
        mov     #-1,r0
2:
        rts
        mov     #0,r0
