/* How long is a program inside libclang? Built as a stand-in for libclang and put in its place through LIBCLANG_PATH: it
 * defines the functions that parse, walk, tokenise and release, and depends on the true library for all others. At the
 * end it says the sum on standard error, callbacks not counted. The many small questions (kind, type, place of a cursor)
 * are not counted either: the rest of the program seems slower, not faster. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long long inside; /* nanoseconds of processor time */

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

static void *real(const char *name) {
    void *library = dlopen(getenv("FERRY_REAL_LIBCLANG"), RTLD_NOW);
    void *found = library ? dlsym(library, name) : NULL;
    if (!found) abort();
    return found;
}

int clang_parseTranslationUnit2(void *index, const char *file, const char *const *arguments, int argument_count,
                                void *unsaved, unsigned unsaved_count, unsigned options, void **unit) {
    static int (*parse)(void *, const char *, const char *const *, int, void *, unsigned, unsigned, void **);
    if (!parse) parse = real("clang_parseTranslationUnit2");
    long long start = now();
    int result = parse(index, file, arguments, argument_count, unsaved, unsaved_count, options, unit);
    __atomic_add_fetch(&inside, now() - start, __ATOMIC_RELAXED);
    return result;
}

int clang_reparseTranslationUnit(void *unit, unsigned unsaved_count, void *unsaved, unsigned options) {
    static int (*parse)(void *, unsigned, void *, unsigned);
    if (!parse) parse = real("clang_reparseTranslationUnit");
    long long start = now();
    int result = parse(unit, unsaved_count, unsaved, options);
    __atomic_add_fetch(&inside, now() - start, __ATOMIC_RELAXED);
    return result;
}

struct cursor {
    int kind, extra;
    const void *data[3];
};
typedef int visitor(struct cursor, struct cursor, void *);
struct visit {
    visitor *visitor;
    void *data;
};
static __thread long long entered; /* when libclang was entered or returned to */

static int call_back(struct cursor cursor, struct cursor parent, void *data) {
    struct visit *visit = data;
    __atomic_add_fetch(&inside, now() - entered, __ATOMIC_RELAXED);
    int result = visit->visitor(cursor, parent, visit->data);
    entered = now();
    return result;
}

unsigned clang_visitChildren(struct cursor parent, visitor *visitor_, void *data) {
    static unsigned (*walk)(struct cursor, visitor *, void *);
    if (!walk) walk = real("clang_visitChildren");
    struct visit visit = {visitor_, data};
    entered = now();
    unsigned result = walk(parent, call_back, &visit);
    __atomic_add_fetch(&inside, now() - entered, __ATOMIC_RELAXED);
    return result;
}

struct range {
    const void *data[2];
    unsigned first, past;
};

void clang_tokenize(void *unit, struct range range, void **tokens, unsigned *count) {
    static void (*tokenise)(void *, struct range, void **, unsigned *);
    if (!tokenise) tokenise = real("clang_tokenize");
    long long start = now();
    tokenise(unit, range, tokens, count);
    __atomic_add_fetch(&inside, now() - start, __ATOMIC_RELAXED);
}

void clang_disposeTranslationUnit(void *unit) {
    static void (*dispose)(void *);
    if (!dispose) dispose = real("clang_disposeTranslationUnit");
    long long start = now();
    dispose(unit);
    __atomic_add_fetch(&inside, now() - start, __ATOMIC_RELAXED);
}

__attribute__((destructor)) static void say(void) { fprintf(stderr, "ferry: libclang %.3f s\n", inside / 1e9); }
