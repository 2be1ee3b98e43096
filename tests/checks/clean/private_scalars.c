// Shows: scalars that the kernel changes are private or not used afterwards.
#include <stdio.h>

enum { N = 77 };

int main(void)
{
    int v[N], t, last = 0, scratch = 5;
    for (int i = 0; i < N; i++)
        v[i] = i;
    #pragma omp target teams distribute parallel for map(tofrom: v) private(t)
    for (int i = 0; i < N; i++) {
        t = v[i] * 3;
        v[i] = t + 1;
    }
    #pragma omp target map(tofrom: v, last)
    {
        scratch = v[0];
        scratch += v[1];
        last = scratch;
    }
    t = v[5];
    scratch = 9;
    printf("%d %d %d\n", t, last, scratch);
    return 0;
}
