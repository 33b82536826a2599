/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * swirl_runtime.h: the Ninja runtime for programs on the Dreamcast
 *
 * Loads chunk models and their motions, and makes tile accelerator input of them. C99, no operating system,
 * no globals, no allocation: the program gives memory once. The kernels of libswirl (swirl.h) compute every
 * number; FPSCR has PR = 0, SZ = 0, DN = 1 and round to nearest at each call. The result equals that of the
 * Rust crate `swirl-scene` word for word.
 */
#ifndef SWIRL_RUNTIME_H
#define SWIRL_RUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Results. Everything but SWR_OK is an error. */
enum swr_result {
    SWR_OK,
    SWR_END_OF_FILE,  /* a structure reaches beyond its chunk or the file */
    SWR_CHUNK,        /* no chunk of the wanted kind */
    SWR_POINTER,      /* a pointer is not aligned, or leads out of the chunk */
    SWR_POINTER_LIST, /* POF0 names a place outside the chunk */
    SWR_SHARED_NODE,  /* a node is reached twice */
    SWR_VERTEX_KIND,  /* unknown vertex chunk */
    SWR_VERTEX_SIZE,  /* more vertices than the chunk has words */
    SWR_POLYGON_KIND, /* unknown polygon chunk */
    SWR_POLYGON_SIZE, /* a polygon chunk is too short for what it says */
    SWR_SLOT,         /* a vertex goes to a slot outside 0 to 32767 */
    SWR_EMPTY_SLOT,   /* a polygon names a vertex that no node has made */
    SWR_UNKNOWN_LIST, /* DP without a CP of this number */
    SWR_RECURSIVE,    /* DP inside the list that it draws */
    SWR_ENDLESS,      /* more than 4,000,000 polygon chunks */
    SWR_TOO_LARGE,    /* a volume of more than 65,535 vertices */
    SWR_MEMORY,       /* too little memory */
    SWR_SINK,         /* the sink has no room */
    SWR_MOTION,       /* a motion's type or tables are not as they have to be */
    SWR_NODES,        /* a motion has fewer entries than the model has nodes */
    SWR_SHAPES,       /* shapes are missing, or cannot be blended with each other */
    SWR_TEXTURE,      /* a texture's format, or a size that this format cannot have */
    SWR_CELLS         /* a cell sprite or stream is not as it has to be */
};

/* Where an error is. */
struct swr_fault {
    uint32_t offset; /* in the file when loading, in the chunk when drawing */
    uint32_t node;   /* number of the node in drawing order */
};

/* Memory that is handed out from its beginning on. */
struct swr_memory {
    uint8_t *next;
    uint8_t *end;
};

/* What a model needs to be drawn. */
struct swr_needs {
    uint32_t slots;          /* of the vertex buffer */
    uint32_t pending;        /* nodes that wait during the walk */
    uint32_t strip;          /* entries of the longest strip */
    uint32_t strip_words;    /* half-words of its entries */
    uint32_t triangles;      /* of the largest volume chunk */
    uint32_t vertices;       /* of the largest chunk that is unpacked */
    uint32_t words;          /* of the largest chunk that is repacked */
    uint32_t second;         /* 1: some strips have two parameters */
};

enum swr_rotation { SWR_NONE, SWR_XYZ, SWR_ZXY, SWR_QUATERNION_PARTS };

/* Where a node is. */
struct swr_pose {
    uint8_t has_position, has_scale, hidden, childless;
    uint32_t rotation; /* enum swr_rotation */
    float position[3];
    float scale[3];
    union { int32_t angles[3]; float quaternion[4]; } turn; /* BAMS; real part first */
};

#define SWR_NO_NODE 0xFFFFFFFFu

/* A node of a model, in drawing order. */
struct swr_node {
    uint32_t offset;  /* of its NJS_CNK_OBJECT in the chunk */
    uint32_t flags;   /* evaluation flags */
    uint32_t child;   /* number, or SWR_NO_NODE */
    uint32_t sibling;
    struct swr_pose pose;
};

struct swr_shapes;

/* A model in memory. The file stays where it is; its pointers stay offsets. */
struct swr_model {
    const uint8_t *body; /* of the chunk NJCM or N2CM */
    uint32_t size;
    uint32_t node_bytes; /* 52 or 56 */
    uint32_t count;
    struct swr_node *nodes;
    float weight_scale;
    uint32_t strips; /* bit 0: strips of one parameter, 1: of two, 2: volumes */
    struct swr_needs needs;
    const struct swr_shapes *shapes; /* what stands in for vertices; 0: nothing does */
};

