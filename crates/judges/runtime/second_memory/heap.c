/* The program's heap, kept apart from everybody else's.
 *
 * The program's own calls of malloc and its family are told from the libraries' by their return address. They are
 * served from one arena, which never reuses a block: so the arena is exactly the program's heap, old pointers keep
 * pointing into dead blocks, and a block's number (in order of allocation) is a stable name for it.
 */
#define _GNU_SOURCE
#include "../common/symbols.h"
#include "guard.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

enum { ARENA_BYTES = 1 << 30, BLOCKS = 1 << 22 };

struct block { /* in order of allocation, so in order of address; outside the arena, so never poisoned */
    char *start;
    size_t size;
};

static char *arena, *top, *saved;
static struct block *blocks;
static size_t count;
static struct ferry_image image;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static char *reserve(size_t size) {
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) guard_fail("cannot reserve the arena");
    return memory;
}

/* Whether the caller is the program itself. */
static int is_program(const void *caller) {
    if (!arena) {
        image = ferry_main_image();
        saved = reserve(ARENA_BYTES);
        blocks = (struct block *)reserve(BLOCKS * sizeof *blocks);
        arena = top = reserve(ARENA_BYTES);
    }
    return (uintptr_t)caller >= image.text_start && (uintptr_t)caller < image.text_end;
}

static int is_ours(const void *block) { return arena && (char *)block >= arena && (char *)block < arena + ARENA_BYTES; }

static void *take(size_t size, size_t alignment) {
    if (size > ARENA_BYTES / 2) {
        errno = ENOMEM;
        return NULL;
    }
    if (alignment < 16) alignment = 16;
    pthread_mutex_lock(&lock);
    char *block = (char *)(((uintptr_t)top + alignment - 1) & ~(uintptr_t)(alignment - 1));
    /* At least 16 bytes lie between two blocks: one past the end of a block is not the next block. */
    char *next = block + ((size + 31) & ~(size_t)15);
    if (next > arena + ARENA_BYTES) guard_fail("the program allocates more than the guard's arena of 1 GiB");
    if (count == BLOCKS) guard_fail("the program allocates too many blocks");
    blocks[count++] = (struct block){block, size};
    top = next;
    pthread_mutex_unlock(&lock);
    return block;
}

/* The block that holds `address`, or null. */
static const struct block *block_at(const char *address) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (blocks[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address <= blocks[low - 1].start + blocks[low - 1].size ? &blocks[low - 1] : NULL;
}

void *malloc(size_t size) {
    if (is_program(__builtin_return_address(0))) return take(size, 16);
    void *device = device_take(size);
    return device ? device : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    size_t bytes;
    if (!is_program(__builtin_return_address(0))) return __libc_calloc(count, size);
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return take(bytes, 16); /* the arena is fresh memory: zero */
}

void *realloc(void *block, size_t size) {
    if (!is_ours(block)) {
        if (block || !is_program(__builtin_return_address(0))) return __libc_realloc(block, size);
        return take(size, 16);
    }
    void *moved = take(size, 16);
    const struct block *old = block_at(block);
    if (moved && old) memcpy(moved, block, old->size < size ? old->size : size);
    return moved;
}

void free(void *block) {
    if (device_owns(block))
        device_release(block);
    else if (block && !is_ours(block))
        __libc_free(block);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return is_program(__builtin_return_address(0)) ? take(size, alignment) : __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
    return is_program(__builtin_return_address(0)) ? take(size, alignment) : __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    void *memory =
        is_program(__builtin_return_address(0)) ? take(size, alignment) : __libc_memalign(alignment, size);
    if (!memory) return ENOMEM;
    *block = memory;
    return 0;
}

static struct stretch hidden;

void heap_hide(void) {
    if (!arena) return;
    hidden = (struct stretch){arena, (size_t)(top - arena), saved};
    stretch_hide(&hidden);
}

void heap_show(void (*report)(const char *address, size_t bytes)) {
    if (!hidden.size) return;
    stretch_show(&hidden, report);
    hidden.size = 0;
}

int heap_block_at(const void *address, unsigned *number, const char **start, size_t *size) {
    const struct block *block = is_ours(address) ? block_at(address) : NULL;
    if (!block) return 0;
    *number = (unsigned)(block - blocks) + 1;
    *start = block->start;
    *size = block->size;
    return 1;
}
