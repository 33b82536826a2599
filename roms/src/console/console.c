/* SPDX-License-Identifier: MIT OR Apache-2.0
 * What the console programs share. See console.h. */
#include "console.h"

void (*handle_event)(u32 cause);

/* The vectors of crt.S call this. */
void on_event(u32 cause) {
    if (handle_event) {
        handle_event(cause);
        return;
    }
    print_hex("unexpected event", cause);
    print_hex("at", get_spc());
    quit(255);
}

static u32 get_sr(void) {
    u32 value;
    __asm__ volatile("stc sr, %0" : "=r"(value));
    return value;
}

static void set_sr(u32 value) { __asm__ volatile("ldc %0, sr" : : "r"(value) : "memory", "t"); }

enum { SR_BL = 1 << 28, SR_IMASK = 0xF0 };

void enable_interrupts(void) { set_sr(get_sr() & ~(SR_BL | SR_IMASK)); }

void block_interrupts(void) { set_sr(get_sr() | SR_BL); }

/* BL = 1 between the test and SLEEP: else the last interrupt could come in between, and the sleep would not end. SLEEP
 * itself takes interrupts whatever BL says (SH7750 manual, section 9). */
void sleep_until(volatile u32 *word, u32 mask) {
    block_interrupts();
    while (!(*word & mask)) {
        __asm__ volatile("sleep" : : : "memory");
        enable_interrupts();
        block_interrupts();
    }
    enable_interrupts();
}

static volatile u32 events;

static void collect_events(u32 cause) {
    (void)cause;
    u32 raised = ISTNRM & IML6NRM;
    ISTNRM = raised; /* writing 1 clears */
    events |= raised;
}

void start_events(u32 mask) {
    handle_event = collect_events;
    ISTNRM = 0xFFFFFFFF;
    IML6NRM = mask;
    enable_interrupts();
}

void forget(u32 event) {
    block_interrupts();
    events &= ~event;
    enable_interrupts();
}

void wait_for(u32 event) {
    sleep_until(&events, event);
    forget(event);
}

/* dcload says that it is there by a magic word, and takes calls at the address behind it. */
int dcload(u32 number, u32 first, u32 second, u32 third) {
    if (REG32(0x8C004004) != 0xDEADBEEF) return -1;
    int (*call)(u32, u32, u32, u32) = (void *)REG32(0x8C004008);
    u32 sr = get_sr();
    set_sr(sr | SR_IMASK);
    /* The loader's host sees RAM through the cache; FIFO status bit 5: the CPU's write buffer is empty. */
    while (REG32(0xA05F688C) & 0x20) {}
    int result = call(number, first, second, third);
    set_sr(sr);
    return result;
}

void quit(int code) { dcload(15, code, 0, 0); }

u32 length(const char *text) {
    u32 count = 0;
    while (text[count]) count++;
    return count;
}

void print(const char *text) { dcload(1, 1, (u32)text, length(text)); }

static void print_line(const char *name, const char *digits) {
    print(name);
    print(" ");
    print(digits);
    print("\n");
}

void print_number(const char *name, u32 value) {
    char digits[11];
    char *at = digits + 10;
    *at = 0;
    do *--at = '0' + value % 10; while (value /= 10);
    print_line(name, at);
}

void print_hex(const char *name, u32 value) {
    char digits[9];
    for (int n = 0; n < 8; n++) digits[n] = "0123456789abcdef"[value >> (28 - 4 * n) & 15];
    digits[8] = 0;
    print_line(name, digits);
}

void start_stopwatch(void) {
    TSTR &= ~1;
    TCR(0) = 0;
    TCOR(0) = TCNT(0) = 0xFFFFFFFF;
    TSTR |= 1;
}

/* A tick is 4 cycles of Pck: 16 / 199.5 us = 32 / 399 us. */
u32 microseconds(u32 ticks) { return (ticks * 32 + 199) / 399; }
