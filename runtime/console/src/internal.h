/* SPDX-License-Identifier: MIT OR Apache-2.0
 * What the parts of the runtime share. */
#ifndef SWR_INTERNAL_H
#define SWR_INTERNAL_H

#include "swirl.h"
#include "swirl_runtime.h"

/* Leaves the function with the result of `call` unless it is SWR_OK. */
#define SWR_TRY(call)                      \
    do {                                   \
        int swr_result_ = (call);          \
        if (swr_result_ != SWR_OK)         \
            return swr_result_;            \
    } while (0)

enum { SWR_MAX_SLOTS = 32768 };

/* Evaluation flags of nodes (docs/formats/ninja.md 1.8). */
enum {
    UNIT_POS = 1 << 0, UNIT_ANG = 1 << 1, UNIT_SCL = 1 << 2, HIDE = 1 << 3, BREAK = 1 << 4, ZXY_ANG = 1 << 5,
    SKIP = 1 << 6, SHAPE_SKIP = 1 << 7, CLIP = 1 << 8, QUATERNION = 1 << 10, ROTATE_BASE = 1 << 11,
    ROTATE_SET = 1 << 12
};

/* Flags of strip chunks (docs/formats/ninja.md 1.7). */
enum {
    IGNORE_LIGHT = 0x01, IGNORE_SPECULAR = 0x02, IGNORE_AMBIENT = 0x04, USE_ALPHA = 0x08, DOUBLE_SIDE = 0x10,
    FLAT = 0x20, ENVIRONMENT = 0x40
};

/* Little-endian words of files, which are aligned to their size. A union reads the bits of a float. */
static inline uint32_t swr_word(const uint8_t *at) { return *(const uint32_t *)(const void *)at; }
static inline uint16_t swr_half(const uint8_t *at) { return *(const uint16_t *)(const void *)at; }

static inline float swr_from_bits(uint32_t bits)
{
    union { uint32_t bits; float value; } both;
    both.bits = bits;
    return both.value;
}

static inline float swr_real(const uint8_t *at) { return swr_from_bits(swr_word(at)); }

/* bytes.c: memory */
void *swr_take(struct swr_memory *memory, uint32_t bytes);
/* Memory from the end, cleared, for the time of loading; 0 if there are not so many bytes. */
void *swr_borrow(struct swr_memory *memory, uint32_t bytes);
/* The same for bits 0 to `last`. */
uint32_t *swr_borrow_bits(struct swr_memory *memory, uint32_t last);
void swr_set(uint32_t *bits, uint32_t i);
uint32_t swr_get(const uint32_t *bits, uint32_t i);
void swr_clear(void *at, uint32_t bytes);
void swr_copy(void *to, const void *from, uint32_t bytes);
/* Equal words and bytes, by the kernels. */
void swr_fill_words(void *to, uint32_t words, uint32_t value);
void swr_fill_bytes(uint8_t *to, uint32_t bytes, uint32_t value);
int swr_finite(float value);
/* The square root, by FSQRT; floats as their bits. */
uint32_t swr_root_bits(uint32_t value);

/* kinds.c: the tables of chunk kinds */
enum { NO_ATTRIBUTE, ATTRIBUTE_D8, ATTRIBUTE_NINJA, ATTRIBUTE_S5, ATTRIBUTE_S4, ATTRIBUTE_INTENSITY,
    ATTRIBUTE_D8_S8,
    ATTRIBUTE_NINJA_D8 };
enum { NO_NORMAL, FLOAT_NORMAL, PACKED_NORMAL };

struct vertex_kind {
    uint8_t stride; /* words */
    uint8_t normal;
    uint8_t attribute;
    uint8_t at; /* word of the attribute */
};
/* 0 if there is no such kind. */
const struct vertex_kind *swr_vertex_kind(uint32_t id);
enum { NORMAL_WORD = 3, PLAIN_VERTICES = 34 };
static inline uint32_t normal_word(uint32_t id) { return id == 33 ? 4 : NORMAL_WORD; }

struct strip_kind {
    uint8_t words; /* of an entry, without user words */
    uint8_t pairs; /* of texture coordinates */
    uint8_t normal, colour, second;
    float scale;
};
const struct strip_kind *swr_strip_kind(uint32_t id);

