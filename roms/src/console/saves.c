/* SPDX-License-Identifier: MIT OR Apache-2.0
 * saves: counts its runs in block 100 of the visual memory in port A. */
#include "maple.h"

enum { UNIT = 1, BLOCK = 100, PHASES = 4, PHASE_WORDS = 32, DATA_TRANSFER = 8, ACKNOWLEDGE = 7 };

static const u32 MARK = 0x45564153; /* "SAVE" */

static int send_phase(u32 phase, u32 count) {
    static u32 parameters[2 + PHASE_WORDS];
    parameters[0] = STORAGE;
    parameters[1] = BLOCK << 24 | phase << 8;
    parameters[2] = phase == 0 ? MARK : 0;
    parameters[3] = phase == 0 ? count : 0;
    const volatile u32 *answer = phase < PHASES ? ask_unit(0, UNIT, BLOCK_WRITE, parameters, 2 + PHASE_WORDS)
                                                : ask_unit(0, UNIT, LAST_ERROR, parameters, 2);
    return (answer[0] & 0xFF) == ACKNOWLEDGE;
}

int main(void) {
    u32 parameters[2] = {STORAGE, BLOCK << 24};
    start_maple();
    const volatile u32 *answer = ask_unit(0, UNIT, BLOCK_READ, parameters, 2);
    if ((answer[0] & 0xFF) != DATA_TRANSFER) {
        print("no visual memory\n");
        return 1;
    }
    u32 count = answer[3] == MARK ? answer[4] + 1 : 1;
    for (u32 phase = 0; phase <= PHASES; phase++)
        if (!send_phase(phase, count)) {
            print("not saved\n");
            return 1;
        }
    print_number("runs", count);
    return 0;
}
