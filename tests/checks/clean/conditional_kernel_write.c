// Shows: the kernel writes only some elements of an array that goes both ways.
#include <stdio.h>
#include <stdlib.h>

static void mark(int n, const int *v, int *flag)
{
    #pragma omp target teams distribute parallel for map(to: v[0:n]) map(tofrom: flag[0:n])
    for (int i = 0; i < n; i++)
        if (v[i] % 3 == 0)
            flag[i] = 1;
}

int main(void)
{
    int n = 63, *v = malloc(n * sizeof *v), *flag = malloc(n * sizeof *flag);
    for (int i = 0; i < n; i++) {
        v[i] = i * i;
        flag[i] = -1;
    }
    mark(n, v, flag);
    for (int i = 0; i < n; i++)
        printf("%d\n", flag[i]);
    free(v);
    free(flag);
    return 0;
}
