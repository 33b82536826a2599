/* SPDX-License-Identifier: MIT OR Apache-2.0
 * menu: up and down choose an entry, Start or A takes it: the program prints its name and ends with its number. */
#include "font.h"
#include "maple.h"

static const char *const entries[] = {"Continue", "New game", "Options", "Quit"};
enum { COUNT = 4, PAPER = 0x0008, INK = 0xFFFF, DIM = 0x8410, FRAME = 0 };

static void clear(void) {
    volatile u32 *at = (volatile u32 *)(VRAM32 + FRAME);
    for (u32 n = 0; n < FRAME_BYTES / 4; n++) at[n] = PAPER << 16 | PAPER;
}

static void draw_menu(u32 chosen) {
    for (u32 n = 0; n < COUNT; n++) {
        u32 y = 180 + 36 * n;
        draw_text(FRAME, 220, y, n == chosen ? ">" : " ", INK, PAPER);
        draw_text(FRAME, 244, y, entries[n], n == chosen ? INK : DIM, PAPER);
    }
}

int main(void) {
    u32 chosen = 0, held = 0;
    start_maple();
    start_video(FRAME);
    clear();
    draw_text(FRAME, 220, 120, "A console menu", INK, PAPER);
    draw_menu(chosen);
    start_events(VBLANK_IN);
    for (;;) {
        wait_for(VBLANK_IN);
        u32 buttons = read_buttons(), pressed = buttons & ~held;
        held = buttons;
        if (pressed & (BUTTON_START | BUTTON_A)) break;
        if (pressed & BUTTON_DOWN) chosen = (chosen + 1) % COUNT;
        if (pressed & BUTTON_UP) chosen = (chosen + COUNT - 1) % COUNT;
        if (pressed) draw_menu(chosen);
    }
    print(entries[chosen]);
    print("\n");
    return chosen;
}
