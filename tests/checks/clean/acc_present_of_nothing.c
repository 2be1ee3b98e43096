// Shows: present of no elements holds wherever the array is, however long the part is that is mapped.
#include <stdio.h>
#include <stdlib.h>

static const int n = 10;

static void twice(int *a, int m)
{
    #pragma acc parallel loop present(a[0:m])
    for (int i = 0; i < m; i++)
        a[i] *= 2;
}

int main(void)
{
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma acc data copy(a[0:n])
    {
        twice(a, 0);
        twice(a, 10);
    }
    for (int i = 0; i < n; i++)
        printf("%d\n", a[i]);
    free(a);
    return 0;
}
