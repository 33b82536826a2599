/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A bare-metal program that draws one mesh: transform, light, project, submit. It prints a checksum of both ways. */

#include "mesh.h"

enum { VERTICES = 34 };

/* The store queues, and QACR0 and QACR1: bits 28 to 26 of the target in bits 4 to 2. */
#define QUEUES ((void *)0xE0000000)
#define QACR ((volatile uint32_t *)0xFF000038)
#define TILE_ACCELERATOR 0x10

/* dcload's calls: number, three parameters. */
#define DCLOAD (*(int (*const *)(int, int, const void *, int))0x8C004008)
enum { DCLOAD_WRITE = 1, DCLOAD_EXIT = 15 };

static struct vertex mesh[VERTICES] __attribute__((aligned(32)));
static float view[4 * VERTICES] __attribute__((aligned(32)));
static float screen[2][4 * VERTICES] __attribute__((aligned(32)));
static int16_t indices[VERTICES];
static uint32_t colours[2][VERTICES] __attribute__((aligned(32)));

/* A strip on the unit sphere, as far as a program without sine needs: a zigzag of points of length one. */
static void build(void)
{
    for (int i = 0; i < VERTICES; i++) {
        float x = (i - VERTICES / 2) / (float)VERTICES, y = i & 1 ? 0.6f : 0.8f;
        float normal[3] = { x, y, 1 - x * x - y * y };
        for (int k = 0; k < 3; k++) {
            mesh[i].position[k] = normal[k];
            mesh[i].normal[k] = normal[k];
        }
        indices[i] = i;
    }
}

static uint32_t sum(const uint32_t *words, uint32_t n)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum = (sum << 5 | sum >> 27) ^ words[i];
    return sum;
}

static void print(const char *text)
{
    int n = 0;
    while (text[n])
        n++;
    DCLOAD(DCLOAD_WRITE, 1, text, n);
}

static void print_hex(uint32_t value)
{
    char text[10];
    for (int i = 0; i < 8; i++)
        text[i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15];
    text[8] = '\n';
    text[9] = 0;
    print(text);
}

int main(void)
{
    static const float matrix[16] __attribute__((aligned(8))) = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.25f, 0, -4, 1 };
    static const float direction[3] = { 0, 0.6f, 0.8f };
    static const float viewport[4] __attribute__((aligned(8))) = { 480, -480, 320, 240 };

    build();
    QACR[0] = QACR[1] = TILE_ACCELERATOR;

    transform(matrix, mesh, view, VERTICES);
    light(direction, mesh, colours[0], VERTICES);
    project(viewport, view, screen[0], VERTICES);
    submit(screen[0], colours[0], indices, VERTICES, QUEUES);

    transform_c(matrix, mesh, view, VERTICES);
    light_c(direction, mesh, colours[1], VERTICES);
    project_c(viewport, view, screen[1], VERTICES);
    submit_c(screen[1], colours[1], indices, VERTICES, QUEUES);

    print("mesh of 34 vertices\ncolours by libswirl  ");
    print_hex(sum(colours[0], VERTICES));
    print("colours by plain C   ");
    print_hex(sum(colours[1], VERTICES));
    for (int i = 0; i < 4 * VERTICES; i++) {
        float difference = screen[0][i] - screen[1][i];
        if (difference > 0.01f || difference < -0.01f) {
            print("the places differ\n");
            return 1;
        }
    }
    print("places agree within 0.01 pixels\n");
    return 0;
}
