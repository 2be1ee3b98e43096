// Two locks are held at one place, and one of them at the other.
// judge: no race
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

static omp_lock_t outer, inner;

int main(void)
{
    int sum = 0;
    omp_init_lock(&outer);
    omp_init_lock(&inner);
    #pragma omp parallel for
    for (int i = 0; i < 300; i++) {
        omp_set_lock(&outer);
        omp_set_lock(&inner);
        sum += 2;
        omp_unset_lock(&inner);
        omp_unset_lock(&outer);
        omp_set_lock(&inner);
        sum -= 1;
        omp_unset_lock(&inner);
    }
    omp_destroy_lock(&outer);
    omp_destroy_lock(&inner);
    printf("%d\n", sum);
    return 0;
}
