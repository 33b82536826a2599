/* SPDX-License-Identifier: MIT OR Apache-2.0
 * The array of a motion's nodes (NJS_MDATA), of models' and of shapes' motions. */
#ifndef SWR_ENTRIES_H
#define SWR_ENTRIES_H

#include "internal.h"

enum { POF0 = 0x30464F50, MAX_TABLES = 5, MAX_ELEMENTS = 5 };

struct table { uint32_t at, target, count; };

/* Bytes of a key; whether its frame has 16 bits. */
struct key_form { uint8_t stride, halves; };

struct motion_file {
    struct swr_motion *motion;
    const struct swr_model *model;
    struct swr_fault *fault;
    const uint8_t *body;
    uint32_t base, size;
    uint32_t tables; /* of a node */
    uint32_t elements;
    uint8_t element[MAX_ELEMENTS];
    uint8_t bit[MAX_ELEMENTS]; /* of the type */
    uint32_t mdata, end, entries;
    uint32_t any_listed, lists_null;
    uint32_t *listed; /* a bit for each word that POF0 names */
    uint32_t *starts; /* a bit for each half-word at which a structure begins */
};

/* Gives `result`, with the offset in the chunk as its place. */
int swr_refuse(const struct motion_file *file, uint32_t offset, int result);
/* Whether so many bytes at an offset are in the chunk, on a multiple of `align`. */
int swr_check(const struct motion_file *file, uint32_t offset, uint32_t bytes, uint32_t align);
/* load_motion.c: length, method and elements. */
int swr_read_head(struct motion_file *file);
struct table swr_read_table(const struct motion_file *file, uint32_t node, uint32_t slot);
/* Opens the chunk; its pointers are marked after `mdata` and `tables` are known. */
void swr_open(struct motion_file *file, const uint8_t *bytes, const struct swr_chunk *chunk);
/* Marks the pointers that the list behind the chunk names, and counts the nodes. */
int swr_count_entries(struct motion_file *file, const uint8_t *bytes, uint32_t size,
    const struct swr_chunk *chunk);
void swr_read_pointers(struct motion_file *file, const uint8_t *list, uint32_t bytes);
/* Chunk `number` of a name. */
int swr_find_chunk(
    const uint8_t *file, uint32_t size, uint32_t name, uint32_t number, struct swr_chunk *chunk,
    struct swr_fault *fault);

/* forms.c: marks where tables begin, which choosing a form needs. */
int swr_mark_starts(struct motion_file *file);
/* The number of the form, of two, in which fewer tables run into the next structure or descend. */
uint32_t swr_choose_form(const struct motion_file *file, uint32_t slot, const struct key_form forms[2]);
/* Checks a table's keys, and takes them. */
int swr_take_keys(const struct motion_file *file, const struct table *table, const struct key_form *form,
    struct swr_track *track);

#endif
