/* The second memory's blocks: one for each mapped section, filled with poison and with poison around it.
 *
 * A kernel that reads before or after its section gets garbage; one that writes there is reported. Blocks are never
 * used twice, so a new section never holds what an old one left behind by chance. (libomptarget's own cache of freed
 * blocks is switched off by the judge: LIBOMPTARGET_MEMORY_MANAGER_THRESHOLD=0.)
 * The run time allocates device memory with malloc, between OMPT's two calls for one allocation: that is how it is told
 * apart.
 */
#define _GNU_SOURCE
#include "guard.h"

#include <string.h>
#include <sys/mman.h>

enum { ZONE = 4096, ARENA_BYTES = 1 << 30, BLOCKS = 1 << 20 };

struct block {
    unsigned char *start;
    size_t size;
    int live;
};

static unsigned char *arena, *top;
static struct block *blocks;
static size_t count, first_live; /* all blocks before first_live are dead */
static __thread size_t expected;

void device_expect(size_t size) { expected = size; }

int device_owns(const void *block) {
    return arena && (const unsigned char *)block >= arena && (const unsigned char *)block < arena + ARENA_BYTES;
}

void *device_take(size_t size) {
    if (!size || size != expected) return NULL;
    expected = 0;
    if (!arena) {
        size_t table = BLOCKS * sizeof *blocks;
        blocks = mmap(NULL, table, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        top = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (blocks == MAP_FAILED || top == MAP_FAILED) guard_fail("cannot reserve device memory");
        arena = top;
    }
    size_t room = ((size + 15) & ~(size_t)15) + 2 * ZONE;
    if (top + room > arena + ARENA_BYTES || count == BLOCKS) guard_fail("the program maps more than 1 GiB");
    memset(top, POISON, room);
    blocks[count++] = (struct block){top + ZONE, size, 1};
    top += room;
    return blocks[count - 1].start;
}

static void check(const struct block *block, void (*report)(size_t size, long distance)) {
    for (long k = 1; k <= ZONE; k++) {
        if (block->start[-k] != POISON) {
            report(block->size, -k);
            block->start[-k] = POISON;
        }
    }
    unsigned char *end = block->start + block->size;
    for (long k = 0; k < ZONE; k++) {
        if (end[k] != POISON) {
            report(block->size, k);
            end[k] = POISON;
        }
    }
}

void device_check(void (*report)(size_t size, long distance)) {
    while (first_live < count && !blocks[first_live].live) first_live++;
    for (size_t k = first_live; k < count; k++)
        if (blocks[k].live) check(&blocks[k], report);
}

void *device_end(void *address) {
    for (size_t k = count; k-- > first_live;) {
        unsigned char *start = blocks[k].start, *at = address;
        if (blocks[k].live && at >= start && at < start + blocks[k].size)
            return at + ((size_t)(start + blocks[k].size - at) & ~(sizeof(void *) - 1));
    }
    return address;
}

void device_release(void *block) {
    for (size_t k = count; k-- > first_live;) {
        if (blocks[k].start == block) {
            blocks[k].live = 0;
            /* A kernel that still uses the block after this reads poison. */
            memset(blocks[k].start, POISON, blocks[k].size);
            return;
        }
    }
}
