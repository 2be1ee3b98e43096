// Shows: which elements of a are read is in a table.
#include <stdio.h>

int main(void)
{
    int a[300], at[50], b[50];
    for (int i = 0; i < 300; i++)
        a[i] = i;
    for (int i = 0; i < 50; i++)
        at[i] = (i * 37) % 300;
    #pragma omp target teams distribute parallel for map(to: a, at) map(from: b)
    for (int i = 0; i < 50; i++)
        b[i] = a[at[i]];
    printf("%d %d\n", b[1], b[49]);
    return 0;
}