/* vertices.c: the vertex buffer */
enum { FILLED = 1, HAS_NORMAL = 2, HAS_DIFFUSE = 4, HAS_SPECULAR = 8, PROJECTED = 16, NAMED = 32,
    BEHIND = 64 };

struct slot_colours {
    uint32_t *base, *offset;
    uint32_t *made_for; /* number of the shading; 0 is none */
};

/* Slots one after the other that were filled last and are alike. Most strip chunks name no others, and then
 * nobody has to look at each slot. */
struct latest {
    uint32_t start, end, kind;
    uint32_t projected; /* those before it have screen positions */
    uint32_t behind;    /* whether one of these lies behind the near plane */
    uint32_t copied[2]; /* by volume, number of the shading whose colours all have; 0 is none */
};

struct buffer {
    uint32_t slots;
    struct latest latest;
    float (*positions)[4];
    float (*normals)[4];
    float (*screen)[4];
    uint8_t *kinds;
    uint32_t *diffuse, *specular;
    struct slot_colours colours[2];
};

/* Slots one after the other that are alike, most of them named; `kind` has what all have. */
struct alike { uint16_t start, end; uint32_t kind; };

/* The slots that a chunk names. */
struct named {
    struct alike *runs, *end;
    uint32_t in_latest; /* whether all are among those filled last: then there is one run */
    uint32_t missing; /* whether a strip names a slot that holds no vertex */
    uint32_t behind;  /* whether one lies behind the near plane, when they are projected */
    uint32_t blocks;  /* of all strips, if each is sent as it lies in the list */
};

/* A texture as a polygon list binds it. */
struct tiny {
    uint32_t present;
    uint32_t bits; /* of the TSP word: flip, clamp, filter, supersampling, mipmap bias */
    uint32_t texture;
};

struct volume_material {
    uint32_t diffuse, ambient, specular; /* specular: red, green, blue */
    uint32_t exponent;
    uint32_t blend; /* bits of the TSP word */
    struct tiny tiny;
};

/* How the strips of a material colour their vertices. */
struct shading {
    uint32_t number;
    uint32_t valid, flags, fold, intensity; /* what it was made for */
    uint32_t lit;
    uint32_t diffuse, specular, ambient;
    uint32_t highlight; /* flags of light_vertices; 0 is none */
    uint32_t exponent;
    uint32_t used;      /* whether a slot may have its number */
    uint32_t offsets;   /* whether a slot with its number has an offset colour that would change a pixel */
    struct swirl_shade shade;
    uint32_t prepared;  /* whether what lit vertices need is made: ambient light in `shade`, and what follows */
    float ambient_intensity;
    uint32_t single;    /* 1: `light` does all at once */
    struct swirl_directional_light light;
};

struct strip_chunk {
    const uint16_t *words; /* behind the count word */
    uint32_t id, flags, user, count;
    const struct strip_kind *kind;
};

struct strip_part {
    const struct strip_chunk *chunk;
    const uint16_t *words; /* of the strip */
    uint32_t start, count; /* entries */
    uint32_t reversed;
};

struct pass {
    uint32_t list;
    uint32_t header[8];
};

struct strip_batch {
    const float *matrix;
    uint32_t flags;
    uint32_t volumes;
    struct pass passes[3];
    uint32_t pass_count;
    uint32_t form;
    uint32_t intensity;
    uint32_t in_place;    /* strips that are in front can be sent as they lie in the list */
    uint32_t offset_mask; /* 0: their offset colours are 0 */
    uint32_t at_once;     /* all strips of a chunk one after the other: each pass has a list of its own */
};

struct plane { float normal[3]; float distance; };

/* The rest of a polygon list. */
struct rest {
    const uint8_t *at;
    const uint8_t *vertices; /* of the owner's model; 0 if it has none */
    float matrix[16] __attribute__((aligned(8)));
};

struct running {
    struct rest rest;
    int32_t number; /* -1: the node's own list */
};

struct pending {
    float matrix[16] __attribute__((aligned(8))); /* of its parent */
    uint32_t node;
};

enum { RUNNING = 258 };

