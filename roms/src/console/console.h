/* SPDX-License-Identifier: MIT OR Apache-2.0
 * What the console programs share: register access, interrupts, dcload, text. */
#ifndef CONSOLE_H
#define CONSOLE_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;

/* A register, by its address: through P2 (uncached) for devices, P4 for on-chip modules. */
#define REG8(address) (*(volatile u8 *)(address))
#define REG16(address) (*(volatile u16 *)(address))
#define REG32(address) (*(volatile u32 *)(address))

/* Holly: events (ISTNRM) and the masks of the level 6 interrupt, INTEVT 320. */
#define ISTNRM REG32(0xA05F6900)
#define IML6NRM REG32(0xA05F6930)
enum {
    RENDER_DONE = 1 << 2, /* end of render, TSP */
    VBLANK_IN = 1 << 3,
    OPAQUE_DONE = 1 << 7, /* end of the opaque list */
    MAPLE_DONE = 1 << 12,
    G2_DONE = 1 << 15, /* G2 DMA, channel 0 */
    CHANNEL2_DONE = 1 << 19,
};

/* Timers: TMU channel n, and its clock. */
#define TSTR REG8(0xFFD80004)
#define TCOR(n) REG32(0xFFD80008 + 12 * (n))
#define TCNT(n) REG32(0xFFD8000C + 12 * (n))
#define TCR(n) REG16(0xFFD80010 + 12 * (n))

/* Memory as devices see it: 29 bits, and for the CPU without the cache. */
static inline u32 physical(const volatile void *address) { return (u32)address & 0x1FFFFFFF; }
static inline void *uncached(const volatile void *address) { return (void *)(physical(address) | 0xA0000000); }

/* The program's entry. Its result becomes the exit code. */
int main(void);

/* Every exception and interrupt comes here, with EXPEVT or INTEVT and BL = 1. Programs set it. */
extern void (*handle_event)(u32 cause);

/* Lets interrupts in (BL = 0, IMASK = 0), or holds them back by BL. */
void enable_interrupts(void);
void block_interrupts(void);
/* Sleeps until (*word & mask) != 0. An interrupt handler changes the word. */
void sleep_until(volatile u32 *word, u32 mask);

/* Collects Holly's events of a mask by the level 6 interrupt. */
void start_events(u32 mask);
/* Drops an event that has come; sleeps until one comes, and drops it. */
void forget(u32 event);
void wait_for(u32 event);

/* The address at which an exception's handler returns. */
static inline u32 get_spc(void) { u32 value; __asm__ volatile("stc spc, %0" : "=r"(value)); return value; }
static inline void set_spc(u32 value) { __asm__ volatile("ldc %0, spc" : : "r"(value)); }

/* dcload: calls 0 read, 1 write, 2 open, 3 close, 15 exit, 16 opendir, 17 closedir, 18 readdir. */
int dcload(u32 number, u32 first, u32 second, u32 third);
void quit(int code);
u32 length(const char *text);
void print(const char *text);
/* Prints "name value" as a line, decimal or hexadecimal. */
void print_number(const char *name, u32 value);
void print_hex(const char *name, u32 value);

/* Starts timer 0 at Pck/4, counting down from FFFFFFFF: 16 CPU cycles a tick. */
void start_stopwatch(void);
/* Its ticks so far. */
static inline u32 stopwatch(void) { return ~TCNT(0); }
/* Microseconds of so many ticks. Pck is 49.875 MHz; rounded to the nearest. At most 2 s. */
u32 microseconds(u32 ticks);

#endif
