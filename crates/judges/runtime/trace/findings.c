/* What the trace keeps, and the report: one JSON object in the file FERRY_TRACE_REPORT. */
#define _GNU_SOURCE
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Touched bytes are kept for this many instances of each loop one by one, and for all together. */
enum { APART = 3, TABLE = 1 << 18, WINDOW = 1 << 23, CODES = 48 };

static const char *incomplete;
void note_incomplete(const char *why) {
    if (!incomplete) incomplete = why;
}

static size_t hash(const void *key, size_t size) {
    uint64_t value = 0xcbf29ce484222325u;
    for (size_t k = 0; k < size; k++) value = (value ^ ((const unsigned char *)key)[k]) * 0x100000001b3u;
    return (size_t)(value >> 20) % TABLE;
}

/* The claim of the instance that covers the address, counted from 1; 0 if none does. */
static uint64_t claim_of(const struct instance *instance, const char *address) {
    for (int k = 0; k < instance->claims; k++)
        if (address >= instance->claim[k].start && address < instance->claim[k].start + instance->claim[k].size)
            return (uint64_t)k + 1;
    return 0;
}

/* What the key of dependences and live values has in common. Only frames need the offset: it tells the variable. */
struct subject {
    uint64_t loop, claim, kind, id;
    int64_t offset;
};
static struct subject subject_of(const struct instance *instance, char *address) {
    struct object object = object_at(address, instance);
    int64_t offset = object.kind == OBJECT_FRAME ? address - object.base : 0;
    return (struct subject){(uint64_t)instance->loop, claim_of(instance, address), object.kind, object.id, offset};
}

static struct dependence {
    struct {
        struct subject subject;
        uint64_t kind, from, to;
    } key;
    uint64_t count;
    int64_t example; /* offset of the first one */
    unsigned shortest, longest;
} *dependences;
static size_t dependence_count;
static unsigned dependence_slots[TABLE]; /* the used slots: the tables are large and mostly untouched memory */

void note_dependence(enum dependence_kind kind, struct instance *carrier, char *address, uintptr_t from, uintptr_t to,
                     unsigned distance) {
    if (!dependences) dependences = trace_memory(TABLE * sizeof *dependences);
    struct dependence new = {0};
    new.key.subject = subject_of(carrier, address);
    new.key.kind = kind;
    new.key.from = from - image_base();
    new.key.to = to - image_base();
    size_t slot = hash(&new.key, sizeof new.key);
    while (dependences[slot].count && memcmp(&dependences[slot].key, &new.key, sizeof new.key)) slot = (slot + 1) % TABLE;
    struct dependence *found = &dependences[slot];
    if (!found->count) {
        if (dependence_count > TABLE / 2) {
            note_incomplete("too many different dependences");
            return;
        }
        dependence_slots[dependence_count++] = (unsigned)slot;
        *found = new;
        found->example = address - object_at(address, carrier).base;
        found->shortest = distance;
    }
    found->count++;
    if (distance < found->shortest) found->shortest = distance;
    if (distance > found->longest) found->longest = distance;
}

static struct live {
    struct subject subject;
    unsigned flags;
} *lives;
static size_t live_count;
static unsigned live_slots[TABLE];

void note_live(struct instance *instance, char *address, unsigned flags) {
    if (!lives) lives = trace_memory(TABLE * sizeof *lives);
    struct subject subject = subject_of(instance, address);
    size_t slot = hash(&subject, sizeof subject);
    while (lives[slot].flags && memcmp(&lives[slot].subject, &subject, sizeof subject)) slot = (slot + 1) % TABLE;
    if (!lives[slot].flags) {
        if (live_count > TABLE / 2) {
            note_incomplete("too many different live values");
            return;
        }
        live_slots[live_count++] = (unsigned)slot;
        lives[slot].subject = subject;
    }
    lives[slot].flags |= flags;
}

/* Touched bytes: a bit for each byte of an object, for reads and for writes. */
static struct touched {
    struct {
        uint64_t loop, instance, kind, id; /* instance: number + 1, or 0 for all together */
    } key;
    char *base;
    size_t size, below; /* bytes that the bits stand for, and how many of them lie below the base */
    unsigned char *bits[2];
    size_t low[2], high[2];
    uintptr_t codes[2][CODES]; /* the code addresses that read and wrote, 0-terminated unless full */
    int used;
} *touches;
static size_t touched_count;
static unsigned touched_slots[TABLE];

static struct touched *touched_of(const struct instance *instance, uint64_t number, const struct object *object) {
    if (!touches) touches = trace_memory(TABLE * sizeof *touches);
    struct touched new = {0};
    new.key.loop = (uint64_t)instance->loop;
    new.key.instance = number;
    new.key.kind = object->kind;
    new.key.id = object->id;
    size_t slot = hash(&new.key, sizeof new.key);
    while (touches[slot].used && memcmp(&touches[slot].key, &new.key, sizeof new.key)) slot = (slot + 1) % TABLE;
    struct touched *found = &touches[slot];
    if (!found->used) {
        if (touched_count > TABLE / 2) {
            note_incomplete("too many objects in too many loops");
            return NULL;
        }
        touched_slots[touched_count++] = (unsigned)slot;
        new.used = 1;
        new.base = object->base;
        new.below = object->kind == OBJECT_FRAME ? WINDOW : 0;
        new.size = object->kind == OBJECT_FRAME ? WINDOW + 4096 : object->size;
        for (int k = 0; k < 2; k++) {
            new.bits[k] = trace_memory(new.size / 8 + 8);
            new.low[k] = new.size;
        }
        *found = new;
    }
    return found;
}

