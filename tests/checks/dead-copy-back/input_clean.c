// a is mapped to.
#include <stdio.h>

int main(void)
{
    int a[100], c[100];
    for (int i = 0; i < 100; i++)
        a[i] = i;
    #pragma omp target teams distribute parallel for map(to: a) map(from: c)
    for (int i = 0; i < 100; i++)
        c[i] = a[99 - i];
    printf("%d %d\n", a[3], c[3]);
    return 0;
}