/* A texture in video memory. */
struct swr_texture {
    uint32_t word; /* texture control word */
    uint32_t width, height;
};

enum { SWR_DIRECTIONAL, SWR_POINT, SWR_SPOT };

/* A light in world space; 1.0 is full. */
struct swr_light_source {
    uint32_t kind;
    float place[3];    /* unit vector to a directional light, else its position */
    float beam[3];     /* unit vector of a spot's beam */
    float near, far;   /* full up to near, gone from far on */
    int32_t inner, outer; /* BAMS from the beam: full up to inner, gone from outer on */
    float colour[3];
    float specular[3];
};

enum { SWR_HALF_WAY, SWR_REFLECTED, SWR_NO_HIGHLIGHT };
enum { SWR_VOLUMES_ORIGINAL, SWR_VOLUMES_ALL, SWR_VOLUMES_OFF };
enum { SWR_QUADS_AROUND, SWR_QUADS_STRIP };

/* Play settings: those of `swirl play-settings`. All 0 is the default. */
struct swr_settings {
    uint32_t highlight;
    uint32_t skip_bits;         /* CB_EXP and CB_DA have no effect */
    uint32_t volumes;
    uint32_t volume_quads;
    uint32_t opaque_volumes;    /* volumes reach opaque polygons only */
    uint32_t filter_as_written; /* one pass for trilinear filters */
    uint32_t cheap_shadows;     /* else two-volume polygons */
    uint32_t intensity;         /* intensities instead of packed colours, where possible */
    uint32_t no_culling;
};

/* From where and in what light models are drawn. */
struct swr_scene {
    float target[3];
    int32_t yaw, pitch, roll; /* BAMS */
    float distance;
    float viewport[4];        /* scale x, scale y, centre x, centre y */
    float near;
    float width, height;
    float ambient[3];
    uint32_t light_count;
    const struct swr_light_source *lights;
    struct swr_settings settings;
    /* The texture of a number; 0 if there is none, and `missing` is drawn. */
    int (*texture)(void *context, uint32_t number, struct swr_texture *texture);
    void *texture_context;
    struct swr_texture missing;
};

enum { SWR_OPAQUE, SWR_OPAQUE_MODIFIER, SWR_TRANSLUCENT, SWR_TRANSLUCENT_MODIFIER, SWR_PUNCH_THROUGH,
    SWR_LISTS };

/* Where blocks of 32 bytes go. */
struct swr_sink {
    /* An address in the store queues (E0000000 to E3FFFFFF, a multiple of 32) for `blocks` blocks of a list
     * one after the other; QACR0 and QACR1 lead to the tile accelerator or to memory. 0: no
     * room. */
    void *(*reserve)(void *context, uint32_t list, uint32_t blocks);
    void *context;
};

struct swr_runtime;

/* A chunk of a file. */
struct swr_chunk {
    uint32_t name;   /* as a little-endian word */
    uint32_t offset; /* of its body in the file */
    uint32_t size;
};

/* Reads the chunk head at `*at`, which then is the place of the next one. SWR_CHUNK: there are no more. */
int swr_next_chunk(const uint8_t *file, uint32_t size, uint32_t *at, struct swr_chunk *chunk);

/* Loads model `number` (NJCM or N2CM) of a file, at an address that is a multiple of 4. The node table comes
 * from `memory`, and during the call a quarter of the file's size more. */
int swr_load_model(
    struct swr_model *model, void *file, uint32_t size, uint32_t number, struct swr_memory *memory,
    struct swr_fault *fault);

/* The larger of two needs, member by member. */
void swr_combine_needs(struct swr_needs *needs, const struct swr_needs *other);

/* Work memory for models of these needs, and at most so many lights. 0 if `memory` is too small. */
struct swr_runtime *swr_start(struct swr_memory *memory, const struct swr_needs *needs, uint32_t lights);

/* Begins a frame's lists: the next header of each list is sent. */
void swr_begin(struct swr_runtime *runtime, const struct swr_sink *sink);

/* Sets the nodes as they stand in the file. */
void swr_rest(struct swr_model *model);

/* Draws a model. */
int swr_draw(struct swr_runtime *runtime, const struct swr_model *model, const struct swr_scene *scene,
    struct swr_fault *fault);