static void mark(struct touched *touched, size_t first, size_t size, int writes, uintptr_t code) {
    if (first >= touched->size || size > touched->size - first) {
        note_incomplete("an access reaches outside its object");
        return;
    }
    for (size_t k = first; k < first + size; k++) touched->bits[writes][k / 8] |= (unsigned char)(1u << (k % 8));
    if (first < touched->low[writes]) touched->low[writes] = first;
    if (first + size > touched->high[writes]) touched->high[writes] = first + size;
    for (int k = 0; k < CODES; k++) {
        if (touched->codes[writes][k] == code) break;
        if (!touched->codes[writes][k]) {
            touched->codes[writes][k] = code;
            break;
        }
    }
}

void note_touched(struct instance *instance, char *address, size_t size, int writes, uintptr_t code) {
    struct object object = object_at(address, instance);
    if (object.kind != OBJECT_OTHER) {
        for (int apart = 0; apart <= (instance->number < APART); apart++) {
            struct touched *touched = touched_of(instance, apart ? instance->number + 1u : 0, &object);
            if (touched) mark(touched, (size_t)(address - object.base) + touched->below, size, writes, code);
        }
    }
    uint64_t claim = claim_of(instance, address);
    if (claim) { /* kept for the places that touch it, not for the bytes */
        struct object claimed = {OBJECT_CLAIM, claim - 1, NULL, 8};
        struct touched *touched = touched_of(instance, 0, &claimed);
        if (touched) mark(touched, 0, 1, writes, code);
    }
}

static struct kept {
    struct instance *instance;
    int values;
    unsigned long value[VALUES];
} *kept;
static size_t kept_count;
enum { KEPT = 1 << 16, LOOPS = 1 << 16 };
static struct total {
    uint64_t instances, iterations, least, most, refused, passed;
} *totals;
static struct total *total_of(int loop) {
    if (!totals) totals = trace_memory(LOOPS * sizeof *totals);
    return &totals[loop % LOOPS];
}

void note_instance(struct instance *instance, int values, const unsigned long *value) {
    if (instance->number >= APART || kept_count == KEPT) return;
    if (!kept) kept = trace_memory(KEPT * sizeof *kept);
    kept[kept_count].instance = instance;
    kept[kept_count].values = values;
    memcpy(kept[kept_count++].value, value, (size_t)values * sizeof *value);
}

void note_end(struct instance *instance) {
    struct total *total = total_of(instance->loop);
    if (!total->instances++ || instance->iterations < total->least) total->least = instance->iterations;
    if (instance->iterations > total->most) total->most = instance->iterations;
    total->iterations += instance->iterations;
}

void note_not_followed(int loop, int holds) {
    struct total *total = total_of(loop);
    if (holds)
        total->passed++;
    else
        total->refused++;
}

static void print_object(FILE *file, uint64_t kind, uint64_t id) {
    if (kind == OBJECT_GLOBAL)
        fprintf(file, "{\"global\":\"%s\"}", global_name(id));
    else if (kind == OBJECT_HEAP)
        fprintf(file, "{\"heap\":{\"number\":%llu,\"code\":%llu}}", (unsigned long long)id + 1,
                (unsigned long long)(heap_code(id) - image_base()));
    else if (kind == OBJECT_FRAME)
        fprintf(file, "{\"frame\":%llu}", (unsigned long long)id);
    else if (kind == OBJECT_CLAIM)
        fprintf(file, "{\"claim\":%llu}", (unsigned long long)id);
    else
        fprintf(file, "\"other\"");
}

static void print_subject(FILE *file, const struct subject *subject) {
    fprintf(file, "\"loop\":%llu,\"claim\":", (unsigned long long)subject->loop);
    if (subject->claim)
        fprintf(file, "%llu", (unsigned long long)subject->claim - 1);
    else
        fprintf(file, "null");
    fprintf(file, ",\"object\":");
    print_object(file, subject->kind, subject->id);
    fprintf(file, ",\"offset\":%lld", (long long)subject->offset);
}

/* Runs of touched bytes as [first, past the last], relative to the object's base. */
static void print_runs(FILE *file, const struct touched *touched, int writes) {
    const char *separator = "";
    const unsigned char *bits = touched->bits[writes];
    fprintf(file, "[");
    for (size_t k = touched->low[writes]; k < touched->high[writes];) {
        if (!(bits[k / 8] >> (k % 8) & 1)) {
            k++;
            continue;
        }
        size_t first = k;
        while (k < touched->high[writes] && (bits[k / 8] >> (k % 8) & 1)) k++;
        fprintf(file, "%s[%lld,%lld]", separator, (long long)first - (long long)touched->below,
                (long long)k - (long long)touched->below);
        separator = ",";
    }
    fprintf(file, "]");
}

