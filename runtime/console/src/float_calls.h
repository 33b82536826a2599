/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Macros of float_calls.S and unsigned_float_calls.S: the beginning of a function, and its result in r0. */
#define JOIN(prefix, name) prefix##name
#define PREFIXED(prefix, name) JOIN(prefix, name)
#define SYMBOL(name) PREFIXED(__USER_LABEL_PREFIX__, name)

        .macro  function name
        .align  2
        .globl  \name
        .type   \name, @function
\name:
        .endm

        .macro  give register
        flds    \register,fpul
        rts
        sts     fpul,r0
        .endm
