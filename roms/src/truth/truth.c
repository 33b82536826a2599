/* SPDX-License-Identifier: MIT OR Apache-2.0
 * truth: runs experiments on the hardware and prints what it observes. docs/hardware/truth.md has the report's format.
 *
 * It writes no flash memory, and a VMU only when the menu is asked to. Each experiment's name is printed before it
 * runs. */
#include "truth.h"

enum { VERSION = 1, TRAP = 0x160, SSR_MD = 0x40000000 };

static u32 crc = 0xFFFFFFFF, observations;
static volatile u32 exceptions, last_cause;
static struct exception first;

/* The compiler calls it. */
void *memset(void *to, int value, u32 count) {
    u8 *at = to;
    while (count--) *at++ = value;
    return to;
}

/* What a byte does to the CRC, and a byte with one, two and three bytes of 0 behind it. */
u32 crc_table[4][256];

static void fill_crc_table(void) {
    for (u32 byte = 0; byte < 256; byte++) {
        u32 value = byte;
        for (int bit = 0; bit < 8; bit++) value = value >> 1 ^ (value & 1 ? 0xEDB88320 : 0);
        crc_table[0][byte] = value;
    }
    for (int n = 1; n < 4; n++)
        for (u32 byte = 0; byte < 256; byte++) {
            u32 value = crc_table[n - 1][byte];
            crc_table[n][byte] = value >> 8 ^ crc_table[0][value & 0xFF];
        }
}

u32 crc_byte(u32 value, u8 byte) { return value >> 8 ^ crc_table[0][(value ^ byte) & 0xFF]; }

u32 crc_words(u32 value, const u32 *words, u32 count) {
    for (u32 n = 0; n < count; n++) {
        value ^= words[n];
        value = crc_table[3][value & 0xFF] ^ crc_table[2][value >> 8 & 0xFF] ^ crc_table[1][value >> 16 & 0xFF] ^
                crc_table[0][value >> 24];
    }
    return value;
}

static u32 random_state;

void seed_random(u32 seed) { random_state = seed; }

/* Marsaglia's xorshift with 13, 17, 5. */
u32 next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/* Serial port without loader: SCIF, 115,200 bit/s, 8 data bits (SH7750 manual, section 16). */
enum { SCSMR = 0xFFE80000, SCBRR = 0xFFE80004, SCSCR = 0xFFE80008, SCFTDR = 0xFFE8000C, SCFSR = 0xFFE80010 };
enum { SCFCR = 0xFFE80018, TRANSMIT_EMPTY = 0x20, LOADER = 0x8C004004, LOADER_MAGIC = 0xDEADBEEF };

static int has_loader(void) { return REG32(LOADER) == LOADER_MAGIC; }

static void start_serial(void) {
    REG16(SCSCR) = 0;
    REG16(SCFCR) = 6;
    REG16(SCSMR) = 0;
    REG8(SCBRR) = 12;
    REG16(SCFCR) = 0;
    REG16(SCSCR) = 0x30;
}

/* All lines but the names of experiments, for the screen. */
char report_text[0x10000];
static u32 report_length;

static void keep(const char *text) {
    for (; *text && report_length + 1 < sizeof report_text; text++) report_text[report_length++] = *text;
    report_text[report_length] = 0;
}

static void say(const char *text) {
    if (has_loader()) {
        print(text);
        return;
    }
    for (; *text; text++) {
        while (!(REG16(SCFSR) & TRANSMIT_EMPTY)) {}
        REG8(SCFTDR) = *text;
        REG16(SCFSR) = REG16(SCFSR) & ~(TRANSMIT_EMPTY | 0x40);
    }
}

char *add_text(char *at, const char *text) {
    while (*text) *at++ = *text++;
    return at;
}

char *add_hex(char *at, u32 value) {
    *at++ = ' ';
    for (int n = 28; n >= 0; n -= 4) *at++ = "0123456789abcdef"[value >> n & 15];
    return at;
}

static void end_line(char *line, char *at, int counts) {
    *at++ = '\n';
    *at = 0;
    if (counts)
        for (char *byte = line; *byte; byte++) crc = crc_byte(crc, *byte);
    if (*line != '#') keep(line);
    say(line);
}

void observe(const char *name, const u32 *values, u32 count) {
    char line[512];
    char *at = add_text(line, "obs ");
    at = add_text(at, name);
    for (u32 n = 0; n < count; n++) at = add_hex(at, values[n]);
    end_line(line, at, 1);
    observations++;
}

