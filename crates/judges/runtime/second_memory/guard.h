/* The guarded second memory: what its parts know of one another.
 *
 * A program whose `target` regions run on clang's x86-64 offload plugin has two copies of its data but one address
 * space: a host pointer that nobody mapped still works in a kernel. The guard closes that hole. While a kernel runs,
 * every byte of host memory that belongs to the program is poisoned:
 *   heap.c     what the program allocated,
 *   globals.c  its variables with static storage,
 *   stack.c    its stack frames, from main's down to the one that launched the kernel.
 * device.c gives each section its own device memory, with poison around it: a kernel that leaves its section is seen.
 * A kernel that reads host memory gets garbage or a fault; one that writes host memory is seen afterwards, reported
 * with the object's name, and its write undone. kernel.c hears of kernels and transfers from the OpenMP run time
 * (OMPT) and calls the three; log.c writes what happened, one JSON object a line, to the file FERRY_GUARD_LOG.
 *
 * What it cannot see: `const` objects in read-only memory (a kernel can read them unmapped), memory that shared
 * libraries allocate for the program (strdup, getline), thread-local variables, and programs whose host threads go on
 * while a kernel runs (`nowait`: deferred target tasks are switched off by the judge).
 */
#ifndef FERRY_GUARD_H
#define FERRY_GUARD_H
#include <stddef.h>
#include <stdint.h>

/* As a pointer not canonical, as a double -1.6e+289, as an int -67372037: none a plausible value. */
enum { POISON = 0xFB };

/* A stretch of host memory of one kind, saved aside and poisoned while a kernel runs. */
struct stretch {
    char *start;
    size_t size;
    char *saved;
};
void stretch_hide(struct stretch *stretch);
/* Calls `report(address, bytes)` for each run of changed bytes, then puts the saved bytes back. */
void stretch_show(struct stretch *stretch, void (*report)(const char *address, size_t bytes));

void heap_hide(void);
void heap_show(void (*report)(const char *address, size_t bytes));
/* Number (from 1, in order of allocation), start and size of the block that holds `address`; false if none does. */
int heap_block_at(const void *address, unsigned *number, const char **start, size_t *size);

/* The next block of exactly this size that is allocated is device memory (0: none is expected). */
void device_expect(size_t size);
void *device_take(size_t size);
int device_owns(const void *block);
void device_release(void *block);
/* Past the last whole word of the live block that holds `address`; `address` itself if none does. */
void *device_end(void *address);
/* Calls `report(size, distance)` for each live block around which something was written: the distance in bytes from the
 * block's start (negative) or end. */
void device_check(void (*report)(size_t size, long distance));

void globals_find(void);
size_t globals_count(void);
void globals_hide(void);
void globals_show(void (*report)(const char *address, size_t bytes));
const char *global_at(const void *address, const char **start, size_t *size);

/* True when the frames of the launching thread could be hidden. */
int stack_hide(void);
void stack_show(void (*report)(const char *address, size_t bytes));
int stack_contains(const void *address);
/* The source place of the directive that runs now (";file;function;line;column;;"), or null. */
const char *current_place(void);

void log_open(void);
void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Writes `,"object":…,"offset":…` for an address into `text`. */
void log_object(char *text, size_t size, const void *address);
/* The start of the variable or heap block that holds `address`; null for the stack and all else. */
const char *object_start(const void *address);
/* Writes `,"line":N,"column":N` of the current directive into `text`. */
void log_place(char *text, size_t size);
_Noreturn void guard_fail(const char *why);

#endif
