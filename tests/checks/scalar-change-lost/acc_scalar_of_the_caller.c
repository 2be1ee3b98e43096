// The data construct that names the scalar is in the caller, not in the text around: the region has a copy of its own.
#include <stdio.h>

static int a[100], best;

static void find(void)
{
    #pragma acc parallel present(a)
    best = a[3] + 1;
    printf("%d\n", best); // finds: scalar-change-lost best
}

int main(void)
{
    for (int i = 0; i < 100; i++)
        a[i] = i;
    #pragma acc data copyin(a, best)
    find();
    return 0;
}
