// Shows: the host corrects an element after the environment has ended.
#include <stdio.h>

#define N 90

int main(void)
{
    int v[N];
    for (int i = 0; i < N; i++)
        v[i] = 0;
    #pragma omp target data map(tofrom: v)
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            v[i] = v[i] + i;
    }
    v[0] = 555;
    for (int i = 0; i < N; i++)
        printf("%d\n", v[i]);
    return 0;
}
