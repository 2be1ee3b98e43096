// Shows: the first half is on the device; the host reads and writes the second half meanwhile.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 120 * argc, half = n / 2, *v = malloc(n * sizeof *v);
    (void)argv;
    for (int i = 0; i < n; i++)
        v[i] = i;
    #pragma omp target data map(tofrom: v[0:half])
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < half; i++)
            v[i] *= 2;
        for (int i = half; i < n; i++)
            v[i] = -v[i];
        printf("%d\n", v[n - 1]);
    }
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]);
    free(v);
    return 0;
}
