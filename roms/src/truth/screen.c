/* SPDX-License-Identifier: MIT OR Apache-2.0
 * The report on the screen: the name of the experiment that runs, pages of text, QR codes, the menu. */
#include "truth.h"
#include "qr.h"
#include "../console/font.h"
#include "../console/maple.h"
#include "../console/render.h"

enum { FRAME = FRAME_1, PAPER = 0x0008, INK = 0xFFFF, DIM = 0x8410, BLACK = 0, WHITE = 0xFFFF };
/* Televisions cut off some 5 % at each side: no text is there, and of a code only its white border. */
enum { LETTER = 12, ROW = 24, COLUMNS = 48, ROWS = 16, LEFT = 32, TOP = 24, STATUS = 430, MODULE = 5, CHUNK = 480 };

static void fill(u32 x, u32 y, u32 width, u32 height, u32 colour) {
    for (u32 row = y; row < y + height; row++) {
        volatile u32 *at = (volatile u32 *)(VRAM32 + FRAME + 2 * (row * WIDTH + x));
        for (u32 n = 0; n < width / 2; n++) at[n] = colour << 16 | colour;
    }
}

void start_screen(void) {
    fill(0, 0, WIDTH, HEIGHT, PAPER);
    start_video(FRAME);
    draw_text(FRAME, LEFT, TOP, "truth: experiments on the hardware", INK, PAPER);
}

void show_name(const char *name) {
    fill(LEFT, TOP + 2 * ROW, COLUMNS * LETTER, ROW, PAPER);
    draw_text(FRAME, LEFT, TOP + 2 * ROW, name, INK, PAPER);
}

static u32 pressed(void) {
    static u32 held = 0xFFFFFFFF;
    ISTNRM = VBLANK_IN;
    while (!(ISTNRM & VBLANK_IN)) {}
    u32 buttons = read_buttons(), new = buttons & ~held;
    held = buttons;
    return new;
}

static char *add_number(char *at, u32 value) {
    if (value >= 10) at = add_number(at, value / 10);
    *at++ = '0' + value % 10;
    return at;
}

/* "NAME N of M", and a number in hexadecimal if it is given. */
static void draw_status(const char *name, u32 number, u32 count, const u32 *crc) {
    char line[64], *at = add_number(add_text(line, name), number + 1);
    at = add_number(add_text(at, " of "), count);
    if (crc) at = add_hex(add_text(at, ", CRC"), *crc);
    *at = 0;
    draw_text(FRAME, LEFT, STATUS, line, INK, PAPER);
}

/* The end of the row of text at `at`: a line feed, or the last blank that the screen has room for. The next row then
 * begins with this blank. */
static const char *row_end(const char *at) {
    u32 count = 0;
    while (at[count] && at[count] != '\n' && count < COLUMNS) count++;
    if (count == COLUMNS)
        while (count > 1 && at[count] != ' ' && at[count] != '\n') count--;
    return at + count;
}

static const char *skip_rows(const char *at, u32 rows) {
    while (rows-- && *at) {
        at = row_end(at);
        if (*at == '\n') at++;
    }
    return at;
}

static u32 pages(void) {
    u32 count = 0;
    for (const char *at = report_text; *at; count++) at = skip_rows(at, ROWS);
    return count;
}

/* The CRC is of the page's bytes, with line feeds. */
static void draw_page(u32 page) {
    u32 crc = 0xFFFFFFFF;
    const char *at = skip_rows(report_text, page * ROWS), *end = skip_rows(at, ROWS);
    fill(0, 0, WIDTH, HEIGHT, PAPER);
    for (const char *byte = at; byte < end; byte++) crc = crc_byte(crc, *byte);
    for (u32 row = 0; row < ROWS && *at; row++) {
        char line[COLUMNS + 1];
        u32 n = 0;
        for (const char *stop = row_end(at); at < stop; at++) line[n++] = *at;
        line[n] = 0;
        if (*at == '\n') at++;
        draw_text(FRAME, LEFT, TOP + row * ROW, line, INK, PAPER);
    }
    crc = ~crc;
    draw_status("page ", page, pages(), &crc);
}

