/* Compiled C: an LZ coder, Shell sort, a sieve, a string hash, recursion and a state machine. */
#define PASSES 20

typedef unsigned int u32;
typedef unsigned char u8;

static u8 text[32768];
static u8 lz[40000];
static u8 out[32768];
static int arr[8192];
static u8 sv[32768];
static u32 rng = 12345;

static u32 rnd(void) {
    rng = rng * 1103515245u + 12345u;
    return rng >> 8;
}

/* Encodes `n` bytes: literals of seven bits, and matches of 3 to 15 bytes at most 24 bytes back. */
static __attribute__((noinline)) u32 lzenc(const u8 *s, u32 n, u8 *o) {
    u32 i = 0, p = 0;
    while (i < n) {
        u32 best = 0, bo = 0;
        for (u32 d = 1; d <= 24 && d <= i; d++) {
            u32 l = 0;
            while (l < 15 && i + l < n && s[i + l] == s[i + l - d]) l++;
            if (l > best) {
                best = l;
                bo = d;
            }
        }
        if (best >= 3) {
            o[p++] = 0x80 | best;
            o[p++] = bo;
            i += best;
        } else {
            o[p++] = s[i++] & 0x7f;
        }
    }
    return p;
}

static __attribute__((noinline)) u32 lzdec(const u8 *s, u32 n, u8 *o) {
    u32 i = 0, p = 0;
    while (i < n) {
        u32 c = s[i++];
        if (c & 0x80) {
            u32 l = c & 15, d = s[i++];
            while (l--) {
                o[p] = o[p - d];
                p++;
            }
        } else {
            o[p++] = c;
        }
    }
    return p;
}

/* FNV-1a. */
static __attribute__((noinline)) u32 hash(const u8 *s, u32 n) {
    u32 h = 2166136261u;
    while (n--) {
        h ^= *s++;
        h *= 16777619u;
    }
    return h;
}

static __attribute__((noinline)) void shell(int *a, int n) {
    for (int g = n / 2; g > 0; g /= 2)
        for (int i = g; i < n; i++) {
            int t = a[i], j = i;
            while (j >= g && a[j - g] > t) {
                a[j] = a[j - g];
                j -= g;
            }
            a[j] = t;
        }
}

/* Counts the primes below `n`. */
static __attribute__((noinline)) u32 sieve(u32 n) {
    u32 c = 0;
    for (u32 i = 0; i < n; i++) sv[i] = 1;
    for (u32 i = 2; i < n; i++)
        if (sv[i]) {
            c++;
            for (u32 j = i + i; j < n; j += i) sv[j] = 0;
        }
    return c;
}

static __attribute__((noinline)) u32 fib(u32 n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

/* A state machine over the bytes. */
static __attribute__((noinline)) u32 sm(const u8 *s, u32 n) {
    u32 st = 0, acc = 0;
    for (u32 i = 0; i < n; i++) {
        u8 c = s[i];
        switch (st) {
        case 0:
            st = (c & 3) + 1;
            break;
        case 1:
            acc += c;
            st = c & 1 ? 2 : 0;
            break;
        case 2:
            acc ^= c << 3;
            st = c & 4 ? 3 : 1;
            break;
        case 3:
            acc = (acc << 1) | (acc >> 31);
            st = 4;
            break;
        case 4:
            acc -= c;
            st = c > 64 ? 0 : 5;
            break;
        default:
            acc *= 3;
            st = 0;
        }
    }
    return acc;
}

u32 kmain(void) {
    u32 h = 0;
    for (int p = 0; p < PASSES; p++) {
        for (u32 i = 0; i < sizeof text; i++)
            text[i] = (rnd() & 7) ? text[i > 16 ? i - 1 - (rnd() & 7) : 0] : ('a' + (rnd() % 26));
        u32 n = lzenc(text, sizeof text, lz);
        u32 m = lzdec(lz, n, out);
        h = h * 31 + hash(out, m) + n;
        for (int i = 0; i < 8192; i++) arr[i] = rnd();
        shell(arr, 8192);
        h = h * 31 + arr[17] + arr[8000];
        h += sieve(32768);
        h += fib(18);
        h ^= sm(text, sizeof text);
    }
    return h;
}
