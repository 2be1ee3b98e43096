// Each loop is a region of its own, and the next one begins when all teams are done.
// judge: no race
#include <stdio.h>

int main(void)
{
    int n = 240, a[240], b[240];
    for (int i = 0; i < n; i++)
        a[i] = 1;
    #pragma omp target data map(tofrom: a) map(from: b)
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            a[i] = a[i] + i;
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            b[i] = a[n - 1 - i];
    }
    printf("%d %d\n", b[0], b[239]);
    return 0;
}
