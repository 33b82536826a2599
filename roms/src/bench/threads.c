/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Preemptive threads: a timer's interrupt switches between producers and consumers of a queue. A thread that has to wait
 * gives up the CPU by TRAPA. */
#include "../console/console.h"

enum { THREADS = 5, STACK = 4096, QUEUE = 16, ITEMS = 100000, PRODUCERS = 2 };

struct thread {
    u32 stack;
    volatile int done;
};

static struct thread threads[THREADS];
static u32 stacks[THREADS][STACK / 4];
static volatile u32 current, switches;

static u32 queue[QUEUE];
static volatile u32 first, waiting, taken;
static volatile u32 sums[THREADS];

/* Stores the registers that C functions keep, SPC and SSR, on the stack, and continues on another stack. */
void swap_stacks(u32 *from, u32 to) __asm__("swap_stacks");
/* Return address of a new thread's first switch. */
void start_thread(void) __asm__("start_thread");
__asm__(".text\n"
        "swap_stacks:\n"
        "    mov.l r8, @-r15\n    mov.l r9, @-r15\n    mov.l r10, @-r15\n    mov.l r11, @-r15\n"
        "    mov.l r12, @-r15\n    mov.l r13, @-r15\n    mov.l r14, @-r15\n    sts.l pr, @-r15\n"
        "    stc.l spc, @-r15\n    stc.l ssr, @-r15\n"
        "    mov.l r15, @r4\n    mov r5, r15\n"
        "    ldc.l @r15+, ssr\n    ldc.l @r15+, spc\n    lds.l @r15+, pr\n"
        "    mov.l @r15+, r14\n    mov.l @r15+, r13\n    mov.l @r15+, r12\n    mov.l @r15+, r11\n"
        "    mov.l @r15+, r10\n    mov.l @r15+, r9\n    mov.l @r15+, r8\n"
        "    rts\n    nop\n"
        "start_thread:\n"
        "    rte\n    nop\n");

static void yield(void) { __asm__ volatile("trapa #0" : : : "memory"); }

/* A timer's interrupt or a TRAPA: the next thread that has not ended. */
static void on_switch(u32 cause) {
    if (cause == 0x400)
        TCR(0) = TCR(0) & ~0x100;
    u32 from = current, next = from;
    do
        next = (next + 1) % THREADS;
    while (threads[next].done);
    if (next == from)
        return;
    current = next;
    switches++;
    swap_stacks(&threads[from].stack, threads[next].stack);
}

static u32 mixed(u32 value) {
    for (u32 n = 0; n < 24; n++)
        value = (value >> 1) ^ (value & 1 ? 0xEDB88320 : 0);
    return value;
}

static void put(u32 value) {
    block_interrupts();
    while (waiting == QUEUE) {
        enable_interrupts();
        yield();
        block_interrupts();
    }
    queue[(first + waiting++) % QUEUE] = value;
    enable_interrupts();
}

/* False after the last item. */
static int take(u32 *value) {
    block_interrupts();
    while (waiting == 0) {
        int ended = taken == ITEMS;
        enable_interrupts();
        if (ended)
            return 0;
        yield();
        block_interrupts();
    }
    *value = queue[first];
    first = (first + 1) % QUEUE;
    waiting--;
    taken++;
    enable_interrupts();
    return 1;
}

static void end_thread(void) {
    threads[current].done = 1;
    for (;;)
        yield();
}

static void produce(void) {
    u32 own = current;
    for (u32 n = own; n <= ITEMS; n += PRODUCERS)
        put(mixed(n));
    end_thread();
}

static void consume(void) {
    u32 own = current, value;
    while (take(&value)) {
        u32 sum = value;
        for (u32 n = 0; n < 8; n++)
            sum = mixed(sum + n);
        sums[own] += sum;
    }
    end_thread();
}

static void make_thread(u32 number, void (*body)(void)) {
    u32 sr;
    __asm__ volatile("stc sr, %0" : "=r"(sr));
    u32 *top = &stacks[number][STACK / 4];
    top -= 10;
    top[0] = sr & ~(0x10000000u | 0xF0u); /* SSR: interrupts are enabled */
    top[1] = (u32)body;                   /* SPC */
    top[2] = (u32)start_thread;           /* PR */
    threads[number].stack = (u32)top;
}

int main(void) {
    for (u32 n = 1; n < THREADS; n++)
        make_thread(n, n <= PRODUCERS ? produce : consume);
    handle_event = on_switch;
    REG16(0xFFD00004) = 0xF000; /* timer 0 at level 15 */
    TSTR = 0;
    TCOR(0) = TCNT(0) = 6250; /* half a millisecond at Pck/4 */
    TCR(0) = 0x20;
    TSTR = 1;
    enable_interrupts();
    for (u32 n = 1; n < THREADS; n++)
        while (!threads[n].done)
            yield();
    block_interrupts();
    TSTR = 0;
    u32 sum = 0;
    for (u32 n = 1; n < THREADS; n++)
        sum += sums[n];
    print_hex("threads", sum);
    return switches < 100;
}
