/* Hiding one stretch of memory: save, poison, compare, restore. */
#define _GNU_SOURCE
#include "guard.h"

#include <string.h>

void stretch_hide(struct stretch *stretch) {
    memcpy(stretch->saved, stretch->start, stretch->size);
    memset(stretch->start, POISON, stretch->size);
}

void stretch_show(struct stretch *stretch, void (*report)(const char *address, size_t bytes)) {
    const unsigned char *bytes = (const unsigned char *)stretch->start;
    uint64_t poisoned;
    memset(&poisoned, POISON, sizeof poisoned);
    for (size_t k = 0; k < stretch->size;) {
        uint64_t word;
        if (stretch->size - k >= sizeof word && (memcpy(&word, bytes + k, sizeof word), word == poisoned)) {
            k += sizeof word;
        } else if (bytes[k] == POISON) {
            k++;
        } else {
            size_t first = k;
            while (k < stretch->size && bytes[k] != POISON) k++;
            report((const char *)bytes + first, k - first);
        }
    }
    memcpy(stretch->start, stretch->saved, stretch->size);
}