/* Buffers that live as long as a chunk is drawn. */
struct work {
    uint32_t *diffuse, *specular, *base, *offset;
    float (*lit)[4];
    float (*gloss)[4];
    float (*normals)[4];  /* of strips */
    float (*vectors)[4];
    float (*uv)[4];
    float (*view)[4];     /* of corners */
    float (*unpacked)[4]; /* of vertex chunks */
    uint32_t *words;
    uint16_t *halves;
    struct swirl_corner *corners;
    uint16_t (*edges)[2];
    uint8_t *held, *front, *pieces;
    uint16_t (*triangles)[3];
    uint16_t (*kept)[3];
    uint16_t *index_of;
    struct alike *alike;
};

struct list_state { uint32_t open; uint32_t header[8]; };

struct swr_runtime {
    struct swr_needs needs;
    uint32_t max_lights;
    const struct swr_sink *sink;
    struct list_state lists[SWR_LISTS];
    struct buffer buffer;
    struct work work;
    struct pending *pending;
    struct running *running;
    struct rest *cached;     /* by CP number */
    uint32_t remembered[8];  /* bit by bit, which of them there are */
    struct swirl_light *lights;
};

/* A model that is being drawn. */
struct walk {
    struct swr_runtime *runtime;
    const struct swr_model *model;
    const struct swr_scene *scene;
    struct swr_fault *fault;
    struct volume_material materials[2];
    struct shading shadings[2];
    uint32_t shading_number;
    float to_world[16] __attribute__((aligned(8)));
    struct plane planes[5];
    uint32_t plane_count;
    const struct plane *beyond; /* hides the present model's sphere; 0 if none does */
    uint32_t hidden;            /* models skipped because their node is hidden */
    uint32_t chunks;
};

/* load.c: the next pointer that a list of `bytes` bytes (POF0) names; `at` goes along the list and `offset`
 * along the chunk, both from 0. 0: there are no more; negative: it lies beyond all files. */
int swr_next_pointer(const uint8_t *list, uint32_t bytes, uint32_t *at, uint32_t *offset);

/* start.c: whether memory for `held` is enough */
int swr_enough(const struct swr_needs *held, const struct swr_needs *wanted);

/* walk.c */
void swr_still_node(const struct swr_model *model, uint32_t node, struct swr_pose *pose);

/* matrix.c */
void swr_identity(float matrix[16]);
void swr_node_matrix(const float parent[16], const struct swr_pose *pose, float out[16]);
void swr_translate(const float matrix[16], const float by[3], float out[16]);
void swr_camera(const struct swr_scene *scene, float out[16]);
void swr_inverse_rotation(const float matrix[16], float out[16]);
/* One vector; all 8-byte aligned but `in`. */
void swr_transform(const float matrix[16], const float in[3], float w, float out[3]);

/* motion.c: one key alone, or the way from `before` to `after` */
struct swr_interval {
    uint32_t between;
    uint32_t before, after;
    uint32_t start, length;
};
void swr_interval_at(
    const struct swr_track *track, uint32_t length, uint32_t last_key, float frame, struct swr_interval *out);

void swr_move_node(const struct swr_motion *motion, const struct swr_track *track, float frame,
    struct swr_pose *pose);
void swr_curved_angles(const int32_t keys[4][3], const struct swr_interval *at, int short_way, float frame,
    int32_t out[3]);
const uint8_t *swr_key(const struct swr_track *track, uint32_t i);
/* Of the four keys around a place: 0 is the one before, 1 the place, counted around. */
uint32_t swr_around(const struct swr_track *track, uint32_t before, uint32_t step);
int swr_in_frames(float frame, uint32_t length);

/* shapes.c, load_shapes.c */
struct shape_kind { uint32_t position, normal, diffuse, stride; };
int swr_shape_kind(uint32_t id, struct shape_kind *kind);
/* Without a division: that is a call where the compiler has no FPU. `by` is not 0. */
uint32_t swr_quotient(uint32_t value, uint32_t by);
int swr_multiple(uint32_t value, uint32_t by);
const uint8_t *swr_stand_in(const struct swr_model *model, uint32_t node, uint32_t number,
    const uint8_t *own);

/* light.c */
void swr_light_blocks(const struct swr_scene *scene, const float view[16], struct swirl_light *blocks);
void swr_scaled(const float light[3], uint32_t material, float out[3]);
float swr_mean(const float channels[3]);

