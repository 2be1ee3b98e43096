// Shows: variables from outside of a region that each thread needs for itself: a counter, and what it computes on the way.
// judge: race
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_thread_num(void) { return 0; }
static int omp_get_num_threads(void) { return 1; }
#endif

static double a[4000], b[4000];

static void halves(int n)
{
    int i, half;
    #pragma omp parallel
    {
        int threads = omp_get_num_threads(), me = omp_get_thread_num();
        for (i = me * n / threads; i < (me + 1) * n / threads; i++) { // finds: unprotected-update i
            half = i / 2;
            b[i] = half + a[i]; // finds: unprotected-update half
        }
    }
}

// What is set before the threads wait in a critical region is read before it, too.
static double largest(int n)
{
    double most = 0, value;
    #pragma omp parallel
    {
        double mine = 0;
        for (int i = omp_get_thread_num(); i < n; i += omp_get_num_threads()) {
            value = 3 * a[i];
            mine = value > mine ? value : mine; // finds: unprotected-update value
        }
        #pragma omp critical
        most = mine > most ? mine : most;
    }
    return most;
}

int main(void)
{
    for (int i = 0; i < 4000; i++)
        a[i] = i % 7;
    halves(4000);
    printf("%d %d\n", b[1] >= 0, largest(4000) >= 0);
    return 0;
}
