// If there are no steps, what was copied in comes back.
#include <stdio.h>

static void fill(int steps, int n, int *v)
{
    #pragma omp target map(tofrom: v[0:n])
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++)
            v[i] = t;
}

int main(void)
{
    int v[30], w[30];
    for (int i = 0; i < 30; i++)
        v[i] = w[i] = 50 + i;
    fill(0, 30, v);
    fill(3, 30, w);
    printf("%d %d\n", v[29], w[29]);
    return 0;
}
