// Shows: one thread was asked for, inside of a region, where that is forgotten behind it, and before more were asked for.
// judge: race
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#else
static void omp_set_num_threads(int n) { (void)n; }
#endif

int main(void)
{
    int first = 0, second = 0;
    #pragma omp parallel
    {
        #pragma omp single
        omp_set_num_threads(1);
    }
    #pragma omp parallel
    for (int i = 0; i < 2000; i++)
        first += 2; // finds: unprotected-update first
    omp_set_num_threads(1);
    omp_set_num_threads(4);
    #pragma omp parallel
    for (int i = 0; i < 2000; i++)
        second += 2; // finds: unprotected-update second
    printf("%d\n", first > 0 && second > 0);
    return 0;
}
