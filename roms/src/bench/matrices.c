/* SPDX-License-Identifier: MIT OR Apache-2.0
 * A scene of nodes with rotations as quaternions: matrices of the nodes, lit vertices, bounding boxes. Floats of single
 * precision, as compilers generate them. */
#include "../console/console.h"

typedef __SIZE_TYPE__ size_t;
void *memcpy(void *to, const void *from, size_t count);

enum { NODES = 64, VERTICES = 48, FRAMES = 340 };

typedef struct { float x, y, z; } vector;
typedef struct { float x, y, z, w; } quaternion;
typedef struct { float m[3][4]; } matrix;
typedef struct { vector at, normal; } vertex;

static quaternion turns[NODES], steps[NODES];
static vector places[NODES];
static matrix worlds[NODES];
static vertex mesh[VERTICES];
static u32 seed = 3;

/* A number from -1 to 1. */
static float next_random(void) {
    seed = seed * 1664525 + 1013904223;
    return (float)((int)(seed >> 8 & 0xFFFF) - 0x8000) * (1.0f / 0x8000);
}

static float dot(vector a, vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static vector unit(vector v) {
    float scale = 1.0f / __builtin_sqrtf(dot(v, v) + 1e-9f);
    return (vector){v.x * scale, v.y * scale, v.z * scale};
}

static quaternion normalised(quaternion q) {
    float scale = 1.0f / __builtin_sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (quaternion){q.x * scale, q.y * scale, q.z * scale, q.w * scale};
}

static quaternion times(quaternion a, quaternion b) {
    return (quaternion){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static matrix from_turn(quaternion q, vector at) {
    float x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    return (matrix){{{1 - q.y * y2 - q.z * z2, q.x * y2 - q.w * z2, q.x * z2 + q.w * y2, at.x},
                     {q.x * y2 + q.w * z2, 1 - q.x * x2 - q.z * z2, q.y * z2 - q.w * x2, at.y},
                     {q.x * z2 - q.w * y2, q.y * z2 + q.w * x2, 1 - q.x * x2 - q.y * y2, at.z}}};
}

static void multiply(matrix *out, const matrix *a, const matrix *b) {
    for (u32 row = 0; row < 3; row++)
        for (u32 column = 0; column < 4; column++) {
            float sum = column == 3 ? a->m[row][3] : 0;
            for (u32 n = 0; n < 3; n++)
                sum += a->m[row][n] * b->m[n][column];
            out->m[row][column] = sum;
        }
}

static vector turn(const matrix *a, vector v) {
    return (vector){a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                    a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                    a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z};
}

static u32 bits(float value) {
    u32 word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static u32 mixed(u32 sum, float value) { return (sum << 1 | sum >> 31) ^ bits(value); }

static void make_scene(void) {
    for (u32 n = 0; n < NODES; n++) {
        turns[n] = normalised((quaternion){next_random(), next_random(), next_random(), 1});
        steps[n] = normalised((quaternion){next_random() * 0.1f, next_random() * 0.1f, next_random() * 0.1f, 1});
        places[n] = (vector){next_random() * 4, next_random() * 4, next_random() * 4};
    }
    for (u32 n = 0; n < VERTICES; n++) {
        vector v = {next_random(), next_random(), next_random()};
        mesh[n] = (vertex){v, unit(v)};
    }
}

/* Each node hangs at the node of half its number. */
static void move_nodes(void) {
    for (u32 n = 0; n < NODES; n++) {
        turns[n] = normalised(times(turns[n], steps[n]));
        matrix own = from_turn(turns[n], places[n]);
        if (n == 0)
            worlds[n] = own;
        else
            multiply(&worlds[n], &worlds[n / 2], &own);
    }
}

static u32 light_node(const matrix *world, vector light, u32 sum) {
    vector low = {1e9f, 1e9f, 1e9f}, high = {-1e9f, -1e9f, -1e9f};
    float brightness = 0;
    for (u32 n = 0; n < VERTICES; n++) {
        vector at = turn(world, mesh[n].at);
        at.x += world->m[0][3];
        at.y += world->m[1][3];
        at.z += world->m[2][3];
        float shade = dot(turn(world, mesh[n].normal), light);
        if (shade > 0)
            brightness += shade;
        low = (vector){at.x < low.x ? at.x : low.x, at.y < low.y ? at.y : low.y, at.z < low.z ? at.z : low.z};
        high = (vector){at.x > high.x ? at.x : high.x, at.y > high.y ? at.y : high.y, at.z > high.z ? at.z : high.z};
        float depth = at.z + 20.0f;
        sum = mixed(sum, at.x / depth);
    }
    sum = mixed(mixed(mixed(sum, low.x), low.y), low.z);
    return mixed(mixed(mixed(mixed(sum, high.x), high.y), high.z), brightness);
}

int main(void) {
    u32 sum = 0;
    vector light = unit((vector){1, 2, -3});
    make_scene();
    for (u32 frame = 0; frame < FRAMES; frame++) {
        move_nodes();
        for (u32 n = 0; n < NODES; n++)
            sum = light_node(&worlds[n], light, sum);
    }
    print_hex("matrices", sum);
    return 0;
}
