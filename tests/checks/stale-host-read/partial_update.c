// Shows: only the first half comes back, but the host reads all.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 100 * argc, half = n / 2, sum = 0;
    int *r = calloc(n, sizeof *r);
    (void)argv;
    #pragma omp target data map(to: r[0:n])
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            r[i] = 2 * i + 1;
        #pragma omp target update from(r[0:half])
        for (int i = 0; i < n; i++)
            sum += r[i]; // finds: stale-host-read r
    }
    printf("%d\n", sum);
    free(r);
    return 0;
}
