/* SPDX-License-Identifier: MIT OR Apache-2.0
 * The Maple bus. See maple.h. */
#include "maple.h"

#define MDSTAR REG32(0xA05F6C04)
#define MDTSEL REG32(0xA05F6C10)
#define MDEN REG32(0xA05F6C14)
#define MDST REG32(0xA05F6C18)
#define MSYS REG32(0xA05F6C80)
#define MDAPRO REG32(0xA05F6C8C)

/* The bus master reads and writes RAM itself: buffers on cache lines of their own, used by the uncached addresses. */
static u32 list[8] __attribute__((aligned(32)));
static u32 reply[64] __attribute__((aligned(32)));

void start_maple(void) {
    MDEN = 0;
    MDAPRO = 0x6155404F; /* key 6155; all of RAM: pages 40 to 4F */
    MDTSEL = 0;          /* started by software */
    MSYS = 0xC3500000;   /* time-out 50,000 x 20 ns = 1 ms; 2 Mbit/s */
    MDEN = 1;
}

/* List: a descriptor (last, port, parameter words), the reply's address, the frame's header (command, recipient, sender,
 * parameter words), the parameters. */
const volatile u32 *ask(u32 port, u32 command, u32 parameters, u32 parameter) {
    volatile u32 *frame = uncached(list), *answer = uncached(reply);
    frame[0] = 0x80000000 | port << 16 | parameters;
    frame[1] = physical(reply);
    frame[2] = command | (port << 6 | 0x20) << 8 | port << 6 << 16 | parameters << 24;
    frame[3] = parameter;
    answer[0] = 0;
    ISTNRM = MAPLE_DONE;
    MDSTAR = physical(list);
    MDST = 1;
    while (!(ISTNRM & MAPLE_DONE)) {}
    return answer;
}

u32 read_buttons(void) {
    const volatile u32 *answer = ask(0, GET_CONDITION, 1, CONTROLLER);
    return (answer[0] & 0xFF) == 8 ? ~answer[2] & 0xFFFF : 0;
}

/* Of a block: 2 parameter words and 32 of a phase; a reply's header, 2 words and 128 of a block. */
static u32 unit_list[40] __attribute__((aligned(32)));
static u32 unit_reply[136] __attribute__((aligned(32)));

const volatile u32 *ask_unit(u32 port, u32 unit, u32 command, const u32 *parameters, u32 count) {
    volatile u32 *frame = uncached(unit_list), *answer = uncached(unit_reply);
    frame[0] = 0x80000000 | port << 16 | count;
    frame[1] = physical(unit_reply);
    frame[2] = command | (port << 6 | unit) << 8 | port << 6 << 16 | count << 24;
    for (u32 n = 0; n < count; n++) frame[3 + n] = parameters[n];
    answer[0] = 0;
    ISTNRM = MAPLE_DONE;
    MDSTAR = physical(unit_list);
    MDST = 1;
    while (!(ISTNRM & MAPLE_DONE)) {}
    return answer;
}
