/* The stack frames of the thread that launches a kernel.
 *
 * Poisoning a live stack is safe only if nobody reads it before it is restored. Three parties could:
 *  - the frames' own functions: they wait until the launch returns;
 *  - libomptarget, which reads the argument arrays that the compiler put into the launching frame: so the launch is
 *    intercepted here and passed on with copies of those arrays;
 *  - what lies above main (arguments, environment, auxiliary vector): so hiding stops below main's caller.
 * The transfers before and after the kernel see the true stack, because hiding happens between the two.
 * The launch entry points also carry the directive's place in the source (with -g), which is kept for the log.
 */
#define _GNU_SOURCE
#include "guard.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

enum { ARGUMENTS = 1024, STACK_BYTES = 1 << 26 };

/* libomptarget's KernelArgsTy, version 3 (LLVM 17 to 19); version 2 has the same beginning. */
struct kernel_arguments {
    uint32_t version, count;
    void **base_pointers, **pointers;
    int64_t *sizes, *types;
    void **names, **mappers;
    uint64_t trip_count, flags;
    uint32_t teams[3], threads[3], dynamic_memory;
};

struct place { /* ident_t */
    int32_t reserved_1, flags, reserved_2, reserved_3;
    const char *text;
};

static char *stack_top;           /* just above main's frame */
static char *saved;
static pthread_t main_thread;
static __thread char *frames_end; /* lowest byte of the launching frame, null outside a launch */
static __thread const char *place;

const char *current_place(void) { return place; }

int stack_contains(const void *address) {
    return stack_top && (char *)address < stack_top && (char *)address > stack_top - STACK_BYTES;
}

static struct stretch hidden;

int stack_hide(void) {
    if (!frames_end || !stack_contains(frames_end) || !pthread_equal(pthread_self(), main_thread)) return 0;
    hidden = (struct stretch){frames_end, (size_t)(stack_top - frames_end), saved};
    stretch_hide(&hidden);
    return 1;
}

void stack_show(void (*report)(const char *address, size_t bytes)) {
    if (!hidden.size) return;
    stretch_show(&hidden, report);
    hidden.size = 0;
}

static int (*program_main)(int, char **, char **);

__attribute__((noinline)) static int guarded_main(int count, char **arguments, char **environment) {
    stack_top = __builtin_frame_address(0);
    main_thread = pthread_self();
    saved = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (saved == MAP_FAILED) guard_fail("cannot reserve memory for the stack");
    /* This frame holds what is needed after main has returned: stop below it. */
    stack_top -= 256;
    char room[512];
    __asm__ volatile("" : : "r"(room) : "memory");
    return program_main(count, arguments, environment);
}

int __libc_start_main(int (*main)(int, char **, char **), int count, char **arguments, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void *stack_end) {
    int (*real)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *) =
        dlsym(RTLD_NEXT, "__libc_start_main");
    program_main = main;
    return real(guarded_main, count, arguments, init, fini, loader_fini, stack_end);
}

static void *copy(void *to, const void *from, size_t bytes) { return from ? memcpy(to, from, bytes) : NULL; }

int __tgt_target_kernel(struct place *at, int64_t device, int32_t teams, int32_t threads, void *host_function,
                        struct kernel_arguments *arguments) {
    static int (*real)(struct place *, int64_t, int32_t, int32_t, void *, struct kernel_arguments *);
    static __thread struct {
        void *base_pointers[ARGUMENTS], *pointers[ARGUMENTS], *names[ARGUMENTS], *mappers[ARGUMENTS];
        int64_t sizes[ARGUMENTS], types[ARGUMENTS];
        struct kernel_arguments arguments;
        struct place place;
    } own;
    if (!real) real = dlsym(RTLD_NEXT, "__tgt_target_kernel");
    place = at ? at->text : NULL;
    size_t count = arguments->count;
    if ((arguments->version != 2 && arguments->version != 3) || count > ARGUMENTS || frames_end) {
        int result = real(at, device, teams, threads, host_function, arguments);
        return result;
    }
    own.arguments = *arguments;
    own.arguments.base_pointers = copy(own.base_pointers, arguments->base_pointers, count * sizeof(void *));
    own.arguments.pointers = copy(own.pointers, arguments->pointers, count * sizeof(void *));
    own.arguments.sizes = copy(own.sizes, arguments->sizes, count * sizeof(int64_t));
    own.arguments.types = copy(own.types, arguments->types, count * sizeof(int64_t));
    own.arguments.names = copy(own.names, arguments->names, count * sizeof(void *));
    own.arguments.mappers = copy(own.mappers, arguments->mappers, count * sizeof(void *));
    own.place = *at;
    /* The saved frame pointer and the return address lie in the 16 bytes below the caller's frame. */
    frames_end = (char *)__builtin_frame_address(0) + 16;
    int result = real(&own.place, device, teams, threads, host_function, &own.arguments);
    frames_end = NULL;
    place = NULL;
    return result;
}

/* The data directives: passed on unchanged, with their place remembered for the log. */
#define DATA_DIRECTIVE(name)                                                                                          \
    void name(struct place *at, int64_t device, int32_t count, void **base_pointers, void **pointers, int64_t *sizes, \
              int64_t *types, void **names, void **mappers) {                                                         \
        static void (*real)(struct place *, int64_t, int32_t, void **, void **, int64_t *, int64_t *, void **,       \
                            void **);                                                                                 \
        if (!real) real = dlsym(RTLD_NEXT, #name);                                                                    \
        place = at ? at->text : NULL;                                                                                 \
        real(at, device, count, base_pointers, pointers, sizes, types, names, mappers);                               \
        place = NULL;                                                                                                 \
    }
DATA_DIRECTIVE(__tgt_target_data_begin_mapper)
DATA_DIRECTIVE(__tgt_target_data_end_mapper)
DATA_DIRECTIVE(__tgt_target_data_update_mapper)
