// A function asks plainly whether the limit is reached, and counts atomically.
// judge: race
#include <stdio.h>

static int filled;

static void take(int limit)
{
    if (filled < limit) {
        #pragma omp atomic
        filled++; // finds: atomic-and-plain filled
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
