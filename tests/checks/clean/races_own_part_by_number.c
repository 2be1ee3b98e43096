// Each thread works on the part that its number says, without barriers.
// judge: no race
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#else
#define omp_get_thread_num() 0
#define omp_get_num_threads() 1
#endif

int main(void)
{
    int a[240], b[240];
    #pragma omp parallel
    {
        int me = omp_get_thread_num(), all = omp_get_num_threads();
        for (int i = me * 240 / all; i < (me + 1) * 240 / all; i++)
            a[i] = i;
        for (int i = me * 240 / all; i < (me + 1) * 240 / all; i++)
            b[i] = 2 * a[i];
    }
    printf("%d\n", b[239]);
    return 0;
}
