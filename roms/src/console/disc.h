/* SPDX-License-Identifier: MIT OR Apache-2.0
 * The GD-ROM drive by the firmware's calls, and the ISO 9660 file system on its disc. */
#ifndef DISC_H
#define DISC_H
#include "console.h"

enum { SECTOR = 2048, NO_DISC = 7 };
/* Functions of the firmware's call, and commands for GD_SEND. */
enum { GD_SEND, GD_CHECK, GD_SERVER, GD_INIT, GD_STATUS, GD_DMA_END, GD_DMA_TRANSFER, GD_DMA_CHECK, GD_ABORT,
       GD_RESET, GD_SECTOR_MODE };
enum { PIO_READ = 16, DMA_READ = 17, READ_CONTENTS = 19, START_DRIVE = 24, DMA_STREAM = 28 };
/* What GD_CHECK answers. */
enum { GD_FAILED = -1, GD_UNKNOWN, GD_RUNNING, GD_DONE, GD_STREAMING, GD_BUSY };

/* A file or directory on the disc. */
struct disc_file {
    u32 sector; /* logical block */
    u32 size;
    u32 directory;
    char name[32];
};

/* The firmware's call. */
int gd_call(u32 function, u32 first, u32 second);
/* Sends a command and waits for its end: GD_DONE, GD_FAILED or GD_STREAMING. `status` takes error, additional error,
 * bytes and the drive's state. */
int gd_run(u32 command, const u32 *parameters, u32 *status);
/* Reads a sector by its frame address (logical block + 150). False if that fails. */
int read_sector(u32 address, void *buffer);
/* Finds the disc's root directory. False if there is no disc with a file system. */
int open_disc(struct disc_file *root);
/* Entry `number` of a directory; the first two are the directory itself and its parent. False behind the last. */
int read_entry(const struct disc_file *directory, u32 number, struct disc_file *entry);

#endif
