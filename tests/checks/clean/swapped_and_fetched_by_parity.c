// Shows: two buffers change roles in each step; which of them is fetched goes by the number of steps.
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = 20, steps = argc > 1 ? atoi(argv[1]) : 3;
    double *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b);
    double *cur = a, *nxt = b;
    for (int i = 0; i < n; i++) a[i] = b[i] = i * i;
    #pragma omp target enter data map(to: a[0:n], b[0:n])
    for (int t = 0; t < steps; t++) {
        #pragma omp target teams distribute parallel for map(alloc: cur[0:n], nxt[0:n])
        for (int i = 1; i < n - 1; i++) nxt[i] = (cur[i-1] + cur[i+1]) / 2;
        double *tmp = cur; cur = nxt; nxt = tmp;
    }
    if (steps % 2) {
        #pragma omp target update from(b[0:n])
        printf("%g\n", b[n/2]);
    } else {
        #pragma omp target update from(a[0:n])
        printf("%g\n", a[n/2]);
    }
    #pragma omp target exit data map(delete: a[0:n], b[0:n])
    free(a); free(b);
    return 0;
}
