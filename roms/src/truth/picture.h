/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Pictures of 64 x 64 pixels, of rectangles and modifier volumes. */
#ifndef PICTURE_H
#define PICTURE_H
#include "truth.h"
#include "../console/render.h"

enum { SIDE = 64, TILES = 4, LIST_BYTES = 0x1000 };
enum { OPAQUE, OPAQUE_VOLUME, TRANSLUCENT, TRANSLUCENT_VOLUME, PUNCH_THROUGH };
/* PCW: modifier volumes matter, textured, with offset colour, shaded by vertices. ISP: greater, or always. */
enum { SHADOW = 0x80, TEXTURED = 8, OFFSET = 4, GOURAUD = 2, GREATER = 4u << 29, ALWAYS = 7u << 29 };
/* TSP: source only, no fog; source and inverse alpha, no fog, alpha of vertices; textures of 64 x 64; shading. */
enum { REPLACE = 0x20800000, BLEND = 0x94900000, BY_64 = 3 << 3 | 3, MODULATE = 1 << 6, MODULATE_ALPHA = 3 << 6 };
enum { FOG_MASK = 3 << 22, FOG_TABLE_2 = 3 << 22, BILINEAR = 1 << 13, TRILINEAR_A = 2 << 13, TRILINEAR_B = 3 << 13 };
/* FB_W_CTRL: 565, 565 dithered, 8888. TCW: linear layout, formats. */
enum { RGB565 = 1, DITHERED = 9, ARGB8888 = 6, LINEAR = 1 << 26, AS_4444 = 2 << 27, AS_565 = 1 << 27 };
enum { AS_BUMP = 4 << 27, AS_4BPP = 5 << 27, AS_8BPP = 6 << 27, VQ = 1 << 30, MIPMAPPED = 1u << 31 };
/* Region array: translucent polygons are drawn in the order of the list. */
enum { PRESORTED = 1 << 29 };
/* Texture of columns, after TEXTURE. */
enum { COLUMNS = TEXTURE + 0x10000 };

/* A strip of two triangles over a rectangle, with a colour for each corner. Texture coordinates go from 0 to `scale`.
 * A bottom_z of 0 is z. */
struct quad {
    u32 list, pcw, isp, tsp, tcw;
    float left, top, right, bottom, z, scale;
    u32 colours[4];
    float bottom_z;
    u32 offset;
};

/* A rectangle that divides inside from outside. Instruction: 1 inside last, 2 outside last. */
struct volume {
    u32 list, instruction;
    float left, top, right, bottom, z;
};

/* FPU_SHAD_SCALE of the pictures; bit 8: volumes darken. */
extern u32 shadow_scale;
/* HALF_OFFSET of the pictures; bit 2: texels are taken at the centre of points. */
extern u32 half_offset_register;

void begin_scene(u32 lists, u32 tile_flags);
void send_quad(const struct quad *quad);
void send_volume(const struct volume *volume);
/* A triangle of a volume, at one depth. The last one of a volume has its instruction, others 0. */
void send_volume_triangle(u32 list, const float corners[3][2], float z, u32 last_instruction);
/* Sends the end of a list. 0 if its event does not come. */
int end_list(u32 list);
/* CRC of the object lists and of the stored parameters. */
u32 list_crc(void);
/* Draws to an offset of video memory. 0 if the end does not come. */
int draw_scene(u32 format, u32 target);
u32 pixel_crc(u32 format, u32 address);
u32 volume_picture(const struct quad *quads, u32 count, const struct volume *volume, u32 tile_flags);
u32 picture(const struct quad *quads, u32 count, u32 format);

#endif
