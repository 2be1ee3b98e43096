/* A second memory for gcc: a plug-in of libgomp in the place of the one for NVIDIA.
 *
 * The program is compiled with offloading to nvptx, whose code is never run. libgomp loads a plug-in by its name, and finds
 * this one: device memory are blocks of device.c, transfers are copies, and a kernel is the host's version of it, called
 * with the device's addresses. So what gcc's own run time makes of `map` and `copy` clauses is seen, OpenMP and OpenACC,
 * attachment of pointers included. While a kernel runs, the program's heap and variables are hidden, as for clang.
 *
 * Variables of `declare target link` are copied into the place of the host's while a kernel runs, as the host's version
 * of a function names them there, and back; what of a kernel's own parameters leads to their copies leads to that place.
 *
 * The library is preloaded under the plug-in's name: so the program's table of kernels, which libgomp does not tell to
 * plug-ins, is heard of on its way (GOMP_offload_register_ver).
 *
 * What it cannot see: a `const` variable that is not mapped; the program's stack, which is not hidden; the direction and size of each section where libgomp gathers
 * small ones into one transfer; whether loops are divided among teams or gangs.
 */
#define _GNU_SOURCE
#include "../second_memory/guard.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* include/gomp-constants.h and libgomp/libgomp-plugin.h of gcc 12 */
enum { OPENMP_400 = 4, OPENACC_200 = 8, NVIDIA_PTX = 5, INTERFACE_VERSION = 1, PARAMETERS = 4096 };
struct addresses {
    uintptr_t start, end;
};

static void **host_table; /* functions, their end, variables with sizes, their end */
static unsigned kernels;
static volatile int in_kernel;

/* A variable of `declare target link`: the device has a pointer for it, which libgomp sets when it is mapped. */
struct link {
    char *variable, *before;
    size_t size;
    char **pointer;
};
static struct link *links;
static size_t link_count;

void GOMP_offload_register_ver(unsigned version, void *table, int type, const void *image) {
    static void (*real)(unsigned, void *, int, const void *);
    if (!real) real = dlsym(RTLD_NEXT, "GOMP_offload_register_ver");
    if (host_table) guard_fail("the program has more than one image");
    host_table = table;
    real(version, table, type, image);
}

/* The log has no places: libgomp does not know them. */
const char *current_place(void) { return NULL; }
int stack_contains(const void *address) {
    (void)address;
    return 0;
}

static void note_written(const char *address, size_t bytes) {
    char object[320];
    log_object(object, sizeof object, address);
    log_line("{\"event\":\"host_write\",\"kernel\":%u,\"bytes\":%zu%s}", kernels, bytes, object);
}

static void note_outside(size_t size, long distance) {
    static unsigned last_kernel, reports;
    if (last_kernel != kernels) reports = 0;
    last_kernel = kernels;
    if (reports++ < 4)
        log_line("{\"event\":\"outside\",\"kernel\":%u,\"size\":%zu,\"distance\":%ld}", kernels, size, distance);
}

