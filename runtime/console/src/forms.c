/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Which layout keys have, by how they fit between other structures (docs/formats/ninja.md 1.9). */
#include "entries.h"

/* Marks where tables begin; one behind the elements is an error. */
int swr_mark_starts(struct motion_file *file)
{
    uint32_t node, slot;
    swr_set(file->starts, 0);
    swr_set(file->starts, file->mdata >> 1);
    for (node = 0; node < file->entries; node++)
        for (slot = 0; slot < file->tables; slot++) {
            struct table table = swr_read_table(file, node, slot);
            if (table.target == 0)
                continue;
            if (slot >= file->elements)
                return swr_refuse(file, table.at, SWR_MOTION);
            swr_set(file->starts, table.target >> 1);
        }
    return SWR_OK;
}

/* Bytes from a half-word to the next structure. */
static uint32_t room(const struct motion_file *file, uint32_t at)
{
    uint32_t next = (at >> 1) + 1;
    while (2 * next < file->size && !swr_get(file->starts, next))
        next++;
    return (2 * next < file->size ? 2 * next : file->size) - at;
}

/* Whether keys fit into what there is, and ascend. */
static int fits(const struct motion_file *file, const struct table *table, const struct key_form *form)
{
    uint32_t i, before = 0, space = room(file, table->target);
    if (table->count > space >> 2 || table->count * form->stride > space)
        return 0;
    for (i = 0; i < table->count; i++) {
        const uint8_t *key = file->body + table->target + i * form->stride;
        uint32_t frame = form->halves ? swr_half(key)
                                      : (uint32_t)swr_half(key) | (uint32_t)swr_half(key + 2) << 16;
        if (i && frame <= before)
            return 0;
        before = frame;
    }
    return 1;
}

/* Whether an entry before has the same table. */
static int seen_before(const struct motion_file *file, uint32_t node, uint32_t slot)
{
    struct table own = swr_read_table(file, node, slot);
    while (node--) {
        struct table other = swr_read_table(file, node, slot);
        if (other.target == own.target && other.count == own.count)
            return 1;
    }
    return 0;
}

uint32_t swr_choose_form(const struct motion_file *file, uint32_t slot, const struct key_form forms[2])
{
    uint32_t node, first = 0, second = 0;
    for (node = 0; node < file->entries; node++) {
        struct table table = swr_read_table(file, node, slot);
        if (table.target == 0 || seen_before(file, node, slot))
            continue;
        first += !fits(file, &table, &forms[0]);
        second += !fits(file, &table, &forms[1]);
    }
    return second < first;
}

/* Keys before the first that does not ascend: the search never reaches later ones. */
static void find_ascending(struct swr_track *track, uint32_t halves)
{
    uint32_t before = 0, i;
    for (i = 0; i < track->count; i++) {
        const uint8_t *key = track->keys + i * track->stride;
        uint32_t frame = halves ? swr_half(key) : swr_word(key);
        if (i && frame <= before)
            break;
        before = frame;
    }
    track->ascending = i;
}

int swr_take_keys(const struct motion_file *file, const struct table *table, const struct key_form *form,
    struct swr_track *track)
{
    SWR_TRY(swr_check(file, table->target, 0, form->halves ? 2 : 4));
    if (table->count > (file->size - table->target) >> 2)
        return swr_refuse(file, table->target, SWR_END_OF_FILE);
    SWR_TRY(swr_check(file, table->target, table->count * form->stride, 2));
    track->keys = file->body + table->target;
    track->count = table->count;
    track->stride = form->stride;
    find_ascending(track, form->halves);
    return SWR_OK;
}
