// Shows: work is mapped from the device, as its last values are printed.
#include <stdio.h>
#include <stdlib.h>

static void smooth(int n, int *u, int *work)
{
    #pragma omp target data map(tofrom: u[0:n]) map(from: work[0:n])
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            work[i] = u[i] + (i > 0 ? u[i - 1] : 0);
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            u[i] = work[i] / 2;
    }
}

int main(void)
{
    int n = 140, *u = malloc(n * sizeof *u), *work = calloc(n, sizeof *work);
    for (int i = 0; i < n; i++)
        u[i] = 5 * i % 23;
    smooth(n, u, work);
    for (int i = 0; i < n; i++)
        printf("%d %d\n", u[i], work[i]);
    free(u);
    free(work);
    return 0;
}
