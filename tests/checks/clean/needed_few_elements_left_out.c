// Shows: the kernel leaves out the border of a; what would be saved is no time.
#include <stdio.h>

int main(void)
{
    int a[200], b[200];
    for (int i = 0; i < 200; i++)
        a[i] = b[i] = i;
    #pragma omp target teams distribute parallel for map(to: a) map(tofrom: b)
    for (int i = 1; i < 199; i++)
        b[i] = b[i] + a[i];
    printf("%d %d\n", b[1], b[198]);
    return 0;
}
