/* SPDX-License-Identifier: MIT OR Apache-2.0
 * exceptions: TRAPA and a misaligned read, and where each returns (SH7750 manual, section 5). */
#include "console.h"

#define TRA REG32(0xFF000020)
#define TEA REG32(0xFF00000C)
enum { TRAP = 0x160, READ_ERROR = 0x0E0 };

static volatile u32 cause, address, trap, at;

static void on_exception(u32 code) {
    cause = code;
    at = get_spc();
    trap = TRA;
    address = TEA;
    /* TRAPA returns behind itself; an address error returns to the instruction that failed: skip it. */
    if (code != TRAP) set_spc(at + 2);
}

/* 1 if the exception's SPC lies `skip` bytes behind the label that stands before the instruction. */
#define AT(label, skip) (at - (u32)(label) == (skip))

extern const u16 trap_label[], read_label[];

int main(void) {
    handle_event = on_exception;
    /* BL = 0: with BL = 1 an exception resets the CPU. */
    enable_interrupts();
    __asm__ volatile(".global trap_label\ntrap_label: trapa #33" : : : "memory");
    print_hex("trapa", cause);
    print_number("number", trap / 4);
    print_number("behind", AT(trap_label, 2));
    u32 odd = 0x8C010002, value = 0;
    __asm__ volatile(".global read_label\nread_label: mov.l @%1, %0" : "+r"(value) : "r"(odd) : "memory");
    print_hex("misaligned", cause);
    print_hex("address", address);
    print_number("at", AT(read_label, 0));
    print_number("nothing read", value == 0);
    return 0;
}