/* What key tables move. */
enum { SWR_POSITION, SWR_SCALE, SWR_ANGLES, SWR_SHORT_ANGLES, SWR_QUATERNION_KEYS };

/* Other layouts of keys, of cameras and lights. */
enum { SWR_THREE_FLOATS = 16, SWR_TWO_FLOATS, SWR_ONE_FLOAT, SWR_PACKED_COLOUR, SWR_ONE_ANGLE,
    SWR_SPOT_KEYS };

/* The keys of one element of a node. */
struct swr_track {
    const uint8_t *keys;
    uint32_t count;
    uint32_t ascending; /* keys before the first that does not ascend */
    uint32_t stride;    /* bytes */
    uint32_t element;
    uint32_t node;
    uint32_t reserved[2];
};

/* What comes after the last key of a table: as by the original, the last key, the first key at the motion's
 * end. */
enum { SWR_LAST_ORIGINAL, SWR_LAST_HOLD, SWR_LAST_WRAP };

/* A motion for a model. */
struct swr_motion {
    uint32_t length; /* frames */
    uint32_t spline; /* else straight from key to key */
    uint32_t straight_angles; /* angles go straight even then; 0 when loaded */
    uint32_t last_key;        /* SWR_LAST_ORIGINAL when loaded */
    uint32_t zxy;
    uint32_t count;
    struct swr_track *tracks;
};

/* Loads motion `number` (NMDM) of a file for a model. The track table comes from `memory`, and during the
 * call a tenth of the file's size more. The file stays where it is. */
int swr_load_motion(struct swr_motion *motion, const struct swr_model *model, const void *file, uint32_t size,
    uint32_t number, struct swr_memory *memory, struct swr_fault *fault);

/* Sets the model's nodes as they are at a frame. 0 before the first frame and behind the last: nothing is to
 * be drawn. */
int swr_move(struct swr_model *model, const struct swr_motion *motion, float frame);

/* Leads the nodes from where swr_rest or swr_move has set them to where a second motion has them at a frame:
 * share 0 leaves them, share 1 is the second motion alone. 0 before its first frame and behind the last:
 * nothing is to be drawn. */
int swr_link(struct swr_model *model, const struct swr_motion *motion, float frame, float share);

/* Parts of cameras and lights. */
enum { SWR_VIEW_PLACE, SWR_VIEW_VECTOR, SWR_VIEW_VECTOR_0, SWR_VIEW_TARGET, SWR_VIEW_ROLL, SWR_VIEW_ANGLE,
    SWR_VIEW_COLOUR, SWR_VIEW_INTENSITY, SWR_VIEW_POINT, SWR_VIEW_SPOT, SWR_VIEW_PARTS };

/* A motion of a camera or a light. */
struct swr_view_motion {
    uint32_t length;          /* frames */
    uint32_t spline;          /* else straight from key to key */
    uint32_t straight_angles; /* angles go straight even then; 0 when loaded */
    uint32_t last_key;        /* SWR_LAST_ORIGINAL when loaded */
    struct swr_track tracks[SWR_VIEW_PARTS];
};

/* A camera by where it is and what it looks at. */
struct swr_free_camera {
    float position[3];
    float target[3];
    int32_t roll;  /* BAMS about the line of sight */
    int32_t angle; /* BAMS of view across the width of the picture */
};

/* Loads motion `number` of a camera (NCAM) or of a light (NLIM) of a file at a multiple of 4. During the call
 * a tenth of the file's size comes from `memory`. The file stays where it is. */
int swr_load_camera_motion(struct swr_view_motion *motion, const void *file, uint32_t size, uint32_t number,
    const struct swr_memory *memory, struct swr_fault *fault);
int swr_load_light_motion(struct swr_view_motion *motion, const void *file, uint32_t size, uint32_t number,
    const struct swr_memory *memory, struct swr_fault *fault);

/* Sets what has keys to its state at a frame. 0 before the first frame and behind the last: the camera
 * stays. */
int swr_move_camera(struct swr_free_camera *camera, const struct swr_view_motion *motion, float frame);

/* Leads the scene's camera and viewport from a free camera: its place is rounded to a BAMS unit of yaw and
 * pitch. The picture's size comes from the scene. */
void swr_look(struct swr_scene *scene, const struct swr_free_camera *camera);

