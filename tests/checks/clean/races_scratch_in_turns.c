// One thread at a time uses the variables that all share: in a critical region, between barriers, or since a function gives them turns.
// judge: no race
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_thread_num(void) { return 0; }
static int omp_get_num_threads(void) { return 1; }
typedef int omp_lock_t;
static void omp_init_lock(omp_lock_t *lock) { *lock = 0; }
static void omp_set_lock(omp_lock_t *lock) { *lock = 1; }
static void omp_unset_lock(omp_lock_t *lock) { *lock = 0; }
#endif

static omp_lock_t lock;

static void enter(void) { omp_set_lock(&lock); }
static void leave(void) { omp_unset_lock(&lock); }
static void (*in)(void) = enter, (*out)(void) = leave;

static double a[400];

int main(void)
{
    int i, turn;
    double sum = 0, value;
    for (i = 0; i < 400; i++)
        a[i] = i % 5;
    omp_init_lock(&lock);
    #pragma omp parallel private(turn)
    {
        #pragma omp critical
        for (i = omp_get_thread_num(); i < 400; i += omp_get_num_threads()) {
            value = 2 * a[i];
            sum += value;
        }
        #pragma omp barrier
        for (turn = 0; turn < omp_get_num_threads(); turn++) {
            #pragma omp barrier
            if (turn == omp_get_thread_num()) {
                value = sum + turn;
                a[turn] = value - turn;
            }
        }
        #pragma omp barrier
        #pragma omp single
        {
            value = a[0];
            a[1] = value;
        }
        in();
        value = omp_get_thread_num();
        a[2] += value - value;
        out();
    }
    printf("%d %d\n", (int)sum, (int)a[1]);
    return 0;
}
