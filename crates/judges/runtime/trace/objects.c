/* Which object an address belongs to: a variable with static storage (by the symbol table), a heap block (the program's
 * own allocations, never reused), or a stack frame of a function that was active when a loop was entered. */
#define _GNU_SOURCE
#include "../common/symbols.h"
#include "trace.h"

#include <pthread.h>
#include <string.h>

enum { ARENA_BYTES = 1 << 30, BLOCKS = 1 << 20 };

static struct ferry_symbol *symbols;
static size_t symbol_count;
static uintptr_t base;
static char *stack_low, *stack_high;
static char *arena, *top;
static struct {
    char *start;
    size_t size;
    uintptr_t code;
} *blocks;
static size_t block_count;

void objects_find(void) {
    symbol_count = ferry_program_symbols(&symbols);
    base = ferry_main_image().base;
    pthread_attr_t attributes;
    void *low;
    size_t size;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
    stack_low = low;
    stack_high = stack_low + size;
}

uintptr_t image_base(void) { return base; }
const char *global_name(uint64_t id) { return symbols[id].name; }
uintptr_t heap_code(uint64_t id) { return blocks[id].code; }
int is_stack(const char *address) { return address >= stack_low && address < stack_high; }

void *trace_take(size_t size, size_t alignment, uintptr_t code) {
    if (!arena) {
        arena = top = trace_memory(ARENA_BYTES);
        blocks = trace_memory(BLOCKS * sizeof *blocks);
    }
    if (alignment < 16) alignment = 16;
    char *block = (char *)(((uintptr_t)top + alignment - 1) & ~(uintptr_t)(alignment - 1));
    if (size > ARENA_BYTES || block + size + 32 > arena + ARENA_BYTES || block_count == BLOCKS) return NULL;
    top = block + ((size + 31) & ~(size_t)15);
    blocks[block_count].start = block;
    blocks[block_count].size = size;
    blocks[block_count++].code = code;
    return block;
}

static size_t block_after(const char *address) {
    size_t low = 0, high = block_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (blocks[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t trace_block_size(const void *block) {
    size_t after = block_after(block);
    return after ? blocks[after - 1].size : 0;
}

struct object object_at(char *address, const struct instance *instance) {
    if (arena && address >= arena && address < top) {
        size_t k = block_after(address) - 1;
        return (struct object){OBJECT_HEAP, k, blocks[k].start, blocks[k].size};
    }
    if (is_stack(address)) {
        for (int k = 0; instance && k < instance->frames; k++)
            if (address < instance->frame[k].base + 16)
                return (struct object){OBJECT_FRAME, instance->frame[k].code - base, instance->frame[k].base, 0};
        return (struct object){OBJECT_OTHER, 0, address, 0};
    }
    const struct ferry_symbol *symbol = ferry_symbol_at(symbols, symbol_count, address);
    if (symbol) return (struct object){OBJECT_GLOBAL, (uint64_t)(symbol - symbols), symbol->start, symbol->size};
    return (struct object){OBJECT_OTHER, 0, address, 0};
}
