// The same with the scalar named by the region, and copied back for the host.
#include <stdio.h>

static int a[100], best;

static void find(void)
{
    #pragma acc parallel present(a, best)
    best = a[3] + 1;
    #pragma acc update self(best)
    printf("%d\n", best);
}

int main(void)
{
    for (int i = 0; i < 100; i++)
        a[i] = i;
    #pragma acc data copyin(a, best)
    find();
    return 0;
}
