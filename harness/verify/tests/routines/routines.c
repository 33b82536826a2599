/* Pairs of functions for tests/routines.rs: NAME_c is the reference, NAME the candidate, most of them wrong. */

typedef unsigned char byte;

/* Off by some ulp: a product in place of a quotient. */
void third_c(const float *src, float *dst, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        dst[i] = src[i] / 3.0f;
}

void third(const float *src, float *dst, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        dst[i] = src[i] * 0.33333334f;
}

/* Wrong for every odd length: the last byte is missing. */
void copy_c(const byte *src, byte *dst, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        ((volatile byte *)dst)[i] = src[i];
}

void copy(const byte *src, byte *dst, unsigned n)
{
    for (unsigned i = 0; i < (n & ~1u); i++)
        ((volatile byte *)dst)[i] = src[i];
}

/* Loads one word behind its input. */
unsigned total_c(const unsigned *src, unsigned n)
{
    unsigned total = 0;
    for (unsigned i = 0; i < n; i++)
        total += src[i];
    return total;
}

unsigned total(const volatile unsigned *src, unsigned n)
{
    unsigned total = 0, next = src[0];
    for (unsigned i = 0; i < n; i++) {
        total += next;
        next = src[i + 1];
    }
    return total;
}

/* Never returns. */
void endless(const byte *src, byte *dst, unsigned n)
{
    for (;;)
        *(volatile byte *)dst = n;
}

/* The reference forgets the last element, or all. */
void most_c(const unsigned *src, unsigned *dst, unsigned n)
{
    for (unsigned i = 0; i + 1 < n; i++)
        dst[i] = src[i];
}

void most(const unsigned *src, unsigned *dst, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        dst[i] = src[i];
}

unsigned nothing_c(const unsigned *src, unsigned *dst, unsigned n)
{
    return src[0] + n;
}

/* Takes bytes from 80 on for the end. */
unsigned length_c(const signed char *text)
{
    unsigned n = 0;
    while (text[n])
        n++;
    return n;
}

unsigned length(const signed char *text)
{
    unsigned n = 0;
    while (text[n] > 0)
        n++;
    return n;
}

/* One element of a matrix is not doubled. */
void twice_c(const float *m, float *dst)
{
    for (unsigned i = 0; i < 16; i++)
        dst[i] = m[i] + m[i];
}

void twice(const float *m, float *dst)
{
    twice_c(m, dst);
    dst[6] = m[6];
}

/* Every kind of parameter. */
struct vertex { float position[3]; unsigned colour; };
enum kind { PLAIN, BRIGHT };
double mixed_c(const struct vertex *in, unsigned short *restrict out, const char *name, int count, enum kind kind, double d)
{
    for (int i = 0; i < count; i++)
        out[i] = in[i].colour + kind + name[0];
    return d;
}

double mixed(const struct vertex *in, unsigned short *restrict out, const char *name, int count, enum kind kind, double d)
{
    return mixed_c(in, out, name, count, kind, d);
}

long long wide(long long x)
{
    return x;
}
