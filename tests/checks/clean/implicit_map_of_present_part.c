// Shows: a part of the array is present; the implicit map of the whole array uses that part, and the kernel stays inside of it.
#include <stdio.h>

static int a[100];

int main(void)
{
    for (int i = 0; i < 100; i++)
        a[i] = i;
    #pragma omp target enter data map(to: a[0:50])
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < 50; i++)
        a[i] *= 2;
    #pragma omp target exit data map(from: a[0:50])
    for (int i = 0; i < 100; i++)
        printf("%d\n", a[i]);
    return 0;
}
