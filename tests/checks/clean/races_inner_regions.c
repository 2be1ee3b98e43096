// A parallel region for each loop: the end of one is a barrier.
// judge: no race
#include <stdio.h>

int main(void)
{
    int n = 200, a[200], b[200];
    #pragma omp target teams num_teams(1) map(from: a, b)
    {
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            a[i] = i;
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            b[i] = a[n - 1 - i];
    }
    printf("%d\n", b[0]);
    return 0;
}
