// Shows: last is firstprivate in the target region: what is assigned there is lost.
#include <stdio.h>

int main(void)
{
    int v[50], last = -1;
    for (int i = 0; i < 50; i++)
        v[i] = i * 3;
    #pragma omp target map(to: v)
    for (int i = 0; i < 50; i++)
        if (v[i] % 2 == 0)
            last = v[i];
    printf("%d\n", last); // finds: scalar-change-lost last
    return 0;
}
