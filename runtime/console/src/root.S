! SPDX-License-Identifier: MIT OR Apache-2.0
! uint32_t swr_root_bits(uint32_t value): the square root of a float, as bits. FPSCR.PR = 0.
#define JOIN(prefix, name) prefix##name
#define PREFIXED(prefix, name) JOIN(prefix, name)
#define SYMBOL(name) PREFIXED(__USER_LABEL_PREFIX__, name)

        .text
        .align  2
        .globl  SYMBOL(swr_root_bits)
        .type   SYMBOL(swr_root_bits), @function
SYMBOL(swr_root_bits):
        lds     r4,fpul
        fsts    fpul,fr0
        fsqrt   fr0
        flds    fr0,fpul
        rts
        sts     fpul,r0
        .size   SYMBOL(swr_root_bits), .-SYMBOL(swr_root_bits)
