/* For each piece of memory: where it was written last, and where it was read since.
 *
 * Pieces are four bytes; a page on which something smaller is touched is split into single bytes.
 * Of the reads since the last write one is kept for each loop level at which it differs from the present place: enough
 * to see every loop that carries an anti dependence. One write is enough for flow (value-based) and output (of three
 * writes in sequence, every loop that separates the first and the third separates two neighbours).
 */
#include "trace.h"

#include <stdlib.h>
#include <string.h>

struct reader {
    struct place *place;
    uintptr_t code;
    struct reader *older;
};

struct cell {
    struct place *written;
    uintptr_t code;
    struct reader *readers;
};

enum { PAGE = 4096, TABLE = 1 << 18 };

struct page {
    uintptr_t number;
    int split; /* a cell for each byte, else for each four bytes */
    struct cell *cells;
};

static struct page pages[TABLE];
static struct reader *spare;

/* The page, if anything was ever kept of it. */
static struct page *known_page(char *address) {
    uintptr_t number = (uintptr_t)address / PAGE;
    size_t slot = (number * 0x9E3779B97F4A7C15u) >> 46;
    while (pages[slot].number && pages[slot].number != number) slot = (slot + 1) % TABLE;
    return pages[slot].number ? &pages[slot] : NULL;
}

static struct page *page_of(char *address) {
    static struct page *last;
    uintptr_t number = (uintptr_t)address / PAGE;
    if (last && last->number == number) return last;
    size_t slot = (number * 0x9E3779B97F4A7C15u) >> 46;
    while (pages[slot].number && pages[slot].number != number) slot = (slot + 1) % TABLE;
    if (!pages[slot].number) {
        pages[slot].number = number;
        pages[slot].cells = trace_memory(PAGE / 4 * sizeof(struct cell));
    }
    return last = &pages[slot];
}

static struct reader *new_reader(void) {
    if (!spare) {
        enum { COUNT = 4096 };
        struct reader *fresh = trace_memory(COUNT * sizeof *fresh);
        for (int k = 0; k < COUNT; k++) {
            fresh[k].older = spare;
            spare = &fresh[k];
        }
    }
    struct reader *reader = spare;
    spare = reader->older;
    return reader;
}

static void split(struct page *page) {
    struct cell *bytes = trace_memory(PAGE * sizeof *bytes);
    for (size_t k = 0; k < PAGE; k++) {
        bytes[k] = page->cells[k / 4];
        struct reader **link = &bytes[k].readers;
        for (struct reader *reader = page->cells[k / 4].readers; reader; reader = reader->older) {
            *link = new_reader();
            **link = *reader;
            link = &(*link)->older;
        }
        *link = NULL;
    }
    page->cells = bytes;
    page->split = 1;
}

/* Memory that came into being inside the loop is private to its iteration. */
static int is_inside(const struct instance *instance, const char *address) {
    return is_stack(address) && address < instance->stack_bound;
}

static unsigned distance(const struct relation *relation) { return (relation->to->step - relation->from->step) / 2; }

static void depend(enum dependence_kind kind, struct place *from, uintptr_t from_code, char *address, uintptr_t code) {
    if (from == current_place) return;
    struct relation relation = relate(from, current_place);
    if (relation.carrier && !is_inside(relation.carrier, address))
        note_dependence(kind, relation.carrier, address, from_code, code, distance(&relation));
}

/* A value written at `from` (null: before anything was recorded) is read now: it leaves the loops around `from` that
 * do not go on, and enters the loops around the present place that began after it was written. */
static void flows(struct place *from, char *address) {
    if (from == current_place) return;
    unsigned shared = 0; /* loops down to this depth hold both */
    if (from) {
        struct relation relation = relate(from, current_place);
        shared = relation.level == 0 ? relation.to->depth : relation.carrier ? relation.level : relation.level - 1;
        for (struct place *place = from; place->depth > shared; place = place->parent) {
            if (is_inside(place->instance, address)) continue;
            /* Header places after the last iteration have a greater step. */
            int last = place->step >= 2 * place->instance->iterations;
            note_live(place->instance, address, last ? LIVE_OUT : LIVE_OUT | LIVE_OUT_NOT_LAST);
        }
    }
    for (struct place *place = current_place; place->depth > shared; place = place->parent)
        if (!is_inside(place->instance, address)) note_live(place->instance, address, LIVE_IN);
}

/* Puts the present read among the earlier ones, keeping for each level the latest that parts there. */
static void remember(struct cell *cell, uintptr_t code) {
    unsigned seen = ~0u; /* levels at which a kept, later read already parts */
    struct reader **link = &cell->readers;
    while (*link) {
        struct reader *reader = *link;
        unsigned level = reader->place == current_place ? 0 : relate(reader->place, current_place).level;
        if (level == 0 || level == seen) {
            *link = reader->older;
            reader->older = spare;
            spare = reader;
        } else {
            seen = level;
            link = &reader->older;
        }
    }
    struct reader *reader = new_reader();
    *reader = (struct reader){current_place, code, cell->readers};
    cell->readers = reader;
}

static void touch_cell(struct cell *cell, char *address, int writes, uintptr_t code) {
    if (!writes) {
        if (cell->written) depend(FLOW, cell->written, cell->code, address, code);
        flows(cell->written, address);
        if (!cell->readers || cell->readers->place != current_place) remember(cell, code);
        return;
    }
    if (cell->written) depend(OUTPUT, cell->written, cell->code, address, code);
    while (cell->readers) {
        struct reader *reader = cell->readers;
        depend(ANTI, reader->place, reader->code, address, code);
        cell->readers = reader->older;
        reader->older = spare;
        spare = reader;
    }
    cell->written = current_place;
    cell->code = code;
}

void forget(char *first, char *past) {
    for (char *end; first < past; first = end) {
        end = (char *)(((uintptr_t)first / PAGE + 1) * PAGE);
        if (end > past) end = past;
        struct page *page = known_page(first);
        if (!page) continue;
        size_t unit = page->split ? 1 : 4;
        size_t from = (uintptr_t)first % PAGE / unit, to = from + ((size_t)(end - first) + unit - 1) / unit;
        for (size_t k = from; k < to; k++) {
            struct cell *cell = &page->cells[k];
            cell->written = NULL;
            while (cell->readers) {
                struct reader *reader = cell->readers;
                cell->readers = reader->older;
                reader->older = spare;
                spare = reader;
            }
        }
    }
}

uint64_t accesses;

/* Long runs are cut off after so many accesses: a number that is the same in every run, as seconds are not. */
static uint64_t accesses_limit(void) {
    static uint64_t limit;
    if (!limit) {
        const char *text = getenv("FERRY_TRACE_ACCESSES");
        limit = text ? strtoull(text, NULL, 10) : 0;
        if (!limit) limit = ~(uint64_t)0;
    }
    return limit;
}

void touch(char *address, size_t size, int writes, uintptr_t code) {
    if (asking) return;
    if (accesses == accesses_limit()) stop_here();
    accesses++;
    for (struct place *place = current_place; place->instance; place = place->parent) {
        if (is_inside(place->instance, address)) break; /* then it is inside the loops around it too */
        note_touched(place->instance, address, size, writes, code);
    }
    for (char *end = address + size; address < end;) {
        struct page *page = page_of(address);
        size_t offset = (uintptr_t)address % PAGE;
        if (!page->split && (offset % 4 || end - address < 4)) split(page);
        if (page->split) {
            touch_cell(&page->cells[offset], address, writes, code);
            address += 1;
        } else {
            touch_cell(&page->cells[offset / 4], address, writes, code);
            address += 4;
        }
    }
}
