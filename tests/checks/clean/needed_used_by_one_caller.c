// One caller needs what the function copies back, the other does not.
#include <stdio.h>

static void twice(int n, int *v)
{
    #pragma omp target teams distribute parallel for map(tofrom: v[0:n])
    for (int i = 0; i < n; i++)
        v[i] *= 2;
}

int main(void)
{
    int a[30], b[30];
    for (int i = 0; i < 30; i++)
        a[i] = b[i] = i;
    twice(30, a);
    twice(30, b);
    printf("%d\n", b[29]);
    return 0;
}
