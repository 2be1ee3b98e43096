// A strided update brings what is read of a to the device; b is forgotten.
// compiler: clang
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 50, *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++)
        a[i] = b[i] = i;
    #pragma omp target data map(to: a[0:n]) map(tofrom: b[0:n])
    {
        for (int i = 0; i < n; i++)
            a[i] = b[i] = 7 - i;
        #pragma omp target update to(a[0:n / 2:2])
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            b[i] += a[4]; // finds: stale-device-read b
    }
    printf("%d\n", b[49]);
    free(a);
    free(b);
    return 0;
}
