// Shows: structures on the heap are mapped, and what their members point to.
#include <stdio.h>
#include <stdlib.h>

struct vector {
    int n;
    double *v;
};

int main(void)
{
    int n = 10, m = 4;
    struct vector *x = malloc(m * sizeof *x);
    double sum = 0;
    for (int k = 0; k < m; k++) {
        x[k].n = n;
        x[k].v = malloc(n * sizeof *x[k].v);
        for (int i = 0; i < n; i++)
            x[k].v[i] = i + k;
    }
    #pragma omp target enter data map(to: x[0:m])
    for (int k = 0; k < m; k++) {
        #pragma omp target enter data map(to: x[k].v[0:n])
    }
    #pragma omp target map(tofrom: sum)
    for (int k = 0; k < m; k++)
        for (int i = 0; i < n; i++)
            sum += x[k].v[i];
    printf("%g\n", sum);
    for (int k = 0; k < m; k++) {
        #pragma omp target exit data map(delete: x[k].v[0:n])
    }
    #pragma omp target exit data map(delete: x[0:m])
    for (int k = 0; k < m; k++)
        free(x[k].v);
    free(x);
    return 0;
}
