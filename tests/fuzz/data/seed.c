/* The source of seed.dwarf: a structure as KallistiOS describes threads, functions with prototypes, an inlined call. */
struct kthread {
    unsigned context[64];
    struct kthread *t_list;
    int tid;
    int state;
    const char *wait_msg;
    char label[16];
};

static inline int twice(int x) { return x + x; }

float f(float *out, const unsigned *in, int n, struct kthread *thread) {
    float sum = 0.0f;
    for (int i = 0; i < n; i++)
        sum += (float)in[i];
    out[0] = sum + (float)twice(thread->tid);
    return sum;
}

int g(short a, unsigned char b) { return twice(a) + b; }
