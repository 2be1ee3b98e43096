/* The named, writable objects of the program under judgement.
 *
 * Question answered: which bytes of the main executable are the program's own variables, and what are they called?
 * The answer is read from the symbol table of /proc/self/exe: objects with a size in `.data`, `.bss` or their
 * per-variable sections. Everything else that is writable (relocation tables, offload entries, variables copied out of
 * shared libraries such as `stdout`) belongs to the run-time system and is left alone.
 * Cannot see: a stripped executable, and variables that live in shared libraries.
 */
#ifndef FERRY_SYMBOLS_H
#define FERRY_SYMBOLS_H
#include <stddef.h>
#include <stdint.h>

struct ferry_symbol {
    char *start;
    size_t size;
    const char *name;
};

/* Fills `*table` (allocated by mmap, never freed) with symbols sorted by address; returns their number. */
size_t ferry_program_symbols(struct ferry_symbol **table);

/* The symbol that holds `address`, or null. */
const struct ferry_symbol *ferry_symbol_at(const struct ferry_symbol *table, size_t count, const void *address);

/* The load address and the text range of the main executable. */
struct ferry_image {
    uintptr_t base, text_start, text_end;
};
struct ferry_image ferry_main_image(void);

#endif
