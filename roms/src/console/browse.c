/* SPDX-License-Identifier: MIT OR Apache-2.0
 * browse: files of the host's folder (dcload) and of the disc, on the screen. Up and down choose, A opens a folder or
 * prints a file, Start ends the program. */
#include "disc.h"
#include "font.h"
#include "maple.h"

enum { READ = 0, OPEN = 2, CLOSE = 3, OPENDIR = 16, CLOSEDIR = 17, READDIR = 18 };
enum { MOST = 14, NAME = 32, PATH = 256, PAPER = 0x0008, INK = 0xFFFF, DIM = 0x8410, FRAME = 0 };

/* Where the list comes from. */
static enum { TOP, HOST, DISC } place;
static struct disc_file entries[MOST], folder, root;
static u32 count, chosen;
static char path[PATH];

static void copy(char *to, const char *from, u32 most) {
    u32 n = 0;
    for (; from[n] && n + 1 < most; n++) to[n] = from[n];
    to[n] = 0;
}

static void add(const char *name, u32 directory) {
    if (count == MOST) return;
    copy(entries[count].name, name, NAME);
    entries[count++].directory = directory;
}

static void list_top(void) {
    place = TOP;
    add("host", 1);
    add("disc", 1);
}

/* dcload's directory entry: the type at byte 10 (4 is a directory), the name from byte 11 on. */
static void list_host(void) {
    place = HOST;
    add("..", 1);
    int handle = dcload(OPENDIR, (u32)(path[0] ? path : "/"), 0, 0);
    if (handle == 0 || handle == -1) return;
    for (;;) {
        const char *entry = (const char *)dcload(READDIR, handle, 0, 0);
        if (!entry) break;
        add(entry + 11, entry[10] == 4);
    }
    dcload(CLOSEDIR, handle, 0, 0);
}

/* Entry 0 is the directory itself, entry 1 its parent. */
static void list_disc(void) {
    place = DISC;
    struct disc_file entry;
    for (u32 n = 1; count < MOST && read_entry(&folder, n, &entry); n++) {
        entries[count] = entry;
        if (n == 1) copy(entries[count].name, "..", NAME);
        count++;
    }
    if (count == 0) add("..", 1);
}

static void clear(void) {
    volatile u32 *at = (volatile u32 *)(VRAM32 + FRAME);
    for (u32 n = 0; n < FRAME_BYTES / 4; n++) at[n] = PAPER << 16 | PAPER;
}

static void draw_list(void) {
    for (u32 n = 0; n < count; n++) {
        u16 ink = n == chosen ? INK : DIM;
        draw_text(FRAME, 40, 64 + 26 * n, n == chosen ? ">" : " ", ink, PAPER);
        draw_text(FRAME, 64, 64 + 26 * n, entries[n].name, ink, PAPER);
        draw_text(FRAME, 500, 64 + 26 * n, entries[n].directory ? "folder" : "file", ink, PAPER);
    }
}

static void show_list(void (*list)(void)) {
    count = chosen = 0;
    list();
    clear();
    draw_text(FRAME, 40, 24, place == TOP ? "Files" : place == HOST ? "Files of the host" : "Files of the disc", INK, PAPER);
    draw_list();
}

static void type_host(const char *name) {
    static char buffer[257];
    int handle = dcload(OPEN, (u32)name, 0, 0);
    if (handle < 0) return;
    for (;;) {
        int bytes = dcload(READ, handle, (u32)buffer, 256);
        if (bytes <= 0) break;
        buffer[bytes] = 0;
        print(buffer);
    }
    dcload(CLOSE, handle, 0, 0);
}

static void type_disc(const struct disc_file *file) {
    static char buffer[SECTOR + 32] __attribute__((aligned(32)));
    for (u32 at = 0; at < file->size; at += SECTOR) {
        if (!read_sector(file->sector + at / SECTOR + 150, buffer)) return;
        u32 left = file->size - at;
        buffer[left < SECTOR ? left : SECTOR] = 0;
        print(buffer);
    }
}

/* The path of the chosen entry behind the present path; ".." takes a part away. */
static void extend_path(const char *name) {
    u32 end = length(path);
    if (name[0] == '.' && name[1] == '.' && !name[2]) {
        while (end && path[end - 1] != '/') end--;
        path[end ? end - 1 : 0] = 0;
    } else if (end + length(name) + 2 < PATH) {
        path[end] = '/';
        copy(path + end + 1, name, PATH - end - 1);
    }
}

static void open_host(const struct disc_file *entry) {
    if (chosen == 0 && !path[0]) return show_list(list_top);
    extend_path(entry->name);
    if (entry->directory) return show_list(list_host);
    type_host(path);
    extend_path("..");
}

static void open_on_disc(const struct disc_file *entry) {
    if (chosen == 0 && folder.sector == root.sector) return show_list(list_top);
    if (!entry->directory) return type_disc(entry);
    folder = *entry;
    show_list(list_disc);
}

static void open_chosen(void) {
    if (place == HOST) return open_host(&entries[chosen]);
    if (place == DISC) return open_on_disc(&entries[chosen]);
    path[0] = 0;
    if (chosen == 0) return show_list(list_host);
    if (!open_disc(&root)) root.size = 0;
    folder = root;
    show_list(list_disc);
}

int main(void) {
    u32 held = 0;
    start_maple();
    start_video(FRAME);
    show_list(list_top);
    start_events(VBLANK_IN);
    for (;;) {
        wait_for(VBLANK_IN);
        u32 buttons = read_buttons(), pressed = buttons & ~held;
        held = buttons;
        if (pressed & BUTTON_START) return 0;
        if (pressed & BUTTON_DOWN) chosen = (chosen + 1) % count;
        if (pressed & BUTTON_UP) chosen = (chosen + count - 1) % count;
        if (pressed & BUTTON_A) open_chosen();
        else if (pressed) draw_list();
    }
}
