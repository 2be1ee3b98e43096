// Shows: last is mapped: what is assigned in the target region comes back.
#include <stdio.h>

int main(void)
{
    int v[50], last = -1;
    for (int i = 0; i < 50; i++)
        v[i] = i * 3;
    #pragma omp target map(to: v) map(tofrom: last)
    for (int i = 0; i < 50; i++)
        if (v[i] % 2 == 0)
            last = v[i];
    printf("%d\n", last);
    return 0;
}