static void print_codes(FILE *file, const struct touched *touched, int writes) {
    fprintf(file, "[");
    for (int k = 0; k < CODES && touched->codes[writes][k]; k++)
        fprintf(file, "%s%llu", k ? "," : "", (unsigned long long)(touched->codes[writes][k] - image_base()));
    fprintf(file, "]");
}

static int stopped;
__attribute__((destructor)) static void finish(void) {
    const char *path = getenv("FERRY_TRACE_REPORT"), *separator = "";
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "{\"incomplete\":");
    fprintf(file, incomplete ? "\"%s\"" : "null", incomplete);
    fprintf(file, ",\"stopped\":%s,\"accesses\":%llu,\n\"loops\":[", stopped ? "true" : "false", (unsigned long long)accesses);
    for (size_t k = 0; totals && k < LOOPS; k++) {
        if (!totals[k].instances && !totals[k].refused) continue;
        fprintf(file, "%s\n{\"loop\":%zu,\"instances\":%llu,\"iterations\":%llu,\"least\":%llu,\"most\":%llu,", separator, k,
                (unsigned long long)totals[k].instances, (unsigned long long)totals[k].iterations,
                (unsigned long long)totals[k].least, (unsigned long long)totals[k].most);
        fprintf(file, "\"refused\":%llu,\"passed\":%llu}", (unsigned long long)totals[k].refused,
                (unsigned long long)totals[k].passed);
        separator = ",";
    }
    fprintf(file, "],\n\"instances\":[");
    separator = "";
    for (size_t k = 0; k < kept_count; k++) {
        fprintf(file, "%s\n{\"loop\":%d,\"number\":%u,\"iterations\":%u,\"values\":[", separator, kept[k].instance->loop,
                kept[k].instance->number, kept[k].instance->iterations);
        for (int v = 0; v < kept[k].values; v++) fprintf(file, "%s%lld", v ? "," : "", (long long)kept[k].value[v]);
        fprintf(file, "]}");
        separator = ",";
    }
    fprintf(file, "],\n\"dependences\":[");
    separator = "";
    static const char *const kinds[] = {"flow", "anti", "output"};
    for (size_t k = 0; k < dependence_count; k++) {
        struct dependence *found = &dependences[dependence_slots[k]];
        fprintf(file, "%s\n{", separator);
        print_subject(file, &found->key.subject);
        fprintf(file,
                ",\"kind\":\"%s\",\"from\":%llu,\"to\":%llu,\"count\":%llu,\"example\":%lld,\"shortest\":%u,\"longest\":%u}",
                kinds[found->key.kind], (unsigned long long)found->key.from, (unsigned long long)found->key.to,
                (unsigned long long)found->count, (long long)found->example, found->shortest, found->longest);
        separator = ",";
    }
    fprintf(file, "],\n\"live\":[");
    separator = "";
    for (size_t k = 0; k < live_count; k++) {
        const struct live *live = &lives[live_slots[k]];
        fprintf(file, "%s\n{", separator);
        print_subject(file, &live->subject);
        fprintf(file, ",\"enters\":%s,\"leaves\":%s,\"leaves_not_last\":%s}", live->flags & LIVE_IN ? "true" : "false",
                live->flags & LIVE_OUT ? "true" : "false", live->flags & LIVE_OUT_NOT_LAST ? "true" : "false");
        separator = ",";
    }
    fprintf(file, "],\n\"touched\":[");
    separator = "";
    for (size_t k = 0; k < touched_count; k++) {
        struct touched *touched = &touches[touched_slots[k]];
        fprintf(file, "%s\n{\"loop\":%llu,\"instance\":", separator, (unsigned long long)touched->key.loop);
        if (touched->key.instance)
            fprintf(file, "%llu", (unsigned long long)touched->key.instance - 1);
        else
            fprintf(file, "null");
        fprintf(file, ",\"object\":");
        print_object(file, touched->key.kind, touched->key.id);
        fprintf(file, ",\"base\":%lld,\"size\":%zu,\"reads\":", (long long)touched->base,
                touched->key.kind == OBJECT_FRAME ? 0 : touched->size);
        print_runs(file, touched, 0);
        fprintf(file, ",\"writes\":");
        print_runs(file, touched, 1);
        fprintf(file, ",\"read_codes\":");
        print_codes(file, touched, 0);
        fprintf(file, ",\"write_codes\":");
        print_codes(file, touched, 1);
        fprintf(file, "}");
        separator = ",";
    }
    fprintf(file, "]}\n");
    fclose(file);
}

void stop_here(void) {
    stopped = 1;
    for (struct place *place = current_place; place->instance; place = place->parent) note_end(place->instance);
    finish();
    fflush(NULL);
    _exit(0);
}
