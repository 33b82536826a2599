/* SPDX-License-Identifier: MIT OR Apache-2.0
 * The Maple bus: one frame to one unit, and its reply. */
#ifndef MAPLE_H
#define MAPLE_H
#include "console.h"

enum {
    DEVICE_REQUEST = 1, /* reply 5: functions, name, licence */
    GET_CONDITION = 9,  /* reply 8: state of the function that is asked for */
    BLOCK_READ = 11,    /* parameters: function, location; reply 8: both, then the block */
    BLOCK_WRITE = 12,   /* parameters: function, location, a phase of the block; reply 7 */
    LAST_ERROR = 13,    /* parameters: function, location with phase 4; ends a block; reply 7 */
    NOBODY = 0xFFFFFFFF,
    CONTROLLER = 0x01000000,
    STORAGE = 0x02000000,
};
/* Bits of a controller's condition; 0 is pressed. */
enum { BUTTON_A = 4, BUTTON_START = 8, BUTTON_UP = 16, BUTTON_DOWN = 32 };

void start_maple(void);
/* Sends a command to the main unit of a port, with one parameter word if `parameters` is 1. Gives the reply: header,
 * then data. Waits for the end of the transfer. */
const volatile u32 *ask(u32 port, u32 command, u32 parameters, u32 parameter);
/* The same to any unit of a port, with any parameters: `unit` is 20 for the main unit, 1 or 2 for one in its slots. */
const volatile u32 *ask_unit(u32 port, u32 unit, u32 command, const u32 *parameters, u32 count);
/* The pressed buttons of the controller in port A: 1 is pressed. */
u32 read_buttons(void);

#endif
