/* A whole program without a library: mixes two buffers, prints the samples through dcload, and exits. */
#include "audio.h"

typedef int dcload_call(int number, int first, int second, int third);

/* dcload's function: 1 writes to the console, 15 ends the program. */
static int dcload(int number, int first, int second, int third)
{
    return (*(dcload_call *volatile *)0x8C004008)(number, first, second, third);
}

static void print_sample(short sample)
{
    char line[] = "0000\n";

    for (int n = 0; n < 4; n++)
        line[n] = "0123456789abcdef"[sample >> (12 - 4 * n) & 15];
    dcload(1, 1, (int)line, 5);
}

/* The entry: a loader leaves a stack. No float arithmetic here: code of -m4 needs FPSCR.PR = 1 first, which
   docs/c-library/start.s of swirl sets. */
void start(void)
{
    static short into[] = {100, 32000, -32000, 0};
    static const short from[] = {11, 1000, -1000, -1};

    mix16_fast(into, from, 4);
    for (int n = 0; n < 4; n++)
        print_sample(into[n]);
    dcload(15, 0, 0, 0);
}
