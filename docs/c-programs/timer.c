/* SPDX-License-Identifier: MIT OR Apache-2.0
 * timer: measures ten frames with timer 0, which counts Pck / 4. */
#include "console.h"

int main(void) {
    start_events(VBLANK_IN);
    wait_for(VBLANK_IN);
    start_stopwatch();
    for (int frame = 0; frame < 10; frame++) wait_for(VBLANK_IN);
    print_number("ten frames, in milliseconds:", microseconds(stopwatch()) / 1000);
    return 0;
}
