// Shows: one call of the function uses half of what it maps, the other one all.
#include <stdio.h>

static int a[200];

static void add(int n, int by)
{
    #pragma omp target teams distribute parallel for map(tofrom: a[0:200])
    for (int i = 0; i < n; i++)
        a[i] += by;
}

int main(void)
{
    for (int i = 0; i < 200; i++)
        a[i] = i;
    add(100, 1);
    add(200, 2);
    printf("%d %d\n", a[0], a[199]);
    return 0;
}
