/* SPDX-License-Identifier: MIT OR Apache-2.0
 * scif: the serial port with FIFO: text by polling, and the transmit interrupt (SH7750 manual, section 16). */
#include "console.h"

#define SCSMR2 REG16(0xFFE80000)
#define SCBRR2 REG8(0xFFE80004)
#define SCSCR2 REG16(0xFFE80008)
#define SCFTDR2 REG8(0xFFE8000C)
#define SCFSR2 REG16(0xFFE80010)
#define SCFCR2 REG16(0xFFE80018)
#define SCFDR2 REG16(0xFFE8001C)
#define SCLSR2 REG16(0xFFE80024)
#define IPRC REG16(0xFFD0000C)

enum { TEND = 0x40, TDFE = 0x20, TIE = 0x80, TE = 0x20 };

static volatile u32 cause, count;

static void on_interrupt(u32 code) {
    cause = code;
    count++;
    SCSCR2 &= ~TIE;
}

/* 8 data bits, no parity, 57,600 baud: Pck / (32 x 57,600) - 1 = 26.06. The FIFOs are reset in between. */
static void start_serial(void) {
    SCSCR2 = 0;
    SCFCR2 = 6;
    SCSMR2 = 0;
    SCBRR2 = 26;
    SCFCR2 = 0;
    SCSCR2 = TE;
}

static void send(const char *text) {
    for (; *text; text++) {
        while (!(SCFSR2 & TDFE)) {}
        SCFTDR2 = *text;
        SCFSR2 &= ~(TDFE | TEND);
    }
    while (!(SCFSR2 & TEND)) {}
}

int main(void) {
    start_serial();
    print_hex("mode", SCSMR2);
    print_number("rate", SCBRR2);
    print_hex("status", SCFSR2 & 0xFF);
    print_hex("bytes in fifos", SCFDR2);
    print_hex("overrun", SCLSR2);
    send("by the serial port\n");
    print_hex("after sending", SCFSR2 & 0xFF);
    /* An empty transmit FIFO requests TXI as soon as it is enabled. */
    handle_event = on_interrupt;
    enable_interrupts();
    SCSCR2 |= TIE;
    print_number("at level 0", count);
    IPRC = 0x0030;
    for (volatile int n = 0; n < 100; n++) {}
    print_number("at level 3", count);
    print_hex("intevt", cause);
    IPRC = 0;
    /* What is sent with TE = 0 stays in the port. */
    SCSCR2 = 0;
    SCFTDR2 = '!';
    return 0;
}
