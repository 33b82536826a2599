/* SPDX-License-Identifier: MIT OR Apache-2.0
 * demo: the shark of `swirl demo` on the console, by the C runtime: chunk model, motion, CompactShape,
 * shadow, cells.
 *
 * The directional pad turns the camera, Start ends the program. Each frame of the first stroke prints its
 * number, which `swirl demo --frame` takes, the cycles of the runtime and the CRC-32 of the picture. */
#include "../console/maple.h"
#include "screen.h"
#include "swirl.h"
#include "swirl_runtime.h"

extern u8 shark_model[], shark_model_end[], shark_motion[], shark_motion_end[], shark_shapes[],
    shark_shapes_end[];
extern u8 swirl_sprite[], swirl_sprite_end[], swirl_streams[], swirl_streams_end[];
extern u8 skin[], skin_end[], sand[], sand_end[], swirl[], swirl_end[];
void round_to_nearest(void);

enum { LEFT = 64, RIGHT = 128, STROKE = 60, TEXTURE_COUNT = 3, STREAM_COUNT = 2 };

/* Memory behind the program. Nothing but the store queues and DMA touches the lists, so the cache never holds
 * them. */
enum { POOL = 0x8C400000, POOL_END = 0x8C800000, LIST_MEMORY = 0x8C800000, LIST_BLOCKS = 0x4000 };

static struct swr_model model;
static struct swr_motion motion;
static struct swr_shapes shapes;
static struct swr_runtime *runtime;
static struct swr_sprite sprite;
static struct swr_stream streams[STREAM_COUNT];
static struct swr_cell_list *cells;
static struct swr_texture textures[TEXTURE_COUNT];

/* From the upper left in front. */
static const struct swr_light_source light = {
    .kind = SWR_DIRECTIONAL,
    .place = {-0.33333334f, 0.6666667f, 0.6666667f},
    .colour = {0.75f, 0.75f, 0.75f},
    .specular = {0.75f, 0.75f, 0.75f},
};

static int find_texture(void *context, uint32_t number, struct swr_texture *texture) {
    (void)context;
    if (number >= TEXTURE_COUNT) return 0;
    *texture = textures[number];
    return 1;
}

/* The cells have one texture, the last one. */
static int find_cell_texture(void *context, uint32_t number, struct swr_texture *texture) {
    (void)number;
    return find_texture(context, TEXTURE_COUNT - 1, texture);
}

/* The camera looks at the middle of all that the stroke reaches. Yaw 55 degrees, pitch 12; 45 degrees of
 * view. */
static struct swr_scene scene = {
    .target = {0.0f, -0.9187356f, 0.0f},
    .yaw = 10012,
    .pitch = 2185,
    .distance = 22.0f,
    .viewport = {579.41125f, -579.41125f, 320.0f, 240.0f},
    .near = 0.1122551f,
    .width = 640.0f,
    .height = 480.0f,
    .ambient = {0.5f, 0.5f, 0.5f},
    .light_count = 1,
    .lights = &light,
    .settings = {.cheap_shadows = 1},
    .texture = find_texture,
};

/* -- Loading -- */

static u32 size_of(const u8 *begin, const u8 *end) { return end - begin; }

/* Ends the program with the code of an error. */
static void check(const char *what, int result, const struct swr_fault *fault) {
    if (result == SWR_OK) return;
    print(what);
    print_number(": error", result);
    print_hex("at", fault->offset);
    quit(1);
}

static void load_texture(u32 number, const u8 *file, u32 size, u32 *address) {
    struct swr_texture_file textures_of;
    struct swr_texture_data data;
    struct swr_fault fault;
    check("texture", swr_open_textures(&textures_of, file, size, &fault), &fault);
    check("texture", swr_next_texture(&textures_of, &data, &fault), &fault);
    swr_store_texture(&data, (volatile uint32_t *)(VRAM64 + *address));
    textures[number] = data.texture;
    textures[number].word |= *address / 8;
    *address += (data.memory + 31) & ~31;
}

