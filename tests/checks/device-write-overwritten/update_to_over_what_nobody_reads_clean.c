// Shows: the update moves old elements over those of a kernel, but the next kernel sets all of them before it reads any; the host reads others.
#include <stdio.h>

int main(void)
{
    int t[70], u[70];
    for (int i = 0; i < 70; i++)
        t[i] = u[i] = i;
    #pragma omp target data map(tofrom: t, u)
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 70; i++)
            t[i] = u[i] + 1;
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 70; i++)
            u[i] = t[i] * 3;
        #pragma omp target update to(t)
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 70; i++)
            t[i] = u[i] - 2;
    }
    for (int i = 0; i < 70; i++)
        printf("%d %d\n", t[i], u[i]);
    return 0;
}
