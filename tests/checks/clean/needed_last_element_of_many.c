// Shows: the kernel reads the first part of a and its last element.
#include <stdio.h>

int main(void)
{
    int a[300], b[100];
    for (int i = 0; i < 300; i++)
        a[i] = i;
    #pragma omp target teams distribute parallel for map(to: a) map(from: b)
    for (int i = 0; i < 100; i++)
        b[i] = a[i] + a[299];
    printf("%d %d\n", b[0], b[99]);
    return 0;
}