static void load_textures(void) {
    u32 address = TEXTURES;
    load_texture(0, skin, size_of(skin, skin_end), &address);
    load_texture(1, sand, size_of(sand, sand_end), &address);
    load_texture(2, swirl, size_of(swirl, swirl_end), &address);
    scene.missing = textures[0];
}

static void print_event(void *context, const struct swr_cell_event *event) {
    (void)context;
    print_number("event", event->id);
    print_number("time", event->time);
}

static void load_cells(struct swr_memory *memory) {
    struct swr_stream *order[STREAM_COUNT];
    struct swr_fault fault;
    u32 bytes = size_of(swirl_sprite, swirl_sprite_end);
    check("sprite", swr_load_sprite(&sprite, swirl_sprite, bytes, 0, &fault), &fault);
    bytes = size_of(swirl_streams, swirl_streams_end);
    for (u32 n = 0; n < STREAM_COUNT; n++) {
        check("stream", swr_load_stream(&streams[n], swirl_streams, bytes, n, memory, &fault), &fault);
        order[n] = &streams[n];
    }
    cells = swr_start_cells(memory, &sprite, order, STREAM_COUNT);
    if (!cells) check("cells", SWR_MEMORY, &fault);
    cells->event = print_event;
}

static void load_shark(struct swr_memory *memory) {
    struct swr_fault fault;
    struct swr_file list = {shark_shapes, size_of(shark_shapes, shark_shapes_end), 0};
    struct swr_file moves = {shark_motion, size_of(shark_motion, shark_motion_end), 0};
    u32 bytes = size_of(shark_model, shark_model_end);
    check("model", swr_load_model(&model, shark_model, bytes, 0, memory, &fault), &fault);
    check("motion", swr_load_motion(&motion, &model, moves.bytes, moves.size, 0, memory, &fault), &fault);
    check("shapes", swr_load_shapes(&shapes, &model, &list, &moves, memory, &fault), &fault);
    runtime = swr_start(memory, &model.needs, scene.light_count);
    if (!runtime) check("runtime", SWR_MEMORY, &fault);
}

/* -- Lists in memory -- */

static u32 used[LISTS];

static u32 list_address(u32 list) { return LIST_MEMORY + list * LIST_BLOCKS * 32; }

/* The last block of each list is kept for its end. */
static void *reserve(void *context, uint32_t list, uint32_t blocks) {
    (void)context;
    if (blocks > LIST_BLOCKS - 1 - used[list]) return 0;
    u32 at = list_address(list) + used[list] * 32;
    used[list] += blocks;
    return (void *)(0xE0000000 | (at & 0x03FFFFE0));
}

/* Both store queues lead to RAM: bits 28 to 26 of 0C000000. */
static void lead_queues_to_memory(void) { REG32(0xFF000038) = REG32(0xFF00003C) = 0x0C; }

/* A store to a queue waits until that queue has been sent. */
static void wait_for_queues(void) { REG32(0xE0000000) = REG32(0xE0000020) = 0; }

/* Closes a list and sends it. */
static u32 submit(u32 list) {
    if (!used[list]) return 0;
    void *at = (void *)(0xE0000000 | ((list_address(list) + used[list] * 32) & 0x03FFFFE0));
    swirl_queue_fill(0, 1, at);
    wait_for_queues();
    send_list(list, list_address(list), used[list] + 1);
    return 1u << list;
}

/* Volumes for translucent polygons count only where there are such polygons. */
static u32 submit_all(void) {
    begin_frame();
    u32 sent = submit(SWR_OPAQUE) | submit(SWR_OPAQUE_MODIFIER) | submit(SWR_PUNCH_THROUGH);
    if (used[SWR_TRANSLUCENT]) sent |= submit(SWR_TRANSLUCENT) | submit(SWR_TRANSLUCENT_MODIFIER);
    return sent;
}

