/* The dynamic dependences of each loop: what the parts of the trace's run time know of one another.
 *
 * hooks.c    every load and store of the compiled program arrives here, with its code address
 * loops.c    where execution is: which iteration of which instance of which loop, and how two such places relate
 * shadow.c   for each piece of memory who wrote it last and who has read it since
 * objects.c  which object an address belongs to
 * findings.c what is kept: dependences, values that enter and leave loops, touched bytes; written as JSON at the end
 *
 * Words: an *instance* of a loop is one execution of it from entry to exit. A *place* is one iteration of one instance,
 * inside one iteration of the loop around it, and so on. Between two iterations lies the loop's own header (condition
 * and step): it has a place of its own, so that a bound that the body changes is a dependence.
 */
#ifndef FERRY_TRACE_H
#define FERRY_TRACE_H
#include <stddef.h>
#include <stdint.h>

enum { FRAMES = 24, CLAIMS = 64, VALUES = 4096 };

struct instance {
    int loop;
    unsigned number;      /* of this loop's instances, from 0 */
    unsigned iterations;  /* begun so far */
    int open;
    char *stack_bound;    /* stack below this came into being inside the loop */
    struct place *around;
    int frames;           /* the function that holds the loop, its caller, …: code address and frame base */
    struct {
        uintptr_t code;
        char *base;
    } frame[FRAMES];
    int claims;
    struct claim {
        char *start;
        size_t size;
    } *claim;
};

struct place {
    struct place *parent;       /* null for the place outside all loops */
    struct instance *instance;  /* null for the same */
    unsigned step;              /* 2k + 2 for the body of iteration k, odd for the header before and after */
    unsigned depth;
};

extern struct place *current_place;

/* Where the loop that separates two places sits: `level` is the depth at which they part (0: they do not part, one is
 * inside the other's iteration), `carrier` the instance that both iterate at that depth, or null. */
struct relation {
    unsigned level;
    struct instance *carrier;
    struct place *from, *to; /* the two at that depth */
};
struct relation relate(struct place *from, struct place *to);

extern uint64_t accesses; /* seen so far */
extern int asking;        /* what is read now is read by the judge */
void touch(char *address, size_t size, int writes, uintptr_t code);
void forget(char *first, char *past); /* this memory is gone: what it held is no value any more */

enum object_kind { OBJECT_GLOBAL, OBJECT_HEAP, OBJECT_FRAME, OBJECT_OTHER, OBJECT_CLAIM };
struct object {
    enum object_kind kind;
    uint64_t id;   /* index of the variable or block; for a frame, the code address in its function; a claim's number */
    char *base;    /* offsets are relative to it; for a frame, the frame base */
    size_t size;   /* 0 for a frame */
};
void objects_find(void);
/* Stack addresses are told apart by the frames around `instance` (which may be null). */
struct object object_at(char *address, const struct instance *instance);
int is_stack(const char *address);
const char *global_name(uint64_t id);
void *trace_take(size_t size, size_t alignment, uintptr_t code); /* a heap block of the program's */
size_t trace_block_size(const void *block);
uintptr_t heap_code(uint64_t id);
uintptr_t image_base(void);

enum dependence_kind { FLOW, ANTI, OUTPUT };
void note_dependence(enum dependence_kind kind, struct instance *carrier, char *address, uintptr_t from, uintptr_t to,
                     unsigned distance);
enum { LIVE_IN = 1, LIVE_OUT = 2, LIVE_OUT_NOT_LAST = 4 };
void note_live(struct instance *instance, char *address, unsigned flags);
void note_touched(struct instance *instance, char *address, size_t size, int writes, uintptr_t code);
void note_instance(struct instance *instance, int values, const unsigned long *value);
void note_end(struct instance *instance);
/* An execution of a loop that is not followed: because its condition does not hold, or because enough were. */
void note_not_followed(int loop, int holds);
void stop_here(void); /* writes the report and ends the program, in which loops may still run */
void note_incomplete(const char *why);

void *trace_memory(size_t size); /* zeroed, never freed; ends the program if there is none */

#endif
