/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Functions of the C library that compiled code calls. */
typedef __SIZE_TYPE__ size_t;

void *memcpy(void *to, const void *from, size_t count) {
    unsigned char *out = to;
    const unsigned char *in = from;
    if ((((size_t)out | (size_t)in) & 3) == 0)
        for (; count >= 4; count -= 4, out += 4, in += 4)
            *(unsigned *)out = *(const unsigned *)in;
    while (count--)
        *out++ = *in++;
    return to;
}

void *memmove(void *to, const void *from, size_t count) {
    unsigned char *out = to;
    const unsigned char *in = from;
    if (out <= in || out >= in + count)
        return memcpy(to, from, count);
    while (count--)
        out[count] = in[count];
    return to;
}

void *memset(void *to, int value, size_t count) {
    unsigned char *out = to;
    while (count--)
        *out++ = (unsigned char)value;
    return to;
}

int memcmp(const void *first, const void *second, size_t count) {
    const unsigned char *a = first, *b = second;
    for (; count; count--, a++, b++)
        if (*a != *b)
            return *a < *b ? -1 : 1;
    return 0;
}

size_t strlen(const char *text) {
    size_t count = 0;
    while (text[count])
        count++;
    return count;
}
