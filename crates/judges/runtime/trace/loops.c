/* Where execution is, and how two places relate. */
#define _GNU_SOURCE
#include "trace.h"

#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct place outside;
struct place *current_place = &outside;

enum { LOOPS = 1 << 16, CHUNK = 1 << 20 };
static unsigned instances_of[LOOPS], passed_of[LOOPS];

/* Of a loop that is executed often the first few executions are followed, and then those whose number is a power of two. */
static unsigned executions_limit(void) {
    static unsigned limit;
    if (!limit) {
        const char *text = getenv("FERRY_TRACE_EXECUTIONS");
        limit = text ? (unsigned)strtoul(text, NULL, 10) : 0;
        if (!limit) limit = ~0u;
    }
    return limit;
}
static int is_followed(int loop) {
    unsigned number = instances_of[loop % LOOPS] + passed_of[loop % LOOPS];
    return number < executions_limit() || (number & (number - 1)) == 0;
}

void *trace_memory(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        static const char why[] = "trace: out of memory\n";
        (void)!write(2, why, sizeof why - 1);
        _exit(98);
    }
    return memory;
}

static void *chunked(size_t size) {
    static char *next, *end;
    size = (size + 15) & ~(size_t)15;
    if ((size_t)(end - next) < size) {
        next = trace_memory(CHUNK);
        end = next + CHUNK;
    }
    void *result = next;
    next += size;
    return result;
}

/* The judge's questions are asked before a loop that may not run: pointers in them may lead nowhere. */
void *ferry_unread[5];
int asking;
static void unread(int signal) {
    if (asking) __builtin_longjmp(ferry_unread, 1);
    struct sigaction usual = {.sa_handler = SIG_DFL}; /* it was the program: it is tried again, and ends it */
    sigaction(signal, &usual, NULL);
}
void ferry_ask(void) {
    static int is_ready;
    if (!is_ready) {
        struct sigaction own = {.sa_handler = unread, .sa_flags = SA_NODEFER};
        sigaction(SIGSEGV, &own, NULL);
        sigaction(SIGBUS, &own, NULL);
        is_ready = 1;
    }
    asking = 1;
}

static struct place *new_place(struct instance *instance, unsigned step) {
    struct place *place = chunked(sizeof *place);
    *place = (struct place){instance->around, instance, step, instance->around->depth + 1};
    return place;
}

__attribute__((noinline)) int ferry_loop_enter(int loop, int holds, int claims, int values, ...) {
    asking = 0;
    if (!holds || !is_followed(loop)) {
        if (holds) passed_of[loop % LOOPS]++;
        note_not_followed(loop, holds);
        return 0;
    }
    struct instance *instance = chunked(sizeof *instance);
    *instance = (struct instance){.loop = loop, .open = 1, .around = current_place};
    instance->number = instances_of[loop % LOOPS]++;
    struct frame { /* what a function's prologue leaves: the caller's frame base, the return address */
        struct frame *caller;
        uintptr_t code;
    } *frame = __builtin_frame_address(0);
    instance->stack_bound = (char *)(frame + 1);
    while (instance->frames < FRAMES && frame->caller > frame && is_stack((char *)frame->caller)) {
        instance->frame[instance->frames].code = frame->code - 1;
        instance->frame[instance->frames++].base = (char *)frame->caller;
        frame = frame->caller;
    }
    unsigned long value[VALUES];
    va_list arguments;
    va_start(arguments, values);
    instance->claim = chunked((size_t)claims * sizeof *instance->claim);
    for (int k = 0; k < claims; k++) {
        char *start = va_arg(arguments, char *);
        size_t size = va_arg(arguments, size_t);
        if (k < CLAIMS) {
            instance->claim[k].start = start;
            instance->claim[k].size = size;
            instance->claims = k + 1;
        }
    }
    for (int k = 0; k < values; k++) {
        unsigned long now = va_arg(arguments, unsigned long);
        if (k < VALUES) value[k] = now;
    }
    va_end(arguments);
    if (claims > CLAIMS || values > VALUES) note_incomplete("too many claims or values on one loop");
    note_instance(instance, values < VALUES ? values : VALUES, value);
    current_place = new_place(instance, 1);
    return loop;
}

void ferry_loop_exit(int *loop) {
    if (!*loop) return;
    struct instance *instance = current_place->instance;
    if (!instance || instance->loop != *loop) {
        note_incomplete("loops were left in an unexpected order");
        return;
    }
    instance->open = 0;
    note_end(instance);
    current_place = instance->around;
}

int ferry_iteration_enter(const int *variable) {
    int loop = *variable;
    if (!loop) return 0;
    struct instance *instance = current_place->instance;
    if (instance && instance->loop == loop) {
        current_place = new_place(instance, 2 * instance->iterations + 2);
        instance->iterations++;
    } else {
        note_incomplete("an iteration began outside its loop");
    }
    return loop;
}

void ferry_iteration_exit(int *loop) {
    if (!*loop) return;
    struct instance *instance = current_place->instance;
    if (instance && instance->loop == *loop)
        current_place = new_place(instance, 2 * instance->iterations + 1);
}

struct relation relate(struct place *from, struct place *to) {
    while (from->depth > to->depth) from = from->parent;
    while (to->depth > from->depth) to = to->parent;
    if (from == to) return (struct relation){0, NULL, from, to};
    while (from->parent != to->parent) {
        from = from->parent;
        to = to->parent;
    }
    struct instance *carrier = from->instance == to->instance ? to->instance : NULL;
    return (struct relation){to->depth, carrier, from, to};
}
