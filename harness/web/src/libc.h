// The part of the C library that ufbx uses, for WebAssembly without an operating system. The compiler reads this
// file before ufbx.c (examples/page.rs). `libc.rs` has the functions without a definition here.

#include <stddef.h>
#include <stdint.h>

#define UFBX_NO_LIBC
#define UFBX_NO_STDIO

void *ufbx_malloc(size_t size);
void ufbx_free(void *block, size_t size);

void *ufbx_memcpy(void *to, const void *from, size_t count) { return __builtin_memcpy(to, from, count); }
void *ufbx_memmove(void *to, const void *from, size_t count) { return __builtin_memmove(to, from, count); }
void *ufbx_memset(void *to, int byte, size_t count) { return __builtin_memset(to, byte, count); }
int ufbx_memcmp(const void *a, const void *b, size_t count) { return __builtin_memcmp(a, b, count); }

const void *ufbx_memchr(const void *bytes, int byte, size_t count) {
    const unsigned char *at = bytes;
    for (; count > 0; at++, count--) {
        if (*at == (unsigned char)byte) return at;
    }
    return NULL;
}

size_t ufbx_strlen(const char *text) {
    const char *end = text;
    while (*end) end++;
    return (size_t)(end - text);
}

int ufbx_strncmp(const char *a, const char *b, size_t count) {
    for (; count > 0; a++, b++, count--) {
        if (*a != *b || !*a) return (int)(unsigned char)*a - (int)(unsigned char)*b;
    }
    return 0;
}

int ufbx_strcmp(const char *a, const char *b) { return ufbx_strncmp(a, b, SIZE_MAX); }

void *ufbx_realloc(void *block, size_t before, size_t size) {
    void *larger = ufbx_malloc(size);
    if (larger && block) {
        ufbx_memcpy(larger, block, before < size ? before : size);
        ufbx_free(block, before);
    }
    return larger;
}

double ufbx_sqrt(double x) { return __builtin_sqrt(x); }
double ufbx_fabs(double x) { return __builtin_fabs(x); }
double ufbx_floor(double x) { return __builtin_floor(x); }
double ufbx_ceil(double x) { return __builtin_ceil(x); }
double ufbx_rint(double x) { return __builtin_rint(x); }
double ufbx_copysign(double x, double sign) { return __builtin_copysign(x, sign); }
int ufbx_isnan(double x) { return x != x; }
double ufbx_fmin(double a, double b) { return a < b || b != b ? a : b; }
double ufbx_fmax(double a, double b) { return a > b || b != b ? a : b; }
