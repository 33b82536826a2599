/* SPDX-License-Identifier: MIT OR Apache-2.0
 * aica: the sound block's timer A, and its ARM7 with a program of seven instructions. */
#include "sound.h"

/* Timer A counts up at 44,100 Hz from its register's bits 7:0 and overflows at 256: bit 6 of MCIPD (28B8). */
static void wait_overflow(void) {
    write_sound(0x28BC, 0x40);
    while (!(AICA(0x28B8) & 0x40)) {}
}

/*      mov r0, #0x1000
 *      mov r1, #0x5A
 *      str r1, [r0]
 * loop: ldr r2, [r0, #4]
 *      add r2, r2, #1
 *      str r2, [r0, #4]
 *      b loop */
static const u32 arm[7] = {
    0xE3A00A01, 0xE3A0105A, 0xE5801000, 0xE5902004, 0xE2822001, 0xE5802004, 0xEAFFFFFB,
};

static void wait_ms(u32 count) {
    start_stopwatch();
    while (microseconds(stopwatch()) < count * 1000) {}
}

int main(void) {
    write_sound(0x2C00, AICA(0x2C00) | 1); /* hold the ARM7 in reset */
    write_sound(0x2890, 0);                /* timer A: no prescaler, from 0 */
    wait_overflow();
    start_stopwatch();
    wait_overflow();
    print_number("256 samples in 0.1 ms", microseconds(stopwatch()) / 100);
    for (u32 n = 0; n < 7; n++) {
        write_sound_ram(4 * n, arm[n]);
    }
    write_sound_ram(0x1000, 0);
    write_sound_ram(0x1004, 0);
    wait_ms(1);
    print_hex("held", SOUND_RAM(0x1000));
    write_sound(0x2C00, AICA(0x2C00) & ~1);
    wait_ms(1);
    print_hex("released", SOUND_RAM(0x1000));
    write_sound(0x2C00, AICA(0x2C00) | 1);
    wait_ms(1);
    u32 count = SOUND_RAM(0x1004);
    print_number("counted", count > 100);
    wait_ms(1);
    print_number("stopped", SOUND_RAM(0x1004) == count);
    return 0;
}
