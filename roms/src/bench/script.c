/* SPDX-License-Identifier: MIT OR Apache-2.0
 * A stack machine: every operation is a function in a table. */
#include "../console/console.h"

enum op { PUSH, LOAD, STORE, ADD, SUB, MULTIPLY, LESS, EQUAL, GET, PUT, JUMP, UNLESS, CALL, RETURN, HALT };

typedef struct {
    const short *code;
    u32 pc, sp, frame, running;
    int stack[512];
    int memory[4096];
} machine;

typedef void (*operation)(machine *m);

static int operand(machine *m) { return m->code[m->pc++]; }
static void push(machine *m, int value) { m->stack[m->sp++] = value; }
static int pop(machine *m) { return m->stack[--m->sp]; }

static void do_push(machine *m) { push(m, operand(m)); }
static void do_load(machine *m) { push(m, m->stack[m->frame + (u32)operand(m)]); }
static void do_store(machine *m) { u32 at = m->frame + (u32)operand(m); m->stack[at] = pop(m); }
static void do_add(machine *m) { int b = pop(m); push(m, pop(m) + b); }
static void do_sub(machine *m) { int b = pop(m); push(m, pop(m) - b); }
static void do_multiply(machine *m) { int b = pop(m); push(m, pop(m) * b); }
static void do_less(machine *m) { int b = pop(m); push(m, pop(m) < b); }
static void do_equal(machine *m) { int b = pop(m); push(m, pop(m) == b); }
static void do_get(machine *m) { push(m, m->memory[pop(m) & 4095]); }
static void do_put(machine *m) { int value = pop(m); m->memory[pop(m) & 4095] = value; }
static void do_jump(machine *m) { m->pc = (u32)operand(m); }
static void do_unless(machine *m) { u32 to = (u32)operand(m); if (!pop(m)) m->pc = to; }
static void do_halt(machine *m) { m->running = 0; }

/* The argument is on the stack; the frame has it and two variables. */
static void do_call(machine *m) {
    u32 to = (u32)operand(m);
    int argument = pop(m);
    push(m, (int)m->pc);
    push(m, (int)m->frame);
    m->frame = m->sp;
    push(m, argument);
    push(m, 0);
    push(m, 0);
    m->pc = to;
}

static void do_return(machine *m) {
    int value = pop(m);
    m->sp = m->frame;
    m->frame = (u32)pop(m);
    m->pc = (u32)pop(m);
    push(m, value);
}

static const operation table[] = {
    do_push, do_load, do_store, do_add, do_sub, do_multiply, do_less, do_equal,
    do_get, do_put, do_jump, do_unless, do_call, do_return, do_halt,
};

/* fib(n) by recursion, at 9. */
static const short fibonacci[] = {
    PUSH, 21, CALL, 9, STORE, 0, HALT, 0, 0,
    LOAD, 0, PUSH, 2, LESS, UNLESS, 19, LOAD, 0, RETURN,
    LOAD, 0, PUSH, 1, SUB, CALL, 9, LOAD, 0, PUSH, 2, SUB, CALL, 9, ADD, RETURN,
};

/* memory[i] becomes 1 for multiples, and variable 0 the count of primes below 4,000. Variable 1: i, 2: j. */
static const short primes[] = {
    PUSH, 0, STORE, 0, PUSH, 2, STORE, 1,
    LOAD, 1, PUSH, 4000, LESS, UNLESS, 67,
    LOAD, 1, GET, PUSH, 0, EQUAL, UNLESS, 58,
    LOAD, 0, PUSH, 1, ADD, STORE, 0,
    LOAD, 1, LOAD, 1, ADD, STORE, 2,
    LOAD, 2, PUSH, 4000, LESS, UNLESS, 58,
    LOAD, 2, PUSH, 1, PUT, LOAD, 2, LOAD, 1, ADD, STORE, 2, JUMP, 37,
    LOAD, 1, PUSH, 1, ADD, STORE, 1, JUMP, 8,
    HALT,
};

static machine present;

static int run(const short *code) {
    machine *m = &present;
    m->code = code;
    m->pc = m->frame = 0;
    m->sp = 3;
    m->running = 1;
    for (u32 i = 0; i < 4096; i++)
        m->memory[i] = 0;
    while (m->running)
        table[m->code[m->pc++]](m);
    return m->stack[0];
}

int main(void) {
    u32 sum = 0;
    for (u32 round = 0; round < 12; round++) {
        sum = sum * 31 + (u32)run(fibonacci);
        sum = sum * 31 + (u32)run(primes);
    }
    print_hex("script", sum);
    return 0;
}
