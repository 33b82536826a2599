/* SPDX-License-Identifier: MIT OR Apache-2.0
 * What `tests/console-runtime` calls: one model at a time, whose tile accelerator input goes to memory. The
 * host writes the arguments and reads the lists. */
#include "swirl_runtime.h"

/* A list's memory, and how many blocks are in it. */
struct list { uint32_t address, blocks, used; };

struct textures {
    uint32_t count;
    const struct { uint32_t present; struct swr_texture texture; } *table;
};

static struct swr_model model;
static struct swr_runtime *runtime;
static struct swr_memory memory, left, behind_motion;
static struct swr_motion motion, second;
static struct swr_shapes shapes;

/* Store queues send to where QACR0 and QACR1 lead, in the area of the lists; the host has set them. */
static void *reserve(void *context, uint32_t list, uint32_t blocks)
{
    struct list *it = (struct list *)context + list;
    uint32_t at = it->address + 32 * it->used;
    if (blocks > it->blocks - it->used)
        return 0;
    it->used += blocks;
    return (void *)(0xE0000000 | (at & 0x03FFFFE0));
}

static int find_texture(void *context, uint32_t number, struct swr_texture *texture)
{
    const struct textures *textures = context;
    if (number >= textures->count || !textures->table[number].present)
        return 0;
    *texture = textures->table[number].texture;
    return 1;
}

/* Loads model `number` of a file into `bytes` bytes of memory, and sets its nodes at rest. */
int player_load(void *file, uint32_t size, uint32_t number, uint8_t *at, uint32_t bytes,
    struct swr_fault *fault)
{
    int result;
    memory.next = at;
    memory.end = at + bytes;
    runtime = 0;
    result = swr_load_model(&model, file, size, number, &memory, fault);
    if (result != SWR_OK)
        return result;
    runtime = swr_start(&memory, &model.needs, 8);
    if (!runtime)
        return SWR_MEMORY;
    swr_rest(&model);
    left = memory;
    return SWR_OK;
}

/* Loads motion `number` of a file for the model, in the place of the last one. */
int player_motion(const void *file, uint32_t size, uint32_t number, struct swr_fault *fault)
{
    behind_motion = left;
    return swr_load_motion(&motion, &model, file, size, number, &behind_motion, fault);
}

/* Loads a second motion, in the place of the last one. */
int player_second(const void *file, uint32_t size, uint32_t number, struct swr_fault *fault)
{
    struct swr_memory own = behind_motion;
    return swr_load_motion(&second, &model, file, size, number, &own, fault);
}

/* Leads the nodes to the second motion; frame and share are floats as their bits. */
int player_link(uint32_t frame, uint32_t share)
{
    union { uint32_t bits; float value; } at, part;
    at.bits = frame;
    part.bits = share;
    return swr_link(&model, &second, at.value, part.value);
}

/* Sets the nodes as they are at a frame, a float as its bits; 0 if nothing is to be drawn then. */
int player_move(uint32_t frame)
{
    union { uint32_t bits; float value; } both;
    both.bits = frame;
    return swr_move(&model, &motion, both.value);
}

/* Loads the first shapes and the first motion through them of a file, in the place of the last motion. */
int player_shapes(const void *bytes, uint32_t size, struct swr_fault *fault)
{
    struct swr_memory own = left;
    struct swr_file file;
    file.bytes = bytes;
    file.size = size;
    file.number = 0;
    return swr_load_shapes(&shapes, &model, &file, &file, &own, fault);
}

/* Sets the vertices as they are at a frame; 0 if nothing is to be drawn then. */
int player_shape(uint32_t frame)
{
    union { uint32_t bits; float value; } both;
    both.bits = frame;
    return swr_shape(&model, &shapes, both.value);
}

/* Sets nodes and vertices as they stand in the file. */
void player_rest(void)
{
    swr_rest(&model);
    model.shapes = 0;
}

/* Draws the model; the scene's texture hook is set here, its context by the host: struct textures. */
int player_draw(struct swr_scene *scene, struct list lists[SWR_LISTS], struct swr_fault *fault)
{
    struct swr_sink sink;
    sink.reserve = reserve;
    sink.context = lists;
    scene->texture = find_texture;
    swr_begin(runtime, &sink);
    return swr_draw(runtime, &model, scene, fault);
}

/* -- Cells -- */

static struct swr_sprite sprite;
static struct swr_stream streams[SWR_MOST_STREAMS], *order[SWR_MOST_STREAMS];
static uint32_t stream_count;
static struct swr_cell_list *cells;

/* User events: number of words, then time, number, stream, count and words of each. */
static struct { uint32_t used, words[8192]; } events;

static void put(uint32_t word)
{
    if (events.used < sizeof events.words / 4)
        events.words[events.used++] = word;
}

static void record(void *context, const struct swr_cell_event *event)
{
    uint32_t i;
    (void)context;
    put((uint32_t)event->time);
    put(event->id);
    put(event->stream);
    put(event->count);
    for (i = 0; i < event->count; i++)
        put(event->words[i]);
}