/* A light at a frame, its intensity being in its colours, and the ambient light that comes with it; what has
 * no keys is as in `rest`. 0 before the first frame and behind the last: both stay. */
int swr_move_light(struct swr_light_source *light, float ambient[3], const struct swr_light_source *rest,
    const struct swr_view_motion *motion, float frame);

/* A vertex chunk that shapes move. */
struct swr_moved {
    struct swr_track keys;
    uint32_t node, chunk;
    uint8_t *stand_in;
    uint32_t vertices;
    uint32_t entry;
};

/* A motion through shapes, for a model. */
struct swr_shapes {
    uint32_t length;   /* frames */
    uint32_t last_key; /* SWR_LAST_ORIGINAL when loaded */
    const uint8_t *list;
    uint32_t groups, group_count;
    uint32_t count, room;
    struct swr_moved *moved;
    uint32_t most; /* floats of the largest chunk */
    uint8_t *between;
};

/* Chunk `number` of its kind in a file at a multiple of 4. */
struct swr_file {
    const void *bytes;
    uint32_t size, number;
};

/* Loads a motion through shapes (CPSM) and the list of these (NJSL), from two files or one. A copy of each
 * vertex chunk that shapes move comes from `memory`. The files stay where they are. */
int swr_load_shapes(struct swr_shapes *shapes, const struct swr_model *model, const struct swr_file *list,
    const struct swr_file *motion, struct swr_memory *memory, struct swr_fault *fault);

/* Sets the vertices as they are at a frame, and the model's `shapes`. 0 before the first frame and behind
 * the last. */
int swr_shape(struct swr_model *model, struct swr_shapes *shapes, float frame);

/* NJS_CELL_SPRITE: a sprite in a file. Programs may change all but the cells. */
struct swr_sprite {
    const uint32_t (*cells)[16]; /* NJS_CELL */
    uint32_t count;
    float position[3]; /* pixels and priority, negative; in space a point */
    int32_t angle;     /* BAMS */
    float scale[2];
    float diffuse[4];  /* alpha, red, green, blue; 1.0 is full */
    float specular[4]; /* exponent, red, green, blue */
};

/* Loads sprite `number` (NJSP) of a file at a multiple of 4. The file stays where it is. */
int swr_load_sprite(struct swr_sprite *sprite, const void *file, uint32_t size, uint32_t number,
    struct swr_fault *fault);

/* A motion of a whole sprite. */
struct swr_sprite_motion {
    uint32_t length; /* frames */
    uint32_t spline; /* else straight from key to key */
    uint32_t straight_angles; /* the angle goes straight even then; 0 when loaded */
    uint32_t last_key;        /* SWR_LAST_ORIGINAL when loaded */
    struct swr_track tracks[4]; /* place, angle, scale, colour */
};

/* Loads motion `number` (NCSM) of a file at a multiple of 4. The file stays where it is. */
int swr_load_sprite_motion(struct swr_sprite_motion *motion, const void *file, uint32_t size, uint32_t number,
    struct swr_fault *fault);

/* Sets what moves to its state at a frame. 0 before the first frame and behind the last: the sprite stays. */
int swr_move_sprite(struct swr_sprite *sprite, const struct swr_sprite_motion *motion, float frame);

/* A time stamp of a stream. */
struct swr_stamp {
    uint32_t time;
    uint32_t word; /* of its first chunk */
};

/* An animation pattern of cells. */
struct swr_stream {
    const uint32_t *data;
    uint32_t words;
    int32_t offset, length; /* in time */
    uint32_t first;         /* word behind the first stamp; 0: there is none */
    uint32_t first_time;    /* of the stamp that it points at */
    uint32_t count;
    struct swr_stamp *stamps; /* by time */
};

/* Loads stream `number` (NJCS) of a file at a multiple of 4. Its table of stamps comes from `memory`. The
 * file stays where it is. */
int swr_load_stream(struct swr_stream *stream, const void *file, uint32_t size, uint32_t number,
    struct swr_memory *memory, struct swr_fault *fault);

/* A user event of a stream. */
struct swr_cell_event {
    uint32_t id, count;
    const uint32_t *words;
    uint32_t stream; /* its number in the list */
    int32_t time;
};

/* What the runtime keeps of a stream that plays. */
struct swr_schedule {
    int64_t next, time, run, silent, last_run, keep;
    uint32_t place, begun, waiting, reserved;
};

