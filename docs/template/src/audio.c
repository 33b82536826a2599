#include "audio.h"

/* Adds with saturation. */
void mix16_c(short *into, const short *from, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        int sum = into[i] + from[i];
        if (sum > 32767)
            sum = 32767;
        if (sum < -32768)
            sum = -32768;
        into[i] = sum;
    }
}

/* Multiplies by volume / 256; volume is 0 to 256. */
void fade16_c(short *samples, unsigned n, int volume)
{
    for (unsigned i = 0; i < n; i++)
        samples[i] = (samples[i] * volume) >> 8;
}
