/* SPDX-License-Identifier: MIT OR Apache-2.0
 * What libstdc++ and libgcc need of a C library, for a program that runs without one. */
extern "C" {
#include "../console/console.h"

typedef __SIZE_TYPE__ size_t;

extern u8 eh_frame_begin[];
extern void (*init_array_begin[])(), (*init_array_end[])();
void __register_frame_info(const void *begin, void *object);

void *__dso_handle;

/* Memory from the end of .bss on, in blocks of sizes that are powers of two, with a list of free blocks for each. */
struct block {
    block *next;
};
static block *free_blocks[24];
static u8 heap[4 << 20] __attribute__((aligned(16)));
static size_t used;

static u32 size_class(size_t count) {
    u32 n = 4;
    while ((size_t(1) << n) < count + 8)
        n++;
    return n;
}

void *malloc(size_t count) {
    u32 n = size_class(count);
    u8 *found = reinterpret_cast<u8 *>(free_blocks[n]);
    if (found)
        free_blocks[n] = free_blocks[n]->next;
    else if (used + (size_t(1) << n) > sizeof heap)
        return nullptr;
    else {
        found = heap + used;
        used += size_t(1) << n;
    }
    *reinterpret_cast<u32 *>(found) = n;
    return found + 8;
}

void free(void *memory) {
    if (!memory)
        return;
    u8 *start = static_cast<u8 *>(memory) - 8;
    u32 n = *reinterpret_cast<u32 *>(start);
    block *own = reinterpret_cast<block *>(start);
    own->next = free_blocks[n];
    free_blocks[n] = own;
}

void abort() {
    print("abort\n");
    quit(1);
    for (;;) {}
}

int __cxa_atexit(void (*)(void *), void *, void *) { return 0; }

/* There is one thread, without files, locales and environment. */
int dl_iterate_phdr(int (*)(void *, size_t, void *), void *) { return 0; }
int _dl_find_object(void *, void *) { return -1; }
int pthread_mutex_lock(void *) { return 0; }
int pthread_mutex_unlock(void *) { return 0; }
int pthread_cond_wait(void *, void *) { return 0; }
int pthread_cond_broadcast(void *) { return 0; }
int pthread_once(int *done, void (*call)()) {
    if (!*done) {
        *done = 1;
        call();
    }
    return 0;
}
char __libc_single_threaded = 1;
char *gettext(const char *text) { return const_cast<char *>(text); }
char *secure_getenv(const char *) { return nullptr; }
char *strerror_r(int, char *text, size_t) { return text; }
unsigned long __isoc23_strtoul(const char *, char **, int) { return 0; }
char *strchr(const char *text, int wanted) {
    for (;; text++) {
        if (*text == char(wanted))
            return const_cast<char *>(text);
        if (!*text)
            return nullptr;
    }
}

/* Called before main: exception tables and constructors. */
void start_cpp() {
    static u32 object[8];
    __register_frame_info(eh_frame_begin, object);
    for (auto call = init_array_begin; call != init_array_end; call++)
        (*call)();
}
}

namespace __cxxabiv1 {
/* State of exceptions, in place of variables of a thread. */
struct __cxa_eh_globals {
    void *caught;
    unsigned uncaught;
};
static __cxa_eh_globals globals;
extern "C" __cxa_eh_globals *__cxa_get_globals() { return &globals; }
extern "C" __cxa_eh_globals *__cxa_get_globals_fast() { return &globals; }

/* In place of the handler of libstdc++, which prints by stdio. */
void (*__terminate_handler)() = abort;
void (*__unexpected_handler)() = abort;
} // namespace __cxxabiv1
