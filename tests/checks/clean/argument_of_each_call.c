// Shows: a region changes its copy of a parameter; the next call of the function in the loop begins with a value of its own.
#include <stdio.h>

static void step(int *a, int k)
{
    int before = k;
    #pragma omp target firstprivate(k) map(tofrom: a[0:4])
    {
        k = k + 1;
        a[before] = k;
    }
}

int main(void)
{
    int a[4] = {0, 0, 0, 0};
    for (int i = 0; i < 4; i++)
        step(a, i);
    for (int i = 0; i < 4; i++)
        printf("%d\n", a[i]);
    return 0;
}
