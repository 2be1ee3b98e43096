// Shows: c goes both ways, because the kernel adds to its old value.
#include <stdio.h>
#include <stdlib.h>

static void accumulate(int n, const int *x, int *c)
{
    #pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: c[0:n])
    for (int i = 0; i < n; i++)
        c[i] += 2 * x[i];
}

int main(int argc, char **argv)
{
    int n = 300 + argc;
    int *x = malloc(n * sizeof *x), *c = malloc(n * sizeof *c);
    (void)argv;
    for (int i = 0; i < n; i++) {
        x[i] = i % 7;
        c[i] = 1000;
    }
    accumulate(n, x, c);
    for (int i = 0; i < n; i++)
        printf("%d%c", c[i], i % 10 == 9 ? '\n' : ' ');
    printf("\n");
    free(x);
    free(c);
    return 0;
}