/* Loads sprite `number` of a file into `bytes` bytes of memory; there are no streams then. */
int player_sprite(const void *file, uint32_t size, uint32_t number, uint8_t *at, uint32_t bytes,
    struct swr_fault *fault)
{
    struct swr_needs needs = {0, 0, 0, 0, 0, 0, 0, 0};
    memory.next = at;
    memory.end = at + bytes;
    stream_count = 0;
    cells = 0;
    runtime = swr_start(&memory, &needs, 0);
    left = memory;
    return runtime ? swr_load_sprite(&sprite, file, size, number, fault) : SWR_MEMORY;
}

/* Loads the first `count` streams of a file, in the place of the last ones, and starts a list of them. */
int player_streams(const void *file, uint32_t size, uint32_t count, struct swr_fault *fault)
{
    memory = left;
    for (stream_count = 0; stream_count < count && stream_count < SWR_MOST_STREAMS; stream_count++) {
        int result = swr_load_stream(&streams[stream_count], file, size, stream_count, &memory, fault);
        if (result != SWR_OK)
            return result;
        order[stream_count] = &streams[stream_count];
    }
    cells = swr_start_cells(&memory, &sprite, order, stream_count);
    if (!cells)
        return SWR_MEMORY;
    cells->event = record;
    return SWR_OK;
}

static struct swr_sprite_motion sprite_motion;

int player_sprite_motion(const void *file, uint32_t size, struct swr_fault *fault)
{
    return swr_load_sprite_motion(&sprite_motion, file, size, 0, fault);
}

/* Moves the sprite to a frame, a float as its bits; where the sprite is. */
void *player_move_sprite(uint32_t frame)
{
    union { uint32_t bits; float value; } both;
    both.bits = frame;
    swr_move_sprite(&sprite, &sprite_motion, both.value);
    return &sprite;
}

/* Moves the list's time on; where the cells are. */
void *player_advance(uint32_t step)
{
    events.used = 0;
    swr_advance_cells(cells, step);
    return cells->cells;
}

void *player_events(void) { return &events; }

/* Draws the sprite with the list's cells; `space` is 0 for pixels of the screen. */
int player_draw_cells(struct swr_scene *scene, struct list lists[SWR_LISTS],
    const struct swr_cell_settings *settings, const struct swr_cell_space *space)
{
    struct swr_sink sink;
    sink.reserve = reserve;
    sink.context = lists;
    scene->texture = find_texture;
    swr_begin(runtime, &sink);
    return swr_draw_cells(runtime, &sprite, (const uint32_t (*)[16])cells->cells, scene, settings, space);
}

/* -- Textures -- */

static struct swr_texture_file texture_file;
static struct swr_texture_data texture;

int player_open_textures(const void *file, uint32_t size, struct swr_fault *fault)
{
    return swr_open_textures(&texture_file, file, size, fault);
}

/* The next texture, as the host reads it: struct swr_texture_data. */
int player_next_texture(struct swr_fault *fault) { return swr_next_texture(&texture_file, &texture, fault); }
void *player_texture(void) { return &texture; }

void player_store_texture(uint32_t *to) { swr_store_texture(&texture, to); }

static struct swr_palette palette;

int player_palette(const void *file, uint32_t size, struct swr_fault *fault)
{
    return swr_load_palette(&palette, file, size, fault);
}

/* The palette, as the host reads it: struct swr_palette. */
void *player_palette_head(void) { return &palette; }
void player_store_palette(uint32_t *ram) { swr_store_palette(&palette, ram); }

/* -- Cameras and lights -- */

static struct swr_view_motion view;

int player_camera_motion(const void *file, uint32_t size, uint8_t *at, uint32_t bytes,
    struct swr_fault *fault)
{
    struct swr_memory own = {at, at + bytes};
    return swr_load_camera_motion(&view, file, size, 0, &own, fault);
}

int player_light_motion(const void *file, uint32_t size, uint8_t *at, uint32_t bytes, struct swr_fault *fault)
{
    struct swr_memory own = {at, at + bytes};
    return swr_load_light_motion(&view, file, size, 0, &own, fault);
}

/* Moves a camera to a frame, a float as its bits, and leads the scene's there. */
int player_camera(struct swr_free_camera *camera, uint32_t frame, struct swr_scene *scene)
{
    union { uint32_t bits; float value; } both;
    both.bits = frame;
    if (!swr_move_camera(camera, &view, both.value))
        return 0;
    swr_look(scene, camera);
    return 1;
}

/* A light at a frame, from one at rest, and its ambient light. */
int player_light(const struct swr_light_source *rest, uint32_t frame, struct swr_light_source *light,
    float ambient[3])
{
    union { uint32_t bits; float value; } both;
    both.bits = frame;
    return swr_move_light(light, ambient, rest, &view, both.value);
}

/* The compiler may call these. */
void *memcpy(void *to, const void *from, unsigned int bytes)
{
    uint8_t *target = to;
    const uint8_t *source = from;
    while (bytes--)
        *target++ = *source++;
    return to;
}

void *memset(void *to, int value, unsigned int bytes)
{
    uint8_t *target = to;
    while (bytes--)
        *target++ = (uint8_t)value;
    return to;
}
