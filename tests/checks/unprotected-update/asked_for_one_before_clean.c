// Shows: one thread was asked for outside of any region, and no more later: updates that all threads make are one each.
// judge: no race
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#else
static void omp_set_num_threads(int n) { (void)n; }
#endif

int main(void)
{
    int first = 0, second = 0;
    omp_set_num_threads(1);
    #pragma omp parallel
    {
        #pragma omp single
        omp_set_num_threads(4);
    }
    #pragma omp parallel
    for (int i = 0; i < 2000; i++)
        first += 2;
    omp_set_num_threads(4);
    omp_set_num_threads(1);
    #pragma omp parallel
    for (int i = 0; i < 2000; i++)
        second += 2;
    printf("%d\n", first > 0 && second > 0);
    return 0;
}
