// Shows: one thread counts, by its number; the others leave the variable alone. Sums of all are added in a critical region and read behind a barrier.
// judge: no race
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#else
// Without OpenMP there is one thread.
static int omp_get_thread_num(void) { return 0; }
#endif

int main(void)
{
    int seen = 0, rounds = 0, total = 0;
    #pragma omp parallel
    {
        int own = 0;
        if (omp_get_thread_num() == 0)
            rounds += 1;
        #pragma omp for
        for (int i = 0; i < 500; i++)
            own += i % 3;
        #pragma omp critical
        total += own;
        #pragma omp barrier
        #pragma omp single
        seen = total;
    }
    printf("%d %d\n", seen, rounds);
    return 0;
}
