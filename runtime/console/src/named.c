/* SPDX-License-Identifier: MIT OR Apache-2.0
 * The slots that a strip chunk names, in runs of slots that are alike. Most passes over them need not know
 * which slots of a run are named: colours and screen positions that nobody asks for do no harm. */
#include "internal.h"

/* What slots of a run have in common; and the most slots in a row that are not named. */
enum { COMMON = FILLED | HAS_NORMAL | HAS_DIFFUSE | HAS_SPECULAR, GAP = 8 };

#define FOUR(bits) ((uint32_t)(bits) * 0x01010101u)

static uint32_t four_at(const uint8_t *kinds) { return *(const uint32_t *)(const void *)kinds; }

/* From `at`, whose slot is named, to where the run ends. `all` has the bits that all have. */
static uint32_t run_end(const uint8_t *kinds, uint32_t at, uint32_t end, uint32_t *all)
{
    uint32_t common = kinds[at] & COMMON, bits = FOUR(255), quiet = 0, word;
    while (at < end && quiet < GAP) {
        if ((at & 3) || at + 4 > end) {
            word = FOUR(kinds[at]);
            if ((word & FOUR(COMMON)) != FOUR(common))
                break;
            at++;
            quiet++;
        } else {
            word = four_at(kinds + at);
            if ((word & FOUR(COMMON)) != FOUR(common)) {
                /* Byte by byte to the one that differs. */
                for (; (kinds[at] & COMMON) == common; at++)
                    bits &= FOUR(kinds[at]);
                break;
            }
            at += 4;
            quiet += 4;
        }
        bits &= word;
        quiet = word & FOUR(NAMED) ? 0 : quiet;
    }
    bits &= bits >> 16;
    *all = bits & bits >> 8 & 255;
    return at;
}

/* The next named slot; from `end` on there is none. */
static uint32_t next_named(const uint8_t *kinds, uint32_t at, uint32_t end)
{
    for (; at < end; at++) {
        if (!(at & 3))
            while (at < end && !(four_at(kinds + at) & FOUR(NAMED)))
                at += 4;
        if (at < end && (kinds[at] & NAMED))
            break;
    }
    return at;
}

/* Collects named slots from `at` to before `end` in runs. */
static struct alike *collect(const uint8_t *kinds, uint32_t at, uint32_t end, struct alike *run)
{
    for (at = next_named(kinds, at, end); at < end; at = next_named(kinds, at, end)) {
        run->start = (uint16_t)at;
        at = run_end(kinds, at, end, &run->kind);
        run->end = (uint16_t)at;
        run++;
    }
    return run;
}

/* Whether slots from `start` to before `end`, of which so many entries name some, make one run. Those that
 * are not named cost little between many that are, and where there is nothing to light. */
static uint32_t is_one_run(const struct latest *latest, uint32_t start, uint32_t end, uint32_t entries)
{
    return start < end && start >= latest->start && end <= latest->end
        && (end - start <= entries || !(latest->kind & HAS_NORMAL));
}

/* Marks the slots of all strips, and collects them. Those of hidden models are left out; without such a model
 * the file is at fault. */
int swr_name_slots(struct walk *walk, const struct strip_chunk *chunk, struct named *named)
{
    struct buffer *buffer = &walk->runtime->buffer;
    struct alike *run = walk->runtime->work.alike;
    uint32_t found[4], start, end;
    swirl_name_slots((const int16_t *)chunk->words, chunk->count, chunk->kind->words, chunk->user,
        buffer->kinds, buffer->slots, found);
    start = found[0];
    end = start == 0xFFFFFFFF ? 0 : found[1] + 1;
    named->runs = run;
    named->behind = 0;
    named->missing = found[2];
    named->blocks = found[3];
    named->in_latest = is_one_run(&buffer->latest, start, end, named->blocks);
    if (named->in_latest) {
        run->start = (uint16_t)start;
        run->end = (uint16_t)end;
        run->kind = buffer->latest.kind;
        named->end = run + 1;
    } else {
        named->end = collect(buffer->kinds, start, end, run);
    }
    return named->missing && walk->hidden == 0 ? SWR_EMPTY_SLOT : SWR_OK;
}

/* Sets `set` and clears `clear` in the kinds of a run's slots. */
void swr_change_kinds(struct buffer *buffer, const struct alike *run, uint32_t set, uint32_t clear)
{
    uint8_t *at = buffer->kinds + run->start, *end = buffer->kinds + run->end;
    for (; at < end && ((uintptr_t)at & 3); at++)
        *at = (uint8_t)((*at | set) & ~clear);
    for (; at + 4 <= end; at += 4)
        *(uint32_t *)(void *)at = (four_at(at) | FOUR(set)) & ~FOUR(clear);
    for (; at < end; at++)
        *at = (uint8_t)((*at | set) & ~clear);
}

void swr_forget_names(struct walk *walk, const struct named *named)
{
    struct buffer *buffer = &walk->runtime->buffer;
    const struct alike *run = named->runs;
    if (named->in_latest && !buffer->latest.behind) {
        swr_fill_bytes(buffer->kinds + run->start, (uint32_t)run->end - run->start, buffer->latest.kind);
        return;
    }
    for (; run != named->end; run++)
        swr_change_kinds(buffer, run, 0, NAMED);
}
