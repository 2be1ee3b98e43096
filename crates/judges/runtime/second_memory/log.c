/* The guard's log: one JSON object a line, each written whole, so that a crash loses nothing. */
#define _GNU_SOURCE
#include "guard.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int descriptor = -1;

void log_open(void) {
    const char *path = getenv("FERRY_GUARD_LOG");
    if (path && descriptor < 0) descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

void log_line(const char *format, ...) {
    if (descriptor < 0) return;
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line - 1, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof line - 1) return;
    line[length] = '\n';
    for (ssize_t done = 0, part; done <= length; done += part) {
        part = write(descriptor, line + done, (size_t)(length + 1 - done));
        if (part <= 0) return;
    }
}

void log_object(char *text, size_t size, const void *address) {
    const char *start;
    size_t bytes;
    unsigned number;
    const char *name = global_at(address, &start, &bytes);
    if (name) {
        snprintf(text, size, ",\"object\":\"global %.200s\",\"offset\":%td,\"size\":%zu", name,
                 (const char *)address - start, bytes);
    } else if (heap_block_at(address, &number, &start, &bytes)) {
        snprintf(text, size, ",\"object\":\"heap block %u\",\"offset\":%td,\"size\":%zu", number,
                 (const char *)address - start, bytes);
    } else if (stack_contains(address)) {
        snprintf(text, size, ",\"object\":\"stack\",\"offset\":0,\"size\":0");
    } else {
        snprintf(text, size, ",\"object\":\"other\",\"offset\":0,\"size\":0");
    }
}

const char *object_start(const void *address) {
    const char *start;
    size_t bytes;
    unsigned number;
    return global_at(address, &start, &bytes) || heap_block_at(address, &number, &start, &bytes) ? start : NULL;
}

void log_place(char *text, size_t size) {
    /* ";file;function;line;column;;": the two numbers follow the third and the fourth semicolon. */
    const char *at = current_place();
    text[0] = 0;
    for (int k = 0; at && k < 3; k++) {
        at = strchr(at, ';');
        if (at) at++;
    }
    if (!at) return;
    const char *column = strchr(at, ';');
    snprintf(text, size, ",\"line\":%d,\"column\":%d", atoi(at), column ? atoi(column + 1) : 0);
}

void guard_fail(const char *why) {
    log_line("{\"event\":\"failure\",\"why\":\"%s\"}", why);
    fprintf(stderr, "guard: %s\n", why);
    _exit(98);
}
