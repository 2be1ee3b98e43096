#define _GNU_SOURCE
#include "symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The first object that dl_iterate_phdr shows is the main executable. */
static int first_object(struct dl_phdr_info *info, size_t size, void *result) {
    (void)size;
    struct ferry_image *image = result;
    image->base = info->dlpi_addr;
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[k];
        if (header->p_type == PT_LOAD && (header->p_flags & PF_X)) {
            image->text_start = info->dlpi_addr + header->p_vaddr;
            image->text_end = image->text_start + header->p_memsz;
        }
    }
    return 1;
}

struct ferry_image ferry_main_image(void) {
    struct ferry_image image = {0, 0, 0};
    dl_iterate_phdr(first_object, &image);
    return image;
}

static int is_variable_section(const char *name) {
    return !strcmp(name, ".data") || !strcmp(name, ".bss") || !strncmp(name, ".data.", 6) || !strncmp(name, ".bss.", 5);
}

/* `.data.rel.ro` is read-only after relocation: writing poison there would fault. */
static int is_relro(const char *name) { return !strncmp(name, ".data.rel.ro", 12); }

/* Names with a leading dot or two underscores are the implementation's; `completed.0` is the C start-up code's. */
static int is_program_name(const char *name) {
    return name[0] && name[0] != '.' && strncmp(name, "__", 2) && strcmp(name, "completed.0");
}

/* A variable that the dynamic symbol table also defines was copied from a shared library, or is shared with one. */
static int is_dynamic(const char *file, const ElfW(Shdr) *sections, int count, ElfW(Addr) value) {
    for (int k = 0; k < count; k++) {
        if (sections[k].sh_type != SHT_DYNSYM) continue;
        const ElfW(Sym) *symbols = (const void *)(file + sections[k].sh_offset);
        for (size_t s = 0; s < sections[k].sh_size / sizeof *symbols; s++)
            if (symbols[s].st_shndx != SHN_UNDEF && symbols[s].st_value == value) return 1;
    }
    return 0;
}

static void sort(struct ferry_symbol *table, size_t count) { /* heap sort: qsort would allocate */
    for (size_t end = count, start = count / 2; end > 1;) {
        if (start > 0) {
            start--;
        } else {
            end--;
            struct ferry_symbol swap = table[end];
            table[end] = table[0];
            table[0] = swap;
        }
        for (size_t root = start, child; (child = 2 * root + 1) < end; root = child) {
            if (child + 1 < end && table[child].start < table[child + 1].start) child++;
            if (table[root].start >= table[child].start) break;
            struct ferry_symbol swap = table[root];
            table[root] = table[child];
            table[child] = swap;
        }
    }
}

size_t ferry_program_symbols(struct ferry_symbol **table) {
    *table = NULL;
    int descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status)) return 0;
    size_t size = (size_t)status.st_size;
    const char *file = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    close(descriptor);
    if (file == MAP_FAILED) return 0;

    const ElfW(Ehdr) *header = (const void *)file;
    const ElfW(Shdr) *sections = (const void *)(file + header->e_shoff);
    const char *section_names = file + sections[header->e_shstrndx].sh_offset;
    uintptr_t base = ferry_main_image().base;
    size_t found = 0;
    for (int k = 0; k < header->e_shnum; k++) {
        if (sections[k].sh_type != SHT_SYMTAB) continue;
        const ElfW(Sym) *symbols = (const void *)(file + sections[k].sh_offset);
        const char *names = file + sections[sections[k].sh_link].sh_offset;
        size_t count = sections[k].sh_size / sizeof *symbols;
        struct ferry_symbol *all = mmap(NULL, (count + 1) * sizeof *all, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (all == MAP_FAILED) return 0;
        for (size_t s = 0; s < count; s++) {
            const ElfW(Sym) *symbol = &symbols[s];
            if (ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || !symbol->st_size) continue;
            if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= header->e_shnum) continue;
            const char *section = section_names + sections[symbol->st_shndx].sh_name;
            if (!is_variable_section(section) || is_relro(section)) continue;
            const char *name = names + symbol->st_name;
            if (!is_program_name(name) || is_dynamic(file, sections, header->e_shnum, symbol->st_value)) continue;
            all[found++] = (struct ferry_symbol){(char *)(base + symbol->st_value), symbol->st_size, name};
        }
        sort(all, found);
        *table = all;
        break;
    }
    return found;
}

const struct ferry_symbol *ferry_symbol_at(const struct ferry_symbol *table, size_t count, const void *address) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((const char *)address < table[middle].start) {
            high = middle;
        } else if ((const char *)address >= table[middle].start + table[middle].size) {
            low = middle + 1;
        } else {
            return &table[middle];
        }
    }
    return NULL;
}
