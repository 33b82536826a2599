/* Sound buffers of signed 16-bit samples. */
#ifndef AUDIO_H
#define AUDIO_H

/* The slow versions: what is right. */
void mix16_c(short *into, const short *from, unsigned n);
void fade16_c(short *samples, unsigned n, int volume);

/* The fast versions. */
void mix16_fast(short *into, const short *from, unsigned n);
void fade16_fast(short *samples, unsigned n, int volume);

#endif
