/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Text on the screen by the boot ROM's font: letters of 12 x 24 points. */
#ifndef FONT_H
#define FONT_H
#include "video.h"

/* Draws ASCII text at a point of a frame buffer, in a colour (565) on another. */
void draw_text(u32 frame, u32 x, u32 y, const char *text, u16 ink, u16 paper);

#endif
