/* Where the compiled program's accesses arrive.
 *
 * Loads and stores by `-fsanitize-coverage=edge,trace-loads,trace-stores`; copies of structs by ThreadSanitizer's
 * treatment of memory intrinsics (the rest of that instrumentation is switched off); calls of memcpy and its family, and
 * of the allocation functions, by the linker's `--wrap`.
 * Not seen: accesses of 10 bytes (`long double`) and of odd sizes, inline assembly, and what library functions other
 * than the wrapped ones do.
 */
#define _GNU_SOURCE
#include "trace.h"

#include <errno.h>
#include <string.h>

#define CALLER ((uintptr_t)__builtin_return_address(0) - 1)

#define ACCESS(bytes)                                                                                   \
    void __sanitizer_cov_load##bytes(void *address) { touch(address, bytes, 0, CALLER); }               \
    void __sanitizer_cov_store##bytes(void *address) { touch(address, bytes, 1, CALLER); }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

void __sanitizer_cov_trace_pc_guard(uint32_t *guard) { (void)guard; }
void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) { (void)start, (void)stop; }
void __tsan_init(void) {}

/* When a function ends, its frame is no memory any more: what a library writes into the next one there is not seen, and would
 * be taken for old values. The frame lies between this function's own and the base that its prologue left. */
void __tsan_func_entry(void *caller) { (void)caller; }
__attribute__((noinline)) void __tsan_func_exit(void) {
    char **frame = __builtin_frame_address(0);
    if (*frame > (char *)frame) forget((char *)frame, *frame);
}

static void copy(void *to, const void *from, size_t size, uintptr_t code) {
    if (size) {
        touch((char *)from, size, 0, code);
        touch(to, size, 1, code);
    }
}
static void fill(void *to, size_t size, uintptr_t code) {
    if (size) touch(to, size, 1, code);
}

void *__tsan_memcpy(void *to, const void *from, size_t size) {
    copy(to, from, size, CALLER);
    return memmove(to, from, size);
}
void *__tsan_memmove(void *to, const void *from, size_t size) {
    copy(to, from, size, CALLER);
    return memmove(to, from, size);
}
void *__tsan_memset(void *to, int value, size_t size) {
    fill(to, size, CALLER);
    return memset(to, value, size);
}

void *__wrap_memcpy(void *to, const void *from, size_t size) {
    copy(to, from, size, CALLER);
    return memmove(to, from, size);
}
void *__wrap_memmove(void *to, const void *from, size_t size) {
    copy(to, from, size, CALLER);
    return memmove(to, from, size);
}
void *__wrap_memset(void *to, int value, size_t size) {
    fill(to, size, CALLER);
    return memset(to, value, size);
}
char *__wrap_strcpy(char *to, const char *from) {
    copy(to, from, strlen(from) + 1, CALLER);
    return memmove(to, from, strlen(from) + 1);
}

void *__wrap_malloc(size_t size) { return trace_take(size, 16, CALLER); }
void *__wrap_calloc(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
    void *block = trace_take(bytes, 16, CALLER); /* fresh memory: zero */
    return block;
}
void *__wrap_realloc(void *block, size_t size) {
    void *moved = trace_take(size, 16, CALLER);
    size_t old = block ? trace_block_size(block) : 0;
    if (moved && old) copy(moved, block, old < size ? old : size, CALLER), memmove(moved, block, old < size ? old : size);
    return moved;
}
void *__wrap_aligned_alloc(size_t alignment, size_t size) { return trace_take(size, alignment, CALLER); }
int __wrap_posix_memalign(void **block, size_t alignment, size_t size) {
    void *memory = trace_take(size, alignment, CALLER);
    if (!memory) return ENOMEM;
    *block = memory;
    return 0;
}
void __wrap_free(void *block) { (void)block; }

__attribute__((constructor)) static void start(void) { objects_find(); }
