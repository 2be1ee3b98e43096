/* One data environment around two kernels, with a host read and a host write between them. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n = 501;
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) a[i] = i;
    long between = 0;
#pragma omp target data map(tofrom: a[0:n])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++) a[i] = 2 * a[i];
#ifndef NO_UPDATE_FROM
#pragma omp target update from(a[0:n])
#endif
        for (int i = 0; i < n; i++) between += a[i];
        a[0] = 1000;
#ifndef NO_UPDATE_TO
#pragma omp target update to(a[0:1])
#endif
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++) a[i] = a[i] + 1;
    }
    printf("%ld %d %d\n", between, a[0], a[n - 1]);
    free(a);
    return 0;
}