static void on_fault(int signal_number) {
    if (in_kernel) log_line("{\"event\":\"fault\",\"kernel\":%u,\"signal\":%d}", kernels, signal_number);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* `const` objects are not hidden, and cannot be set. */
static int is_mapped(const struct link *link) {
    const char *start;
    size_t size;
    if (!global_at(link->variable, &start, &size)) return 0;
    return device_owns(*link->pointer) && device_owns(*link->pointer + link->size - 1);
}

/* The words from `from` up to `end` that lead into a mapped variable's copy lead into the variable, or back. */
static void turn_pointers(char **from, char **end, bool to_device) {
    for (char **word = from; word < end; word++) {
        for (size_t k = 0; k < link_count; k++) {
            const struct link *link = &links[k];
            if (!is_mapped(link)) continue;
            uintptr_t start = (uintptr_t)(to_device ? link->variable : *link->pointer);
            uintptr_t other = (uintptr_t)(to_device ? *link->pointer : link->variable);
            uintptr_t value = (uintptr_t)*word;
            if (value - start < link->size) {
                *word = (char *)(other + (value - start));
                break;
            }
        }
    }
}

static void links_in(void) {
    for (size_t k = 0; k < link_count; k++) {
        if (!is_mapped(&links[k])) continue;
        memcpy(links[k].variable, *links[k].pointer, links[k].size);
        memcpy(links[k].before, *links[k].pointer, links[k].size);
    }
}

/* Only what changed goes back: behind a section of the variable the device may have something else. */
static void links_out(void) {
    for (size_t k = 0; k < link_count; k++) {
        struct link *link = &links[k];
        if (!is_mapped(link)) continue;
        for (size_t at = 0; at < link->size; at++)
            if (link->variable[at] != link->before[at]) (*link->pointer)[at] = link->variable[at];
        memset(link->variable, POISON, link->size);
    }
}

static void before_kernel(void) {
    kernels++;
    log_line("{\"event\":\"kernel\",\"number\":%u,\"stack_hidden\":false}", kernels);
    in_kernel = 1;
    heap_hide();
    globals_hide();
    links_in();
}

static void after_kernel(void) {
    links_out();
    globals_show(note_written);
    heap_show(note_written);
    in_kernel = 0;
    device_check(note_outside);
}

static void note_transfer(const char *kind, const void *host, size_t bytes) {
    char object[320];
    log_object(object, sizeof object, host);
    log_line("{\"event\":\"data\",\"kind\":\"%s\",\"bytes\":%zu%s}", kind, bytes, object);
}

const char *GOMP_OFFLOAD_get_name(void) { return "nvptx"; }
unsigned GOMP_OFFLOAD_get_caps(void) { return OPENMP_400 | OPENACC_200; }
int GOMP_OFFLOAD_get_type(void) { return NVIDIA_PTX; }
int GOMP_OFFLOAD_get_num_devices(void) { return 1; }
unsigned GOMP_OFFLOAD_version(void) { return INTERFACE_VERSION; }

bool GOMP_OFFLOAD_init_device(int device) {
    (void)device;
    log_open();
    globals_find();
    log_line("{\"event\":\"start\",\"globals\":%zu}", globals_count());
    int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t k = 0; k < sizeof signals / sizeof *signals; k++) signal(signals[k], on_fault);
    return true;
}

bool GOMP_OFFLOAD_fini_device(int device) {
    (void)device;
    log_line("{\"event\":\"end\",\"kernels\":%u}", kernels);
    return true;
}

/* The host's kernels, copies of the variables that live on the device, and pointers for those that are there while they are mapped. */
int GOMP_OFFLOAD_load_image(int device, unsigned version, const void *image, struct addresses **result) {
    (void)device, (void)version, (void)image;
    if (!host_table) guard_fail("the program's table of kernels was not heard of");
    void **functions = host_table[0], **variables = host_table[2];
    size_t function_count = (size_t)((void **)host_table[1] - functions);
    size_t variable_count = (size_t)((void **)host_table[3] - variables) / 2;
    struct addresses *table = malloc((function_count + variable_count + 1) * sizeof *table);
    for (size_t k = 0; k < function_count; k++) {
        uintptr_t function = (uintptr_t)functions[k];
        table[k] = (struct addresses){function, function + 1};
    }
    links = malloc((variable_count + 1) * sizeof *links);
    for (size_t k = 0; k < variable_count; k++) {
        const uintptr_t link = (uintptr_t)1 << 63;
        size_t size = (uintptr_t)variables[2 * k + 1] & ~link;
        char *place;
        if ((uintptr_t)variables[2 * k + 1] & link) {
            char **pointer = calloc(1, sizeof *pointer);
            links[link_count++] = (struct link){variables[2 * k], malloc(size), size, pointer};
            place = (char *)pointer;
        } else {
            place = memcpy(malloc(size), variables[2 * k], size);
        }
        table[function_count + k] = (struct addresses){(uintptr_t)place, (uintptr_t)place + size};
    }
    *result = table;
    return (int)(function_count + variable_count);
}

