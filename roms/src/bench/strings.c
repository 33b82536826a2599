/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Splits a text into words, counts them in a hash table, sorts them and joins them again: copies, comparisons and
 * searches of short strings, as programs with text do. */
#include "../console/console.h"

typedef __SIZE_TYPE__ size_t;
void *memcpy(void *to, const void *from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int value, size_t count);
int memcmp(const void *first, const void *second, size_t count);
size_t strlen(const char *text);

enum { WORDS = 6000, SLOTS = 1024, ROUNDS = 80, TEXT = 64 * 1024 };

static const char *const SYLLABLES[] = {"ba", "cor", "di", "fen", "gu", "har", "il", "jo", "kel", "lum", "mi", "nor",
                                        "os", "pra", "quin", "ru"};

struct entry {
    char *word;
    u32 count;
};

static char text[TEXT], pool[TEXT], joined[TEXT];
static struct entry table[SLOTS];
static struct entry *sorted[SLOTS];
static u32 seed = 1;

static u32 next_random(void) {
    seed = seed * 1664525 + 1013904223;
    return seed >> 16;
}

static int compare(const char *a, const char *b) {
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (int)(u8)*a - (int)(u8)*b;
}

/* Words of one to three syllables. */
static u32 write_text(void) {
    char *at = text;
    for (u32 word = 0; word < WORDS; word++) {
        for (u32 n = next_random() % 2 + 1; n; n--) {
            const char *syllable = SYLLABLES[next_random() & 15];
            size_t count = strlen(syllable);
            memcpy(at, syllable, count);
            at += count;
        }
        *at++ = ' ';
    }
    *at = 0;
    return (u32)(at - text);
}

static struct entry *find(const char *word, size_t count) {
    u32 hash = 5381;
    for (size_t n = 0; n < count; n++)
        hash = hash * 33 ^ (u8)word[n];
    for (;; hash++) {
        struct entry *entry = &table[hash % SLOTS];
        if (!entry->word || (strlen(entry->word) == count && memcmp(entry->word, word, count) == 0))
            return entry;
    }
}

static u32 count_words(void) {
    char *end = pool;
    u32 found = 0;
    memset(table, 0, sizeof table);
    for (const char *at = text; *at;) {
        const char *begin = at;
        while (*at != ' ')
            at++;
        size_t count = (size_t)(at - begin);
        struct entry *entry = find(begin, count);
        if (!entry->word) {
            memcpy(end, begin, count);
            end[count] = 0;
            entry->word = end;
            end += count + 1;
            sorted[found++] = entry;
        }
        entry->count++;
        at++;
    }
    return found;
}

/* Inserts each word into the sorted ones before it. */
static void sort(u32 count) {
    for (u32 n = 1; n < count; n++) {
        struct entry *own = sorted[n];
        u32 low = 0, high = n;
        while (low < high) {
            u32 middle = (low + high) / 2;
            if (compare(sorted[middle]->word, own->word) <= 0)
                low = middle + 1;
            else
                high = middle;
        }
        memmove(&sorted[low + 1], &sorted[low], (n - low) * sizeof *sorted);
        sorted[low] = own;
    }
}

static u32 join(u32 count) {
    u32 length = 0, sum = 0;
    for (u32 n = 0; n < count; n++) {
        size_t size = strlen(sorted[n]->word);
        memcpy(joined + length, sorted[n]->word, size);
        length += size;
        joined[length++] = (char)('0' + sorted[n]->count % 10);
    }
    for (u32 n = 0; n < length; n++)
        sum = (sum << 1 | sum >> 31) ^ (u8)joined[n];
    return sum;
}

int main(void) {
    u32 sum = 0;
    for (u32 round = 0; round < ROUNDS; round++) {
        write_text();
        u32 count = count_words();
        sort(count);
        sum = (sum << 1 | sum >> 31) ^ join(count) ^ count;
    }
    print_hex("strings", sum);
    return 0;
}