void observe_one(const char *name, u32 value) { observe(name, &value, 1); }

void observe_two(const char *name, u32 first, u32 second) {
    u32 values[2] = {first, second};
    observe(name, values, 2);
}

/* Timer 1 ends an experiment that does not end by itself. Ticks of Pck/1024: 20 us. */
enum { TIMER_1 = 0x420, SLOW_WITH_INTERRUPT = 0x24 };
#define IPRA REG16(0xFFD00004)
volatile u32 watchdog_limit = 487000;

static void start_watchdog(void) {
    TSTR &= ~2;
    TCR(1) = SLOW_WITH_INTERRUPT;
    TCOR(1) = TCNT(1) = watchdog_limit;
    IPRA = (IPRA & 0xF0FF) | 0x100;
    TSTR |= 2;
}

static void stop_watchdog(void) {
    TSTR &= ~2;
    TCR(1) = 0;
    IPRA &= 0xF0FF;
}

/* Goes on behind the instruction, in privileged mode. SPC of TRAPA is already behind it. */
static void skip(u32 cause) {
    u32 ssr;
    if (cause == TIMER_1) {
        stop_watchdog();
        set_spc((u32)abandon);
        return;
    }
    __asm__ volatile("stc ssr, %0" : "=r"(ssr));
    if (!exceptions) {
        first.cause = cause;
        first.spc = get_spc();
        first.ssr = ssr;
        first.tea = cause == 0xE0 || cause == 0x100 ? REG32(0xFF00000C) : 0; /* address errors */
    }
    exceptions++;
    last_cause = cause;
    __asm__ volatile("ldc %0, ssr" : : "r"(ssr | SSR_MD));
    if (cause != TRAP) set_spc(get_spc() + 2);
}

u32 take_exceptions(u32 *cause) {
    u32 count = exceptions;
    *cause = last_cause;
    exceptions = last_cause = 0;
    return count;
}

const struct exception *first_exception(void) { return &first; }

enum { SR_IMASK = 0xF0 };

u32 mask_interrupts(void) {
    u32 sr;
    __asm__ volatile("stc sr, %0" : "=r"(sr));
    __asm__ volatile("ldc %0, sr" : : "r"(sr | SR_IMASK) : "memory", "t");
    return sr;
}

void restore_interrupts(u32 sr) { __asm__ volatile("ldc %0, sr" : : "r"(sr) : "memory", "t"); }

/* A bit for each table below. swirl sets others to run a part alone; loaders leave them. */
volatile u32 truth_parts = 0x7FF;

/* A test of the watchdog. It never runs by itself. */
static void hang(void) { for (;;) {} }
static const struct experiment watchdog_experiments[] = {{"hang", hang}, {0, 0}};

static void run_all(const struct experiment *experiment) {
    for (; experiment->run; experiment++) {
        char line[64];
        show_name(experiment->name);
        end_line(line, add_text(add_text(line, "# "), experiment->name), 0);
        start_watchdog();
        u32 is_late = call_guarded(experiment->run);
        stop_watchdog();
        if (is_late) end_line(line, add_text(add_text(line, "# timeout "), experiment->name), 0);
    }
}

static void run_report(void) {
    static const struct experiment *const parts[] = {
        cpu_experiments,    console_experiments, device_experiments, scene_experiments,
        timing_experiments, long_experiments,    cache_experiments,  list_experiments,
        sound_experiments,  clock_experiments,   last_experiments,   watchdog_experiments,
    };
    char line[64];
    crc = 0xFFFFFFFF;
    observations = report_length = 0;
    end_line(line, add_hex(add_text(line, "truth"), VERSION), 1);
    for (u32 n = 0; n < sizeof parts / sizeof parts[0]; n++)
        if (truth_parts >> n & 1) run_all(parts[n]);
    u32 result = ~crc;
    end_line(line, add_hex(add_hex(add_text(line, "end"), observations), result), 0);
    show_name("The report is complete.");
}

/* With a loader, runs everything and ends, unless Start is held. Without one, or then, the menu. */
int main(void) {
    fill_crc_table();
    if (!has_loader()) start_serial();
    start_screen();
    handle_event = skip;
    enable_interrupts(); /* BL = 0: else an exception resets the CPU */
    if (has_loader() && !wants_menu()) run_report();
    else run_menu(run_report);
    return 0;
}
