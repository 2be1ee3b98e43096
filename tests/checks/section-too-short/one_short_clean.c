// Shows: the sections have the length of the loop.
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
    int n = 75, *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++) {
        x[i] = i;
        y[i] = 2 * i;
    }
    add(n, x, y);
    for (int i = 0; i < n; i++)
        printf("%d\n", y[i]);
    free(x);
    free(y);
    return 0;
}
