/* SPDX-License-Identifier: MIT OR Apache-2.0
 * model: a Ninja model, drawn by the runtime of runtime/console. `swirl convert` makes it from cube.obj. */
#include "picture.h"
#include "swirl_runtime.h"

extern u8 cube[], cube_end[];

static u8 pool[0x40000] __attribute__((aligned(32)));

static const struct swr_light_source sun = {
    .kind = SWR_DIRECTIONAL,
    .place = {-0.33333334f, 0.6666667f, 0.6666667f},
    .colour = {0.75f, 0.75f, 0.75f},
};

/* Nothing here has a texture. */
static int no_texture(void *context, uint32_t number, struct swr_texture *texture) {
    (void)context, (void)number, (void)texture;
    return 0;
}

/* From above, from the right; 45 degrees of view. */
static const struct swr_scene scene = {
    .yaw = 6000,
    .pitch = 4500,
    .distance = 5.0f,
    .viewport = {579.41125f, -579.41125f, 320.0f, 240.0f},
    .near = 0.1f,
    .width = 640.0f,
    .height = 480.0f,
    .ambient = {0.4f, 0.4f, 0.4f},
    .light_count = 1,
    .lights = &sun,
    .texture = no_texture,
};

/* Blocks go to the tile accelerator at once: the only list is the opaque one. */
static void *reserve(void *context, uint32_t list, uint32_t blocks) {
    (void)context, (void)blocks;
    return list == SWR_OPAQUE ? (void *)0xE0000000 : 0;
}

static void check(const char *what, int result) {
    if (result == SWR_OK) return;
    print_number(what, result);
    quit(1);
}

int main(void) {
    struct swr_memory memory = {pool, pool + sizeof pool};
    struct swr_sink sink = {reserve, 0};
    struct swr_model model;
    struct swr_fault fault;

    check("load: error", swr_load_model(&model, cube, cube_end - cube, 0, &memory, &fault));
    struct swr_runtime *runtime = swr_start(&memory, &model.needs, scene.light_count);
    if (!runtime) check("memory: error", SWR_MEMORY);

    start_picture(0xFF203050);
    REG32(0xFF000038) = REG32(0xFF00003C) = 0x10; /* the store queues lead to the tile accelerator */
    swr_begin(runtime, &sink);
    swr_rest(&model);
    check("draw: error", swr_draw(runtime, &model, &scene, &fault));
    show_picture();
    print_number("nodes", model.count);
    return 0;
}
