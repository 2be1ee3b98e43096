/* Included before every line of an instrumented copy. The judge writes, around a loop and inside its body,
 *
 *     { ferry_scope_loop (ID, HOLDS, CLAIMS, VALUES, …) for (…) { ferry_scope_iteration (ID) BODY } }
 *
 * HOLDS is the condition under which this execution of the loop is to be followed. The variable of an execution that is
 * not followed is 0, and so are those of its iterations: what it does belongs to the loops around it. The variable is read here, by
 * what is not traced: no name of it is known where a function aligns its frame.
 * Leaving a scope in any way (the end, break, continue, goto, return) is seen through the cleanup attribute.
 */
extern int ferry_loop_enter(int loop, int holds, int claims, int values, ...);
extern void ferry_loop_exit(int *loop);
extern void ferry_ask(void); /* until the loop is entered: nothing is traced, and a value that cannot be read is FERRY_NO_VALUE */
extern void *ferry_unread[5];
extern int ferry_iteration_enter(const int *loop);
extern void ferry_iteration_exit(int *loop);

#define ferry_scope_loop(id, ...) \
    __attribute__((cleanup(ferry_loop_exit))) int ferry_loop_##id = (ferry_ask(), ferry_loop_enter(id, __VA_ARGS__));
#define ferry_scope_iteration(id) \
    __attribute__((cleanup(ferry_iteration_exit))) int ferry_iteration_##id = ferry_iteration_enter(&ferry_loop_##id);

/* A claim is an object's address and size, a value any integer or pointer. */
#define ferry_claim(object) (unsigned long)&(object), (unsigned long)sizeof(object)
#define FERRY_NO_VALUE (1UL << 63)
#define ferry_value(expression) (__builtin_setjmp(ferry_unread) ? FERRY_NO_VALUE : (unsigned long)(expression))
/* The address of an object: of an array or a pointer what it stands for, as sections count from there; else its own. */
#define ferry_base(object) ((char *)__builtin_choose_expr(__builtin_classify_type(object) == 5, (object), &(object)))
#define ferry_holds(condition) (__builtin_setjmp(ferry_unread) || (condition))
