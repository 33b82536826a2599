/* SPDX-License-Identifier: MIT OR Apache-2.0
 * A software 3D engine: a torus with a texture, corrected for perspective, with a depth buffer, in floats of single
 * precision. */
#include "../console/console.h"

enum { WIDTH = 320, HEIGHT = 240, SIDES = 24, RINGS = 48, FRAMES = 24, SIZE = 64 };

typedef struct { float x, y, z; } vector;
typedef struct { float x, y, inverse, u, v; } corner;

static u16 screen[WIDTH * HEIGHT], texture[SIZE * SIZE];
static float depth[WIDTH * HEIGHT];
static vector torus[RINGS * SIDES];
static corner moved[RINGS * SIDES];
static float sines[SIDES * RINGS];

/* Sines of a whole turn, by the rotation of a vector. */
static void make_sines(u32 count) {
    float turn = 6.2831853f / (float)(int)count;
    float c = 1 - turn * turn / 2 + turn * turn * turn * turn / 24, s = turn - turn * turn * turn / 6;
    float x = 1, y = 0;
    for (u32 n = 0; n < count; n++) {
        sines[n] = y;
        float next = x * c - y * s;
        y = x * s + y * c;
        x = next;
    }
}

static float sine(u32 n, u32 count) { return sines[n % count]; }
static float cosine(u32 n, u32 count) { return sines[(n + count / 4) % count]; }

static void make_torus(void) {
    float around[SIDES][2];
    make_sines(SIDES);
    for (u32 side = 0; side < SIDES; side++) {
        around[side][0] = cosine(side, SIDES);
        around[side][1] = sine(side, SIDES);
    }
    make_sines(RINGS);
    for (u32 ring = 0; ring < RINGS; ring++)
        for (u32 side = 0; side < SIDES; side++) {
            float radius = 2.0f + 0.9f * around[side][0];
            torus[ring * SIDES + side] =
                (vector){radius * cosine(ring, RINGS), 0.9f * around[side][1], radius * sine(ring, RINGS)};
        }
    for (u32 y = 0; y < SIZE; y++)
        for (u32 x = 0; x < SIZE; x++)
            texture[y * SIZE + x] = (u16)((x ^ y) & 8 ? (x >> 1) << 11 | y : (y >> 1) << 11 | 0x1F);
}

static void move(u32 frame) {
    float s = sine(frame, RINGS), c = cosine(frame, RINGS);
    for (u32 n = 0; n < RINGS * SIDES; n++) {
        vector p = torus[n];
        float x = p.x * c - p.z * s, z = p.x * s + p.z * c;
        float y = p.y * c - z * s;
        z = p.y * s + z * c + 5.0f;
        float inverse = 1.0f / z;
        moved[n] = (corner){WIDTH / 2 + 220 * x * inverse, HEIGHT / 2 + 220 * y * inverse, inverse, 0, 0};
    }
}

static float smallest(float a, float b, float c) {
    float ab = a < b ? a : b;
    return ab < c ? ab : c;
}

static float largest(float a, float b, float c) {
    float ab = a > b ? a : b;
    return ab > c ? ab : c;
}

static void draw(corner a, corner b, corner c) {
    float area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (area <= 0)
        return;
    int left = (int)smallest(a.x, b.x, c.x), right = (int)largest(a.x, b.x, c.x) + 1;
    int top = (int)smallest(a.y, b.y, c.y), bottom = (int)largest(a.y, b.y, c.y) + 1;
    left = left < 0 ? 0 : left;
    top = top < 0 ? 0 : top;
    right = right > WIDTH - 1 ? WIDTH - 1 : right;
    bottom = bottom > HEIGHT - 1 ? HEIGHT - 1 : bottom;
    float scale = 1.0f / area;
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++) {
            float px = (float)x, py = (float)y;
            float wa = (c.x - b.x) * (py - b.y) - (c.y - b.y) * (px - b.x);
            float wb = (a.x - c.x) * (py - c.y) - (a.y - c.y) * (px - c.x);
            float wc = area - wa - wb;
            if (wa < 0 || wb < 0 || wc < 0)
                continue;
            wa *= scale;
            wb *= scale;
            wc *= scale;
            float inverse = wa * a.inverse + wb * b.inverse + wc * c.inverse;
            if (inverse <= depth[y * WIDTH + x])
                continue;
            depth[y * WIDTH + x] = inverse;
            float z = 1.0f / inverse;
            int u = (int)((wa * a.u + wb * b.u + wc * c.u) * z), v = (int)((wa * a.v + wb * b.v + wc * c.v) * z);
            screen[y * WIDTH + x] = texture[(v & (SIZE - 1)) * SIZE + (u & (SIZE - 1))];
        }
}

static corner textured(u32 ring, u32 side) {
    corner c = moved[ring % RINGS * SIDES + side % SIDES];
    c.u = (float)(int)(ring * 16) * c.inverse;
    c.v = (float)(int)(side * 16) * c.inverse;
    return c;
}

int main(void) {
    u32 sum = 0;
    make_torus();
    for (u32 frame = 0; frame < FRAMES; frame++) {
        for (u32 i = 0; i < WIDTH * HEIGHT; i++) {
            screen[i] = 0;
            depth[i] = 0;
        }
        move(frame);
        for (u32 ring = 0; ring < RINGS; ring++)
            for (u32 side = 0; side < SIDES; side++) {
                corner a = textured(ring, side), b = textured(ring + 1, side);
                corner c = textured(ring + 1, side + 1), d = textured(ring, side + 1);
                draw(a, b, c);
                draw(a, c, d);
            }
        for (u32 i = 0; i < WIDTH * HEIGHT; i++)
            sum = (sum << 1 | sum >> 31) ^ screen[i];
    }
    print_hex("engine", sum);
    return 0;
}
