/* The program's variables with static storage, hidden one by one. */
#define _GNU_SOURCE
#include "../common/symbols.h"
#include "guard.h"

#include <sys/mman.h>

static struct ferry_symbol *symbols;
static size_t count;
static struct stretch *hidden;

void globals_find(void) {
    count = ferry_program_symbols(&symbols);
    size_t bytes = count * sizeof *hidden;
    for (size_t k = 0; k < count; k++) bytes += symbols[k].size;
    if (!count) return;
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) guard_fail("cannot reserve memory for the global variables");
    hidden = (struct stretch *)memory;
    char *saved = memory + count * sizeof *hidden;
    for (size_t k = 0; k < count; k++) {
        hidden[k] = (struct stretch){symbols[k].start, symbols[k].size, saved};
        saved += symbols[k].size;
    }
}

size_t globals_count(void) { return count; }

/* Two symbols may name the same bytes; restoring in the opposite order of hiding is right then too. */
void globals_hide(void) {
    for (size_t k = 0; k < count; k++) stretch_hide(&hidden[k]);
}

void globals_show(void (*report)(const char *address, size_t bytes)) {
    for (size_t k = count; k-- > 0;) stretch_show(&hidden[k], report);
}

const char *global_at(const void *address, const char **start, size_t *size) {
    const struct ferry_symbol *symbol = ferry_symbol_at(symbols, count, address);
    if (!symbol) return NULL;
    *start = symbol->start;
    *size = symbol->size;
    return symbol->name;
}
