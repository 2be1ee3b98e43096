// Shows: a region inside of another one, which the program allows to have threads, adds to one variable.
// judge: race
#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdio.h>

int main(void)
{
    static int a[80];
    int total = 0;
    for (int i = 0; i < 80; i++)
        a[i] = i % 9;
#ifdef _OPENMP
    omp_set_max_active_levels(2);
#endif
    #pragma omp parallel num_threads(2)
    {
        #pragma omp single
        {
            #pragma omp parallel for // finds: directive-contradicts-dependence total
            for (int i = 0; i < 80; i++)
                total += a[i];
        }
    }
    printf("%d\n", total);
    return 0;
}