bool GOMP_OFFLOAD_unload_image(int device, unsigned version, const void *image) {
    (void)device, (void)version, (void)image;
    return true;
}

void *GOMP_OFFLOAD_alloc(int device, size_t bytes) {
    (void)device;
    device_expect(bytes);
    return device_take(bytes);
}

bool GOMP_OFFLOAD_free(int device, void *block) {
    (void)device;
    if (device_owns(block)) device_release(block);
    return true;
}

bool GOMP_OFFLOAD_host2dev(int device, void *to, const void *from, size_t bytes) {
    (void)device;
    note_transfer("to_device", from, bytes);
    memcpy(to, from, bytes);
    return true;
}

bool GOMP_OFFLOAD_dev2host(int device, void *to, const void *from, size_t bytes) {
    (void)device;
    note_transfer("from_device", to, bytes);
    memcpy(to, from, bytes);
    return true;
}

bool GOMP_OFFLOAD_dev2dev(int device, void *to, const void *from, size_t bytes) {
    (void)device;
    memcpy(to, from, bytes);
    return true;
}

bool GOMP_OFFLOAD_can_run(void *function) {
    (void)function;
    return true;
}

void GOMP_OFFLOAD_run(int device, void *function, void *variables, void **arguments) {
    (void)device, (void)arguments;
    char **end = (char **)device_end(variables);
    before_kernel();
    turn_pointers(variables, end, false);
    ((void (*)(void *))function)(variables);
    turn_pointers(variables, end, true);
    after_kernel();
}

void GOMP_OFFLOAD_openacc_exec(void (*function)(void *), size_t count, void **host, void **device, unsigned *dimensions,
                               void *memory) {
    (void)dimensions, (void)memory;
    static void *parameters[PARAMETERS];
    if (count > PARAMETERS) guard_fail("a kernel has too many parameters");
    for (size_t k = 0; k < count; k++) parameters[k] = device[k] ? device[k] : host[k];
    before_kernel();
    function(parameters);
    after_kernel();
}

/* Queues: everything is done at once. libgomp wants all of these to be there. */
void *GOMP_OFFLOAD_openacc_create_thread_data(int device) {
    (void)device;
    return NULL;
}
void GOMP_OFFLOAD_openacc_destroy_thread_data(void *data) { (void)data; }
void *GOMP_OFFLOAD_openacc_async_construct(int device) {
    (void)device;
    static char queue;
    return &queue;
}
bool GOMP_OFFLOAD_openacc_async_destruct(void *queue) {
    (void)queue;
    return true;
}
int GOMP_OFFLOAD_openacc_async_test(void *queue) {
    (void)queue;
    return 1;
}
bool GOMP_OFFLOAD_openacc_async_synchronize(void *queue) {
    (void)queue;
    return true;
}
bool GOMP_OFFLOAD_openacc_async_serialize(void *first, void *second) {
    (void)first, (void)second;
    return true;
}
void GOMP_OFFLOAD_openacc_async_queue_callback(void *queue, void (*callback)(void *), void *data) {
    (void)queue;
    callback(data);
}
bool GOMP_OFFLOAD_openacc_async_host2dev(int device, void *to, const void *from, size_t bytes, void *queue) {
    (void)queue;
    return GOMP_OFFLOAD_host2dev(device, to, from, bytes);
}
bool GOMP_OFFLOAD_openacc_async_dev2host(int device, void *to, const void *from, size_t bytes, void *queue) {
    (void)queue;
    return GOMP_OFFLOAD_dev2host(device, to, from, bytes);
}
void GOMP_OFFLOAD_openacc_async_exec(void (*function)(void *), size_t count, void **host, void **device,
                                     unsigned *dimensions, void *memory, void *queue) {
    (void)queue;
    GOMP_OFFLOAD_openacc_exec(function, count, host, device, dimensions, memory);
}
union property {
    void *pointer;
    size_t value;
};
union property GOMP_OFFLOAD_openacc_get_property(int device, int which) {
    (void)device, (void)which;
    return (union property){NULL};
}
