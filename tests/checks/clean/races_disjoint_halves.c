// Loops without a barrier between them, on the two halves of one array.
// judge: no race
#include <stdio.h>

static void fill(int n, int *v)
{
    #pragma omp parallel
    {
        #pragma omp for nowait
        for (int i = 0; i < n; i++)
            v[i] = i;
        #pragma omp for
        for (int i = n; i < 2 * n; i++)
            v[i] = -i;
    }
}

int main(void)
{
    int v[400];
    fill(200, v);
    printf("%d %d\n", v[199], v[200]);
    return 0;
}
