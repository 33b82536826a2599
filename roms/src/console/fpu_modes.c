/* SPDX-License-Identifier: MIT OR Apache-2.0
 * fpu_modes: FPU instructions under FPSCR.PR = 1 for which the manual defines PR = 0 only. This file is compiled without
 * an FPU: the instructions are words. */
#include "console.h"

enum { SINGLE = 0x00040000, DOUBLE = 0x000C0000, ONE = 0x3F800000 };

static u32 caught;

static void on_exception(u32 cause) {
    caught = cause;
    set_spc(get_spc() + 2);
}

/* FR0 to FR7 = `value`; FPSCR = DOUBLE; the instruction; FPSCR as it leaves it; FPSCR = SINGLE; FR4. */
#define UNDER_DOUBLE(code, value, after)                                                                                 \
    __asm__ volatile("mov %2, r0\n mov %3, r1\n mov %4, r2\n"                                                            \
                     ".word 0x406A\n"                         /* lds r0,fpscr */                                         \
                     ".word 0x425A\n"                         /* lds r2,fpul */                                          \
                     ".word 0xF00D, 0xF10D, 0xF20D, 0xF30D\n" /* fsts fpul,fr0 and on */                                 \
                     ".word 0xF40D, 0xF50D, 0xF60D, 0xF70D\n"                                                            \
                     ".word 0x416A\n"                         /* lds r1,fpscr */                                         \
                     ".word " #code "\n"                                                                                 \
                     ".word 0x036A\n"                         /* sts fpscr,r3 */                                         \
                     ".word 0x406A, 0xF41D, 0x025A\n"         /* lds r0,fpscr; flds fr4,fpul; sts fpul,r2 */             \
                     "mov r2, %0\n mov r3, %1"                                                                           \
                     : "=r"(value), "=r"(after)                                                                          \
                     : "r"(SINGLE), "r"(DOUBLE), "r"(value)                                                              \
                     : "r0", "r1", "r2", "r3")

#define OBSERVE(name, code)                                                                                              \
    do {                                                                                                                 \
        u32 value = ONE, after;                                                                                          \
        caught = 0;                                                                                                      \
        UNDER_DOUBLE(code, value, after);                                                                                \
        print_hex(name, value);                                                                                          \
        print_hex("fpscr", after & 0x003C0000); /* FR, SZ, PR, DN */                                                     \
        print_hex("exception", caught);                                                                                  \
    } while (0)

int main(void) {
    handle_event = on_exception;
    enable_interrupts();
    OBSERVE("fldi0", 0xF48D);
    OBSERVE("fldi1 after 0", 0xF49D);
    OBSERVE("frchg", 0xFBFD);
    OBSERVE("fschg", 0xF3FD);
    OBSERVE("fmac", 0xF44E);
    OBSERVE("fipr", 0xF5ED);
    OBSERVE("fsrra", 0xF47D);
    return 0;
}
