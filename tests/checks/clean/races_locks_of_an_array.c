// Each element has the lock of its number.
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

int main(void)
{
    static omp_lock_t locks[8];
    int sums[8] = {0};
    for (int k = 0; k < 8; k++)
        omp_init_lock(&locks[k]);
    #pragma omp parallel for
    for (int i = 0; i < 400; i++) {
        omp_set_lock(&locks[i % 8]);
        sums[i % 8] += i;
        omp_unset_lock(&locks[i % 8]);
        omp_set_lock(&locks[3]);
        sums[3] += 1;
        omp_unset_lock(&locks[3]);
    }
    for (int k = 0; k < 8; k++)
        omp_destroy_lock(&locks[k]);
    printf("%d %d\n", sums[3], sums[7]);
    return 0;
}
