// The kernel only reads a, which is copied back all the same.
// judge: same (nothing is lost)
#include <stdio.h>

int main(void)
{
    int a[100], c[100];
    for (int i = 0; i < 100; i++)
        a[i] = i;
    #pragma omp target teams distribute parallel for map(tofrom: a) map(from: c) // finds: dead-copy-back a
    for (int i = 0; i < 100; i++)
        c[i] = a[99 - i];
    printf("%d %d\n", a[3], c[3]);
    return 0;
}
