// Each element is written, behind a read of its neighbour.
#include <stdio.h>

int main(void)
{
    int v[30];
    for (int i = 0; i < 30; i++)
        v[i] = i * i;
    #pragma omp target map(tofrom: v)
    for (int i = 0; i < 30; i++)
        v[i] = i < 29 ? v[i + 1] : 0;
    printf("%d %d\n", v[0], v[29]);
    return 0;
}
