// Shows: sections of parameters that are pointers to rows count rows, not elements.
#include <stdio.h>

static void twice(int c[19][21], int d[19][21])
{
    #pragma omp target teams distribute parallel for map(to: c[0:19 * 21]) map(from: d[0:19 * 21]) // finds: section-beyond-object c; section-beyond-object d
    for (int k = 0; k < 19; k++)
        for (int j = 0; j < 21; j++)
            d[k][j] = 2 * c[k][j];
}

int main(void)
{
    static int a[19][21], b[19][21];
    for (int k = 0; k < 19; k++)
        for (int j = 0; j < 21; j++)
            a[k][j] = k + j;
    twice(a, b);
    for (int k = 0; k < 19; k++)
        printf("%d\n", b[k][k]);
    return 0;
}
