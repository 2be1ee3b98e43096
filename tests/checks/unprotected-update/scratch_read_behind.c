// Shows: what all threads use as scratch is read behind their region, too, so that no clause says which of their values is meant.
// judge: race
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
        last = 2 * me;
        a[me % 64] = last + 1; // finds: unprotected-update last
    }
    printf("%d\n", last >= 0 && a[0] > 0);
    return 0;
}