enum { SWR_MOST_STREAMS = 256 };

/* Streams that play together over a copy of a sprite's cells. */
struct swr_cell_list {
    uint32_t (*cells)[16]; /* as the streams have changed them */
    uint32_t count;
    const uint32_t (*own)[16];
    const struct swr_stream **streams;
    uint32_t stream_count;
    struct swr_schedule *schedules;
    int32_t time;
    void (*event)(void *context, const struct swr_cell_event *event); /* 0 when started: nobody listens */
    void *event_context;
};

/* A list at time 0; the order of the streams decides where two write at one time. 0 if `memory` is too small,
 * or for more than SWR_MOST_STREAMS streams. */
struct swr_cell_list *swr_start_cells(struct swr_memory *memory, const struct swr_sprite *sprite,
    struct swr_stream *const streams[], uint32_t count);

/* Back to time 0, the cells as the sprite has them. */
void swr_reset_cells(struct swr_cell_list *list);

/* Moves the time on and runs the stamps that are reached on the way. A step of 0 begins a list. */
void swr_advance_cells(struct swr_cell_list *list, uint32_t step);

enum { SWR_CELL_EXACT, SWR_CELL_SPRITES, SWR_CELL_STRIPS };

/* Play settings of cells. All 0 is the default. */
struct swr_cell_settings {
    uint32_t form; /* SWR_CELL_EXACT: sprites where nothing is lost */
    uint32_t ignore_punch_through;
    uint32_t point_sampled;
};

/* The space of a 3D sprite: the camera's, up to a distance. */
struct swr_cell_space {
    float far;
};

/* Draws a sprite with the cells of a list, or its own: in pixels of the screen, or in a space. The scene
 * gives viewport, textures, and the camera of a space. */
int swr_draw_cells(struct swr_runtime *runtime, const struct swr_sprite *sprite, const uint32_t (*cells)[16],
    const struct swr_scene *scene, const struct swr_cell_settings *settings,
    const struct swr_cell_space *space);

/* A file of textures: .pvr, or an archive, .pvm. Members are the runtime's. */
struct swr_texture_file {
    const uint8_t *bytes;
    uint32_t size, at;
    uint32_t archive, flags;
    uint32_t rows, row, row_bytes; /* of an archive's table */
    uint32_t done;                 /* textures so far */
};

/* A texture in a file. */
struct swr_texture_data {
    struct swr_texture texture; /* the control word has no address: add that in video memory over 8 */
    uint32_t memory;            /* bytes in video memory */
    const uint8_t *texels;
    uint32_t bytes;             /* in the file */
    uint32_t gap_at, gap;       /* place in video memory and number of bytes that the file leaves out */
    uint32_t pixels, layout;    /* the two format bytes */
    uint32_t width, height;     /* in texels */
    uint32_t has_index, global_index, bank;
    uint32_t number;            /* in the archive's table */
    const char *name;           /* 28 characters, the rest 0; 0: the file has no names */
};

/* Begins with a file's textures. The file stays where it is, at any address. */
int swr_open_textures(struct swr_texture_file *file, const void *bytes, uint32_t size,
    struct swr_fault *fault);

/* The next texture. SWR_CHUNK: there are no more. */
int swr_next_texture(struct swr_texture_file *file, struct swr_texture_data *data, struct swr_fault *fault);

/* Writes a texture to video memory (64-bit area, a multiple of 8), whole words. */
void swr_store_texture(const struct swr_texture_data *data, volatile uint32_t *to);

/* A palette in a file. */
struct swr_palette {
    uint32_t format;            /* of PAL_RAM_CTRL: ARGB1555, RGB565, ARGB4444, ARGB8888 */
    uint32_t first;             /* word of palette RAM where the first entry goes */
    uint32_t count;
    const uint8_t *entries;
    uint32_t entry_bytes;       /* 2 or 4 */
};

/* Loads a palette (.pvp). The file stays where it is, at any address. */
int swr_load_palette(struct swr_palette *palette, const void *file, uint32_t size, struct swr_fault *fault);

/* Writes the entries to palette RAM (005F9000, 1,024 words); what goes beyond its end is left out. */
void swr_store_palette(const struct swr_palette *palette, volatile uint32_t *ram);

/* Whether a frame of these models needs cheap shadows: it has volumes and no strips of two parameters. */
int swr_wants_cheap_shadows(const struct swr_model *const models[], uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