/* -- Frames -- */

/* Performance counter 1 counts CPU cycles: clear, then start with event 23. */
static void start_cycles(void) {
    REG16(0xFF000084) = 0x2000;
    REG16(0xFF000084) = 0xC023;
}
static u32 cycles(void) { return REG32(0xFF100008); }

/* Time 0 of the streams is the first frame of the stroke. */
static void draw_layer(u32 frame, struct swr_fault *fault) {
    static const struct swr_cell_settings settings = {.form = SWR_CELL_STRIPS};
    struct swr_scene layer = scene;
    layer.texture = find_cell_texture;
    if (frame == 0) swr_reset_cells(cells);
    swr_advance_cells(cells, frame != 0);
    const uint32_t(*now)[16] = (const uint32_t(*)[16])cells->cells;
    check("cells", swr_draw_cells(runtime, &sprite, now, &layer, &settings, 0), fault);
}

static void draw_scene(u32 frame) {
    struct swr_sink sink = {reserve, 0};
    struct swr_fault fault = {0, 0};
    union { u32 bits; float value; } time;
    time.value = (float)(int)frame;
    for (u32 list = 0; list < LISTS; list++) used[list] = 0;
    swr_begin(runtime, &sink);
    swr_move(&model, &motion, time.value);
    swr_shape(&model, &shapes, time.value);
    check("draw", swr_draw(runtime, &model, &scene, &fault), &fault);
    draw_layer(frame, &fault);
}

/* Pictures lie in two buffers by turns. */
static u32 buffer_of(u32 number) { return number & 1 ? FRAME_0 : FRAME_1; }

static u32 picture_crc(u32 number) {
    uint32_t crc = 0;
    swirl_crc32((const uint32_t *)(VRAM32 + buffer_of(number)), PIXELS * 4, &crc);
    return crc;
}

static void turn_camera(u32 buttons) {
    scene.yaw += (buttons & RIGHT ? 364 : 0) - (buttons & LEFT ? 364 : 0);
    scene.pitch += (buttons & BUTTON_UP ? 364 : 0) - (buttons & BUTTON_DOWN ? 364 : 0);
}

/* Shows a picture when the chip has drawn it, and waits until the screen has left the one before. Its number
 * is printed first: a screenshot is of the frame whose number was printed last. */
static void show_picture(u32 number, u32 spent) {
    wait_for(RENDER_DONE);
    show_frame(buffer_of(number));
    if (number < STROKE) {
        print_number("frame", number);
        print_number("cycles", spent);
        print_hex("picture", picture_crc(number));
    }
    forget(VBLANK_IN);
    wait_for(VBLANK_IN);
}

/* The CPU makes the lists of a frame while the chip draws the one before. */
int main(void) {
    struct swr_memory memory = {(u8 *)POOL, (u8 *)POOL_END};
    u32 spent = 0;
    round_to_nearest();
    start_screen(0xFF0B3A5E, 0x180); /* shadows leave half of the light */
    load_textures();
    load_shark(&memory);
    load_cells(&memory);
    lead_queues_to_memory();
    start_maple();
    for (u32 number = 0;; number++) {
        u32 buttons = read_buttons(), before = spent;
        if (buttons & BUTTON_START) return 0;
        turn_camera(buttons);
        start_cycles();
        draw_scene(number % STROKE);
        spent = cycles();
        if (number) show_picture(number - 1, before);
        begin_render(submit_all(), buffer_of(number));
    }
}

/* The compiler may call these. */
void *memcpy(void *to, const void *from, unsigned bytes) {
    u8 *target = to;
    const u8 *source = from;
    while (bytes--) *target++ = *source++;
    return to;
}

void *memset(void *to, int value, unsigned bytes) {
    u8 *target = to;
    while (bytes--) *target++ = (u8)value;
    return to;
}