/* material.c */
void swr_start_material(struct walk *walk, const float view[16]);
void swr_apply(struct walk *walk, const uint16_t *chunk, uint32_t words);
void swr_shading(struct walk *walk, uint32_t volume, uint32_t flags, uint32_t fold, uint32_t intensity);
void swr_prepare_light(struct walk *walk, struct shading *shading);
int swr_can_intensity(const struct walk *walk, uint32_t flags);
int swr_textured(const struct walk *walk, const struct strip_chunk *chunk);

/* shading.c */
struct lit_vertices {
    float (*positions)[4];
    float (*normals)[4];
    const uint32_t *diffuse, *specular;
    uint32_t own; /* HAS_DIFFUSE, HAS_SPECULAR: else they are the material's */
    uint32_t count;
};
void swr_light(struct walk *walk, const struct shading *shading, const struct lit_vertices *vertices,
    uint32_t *base, uint32_t *offset);
int swr_has_offsets(const struct walk *walk, const struct named *named, uint32_t volume);
void swr_colour(struct walk *walk, const struct named *named, uint32_t volume, struct shading *shading);

/* named.c */
int swr_name_slots(struct walk *walk, const struct strip_chunk *chunk, struct named *named);
void swr_change_kinds(struct buffer *buffer, const struct alike *run, uint32_t set, uint32_t clear);
void swr_forget_names(struct walk *walk, const struct named *named);

/* vertices.c */
int swr_fill(struct walk *walk, uint32_t node, const float matrix[16], const uint8_t *list);
void swr_project(struct walk *walk, struct named *named);

/* header.c */
struct strip_style { uint32_t flags, textured, offset, two_volumes, intensity; };
uint32_t swr_passes(struct walk *walk, const struct strip_style *style, struct pass passes[3]);

uint32_t swr_size_bits(const struct swr_texture *texture);

/* output.c */
uint8_t *swr_open_list(struct swr_runtime *runtime, uint32_t list, const uint32_t header[8], uint32_t blocks,
    int always);
int swr_send_strip(struct walk *walk, const struct strip_batch *batch, const struct strip_part *part);
int swr_send_strips(struct walk *walk, const struct strip_batch *batch, const struct strip_chunk *chunk,
    uint32_t blocks);
int swr_send_corners(struct walk *walk, const struct strip_batch *batch, const struct swirl_corner *corners,
    uint32_t count, uint32_t reversed);
int swr_send_volume(struct walk *walk, uint32_t list, uint32_t last, const uint16_t (*triangles)[3],
    uint32_t count);

/* strips.c */
int swr_strips(struct walk *walk, const struct strip_chunk *chunk, const float matrix[16]);
/* The part's entries without user words. */
const uint16_t *swr_entries(struct walk *walk, const struct strip_chunk *chunk,
    const struct strip_part *part);
/* Calls with each run of three and more for which `has` holds. */
struct run { uint32_t start, end, reversed; };
int swr_next_run(const uint8_t *has, uint32_t count, uint32_t reversed, struct run *run);

/* corners.c */
int swr_corners(struct walk *walk, const struct strip_chunk *chunk, const struct strip_part *part,
    const struct strip_batch *batch);

/* clip.c */
void swr_wound(uint32_t first, uint32_t reversed, uint32_t out[3]);
/* The corners of what a triangle leaves, 0, 3 or 4; new corners are numbered from `first_new` on. */
uint32_t swr_cut(const uint32_t triangle[3], const uint8_t *front, uint32_t first_new, uint16_t (*edges)[2],
    uint32_t *edge_count, uint32_t out[4]);
int swr_clip(struct walk *walk, const struct strip_batch *batch, uint32_t count, uint32_t reversed);

/* volumes.c */
int swr_volume(struct walk *walk, const uint8_t *vertices, const uint16_t *chunk);

/* cull.c */
void swr_frustum(struct walk *walk);
const struct plane *swr_hiding(struct walk *walk, const float matrix[16], const uint8_t *model);
int swr_out_of_sight(struct walk *walk, const struct named *named);

/* plist.c */
int swr_polygons(struct walk *walk, const uint8_t *list, const uint8_t *vertices, const float matrix[16]);
/* Half-words of a polygon chunk with its head; 0 for the end and for unknown chunks. */
uint32_t swr_polygon_words(const uint16_t *chunk);

#endif
