/* The OMPT tool: hears of kernels and transfers, hides the host while a kernel runs, and logs both. */
#define _GNU_SOURCE
#include "guard.h"

#include <omp-tools.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static unsigned kernels;       /* submitted so far */
static volatile int in_kernel; /* nesting: a kernel submitted while another runs is not hidden again */

/* Host bytes that the kernel wrote, gathered until the next ones belong to another object. */
static struct {
    char object[320];
    size_t bytes;
} written;

static void flush_written(void) {
    char place[64];
    log_place(place, sizeof place);
    if (written.bytes)
        log_line("{\"event\":\"host_write\",\"kernel\":%u,\"bytes\":%zu%s%s}", kernels, written.bytes, written.object,
                 place);
    written.bytes = 0;
}

static void note_written(const char *address, size_t bytes) {
    static const char *start;
    const char *now = object_start(address);
    if (now != start) flush_written();
    start = now;
    if (!written.bytes) log_object(written.object, sizeof written.object, address);
    written.bytes += bytes;
}

static void note_outside(size_t size, long distance) {
    static unsigned last_kernel, reports;
    char place[64];
    if (last_kernel != kernels) reports = 0;
    last_kernel = kernels;
    if (reports++ >= 4) return; /* the first few say enough */
    log_place(place, sizeof place);
    log_line("{\"event\":\"outside\",\"kernel\":%u,\"size\":%zu,\"distance\":%ld%s}", kernels, size, distance, place);
}

static void on_kernel(ompt_scope_endpoint_t end, ompt_data_t *target, ompt_id_t *operation, unsigned teams) {
    (void)target, (void)operation;
    char place[64];
    if (end == ompt_scope_begin) {
        if (in_kernel++) return;
        kernels++;
        log_place(place, sizeof place);
        heap_hide();
        globals_hide();
        int stack = stack_hide();
        log_line("{\"event\":\"kernel\",\"number\":%u,\"teams\":%u,\"stack_hidden\":%s%s}", kernels, teams,
                 stack ? "true" : "false", place);
    } else if (end == ompt_scope_end) {
        if (--in_kernel) return;
        stack_show(note_written);
        globals_show(note_written);
        heap_show(note_written);
        flush_written();
        device_check(note_outside);
    }
}

static void on_data(ompt_scope_endpoint_t end, ompt_data_t *task, ompt_data_t *target, ompt_id_t *operation,
                    ompt_target_data_op_t kind, void *from, int from_device, void *to, int to_device, size_t bytes,
                    const void *caller) {
    (void)task, (void)target, (void)operation, (void)from_device, (void)to_device, (void)caller;
    int allocates = kind == ompt_target_data_alloc || kind == ompt_target_data_alloc_async;
    if (end == ompt_scope_end) {
        device_expect(0);
        return;
    }
    if (allocates) device_expect(bytes);
    const char *name;
    const void *host = from;
    switch (kind) {
    case ompt_target_data_alloc:
    case ompt_target_data_alloc_async: name = "alloc"; break;
    case ompt_target_data_transfer_to_device:
    case ompt_target_data_transfer_to_device_async: name = "to_device"; break;
    case ompt_target_data_transfer_from_device:
    case ompt_target_data_transfer_from_device_async:
        name = "from_device";
        host = to;
        break;
    case ompt_target_data_delete:
    case ompt_target_data_delete_async:
        name = "delete";
        break;
    default: return;
    }
    char object[320], place[64];
    log_object(object, sizeof object, host);
    log_place(place, sizeof place);
    log_line("{\"event\":\"data\",\"kind\":\"%s\",\"bytes\":%zu%s%s}", name, bytes, object, place);
}

/* A fault inside a kernel is what an unmapped pointer looks like: say which kernel it was, then die as usual. */
static void on_fault(int signal_number) {
    if (in_kernel) {
        char place[64];
        log_place(place, sizeof place);
        log_line("{\"event\":\"fault\",\"kernel\":%u,\"signal\":%d%s}", kernels, signal_number, place);
    }
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static int start(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device, (void)data;
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    int kernel = set(ompt_callback_target_submit_emi, (ompt_callback_t)on_kernel);
    int transfer = set(ompt_callback_target_data_op_emi, (ompt_callback_t)on_data);
    if (kernel != ompt_set_always || transfer != ompt_set_always)
        guard_fail("this OpenMP run time does not tell of kernels and transfers");
    signal(SIGSEGV, on_fault);
    signal(SIGBUS, on_fault);
    signal(SIGFPE, on_fault);
    signal(SIGILL, on_fault);
    signal(SIGABRT, on_fault);
    return 1;
}

static void finish(ompt_data_t *data) {
    (void)data;
    log_line("{\"event\":\"end\",\"kernels\":%u}", kernels);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
    (void)version, (void)runtime;
    static ompt_start_tool_result_t result = {start, finish, {0}};
    log_open();
    globals_find();
    log_line("{\"event\":\"start\",\"globals\":%zu}", globals_count());
    return &result;
}
