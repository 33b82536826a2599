/* SPDX-License-Identifier: MIT OR Apache-2.0
 * What the experiments share: the report, exceptions, single instructions. */
#ifndef TRUTH_H
#define TRUTH_H
#include "../console/console.h"

/* A line of the report: the observation's name, and its values as words. */
void observe(const char *name, const u32 *values, u32 count);
void observe_one(const char *name, u32 value);
void observe_two(const char *name, u32 first, u32 second);

/* Exceptions since the last call, and the cause of the last one; both are then 0. */
u32 take_exceptions(u32 *cause);

/* The first exception since take_exceptions. */
struct exception {
    u32 cause, spc, ssr, tea;
};
const struct exception *first_exception(void);

/* Adds words to a CRC-32 (polynomial EDB88320, bits inverted by the caller's first and last value). */
extern u32 crc_table[4][256];
u32 crc_words(u32 crc, const u32 *words, u32 count);
/* The next of a fixed sequence of numbers. */
u32 next_random(void);
void seed_random(u32 seed);

/* steps.S */
u32 step_fsrra(u32 a, u32 fpscr, u32 *after);
u32 step_fsqrt(u32 a, u32 fpscr, u32 *after);
u32 step_float(u32 a, u32 fpscr, u32 *after);
u32 step_fneg_odd(u32 a, u32 b, u32 fpscr, u32 *after);
u32 step_fadd(u32 a, u32 b, u32 fpscr, u32 *after);
u32 step_fsub(u32 a, u32 b, u32 fpscr, u32 *after);
u32 step_fmul(u32 a, u32 b, u32 fpscr, u32 *after);
u32 step_fdiv(u32 a, u32 b, u32 fpscr, u32 *after);
u32 step_fmac(u32 a, u32 b, u32 fpscr, u32 *after);
u32 step_fschg(u32 a, u32 b, u32 fpscr, u32 *after);
void step_fsca(u32 angle, u32 *sine_and_cosine);
u32 step_fipr(const u32 vectors[8], u32 fpscr, u32 *after);
void step_ftrv(const u32 matrix[16], u32 vector[4]);
void step_mac_l(const u32 operands[2], u32 mac[2]);
void step_mac_w(const u16 operands[2], u32 mac[2]);
u32 step_div1(u32 dividend, u32 divisor, u32 *sr);
void step_fpu_disabled(void);
void step_user_mode(void);
/* With a value of CCR, writes 1, 2, 3 and so on to the addresses and reads them all back. The caches are empty before
 * and behind it. Both pointers go past the cache, and interrupts have to be held back. */
void step_cache_ram(u32 ccr, const u32 *addresses, volatile u32 *values, u32 count);
u32 step_fsrra_crc(u32 first, u32 count, const u32 table[4][256]);
void step_division(u32 words[3]);
void step_signed_division(u32 words[3]);
void step_store_queue(u32 queue, const u32 words[8]);
void raise_undefined(u32 unused);
void raise_load(u32 address);
void raise_store(u32 address);
void raise_load_word(u32 address);
void raise_trap(u32 unused);
void slot_undefined(u32 unused);
void slot_load(u32 address);
void slot_branch(u32 unused);

u32 crc_byte(u32 value, u8 byte);

/* The report so far, and screen.c. */
extern char report_text[];
/* Add text, or a blank and a number in hexadecimal, without an end; they give where the next goes. */
char *add_text(char *at, const char *text);
char *add_hex(char *at, u32 value);
void start_screen(void);
void show_name(const char *name);
/* Whether Start is held. */
int wants_menu(void);
void run_menu(void (*run)(void));

/* vmu.c: writes the report to the first VMU that is found, as a new file. Gives a line for the screen. */
const char *save_to_vmu(void);
/* console.c: the battery-backed clock, in seconds since 1950. */
u32 read_clock(void);

/* steps.S: calls a function. Gives 0, or 1 if `abandon` became the address to go on at meanwhile. */
u32 call_guarded(void (*run)(void));
void abandon(void);

/* timing.S. `measure` counts an event of the performance counter, with a call's entry and exit. */
u32 measure(const u32 arguments[4], void (*code)(void), u32 event);
/* Writes dirty lines back, sets CCR to copy-back in P1, and empties the instruction cache. */
void prepare_caches(void);

/* Holds interrupts back by SR.IMASK: exceptions still come. Gives SR as it was. */
u32 mask_interrupts(void);
void restore_interrupts(u32 sr);

/* caches.c: sets both store queues to an address. Gives the address at which a queue is written for it. */
u32 queue_to(u32 target);

/* devices.c: ticks of the stopwatch when an event of Holly has come, or NEVER. */
enum { NEVER = 0xFFFFFFFF };
u32 ticks_until(u32 event);

/* devices.c: 32 KiB by DMA channel 2 to video memory. The second function waits, and gives ticks of timer 0. */
void start_channel2(void);
u32 finish_channel2(void);

/* Experiments. */
struct experiment {
    const char *name;
    void (*run)(void);
};
extern const struct experiment cpu_experiments[], console_experiments[], device_experiments[], scene_experiments[];
extern const struct experiment list_experiments[], timing_experiments[], cache_experiments[], long_experiments[];
extern const struct experiment sound_experiments[], clock_experiments[];
/* The last one may end the program in an emulator that takes its instruction for undefined. */
extern const struct experiment last_experiments[];

#endif
