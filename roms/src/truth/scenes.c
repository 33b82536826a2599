/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Pictures that the PowerVR2 draws, read back. The observation is the CRC of the pixels. */
#include "picture.h"

static void colours(void) {
    static const struct quad shaded = {OPAQUE, GOURAUD, GREATER, REPLACE, 0, 3, 5, 61, 59, 0.5f, 0,
        {0xFF000000, 0xFFFF8040, 0xFF10FF80, 0xFFFFFFFF}, 0, 0};
    observe_one("scene.shaded_8888", picture(&shaded, 1, ARGB8888));
    observe_one("scene.shaded_565", picture(&shaded, 1, RGB565));
    observe_one("scene.shaded_dither", picture(&shaded, 1, DITHERED));
    /* 31, 63 and 31 in 565: a pattern would show that dither scales the colour first. */
    static const struct quad exact = {OPAQUE, 0, GREATER, REPLACE, 0, 3, 5, 61, 59, 0.5f, 0,
        {0xFFF8FCF8, 0xFFF8FCF8, 0xFFF8FCF8, 0xFFF8FCF8}, 0, 0};
    observe_one("scene.exact_dither", picture(&exact, 1, DITHERED));
}

/* Corners at centres of pixels: the edges go through other centres. */
static void edges(void) {
    static const struct quad quad = {OPAQUE, 0, GREATER, REPLACE, 0, 8.5f, 8.5f, 40.5f, 40.5f, 0.5f, 0,
        {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, 0, 0};
    observe_one("scene.edges", picture(&quad, 1, ARGB8888));
}

/* The second rectangle is nearer by one unit of the 24-bit mantissa. */
static void depth(void) {
    static const struct quad quads[2] = {
        {OPAQUE, 0, GREATER, REPLACE, 0, 8, 8, 56, 56, 0.5f, 0,
            {0xFFFF0000, 0xFFFF0000, 0xFFFF0000, 0xFFFF0000}, 0, 0},
        {OPAQUE, 0, GREATER, REPLACE, 0, 16, 16, 48, 48, 0.50000006f, 0,
            {0xFF00FF00, 0xFF00FF00, 0xFF00FF00, 0xFF00FF00}, 0, 0},
    };
    observe_one("scene.depth", picture(quads, 2, ARGB8888));
}

static void write_texture(void) {
    seed_random(0x1234567);
    for (u32 n = 0; n < 64 * 64 * 2; n += 4) REG32(VRAM64 + TEXTURE + n) = next_random() | 0xF000F000;
    PVR(0x108) = 2; /* PAL_RAM_CTRL: 4444 */
    for (u32 n = 0; n < 256; n++) PVR(0x1000 + 4 * n) = next_random() & 0xFFFF;
}

static void textures(void) {
    struct quad quad = {OPAQUE, TEXTURED, GREATER, REPLACE | BY_64, LINEAR | AS_565 | TEXTURE / 8, 2, 2, 62, 62, 0.5f, 0.7f,
        {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, 0, 0};
    write_texture();
    observe_one("scene.point", picture(&quad, 1, ARGB8888));
    quad.tsp |= BILINEAR;
    observe_one("scene.bilinear", picture(&quad, 1, ARGB8888));
    quad.tcw = AS_4444 | TEXTURE / 8;
    observe_one("scene.twiddled", picture(&quad, 1, ARGB8888));
    quad.tsp |= 1 << 12;
    observe_one("scene.supersample", picture(&quad, 1, ARGB8888));
    quad.tsp &= ~(1 << 12 | BILINEAR);
    quad.tcw = AS_4444 | VQ | TEXTURE / 8;
    observe_one("scene.vq", picture(&quad, 1, ARGB8888));
    quad.tcw = AS_8BPP | VQ | TEXTURE / 8;
    observe_one("scene.vq_palette8", picture(&quad, 1, ARGB8888));
    quad.tcw = AS_4BPP | VQ | TEXTURE / 8;
    observe_one("scene.vq_palette4", picture(&quad, 1, ARGB8888));
}

/* HALF_OFFSET bit 2: texels are taken at the centre of points, or at their corner. */
static void half_offset(void) {
    struct quad quad = {OPAQUE, TEXTURED, GREATER, REPLACE | BY_64, LINEAR | AS_565 | TEXTURE / 8, 2, 2, 62, 62, 0.5f, 0.7f,
        {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, 0, 0};
    for (int filter = 0; filter < 2; filter++) {
        if (filter) quad.tsp |= BILINEAR;
        half_offset_register = 3;
        observe_one(filter ? "scene.corner_bilinear" : "scene.corner_point", picture(&quad, 1, ARGB8888));
    }
    half_offset_register = 7;
}

/* Offset of texture coordinates with HALF_OFFSET bit 2 set and clear. A pixel advances by 1/256 texel, from 96/256 on,
 * over columns of black and white texels. By points: the first column of pixels with the next texel, or 64. Bilinear:
 * the first and the last pixel; they are equal if the offset is half a texel. */
static void texel_offset(void) {
    static const u32 half_offsets[2] = {7, 3};
    struct quad quad = {OPAQUE, TEXTURED, GREATER, REPLACE | BY_64, AS_565 | COLUMNS / 8, -96, 0, 160, 64, 0.5f, 1.0f / 64,
        {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, 0, 0};
    volatile u32 *row = (volatile u32 *)(VRAM32 + FRAME_0 + SIDE / 2 * SIDE * 4);
    u32 values[6] = {0};
    /* Twiddled: each word holds two texels of a column. */
    for (u32 n = 0; n < 64 * 64 / 2; n++) REG32(VRAM64 + COLUMNS + 4 * n) = n & 1 ? 0xFFFFFFFF : 0;
    for (u32 n = 0; n < 2; n++) {
        u32 *value = values + 3 * n;
        half_offset_register = half_offsets[n];
        quad.tsp &= ~BILINEAR;
        if (picture(&quad, 1, ARGB8888))
            while (value[0] < SIDE && row[value[0]] == row[0]) value[0]++;
        quad.tsp |= BILINEAR;
        if (picture(&quad, 1, ARGB8888)) {
            value[1] = row[0] >> 16 & 0xFF;
            value[2] = row[SIDE - 1] >> 16 & 0xFF;
        }
    }
    half_offset_register = 7;
    observe("scene.texel_offset", values, 6);
}

/* Twiddled levels of 64 x 64 to 1 x 1, seen in perspective and smaller than they are. */
static void levels(void) {
    struct quad quad = {OPAQUE, TEXTURED, GREATER, REPLACE | BY_64 | 4 << 8, MIPMAPPED | AS_565 | TEXTURE / 8, 1, 1, 63, 24,
        0.5f, 3, {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, 0.9f, 0};
    observe_one("scene.mip", picture(&quad, 1, ARGB8888));
    quad.tsp |= BILINEAR;
    observe_one("scene.mip_bilinear", picture(&quad, 1, ARGB8888));
    quad.isp |= 1 << 20;
    quad.bottom_z = 4;
    observe_one("scene.mip_dcalc", picture(&quad, 1, ARGB8888));
    quad.isp = GREATER;
    quad.bottom_z = 0.9f;
    quad.tsp = (quad.tsp & ~(BILINEAR | 0xF00)) | TRILINEAR_A | 5 << 8;
    observe_one("scene.trilinear_a", picture(&quad, 1, ARGB8888));
    quad.tsp |= TRILINEAR_B;
    observe_one("scene.trilinear_b", picture(&quad, 1, ARGB8888));
}

static void fog(void) {
    struct quad quad = {OPAQUE, TEXTURED | GOURAUD, GREATER, (REPLACE & ~FOG_MASK) | MODULATE | BY_64, AS_4444 | TEXTURE / 8,
        1, 1, 63, 63, 0.1f, 1, {0xFF4080C0, 0xC0FFFFFF, 0x8000FF00, 0x40FF00FF}, 0.9f, 0};
    PVR(0xB0) = 0x00A05030; /* FOG_COL_RAM */
    PVR(0xB4) = 0x00102030; /* FOG_COL_VERT */
    PVR(0xB8) = 0xFF07;     /* FOG_DENSITY: 255/128 times 2^7 */
    for (u32 n = 0; n < 128; n++) PVR(0x200 + 4 * n) = (255 - 2 * n) << 8 | (254 - 2 * n);
    observe_one("scene.fog_table", picture(&quad, 1, ARGB8888));
    quad.tsp |= FOG_TABLE_2;
    observe_one("scene.fog_table2", picture(&quad, 1, ARGB8888));
    quad.tsp ^= 2 << 22; /* by the vertex: its offset colour's alpha */
    quad.pcw |= OFFSET;
    quad.offset = 0x60102030;
    observe_one("scene.fog_vertex", picture(&quad, 1, ARGB8888));
}

/* Offset colour: K1, K2, K3 and Q of the bump map. */
static void bump(void) {
    struct quad quad = {OPAQUE, TEXTURED | OFFSET, GREATER, REPLACE | MODULATE | BY_64, AS_BUMP | TEXTURE / 8, 1, 1, 63, 63,
        0.5f, 1, {0xFF4080C0, 0xFF4080C0, 0xFF4080C0, 0xFF4080C0}, 0, 0x40F0A028};
    observe_one("scene.bump", picture(&quad, 1, ARGB8888));
    quad.offset = 0xFF00FF80;
    observe_one("scene.bump_steep", picture(&quad, 1, ARGB8888));
}

/* FPU_SHAD_SCALE bit 8: volumes darken. */
static void volumes(void) {
    struct quad quad = {OPAQUE, SHADOW | TEXTURED, GREATER, REPLACE | BY_64, AS_565 | TEXTURE / 8, 4, 4, 60, 60, 0.5f, 1,
        {0xFF4080C0, 0xFF4080C0, 0xFF4080C0, 0xFF4080C0}, 0, 0};
    /* The inside of the first one, without the outside of the second one. */
    static const struct volume volumes[2] = {
        {OPAQUE_VOLUME, 1, 16, 16, 48, 48, 0.7f}, {OPAQUE_VOLUME, 2, 8, 8, 32, 56, 0.7f},
    };
    u32 results[3];
    shadow_scale = 0x180;
    for (u32 n = 0; n < 3; n++) {
        begin_scene(1 << OPAQUE | 1 << OPAQUE_VOLUME, 0);
        send_quad(&quad);
        int is_sent = end_list(OPAQUE);
        send_volume(&volumes[0]);
        if (n == 2) send_volume(&volumes[1]);
        is_sent = is_sent && end_list(OPAQUE_VOLUME) && draw_scene(ARGB8888, FRAME_0);
        results[n] = is_sent ? pixel_crc(ARGB8888, VRAM32 + FRAME_0) : 0;
        quad.tsp |= MODULATE;
    }
    shadow_scale = 1;
    observe("scene.shadow", results, 3);
}

static void translucent_volumes(void) {
    static const struct quad quad = {TRANSLUCENT, SHADOW | GOURAUD, GREATER, BLEND, 0, 4, 4, 60, 60, 0.5f, 0,
        {0xC0FF0000, 0xC0FF8040, 0xC010FF80, 0xC0FFFFFF}, 0, 0};
    static const struct volume volume = {TRANSLUCENT_VOLUME, 1, 16, 16, 48, 48, 0.7f};
    shadow_scale = 0x180;
    observe_one("scene.sorted_volume", volume_picture(&quad, 1, &volume, 0));
    observe_one("scene.presorted_volume", volume_picture(&quad, 1, &volume, PRESORTED));
    shadow_scale = 1;
}

/* FPU_PERP_VAL: slivers of one pixel and less, seen from the side. */
static void slivers(void) {
    static const struct quad quads[2] = {
        {OPAQUE, 0, GREATER, REPLACE, 0, 4, 8, 60, 8.75f, 0.5f, 0,
            {0xFFFF0000, 0xFFFF0000, 0xFFFF0000, 0xFFFF0000}, 0, 0},
        {OPAQUE, 0, GREATER, REPLACE, 0, 4, 20, 60, 50, 0.5f, 0,
            {0xFF00FF00, 0xFF00FF00, 0xFF00FF00, 0xFF00FF00}, 0, 0},
    };
    begin_scene(1 << OPAQUE, 0);
    PVR(0x84) = 0x3D4CCCCD; /* 0.05 */
    send_quad(&quads[0]);
    send_quad(&quads[1]);
    u32 crc = end_list(OPAQUE) && draw_scene(ARGB8888, FRAME_0) ? pixel_crc(ARGB8888, VRAM32 + FRAME_0) : 0;
    PVR(0x84) = 0;
    observe_one("scene.slivers", crc);
}

/* FB_W_SOF1 bit 24: the picture goes to the 64-bit area, as a texture. SCALER_CTL bit 16: half the width. */
static void targets(void) {
    static const struct quad shaded = {OPAQUE, GOURAUD, GREATER, REPLACE, 0, 3, 5, 61, 59, 0.5f, 0,
        {0xFF000000, 0xFFFF8040, 0xFF10FF80, 0xFFFFFFFF}, 0, 0};
    u32 texture = 0x600000, crc;
    begin_scene(1 << OPAQUE, 0);
    send_quad(&shaded);
    crc = end_list(OPAQUE) && draw_scene(RGB565, 0x01000000 | texture) ? pixel_crc(RGB565, VRAM64 + texture) : 0;
    observe_one("scene.as_texture", crc);
    begin_scene(1 << OPAQUE, 0);
    PVR(0xF4) = 0x10400;
    send_quad(&shaded);
    crc = end_list(OPAQUE) && draw_scene(ARGB8888, FRAME_0) ? pixel_crc(ARGB8888, VRAM32 + FRAME_0) : 0;
    PVR(0xF4) = 0x400;
    observe_one("scene.half_width", crc);
}

/* Time of a picture: nothing, and layers of one list over all of it. */
static void times(void) {
    static const char *const names[3] = {"time.render_empty", "time.render_opaque", "time.render_translucent"};
    struct quad quad = {OPAQUE, 0, GREATER, BLEND, 0, 0, 0, 64, 64, 0.5f, 0,
        {0x80FF8040, 0x80FF8040, 0x80FF8040, 0x80FF8040}, 0, 0};
    for (u32 n = 0; n < 3; n++) {
        quad.list = n == 2 ? TRANSLUCENT : OPAQUE;
        begin_scene(n ? 1 << quad.list : 0, 0);
        for (u32 layer = 0; layer < 6 && n; layer++) send_quad(&quad);
        int is_drawn = (n == 0 || end_list(quad.list)) && draw_scene(ARGB8888, FRAME_0);
        observe_one(names[n], is_drawn ? stopwatch() : 0xFFFFFFFF);
    }
}

static void blending(void) {
    static const struct quad quad = {TRANSLUCENT, GOURAUD, GREATER, BLEND, 0, 4, 4, 60, 60, 0.5f, 0,
        {0x00FF0000, 0x40FF8040, 0xC010FF80, 0xFFFFFFFF}, 0, 0};
    observe_one("scene.blend", picture(&quad, 1, ARGB8888));
    /* An opaque rectangle with the factors zero and zero. */
    static const struct quad opaque = {OPAQUE, GOURAUD, GREATER, 0x00800000, 0, 4, 4, 60, 60, 0.5f, 0,
        {0x00FF0000, 0x40FF8040, 0xC010FF80, 0xFFFFFFFF}, 0, 0};
    observe_one("scene.opaque_blend", picture(&opaque, 1, ARGB8888));
}

/* A later rectangle of the punch-through list lies behind the first, and one behind an opaque rectangle says "always". */
static void punch_through(void) {
    static const struct quad quads[4] = {
        {OPAQUE, 0, GREATER, REPLACE, 0, 8, 4, 24, 60, 0.5f, 0,
            {0xFF0000FF, 0xFF0000FF, 0xFF0000FF, 0xFF0000FF}, 0, 0},
        {PUNCH_THROUGH, 0, GREATER, BLEND, 0, 32, 8, 56, 56, 0.5f, 0,
            {0xFFFF0000, 0xFFFF0000, 0xFFFF0000, 0xFFFF0000}, 0, 0},
        {PUNCH_THROUGH, 0, GREATER, BLEND, 0, 36, 16, 60, 48, 0.25f, 0,
            {0xFF00FF00, 0xFF00FF00, 0xFF00FF00, 0xFF00FF00}, 0, 0},
        {PUNCH_THROUGH, 0, ALWAYS, BLEND, 0, 4, 16, 28, 48, 0.25f, 0,
            {0xFF00FFFF, 0xFF00FFFF, 0xFF00FFFF, 0xFF00FFFF}, 0, 0},
    };
    PVR(0x11C) = 0x80; /* PT_ALPHA_REF */
    observe_one("scene.punch_through", volume_picture(quads, 4, 0, 0));
    /* The alpha of the texture passes, that of the product does not everywhere. */
    static const struct quad quad = {PUNCH_THROUGH, TEXTURED | GOURAUD, GREATER, BLEND | MODULATE_ALPHA | BY_64,
        AS_4444 | TEXTURE / 8, 4, 4, 60, 60, 0.5f, 1, {0xFFFFFFFF, 0x40FFFFFF, 0xFFFFFFFF, 0x40FFFFFF}, 0, 0};
    observe_one("scene.punch_alpha", picture(&quad, 1, ARGB8888));
}

const struct experiment scene_experiments[] = {
    {"colours", colours},       {"edges", edges},     {"depth", depth},   {"textures", textures},
    {"half_offset", half_offset}, {"texel_offset", texel_offset}, {"levels", levels}, {"fog", fog},       {"bump", bump},
    {"blending", blending},     {"punch_through", punch_through},         {"volumes", volumes},
    {"translucent_volumes", translucent_volumes},     {"slivers", slivers}, {"targets", targets},
    {"times", times},           {0, 0},
};
