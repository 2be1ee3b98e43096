// The limit is asked with an atomic read.
// judge: no race
#include <stdio.h>

static int filled;

static void take(int limit)
{
    int now;
    #pragma omp atomic read
    now = filled;
    if (now < limit) {
        #pragma omp atomic
        filled++;
    }
}

int main(void)
{
    #pragma omp parallel for
    for (int i = 0; i < 800; i++)
        take(1000);
    printf("%d\n", filled);
    return 0;
}
