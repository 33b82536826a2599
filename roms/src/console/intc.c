/* SPDX-License-Identifier: MIT OR Apache-2.0
 * intc: levels and order of interrupts, of the CPU's timers and of Holly's events (SH7750 manual, section 19). */
#include "console.h"

#define ICR REG16(0xFFD00000)
#define IPRA REG16(0xFFD00004)
#define IPRB REG16(0xFFD00008)
#define IPRC REG16(0xFFD0000C)
#define IML2NRM REG32(0xA05F6910)
#define IML4NRM REG32(0xA05F6920)

enum { UNIE = 0x20, UNF = 0x100 };

static volatile u32 causes[8], count;

/* Notes the cause, and takes the request away. */
static void on_interrupt(u32 code) {
    if (count < 8) causes[count] = code;
    count++;
    switch (code) {
    case 0x400: TCR(0) = 0; break;
    case 0x420: TCR(1) = 0; break;
    case 0x440: TCR(2) = 0; break;
    default: ISTNRM = VBLANK_IN; break;
    }
}

/* All three timers have underflowed and request. */
static void raise_timers(void) {
    block_interrupts();
    IPRA = 0;
    TSTR = 0;
    for (int n = 0; n < 3; n++) {
        TCR(n) = UNIE;
        TCNT(n) = 10;
    }
    TSTR = 7;
    while (!(TCR(0) & TCR(1) & TCR(2) & UNF)) {}
    TSTR = 0;
    count = 0;
}

/* What comes, in order, at these levels. */
static void deliver(const char *name, u32 levels) {
    raise_timers();
    IPRA = levels;
    enable_interrupts();
    block_interrupts();
    print_number(name, count);
    for (u32 n = 0; n < count; n++) print_hex("intevt", causes[n]);
}

static void set_mask(u32 level) {
    u32 sr;
    __asm__ volatile("stc sr, %0" : "=r"(sr));
    sr = (sr & ~0x100000F0) | level << 4;
    __asm__ volatile("ldc %0, sr" : : "r"(sr) : "memory", "t");
}

/* IMASK holds back what has its level or less. */
static void masks(void) {
    raise_timers();
    IPRA = 0x8700;
    set_mask(8);
    set_mask(8);
    print_number("masked by 8", count);
    set_mask(7);
    set_mask(7);
    print_number("masked by 7", count);
    set_mask(6);
    set_mask(6);
    print_number("masked by 6", count);
    block_interrupts();
    IPRA = 0;
}

/* Holly's three groups are levels 2, 4 and 6. The same event in all of them comes once, as level 6. */
static void holly(const char *name, u32 mask2, u32 mask4, u32 mask6) {
    count = 0;
    IML2NRM = IML4NRM = IML6NRM = 0;
    ISTNRM = VBLANK_IN;
    while (!(ISTNRM & VBLANK_IN)) {}
    IML2NRM = mask2;
    IML4NRM = mask4;
    IML6NRM = mask6;
    enable_interrupts();
    while (!count) {}
    block_interrupts();
    IML2NRM = IML4NRM = IML6NRM = 0;
    print_hex(name, causes[0]);
}

int main(void) {
    handle_event = on_interrupt;
    print_hex("icr", ICR);
    IPRB = 0xFFFF;
    print_hex("iprb", IPRB);
    IPRB = 0;
    /* Equal levels: the order of table 19.5. Then the higher level first. Level 0 never comes. */
    deliver("equal levels", 0x3330);
    deliver("rising levels", 0x1230);
    deliver("level 0", 0x0030);
    masks();
    holly("group 2", VBLANK_IN, 0, 0);
    holly("group 4", 0, VBLANK_IN, 0);
    holly("group 6", 0, 0, VBLANK_IN);
    holly("all groups", VBLANK_IN, VBLANK_IN, VBLANK_IN);
    return 0;
}