/* A code holds a part of the report, as it is. */
static void draw_code(u32 part) {
    static u8 modules[QR_SIDE][QR_SIDE];
    u32 size = length(report_text), begin = part * CHUNK, count = size - begin < CHUNK ? size - begin : CHUNK;
    encode_qr((const u8 *)report_text + begin, count, modules);
    fill(0, 0, WIDTH, HEIGHT, PAPER);
    u32 side = (QR_SIDE + 8) * MODULE, left = (WIDTH - side) / 2 & ~1;
    fill(left, 0, side + 1, side, WHITE);
    for (u32 y = 0; y < QR_SIDE * MODULE; y++) {
        volatile u16 *at = (volatile u16 *)(VRAM32 + FRAME) + (y + 4 * MODULE) * WIDTH + left + 4 * MODULE;
        for (u32 x = 0; x < QR_SIDE * MODULE; x++) at[x] = modules[y / MODULE][x / MODULE] & 1 ? BLACK : WHITE;
    }
    draw_status("code ", part, (size + CHUNK - 1) / CHUNK, 0);
}

/* A and down: the next; up: the one before; Start: back to the menu. */
static void browse(void (*draw)(u32 number), u32 count) {
    u32 number = 0;
    draw(number);
    for (;;) {
        u32 buttons = pressed(), before = number;
        if (buttons & BUTTON_START) return;
        if (buttons & (BUTTON_A | BUTTON_DOWN)) number = (number + 1) % count;
        if (buttons & BUTTON_UP) number = (number + count - 1) % count;
        if (number != before) draw(number);
    }
}

void run_menu(void (*run)(void)) {
    start_maple();
    static const char *const entries[] = {
        "Run all experiments", "Pages of the report", "QR codes of the report", "Save the report to a VMU", "Quit",
    };
    enum { RUN, PAGES, CODES, SAVE, QUIT, ENTRIES };
    u32 chosen = 0;
    const char *message = "";
    for (int is_drawn = 0;;) {
        if (!is_drawn) {
            fill(0, 0, WIDTH, HEIGHT, PAPER);
            draw_text(FRAME, LEFT, TOP, "truth: experiments on the hardware", INK, PAPER);
            for (u32 n = 0; n < ENTRIES; n++) {
                u32 y = 120 + 36 * n;
                draw_text(FRAME, 100, y, n == chosen ? ">" : " ", INK, PAPER);
                draw_text(FRAME, 124, y, entries[n], n == chosen ? INK : DIM, PAPER);
            }
            draw_text(FRAME, LEFT, STATUS, message, INK, PAPER);
            is_drawn = 1;
        }
        u32 buttons = pressed();
        if (buttons & BUTTON_DOWN) chosen = (chosen + 1) % ENTRIES, is_drawn = 0;
        if (buttons & BUTTON_UP) chosen = (chosen + ENTRIES - 1) % ENTRIES, is_drawn = 0;
        if (!(buttons & BUTTON_A)) continue;
        is_drawn = 0;
        message = chosen == RUN || chosen == QUIT || *report_text ? "" : "There is no report yet: run the experiments.";
        if (chosen == RUN) {
            start_screen();
            run();
        }
        if (chosen == PAGES && *report_text) browse(draw_page, pages());
        if (chosen == CODES && *report_text) browse(draw_code, (length(report_text) + CHUNK - 1) / CHUNK);
        if (chosen == SAVE && *report_text) {
            draw_text(FRAME, LEFT, STATUS, "Writing to the VMU ...", INK, PAPER);
            message = save_to_vmu();
        }
        if (chosen == QUIT) return;
    }
}

int wants_menu(void) {
    start_maple();
    for (int n = 0; n < 3; n++) (void)pressed();
    return (read_buttons() & BUTTON_START) != 0;
}
