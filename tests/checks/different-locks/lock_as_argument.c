// A function takes the lock that it is given, and is given two for one element.
// judge: race
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#else
typedef int omp_lock_t;
#define omp_init_lock(lock) ((void)(lock))
#define omp_destroy_lock(lock) ((void)(lock))
#define omp_set_lock(lock) ((void)(lock))
#define omp_unset_lock(lock) ((void)(lock))
#endif

static omp_lock_t rows, columns;
static double table[64];

static void guarded(omp_lock_t *lock, double *cell, double value)
{
    omp_set_lock(lock);
    *cell += value; // finds: different-locks cell
    omp_unset_lock(lock);
}

int main(void)
{
    omp_init_lock(&rows);
    omp_init_lock(&columns);
    #pragma omp parallel for
    for (int i = 0; i < 20000; i++) {
        guarded(&rows, &table[3], 2.0);
        guarded(&columns, &table[3], 1.0);
    }
    omp_destroy_lock(&rows);
    omp_destroy_lock(&columns);
    printf("%g %g\n", table[3], table[4]);
    return 0;
}
