// Memory is freed when the task has filled it.
// judge: no race
#include <stdio.h>
#include <stdlib.h>

static double fill(double *w, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        w[i] = i;
        sum += w[i];
    }
    return sum;
}

int main(void)
{
    double first = 0, all = 0;
    #pragma omp parallel num_threads(4)
    #pragma omp single
    {
        double *work = malloc(20000 * sizeof *work);
        if (!work)
            abort();
        #pragma omp task shared(first)
        {
            work[0] = 1;
            first = fill(work, 20000);
        }
        all = 3;
        #pragma omp taskwait
        free(work);
    }
    printf("%d\n", first + all >= 0);
    return 0;
}
