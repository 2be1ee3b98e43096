// Loops without a barrier between them, on even and odd elements.
// judge: no race
#include <stdio.h>

int main(void)
{
    int v[400];
    #pragma omp parallel
    {
        #pragma omp for nowait
        for (int i = 0; i < 200; i++)
            v[2 * i] = i;
        #pragma omp for
        for (int i = 0; i < 200; i++)
            v[2 * i + 1] = -i;
    }
    printf("%d %d\n", v[398], v[399]);
    return 0;
}
