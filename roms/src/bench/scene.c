/* SPDX-License-Identifier: MIT OR Apache-2.0
 * A software renderer with fixed-point numbers: turns a sphere, sorts and fills its triangles. A timer's interrupt paces
 * the frames, and the program waits for it by polling. */
#include "../console/console.h"

enum { WIDTH = 160, HEIGHT = 120, RINGS = 12, SIDES = 16, VERTICES = (RINGS + 1) * SIDES, FRAMES = 120 };

typedef struct { int x, y, z; } vector;
typedef struct { u16 a, b, c; int depth; } triangle;

static u16 screen[WIDTH * HEIGHT];
static vector model[VERTICES], moved[VERTICES];
static triangle triangles[2 * RINGS * SIDES], sorted[2 * RINGS * SIDES];
static int sines[256];
static volatile u32 ticks;

/* By a recurrence, 14 bits behind the point. */
static void make_sines(void) {
    int s = 0, c = 1 << 14;
    for (u32 i = 0; i < 256; i++) {
        sines[i] = s;
        s += (c * 402) >> 14;
        c -= (s * 402) >> 14;
    }
}

static int sine(u32 angle) { return sines[angle & 255]; }
static int cosine(u32 angle) { return sines[(angle + 64) & 255]; }
static int times(int a, int b) { return (a * b) >> 14; }

static void make_sphere(void) {
    u32 count = 0;
    for (u32 ring = 0; ring <= RINGS; ring++)
        for (u32 side = 0; side < SIDES; side++) {
            vector *v = &model[ring * SIDES + side];
            int radius = sine(ring * 128 / RINGS);
            v->x = times(radius, cosine(side * 256 / SIDES));
            v->y = cosine(ring * 128 / RINGS);
            v->z = times(radius, sine(side * 256 / SIDES));
        }
    for (u32 ring = 0; ring < RINGS; ring++)
        for (u32 side = 0; side < SIDES; side++) {
            u16 a = (u16)(ring * SIDES + side), b = (u16)(ring * SIDES + (side + 1) % SIDES);
            triangles[count++] = (triangle){a, b, (u16)(a + SIDES), 0};
            triangles[count++] = (triangle){b, (u16)(b + SIDES), (u16)(a + SIDES), 0};
        }
}

static void move(u32 angle) {
    int s = sine(angle), c = cosine(angle);
    for (u32 i = 0; i < VERTICES; i++) {
        vector v = model[i];
        int x = times(v.x, c) - times(v.z, s), z = times(v.x, s) + times(v.z, c);
        int y = times(v.y, c) - times(z, s);
        z = times(v.y, s) + times(z, c) + (3 << 14);
        moved[i].x = WIDTH / 2 + (x >> 2) * 40 / (z >> 8);
        moved[i].y = HEIGHT / 2 + (y >> 2) * 40 / (z >> 8);
        moved[i].z = z;
    }
}

/* Merges sorted halves, the farthest first. */
static void sort(triangle *from, triangle *to, u32 count) {
    if (count < 2)
        return;
    u32 half = count / 2, a = 0, b = half;
    sort(from, to, half);
    sort(from + half, to + half, count - half);
    for (u32 i = 0; i < count; i++) {
        u32 first = a < half && (b >= count || from[a].depth >= from[b].depth);
        to[i] = from[first ? a++ : b++];
    }
    for (u32 i = 0; i < count; i++)
        from[i] = to[i];
}

static int edge(const vector *a, const vector *b, int x, int y) {
    return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}

static int least(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a > b ? a : b; }

static void fill(const triangle *t) {
    const vector *a = &moved[t->a], *b = &moved[t->b], *c = &moved[t->c];
    int area = edge(a, b, c->x, c->y);
    if (area <= 0)
        return;
    int left = most(0, least(a->x, least(b->x, c->x))), right = least(WIDTH - 1, most(a->x, most(b->x, c->x)));
    int top = most(0, least(a->y, least(b->y, c->y))), bottom = least(HEIGHT - 1, most(a->y, most(b->y, c->y)));
    u16 colour = (u16)((t->depth >> 6 & 0x7E0) | (t->a & 31) << 11 | (t->b & 31));
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++)
            if (edge(a, b, x, y) >= 0 && edge(b, c, x, y) >= 0 && edge(c, a, x, y) >= 0)
                screen[y * WIDTH + x] = colour;
}

static void tick(u32 cause) {
    if (cause == 0x400) {
        TCR(0) = TCR(0) & ~0x100;
        ticks++;
    }
}

int main(void) {
    u32 sum = 0;
    make_sines();
    make_sphere();
    handle_event = tick;
    REG16(0xFFD00004) = 0xF000; /* timer 0 at level 15 */
    TSTR = 0;
    TCOR(0) = TCNT(0) = 100000; /* 8 ms at Pck/4 */
    TCR(0) = 0x20;
    TSTR = 1;
    enable_interrupts();
    for (u32 frame = 0; frame < FRAMES; frame++) {
        u32 begin = ticks;
        for (u32 i = 0; i < WIDTH * HEIGHT; i++)
            screen[i] = 0;
        move(frame * 3);
        for (u32 i = 0; i < 2 * RINGS * SIDES; i++) {
            triangle *t = &triangles[i];
            t->depth = moved[t->a].z + moved[t->b].z + moved[t->c].z;
        }
        sort(triangles, sorted, 2 * RINGS * SIDES);
        for (u32 i = 0; i < 2 * RINGS * SIDES; i++)
            fill(&triangles[i]);
        for (u32 i = 0; i < WIDTH * HEIGHT; i++)
            sum = (sum << 1 | sum >> 31) ^ screen[i];
        while (ticks == begin)
            ;
    }
    block_interrupts();
    print_hex("scene", sum);
    return 0;
}
