// c is mapped from.
#include <stdio.h>

int main(void)
{
    int a[100], c[100];
    for (int i = 0; i < 100; i++) {
        a[i] = i;
        c[i] = 0;
    }
    #pragma omp target teams distribute parallel for map(to: a) map(from: c)
    for (int i = 0; i < 100; i++)
        c[i] = a[i] * a[i];
    printf("%d %d\n", c[1], c[99]);
    return 0;
}
