// Shows: each thread has its own scratch, and one of them sets what is read behind their region.
// judge: no race
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_thread_num(void) { return 0; }
#endif

static double a[64];

int main(void)
{
    double last;
    #pragma omp parallel
    {
        int me = omp_get_thread_num();
        double mine = 2 * me;
        a[me % 64] = mine + 1;
        #pragma omp single
        last = mine;
    }
    printf("%d\n", last >= 0 && a[0] > 0);
    return 0;
}
