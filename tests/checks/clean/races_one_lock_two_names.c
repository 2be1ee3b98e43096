// Two pointers lead to one lock.
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

static omp_lock_t only;

static omp_lock_t *chosen(int which)
{
    return which ? &only : &only + 0;
}

int main(void)
{
    int sum = 0;
    omp_init_lock(&only);
    omp_lock_t *a = chosen(0), *b = chosen(1);
    #pragma omp parallel for
    for (int i = 0; i < 300; i++) {
        omp_set_lock(a);
        sum += 2;
        omp_unset_lock(a);
        omp_set_lock(b);
        sum -= 1;
        omp_unset_lock(b);
    }
    omp_destroy_lock(&only);
    printf("%d\n", sum);
    return 0;
}
