/* Included before every line of an instrumented copy. The judge writes, around a loop and inside its body,
 *
 *     { ferry_scope_loop (ID, CLAIMS, VALUES, …) for (…) { ferry_scope_iteration (ID) BODY } }
 *
 * Leaving a scope in any way (the end, break, continue, goto, return) is seen through the cleanup attribute.
 */
extern int ferry_loop_enter(int loop, int claims, int values, ...);
extern void ferry_loop_exit(int *loop);
extern int ferry_iteration_enter(int loop);
extern void ferry_iteration_exit(int *loop);

#define ferry_scope_loop(id, ...) \
    __attribute__((cleanup(ferry_loop_exit))) int ferry_loop_##id = ferry_loop_enter(id, __VA_ARGS__);
#define ferry_scope_iteration(id) \
    __attribute__((cleanup(ferry_iteration_exit))) int ferry_iteration_##id = ferry_iteration_enter(id);

/* A claim is an object's address and size, a value any integer or pointer. */
#define ferry_claim(object) (unsigned long)&(object), (unsigned long)sizeof(object)
#define ferry_value(expression) (unsigned long)(expression)
