/* SPDX-License-Identifier: MIT OR Apache-2.0
 * maple: what is plugged into the four ports, and the state of the controller in port A. */
#include "maple.h"

static void print_device(const volatile u32 *answer) {
    char name[31];
    for (int n = 0; n < 30; n++) name[n] = ((const volatile char *)(answer + 1))[18 + n];
    int end = 30;
    while (end > 0 && name[end - 1] == ' ') end--;
    name[end] = 0;
    print("name ");
    print(name);
    print("\n");
    print_hex("functions", answer[1]);
    print_hex("data", answer[2]);
}

int main(void) {
    static const char *const ports[4] = {"A", "B", "C", "D"};
    start_maple();
    for (u32 port = 0; port < 4; port++) {
        start_stopwatch();
        const volatile u32 *answer = ask(port, DEVICE_REQUEST, 0, 0);
        u32 time = microseconds(stopwatch());
        print_hex(ports[port], answer[0]);
        if (answer[0] == NOBODY) print_number("milliseconds", time / 1000);
        else print_device(answer);
    }
    const volatile u32 *answer = ask(0, GET_CONDITION, 1, CONTROLLER);
    print_hex("condition", answer[0]);
    print_hex("function", answer[1]);
    print_hex("buttons", answer[2]);
    print_hex("sticks", answer[3]);
    return 0;
}
