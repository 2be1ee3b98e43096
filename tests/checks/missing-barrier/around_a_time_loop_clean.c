// Both loops of a time step end with a barrier.
// judge: no race
#include <stdio.h>

int main(void)
{
    int a[300], b[300];
    for (int i = 0; i < 300; i++)
        a[i] = i;
    #pragma omp parallel
    {
        for (int step = 0; step < 20; step++) {
            #pragma omp for
            for (int i = 1; i < 299; i++)
                b[i] = a[i - 1] + a[i + 1] - a[i];
            #pragma omp for
            for (int i = 1; i < 299; i++)
                a[i] = b[i];
        }
    }
    printf("%d %d\n", a[1], a[150]);
    return 0;
}
