// Shows: the function's own maps copy when it is called alone; inside of an environment they find the data present.
#include <stdio.h>
#include <stdlib.h>

static void add(int n, const int *x, int *y)
{
    #pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: y[0:n])
    for (int i = 0; i < n; i++)
        y[i] += x[i];
}

int main(void)
{
    int n = 66, *x = malloc(n * sizeof *x), *y = calloc(n, sizeof *y);
    for (int i = 0; i < n; i++)
        x[i] = i % 8;
    add(n, x, y);
    for (int i = 0; i < n; i++)
        x[i] += y[i];
    #pragma omp target data map(to: x[0:n]) map(tofrom: y[0:n])
    {
        add(n, x, y);
        add(n, x, y);
    }
    for (int i = 0; i < n; i++)
        printf("%d\n", y[i]);
    free(x);
    free(y);
    return 0;
}
